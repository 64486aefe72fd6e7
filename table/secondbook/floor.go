package secondbook

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// floor is what the book knows of the table beside its game: whether it is open, who deals,
// and which limits were announced.
type floor struct {
	closed      bool
	dealer      string
	min, boxMax int64
	// toBurn are the cards that are to be laid aside before a round, and unloaded were before the shoe was loaded.
	toBurn, unloaded burning
	// cut: the cut card has come, and left what the shoe was like before it was loaded. oneMore: a supervisor lets one
	// more round be dealt.
	cut, left, oneMore bool
}

// burning is how many cards are to be burnt; of byFirst ones nobody knows before the next card.
type burning struct {
	cards   int
	byFirst bool
}

func burningOf(b rules.Burn) burning { return burning{b.Cards, b.ByValue} }

func (f *floor) limits(least, boxMax int64) { f.min, f.boxMax = least, boxMax }

// TakeOver tells the book what it cannot have followed: whether the table is closed, who
// deals, and what is left to be burnt, now and where the loading of the shoe is taken back.
func (b *Book) TakeOver(closed bool, dealer string, toBurn, unloaded rules.Burn) {
	b.floor.closed, b.floor.dealer = closed, dealer
	b.floor.toBurn, b.floor.unloaded = burningOf(toBurn), burningOf(unloaded)
}

// TakeOverShoe tells the book whether the cut card has come, now and where the loading of the shoe is taken back, and
// whether a supervisor lets one more round be dealt.
func (b *Book) TakeOverShoe(cut, unloaded, oneMore bool) {
	b.floor.cut, b.floor.left, b.floor.oneMore = cut, unloaded, oneMore
}

// atFloor checks what concerns the table and no round, and what a round may not do because
// of it.
func (b *Book) atFloor(in *vocab.Input, outs []vocab.Output) (first error) {
	note := func(err error) {
		if first == nil {
			first = err
		}
	}
	if in.Kind == vocab.InShoe && in.Shoe.Event == vocab.ShoeLoaded && !b.page.underWay {
		b.floor.unloaded, b.floor.toBurn = b.floor.toBurn, burningOf(b.rules.BurnLoaded())
	}
	for i := range outs {
		switch out := &outs[i]; out.Kind {
		case vocab.Dealt:
			b.floor.burns(out, b.page.underWay)
		case vocab.Opened:
			note(b.floor.opens())
			note(b.opensFrom(in))
		case vocab.TableChanged:
			note(b.floor.changes(out))
		case vocab.LimitsChanged:
			note(b.announces(in, out))
		case vocab.DealerChanged:
			note(b.relief(out))
		}
	}
	if in.Kind == vocab.InStake && in.Wager == vocab.WagerMain && in.Stated && in.Amount > 0 {
		note(b.floor.takes(in, b.page.onBox(uint8(in.Box))))
		note(b.stepped(in))
	}
	if in.Kind == vocab.InStake {
		note(b.crowded(uint8(in.Box)))
		note(b.betsAbove(uint8(in.Box), in.Bettor))
	}
	return first
}

// stepped: a main stake is a multiple of what the house says.
func (b *Book) stepped(in *vocab.Input) error {
	if step := b.rules.Step(); in.Amount%step != 0 {
		return fmt.Errorf("a stake of %s on box %d is no multiple of %s", amount(in.Amount), in.Box, amount(step))
	}
	return nil
}

// crowded: no more bettors play a box than the house allows.
func (b *Book) crowded(box uint8) error {
	n := 0
	for i := range b.page.stakes {
		if b.page.stakes[i].box == box {
			n++
		}
	}
	if most := b.rules.MostBettors(); most != 0 && n > most {
		return fmt.Errorf("%d bettors play box %d, and %d may", n, box, most)
	}
	return nil
}

// betsAbove: a side bet that the main stake limits is no more than that.
func (b *Book) betsAbove(box uint8, name string) error {
	at := b.page.findStake(box, name)
	if at < 0 {
		return nil
	}
	main := b.page.stakes[at].amount
	for i := range b.page.sides {
		s := &b.page.sides[i]
		if s.box != box || s.name != name || main == vocab.Unstated || s.amount <= main {
			continue
		}
		if bet, _ := s.wager.Side(); b.rules.Offer(bet) != nil && b.rules.Offer(bet).UpToStake {
			return fmt.Errorf("%s of %s on box %d is more than the main stake %s", s.wager, amount(s.amount), box,
				amount(main))
		}
	}
	return nil
}

var errClosed = errors.New("bets were opened at a closed table")

func (f *floor) opens() error {
	switch {
	case f.closed:
		return errClosed
	case f.toBurn.cards > 0:
		return fmt.Errorf("bets were opened, and %d cards were to be burnt first", f.toBurn.cards)
	}
	return nil
}

