package dealt

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// best is the play that a report has found.
func best(r *odds.Report) Play {
	if r.James != nil {
		return func(h *Hand) vocab.Call { return r.James.Call(h.Cards, h.Up) }
	}
	return func(h *Hand) vocab.Call {
		split := card.None
		if h.Hands > 1 {
			split = h.Cards[0]
		}
		if !h.Allowed.Has(vocab.CallCard) && h.Allowed.Has(vocab.CallDouble) {
			if r.Main.Again(h.Cards, h.Up, split) {
				return vocab.CallDouble
			}
			return vocab.CallRest
		}
		return r.Main.Call(h.Cards, h.Up, split, h.Hands)
	}
}

// evenMoney has every Black Jack that can be paid as even money take it.
type evenMoney struct {
	table *table.Table
	rules *rules.Rules
	names []string
	box   int // the last one that was asked
}

// next is the next box that takes even money. It begins anew after the last.
func (e *evenMoney) next() (vocab.Input, bool) {
	ace := e.table.Bank().Cards[0].Rank() == card.Ace
	for ace && e.box < len(e.names) {
		e.box++
		h := e.table.Hand(e.box, 1)
		if h.Done == vocab.DoneBlackJack && !e.bonus(h.Cards) {
			return vocab.Input{Kind: vocab.InCall, Call: vocab.CallEvenMoney, Box: e.box, Bettor: e.names[e.box-1]},
				true
		}
	}
	e.box = 0
	return vocab.Input{}, false
}

// bonus says whether a Black Jack is paid already, as one of jack and ace of spades. (St. Moritz, "Blackjack bonus".)
func (e *evenMoney) bonus(cards []card.Card) bool {
	if e.rules.Pays.BonusBlackJack == nil {
		return false
	}
	for _, c := range cards {
		if c.Suit() != card.Spades || c.Rank() != card.Jack && c.Rank() != card.Ace {
			return false
		}
	}
	return true
}
