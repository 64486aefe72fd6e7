package secondbook

import (
	"fmt"
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// wrongCall is why a call may not be made for the hand that is due, by the house's sheet.
func (b *Book) wrongCall(in *vocab.Input) error {
	if in.Kind != vocab.InCall || b.james() {
		return nil
	}
	if in.Call == vocab.CallInsurance || in.Call == vocab.CallEvenMoney {
		return b.wrongInsurance(in)
	}
	if in.Call == vocab.CallSurrender {
		if err := b.wrongMoment(in); err != nil {
			return err
		}
	}
	r := b.page.row(place{b.due.Box, b.due.Hand})
	if in.Call == vocab.CallInsuranceClosed || r == nil {
		return nil
	}
	if err := b.notLooked(); err != nil {
		return err
	}
	var wrong string
	switch in.Call {
	case vocab.CallRest:
		wrong = b.wrongRest(r)
	case vocab.CallCard:
		wrong = b.wrongCard(r)
	case vocab.CallDouble:
		if wrong = b.wrongDouble(r); wrong == "" {
			wrong = b.wrongAmount(r, in)
		}
	case vocab.CallSplit:
		wrong = b.wrongSplit(r)
	}
	if wrong == "" {
		return nil
	}
	return fmt.Errorf("%s, %s with %s: %s", r.place, in.Call, names(r.laid()), wrong)
}

// wrongInsurance reads against which cards of the bank something is insured.
func (b *Book) wrongInsurance(in *vocab.Input) error {
	bank := b.page.bank
	tens := b.rules.Insurance.Tens
	switch hand := (place{uint8(in.Box), 1}); {
	case len(bank) == 0:
		return nil
	case b.page.gaveUp(hand, in.Bettor):
		return fmt.Errorf("%s of %s, who has surrendered", in.Call, in.Bettor)
	case bank[0].Rank() == card.Ace:
		return nil
	case in.Call == vocab.CallInsurance && tens != nil && *tens && worth(bank[0]) == 10:
		return nil
	}
	return fmt.Errorf("%s against %s", in.Call, names(bank))
}

// wrongRest reads when a hand may rest, "" if it may here.
func (b *Book) wrongRest(r *row) string {
	total, soft := count(r.laid())
	below := b.rules.Play.DrawBelow
	if below != nil && total < *below && b.page.timesOn(r.place) == 1 && b.wrongCard(r) == "" {
		return fmt.Sprintf("it rests on %s, and has to draw below %d", counted(total, soft), *below)
	}
	return ""
}

// wrongCard reads when a hand may get another card, "" if it may here.
func (b *Book) wrongCard(r *row) string {
	total, soft := count(r.laid())
	from, drawn := b.rules.Play.RestFrom, b.rules.Split.AcesDrawn
	switch {
	case from != nil && !soft && total >= *from:
		return fmt.Sprintf("it gets no card from %d on", *from)
	case r.n > 1 && b.page.hands(r.box) > 1 && b.page.splitAces(r.box) && (drawn == nil || !*drawn):
		return "a split ace gets one card"
	}
	return ""
}

// timesOn is how often the stake of whoever has most lies on a hand, two where it is doubled for less.
func (p *page) timesOn(at place) (most int64) {
	for i := range p.wagers {
		w := &p.wagers[i]
		if w.place != at {
			continue
		}
		if most = max(most, w.times); w.less > 0 {
			most = max(most, 2) // it is doubled, if for less
		}
	}
	return most
}

// holderLies is how often the stake of the first bettor lies on a hand who is still in the game, 0 without one.
func (p *page) holderLies(at place) int64 {
	if w := p.deciding(at); w != nil {
		return w.times
	}
	return 0
}

// deciding is the stake on a hand of the first bettor who is still in the game, nil without one.
func (p *page) deciding(at place) *wager {
	for i := range p.wagers {
		if w := &p.wagers[i]; w.place == at && !w.settled {
			return w
		}
	}
	return nil
}

// wrongAmount reads for how much a hand is doubled that is doubled for less, "" if it may here.
func (b *Book) wrongAmount(r *row, in *vocab.Input) string {
	least, stake := b.rules.ForLess(), b.page.deciding(r.place)
	switch {
	case !in.Stated:
		return ""
	case least == 0:
		return "a stake is doubled as a whole in this house"
	case stake == nil || stake.stake < 0 || stake.times > 1:
		return "nobody has a stake there that could be doubled for less"
	case in.Amount < least || in.Amount > stake.stake || in.Amount%b.rules.Step() != 0:
		return fmt.Sprintf("%s are laid to double %s, where it is from %s on in steps of %s", amount(in.Amount),
			amount(stake.stake), amount(least), amount(b.rules.Step()))
	}
	return ""
}

// wrongDouble reads when a stake may be doubled, "" if it may here.
func (b *Book) wrongDouble(r *row) string {
	d := &b.rules.Double
	total, soft := count(r.laid())
	cards := 2
	if d.MostCards != nil {
		cards = *d.MostCards
	}
	noCard := b.wrongCard(r)
	switch lies := b.page.holderLies(r.place); {
	case !d.Allowed:
		return "nothing is doubled in this house"
	case lies == 2 && d.Again != nil && *d.Again && total < 21 && noCard == "":
		return ""
	case b.page.timesOn(r.place) > 1:
		return "it is doubled already"
	case noCard != "":
		return noCard
	case int(r.n) > cards:
		return fmt.Sprintf("only up to %d cards are doubled", cards)
	case len(d.On) > 0 && !slices.Contains(d.On, total):
		return fmt.Sprintf("%d is not a total that is doubled", total)
	case soft && d.HardOnly:
		return "only hard totals are doubled"
	case b.page.hands(r.box) > 1 && !d.AfterSplit:
		return "nothing is doubled after a split"
	}
	return ""
}

// wrongSplit reads when a hand may be split, "" if it may here.
func (b *Book) wrongSplit(r *row) string {
	s := &b.rules.Split
	hands := b.page.hands(r.box)
	switch {
	case r.n != 2 || worth(r.cards[0]) != worth(r.cards[1]):
		return "these are no pair"
	case s.By != nil && *s.By == rules.SplitByRank && r.cards[0].Rank() != r.cards[1].Rank():
		return "only cards of one rank are split"
	case s.Never != nil && s.Never.Has(worth(r.cards[0])):
		return "such cards are not split"
	case s.Max != rules.Unlimited && hands > s.Max:
		return fmt.Sprintf("the box has %d hands already", hands)
	case r.cards[0].Rank() == card.Ace && hands > 1 && !s.AcesAgain && b.page.splitAces(r.box):
		return "aces are split once"
	}
	return ""
}

// splitAces reports whether a box with several hands has split aces.
func (p *page) splitAces(box uint8) bool {
	for i := range p.rows {
		if r := &p.rows[i]; r.box == box && (r.n == 0 || r.cards[0].Rank() != card.Ace) {
			return false
		}
	}
	return true
}