// shoe follows what becomes of the shoe.
func (f *floor) shoe(in *vocab.Input, outs []vocab.Output) {
	switch {
	case in.Kind == vocab.InShoe && in.Shoe.Event == vocab.ShoeLoaded, in.Kind == vocab.InSetup:
		f.left, f.cut, f.oneMore = f.cut, false, false
	case in.Kind == vocab.InShoe && in.Shoe.Event == vocab.ShoeCutCard, in.Kind == vocab.InCorrect &&
		in.Correct.What == vocab.EndShoe:
		f.cut = true
	}
	for i := range outs {
		switch out := &outs[i]; {
		case out.Kind != vocab.Resolved:
		case out.With == irregularity.Reload:
			f.cut = false // filled again
		case out.Code == irregularity.ShoeDue && out.With == irregularity.Accept:
			f.oneMore = true
		}
	}
}

// opensFrom: once the cut card has come nobody opens bets before the shoe is loaded, but where a supervisor lets it be.
func (b *Book) opensFrom(in *vocab.Input) error {
	f := &b.floor
	asked := f.cut && !f.oneMore && in.Came().From.Person() && b.rules.Cards.Source == rules.Shoe
	if f.oneMore = false; asked {
		return errCut
	}
	return nil
}

var errCut = errors.New("bets were opened after the cut card had come, and the shoe was not loaded")

// burns counts a card that was laid aside between two rounds. A Joker counts for nothing here either.
func (f *floor) burns(out *vocab.Output, underWay bool) {
	b := &f.toBurn
	switch {
	case underWay || out.To != vocab.ToAside || out.Card == card.Joker || b.cards == 0:
	case !b.byFirst:
		b.cards--
	case out.Card != card.Unread:
		*b = burning{cards: worth(out.Card)}
	}
}

func (f *floor) changes(out *vocab.Output) error {
	closes := out.Table.Event == vocab.TableClosed
	if closes == f.closed {
		return fmt.Errorf("the table was %s, and it already was", out.Table.Event)
	}
	f.closed = closes
	return nil
}

// announces adopts limits. The side bets' follow from them.
func (b *Book) announces(in *vocab.Input, out *vocab.Output) error {
	err := b.floor.announces(in, out)
	if changed, wrong := b.rules.WithLimits(out.Limits.Min, out.Limits.BoxMax); len(wrong) == 0 {
		b.rules = changed
	}
	b.leave()
	return err
}

// announces: the limits are those that were put in, and leave something to stake.
func (f *floor) announces(in *vocab.Input, out *vocab.Output) error {
	want := *f
	if in.Limits.Min != 0 {
		want.min = in.Limits.Min
	}
	if in.Limits.BoxMax != 0 {
		want.boxMax = in.Limits.BoxMax
	}
	f.limits(out.Limits.Min, out.Limits.BoxMax)
	switch {
	case *f != want:
		return fmt.Errorf("limits of %s to %s were announced, and %s to %s are in force",
			amount(want.min), amount(want.boxMax), amount(f.min), amount(f.boxMax))
	case f.boxMax < f.min:
		return fmt.Errorf("the box maximum %s is below the minimum %s", amount(f.boxMax), amount(f.min))
	}
	return nil
}

// relief: cards may be to be burnt when another dealer comes, unless some are already.
func (b *Book) relief(out *vocab.Output) error {
	f := &b.floor
	was := f.dealer
	f.dealer = out.By
	b.tray.deals(out.By)
	if was != "" && was != out.By && f.toBurn.cards == 0 {
		f.toBurn = burningOf(b.rules.BurnRelief())
	}
	if out.Dealer.Relieves != "" && out.Dealer.Relieves != was {
		return fmt.Errorf("%q relieves %q, but %q was dealing", out.By, out.Dealer.Relieves, was)
	}
	return nil
}

// takes says whether a stake lies within the limits; sum is all that lies on its box then.
func (f *floor) takes(in *vocab.Input, sum int64) error {
	switch {
	case in.Amount < f.min:
		return fmt.Errorf("a stake of %s on box %d is below the minimum %s", amount(in.Amount), in.Box, amount(f.min))
	case sum > f.boxMax:
		return fmt.Errorf("%s lie on box %d, which may take %s", amount(sum), in.Box, amount(f.boxMax))
	}
	return nil
}

// onBox sums the main stakes on a box whose amounts are known.
func (p *page) onBox(box uint8) (sum int64) {
	for i := range p.stakes {
		if p.stakes[i].box == box {
			sum += known(p.stakes[i].amount)
		}
	}
	return sum
}
