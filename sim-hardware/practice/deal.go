package practice

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/vocab"
)

// round is a round that the engine plays for an exercise, and the second book keeps. The dice decide all of it.
type round struct {
	house *rules.Rules
	kind  Kind
	level int
	dice  *rand.Rand
	table *table.Table
	book  secondbook.Book
	shoe  []card.Card
	theme theme
	// deals decides for the guests, as far as the level lets them.
	deals croupier.Croupier
	laid  card.Card // the last one that was drawn, except for Jokers
	hole  croupier.HoleCard
	asks  func(moment)
}

// moment is a table after an input.
type moment struct {
	table *table.Table
	in    vocab.Input
	outs  []vocab.Output
}

// view draws it.
func (m moment) view() display.View { return display.From(m.table, "", 1) }

// What each level adds.
func (r *round) sideBets() bool   { return r.level >= 2 }
func (r *round) uneven() bool     { return r.level >= 2 }
func (r *round) insures() bool    { return r.level >= 2 }
func (r *round) doubles() bool    { return r.level >= 3 || r.kind == Calls }
func (r *round) bettorsMost() int { return [...]int{1: 1, 1, 2, 3}[r.level] }

// has says whether the level has what the guests do.
func (r *round) has(in *vocab.Input) bool {
	_, side := in.Wager.Side()
	against := in.Call == vocab.CallInsurance || in.Call == vocab.CallEvenMoney
	return (!side || r.sideBets()) && (!against || r.insures())
}

// errRefused is a fault of this package.
var errRefused = errors.New("the engine refused what an exercise put in")

// play plays one round, and calls asks at each moment.
func play(house *rules.Rules, kind Kind, level int, dice *rand.Rand, asks func(moment)) error {
	r := &round{house: unheld(house), kind: kind, level: level, dice: dice, asks: asks}
	return r.play(r.house)
}

// unheld are a house's rules without what holds a payment: nobody is there who could confirm a big win.
func unheld(house *rules.Rules) *rules.Rules {
	own := *house
	own.BigWin = nil
	return &own
}

// play plays the round, of which the second book is kept by those rules.
func (r *round) play(kept *rules.Rules) error {
	r.begin(kept)
	return r.deal()
}

// begin lays the table, and opens the second book.
func (r *round) begin(kept *rules.Rules) {
	house, dice := r.house, r.dice
	jackpot := house.Meter.Seed
	if jackpot > 0 {
		jackpot += 5 * dice.Int64N(jackpot/5+1)
	}
	r.table = table.Resume(house, table.Carry{Kept: table.Kept{Jackpot: jackpot}})
	r.book.SetUp(kept, jackpot)
	r.fill()
	r.theme = themes[dice.IntN(len(themes))]
	r.deals = croupier.Croupier{
		Dice: dice, Boxes: 2 + dice.IntN(2), Some: true, Most: r.bettorsMost(), Sides: true, Plays: r.call,
	}
}

// deal plays to the payment.
func (r *round) deal() error {
	const most = 200 // inputs of the strangest round
	for range most {
		if r.table.Phase() == vocab.Payment {
			return nil
		}
		if err := r.next(); err != nil {
			return err
		}
	}
	return fmt.Errorf("a round does not end after %d inputs", most)
}

// next puts in what is due. What the house does not take of a guest, the engine refuses.
func (r *round) next() error {
	in, decides := r.deals.Next(r.table)
	if !decides {
		return r.must(r.hole.Lay(r.table, vocab.Input{Kind: vocab.InCard, Card: r.draw()}))
	}
	if in.Kind == vocab.InHole {
		return r.must(r.hole.See(r.table, in))
	}
	if !r.has(&in) {
		return nil
	}
	if in.Kind == vocab.InStake && !r.uneven() {
		in.Amount -= in.Amount % r.house.Table.Min
	}
	if in.Bettor == "" {
		return r.must(in)
	}
	_, err := r.putInput(in)
	return err
}

// must puts in what the engine has to take.
func (r *round) must(in vocab.Input) error {
	taken, err := r.putInput(in)
	if err == nil && !taken {
		err = fmt.Errorf("%w: %s %s %s: %s", errRefused, in.Kind, in.Call, in.Card, r.table.Rejected())
	}
	return err
}

// putInput puts something in, and says whether it was taken. The error is the second book's.
func (r *round) putInput(in vocab.Input) (taken bool, err error) {
	outs := r.table.Step(&in)
	if err := r.book.Enter(&in, outs); err != nil {
		return false, fmt.Errorf("the second book disagrees with the engine: %w", err)
	}
	if _, held := r.table.Held(); held {
		return false, fmt.Errorf("%w: the round is held after %s", errRefused, in.Kind)
	}
	if r.asks != nil {
		r.asks(moment{r.table, in, outs})
	}
	return r.table.Rejected() == 0, nil
}

// call is what a guest calls: often what a strategy table has, at times not.
func (r *round) call(h table.Hand, _ card.Card, allowed vocab.Calls) vocab.Call {
	last := h.Cards[len(h.Cards)-1]
	switch {
	case allowed.Has(vocab.CallHigher):
		switch {
		case h.Total >= 3 && r.dice.IntN(2) > 0:
			return vocab.CallRest
		case last.Rank().Height() <= 8:
			return vocab.CallHigher
		}
		return vocab.CallLower
	case allowed.Has(vocab.CallSplit) && r.doubles() && r.table.Hands(int(r.table.Due().Box)) < 3 &&
		r.dice.IntN(2) == 0:
		return vocab.CallSplit
	case allowed.Has(vocab.CallDouble) && r.doubles() && h.Total <= 12 && r.dice.IntN(3) > 0:
		return vocab.CallDouble
	case allowed.Has(vocab.CallCard) && (h.Total < 15 || h.Total < 18 && (h.Soft || r.dice.IntN(3) == 0)):
		return vocab.CallCard
	case !allowed.Has(vocab.CallRest): // a house that has it draw
		return vocab.CallCard
	}
	return vocab.CallRest
}
