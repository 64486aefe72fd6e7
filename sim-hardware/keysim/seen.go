package keysim

import (
	"fmt"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// seen is a table as its display shows it.
type seen struct {
	display.View
	rules *rules.Rules
}

// sees is what the dealer sees. Limits may have changed since the rules were read. Where neither the display nor the
// dealer has any rules, guests play by what holds in every house: nobody plays one box alone.
func (d *Dealer) sees(v display.View) seen {
	if v.Rules != nil {
		return seen{v, v.Rules}
	}
	r := rules.Rules{}
	if r.Play.LoneTwoBoxes = true; d.Rules != nil {
		r = *d.Rules
	}
	r.Table.Min, r.Table.BoxMax, r.Table.Unit = v.Min, v.BoxMax, v.Unit
	return seen{v, &r}
}

func (s seen) Rules() *rules.Rules { return s.rules }
func (s seen) Boxes() int          { return len(s.View.Boxes) }
func (s seen) Round() uint64       { return s.View.Round }
func (s seen) Phase() vocab.Phase  { return s.View.Phase }
func (s seen) Bank() table.Hand    { return handOf(s.View.Bank) }

func (s seen) Due() vocab.Due {
	due := vocab.Due{To: s.View.Due.To, Spot: vocab.Spot{Box: uint8(s.View.Due.Box), Hand: uint8(s.View.Due.Hand)}}
	for _, c := range s.View.Due.Allowed {
		due.Allowed = due.Allowed.With(c)
	}
	return due
}

func (s seen) Hand(box, hand int) table.Hand { return handOf(s.View.Boxes[box-1].Hands[hand-1]) }

func handOf(h display.Hand) table.Hand {
	return table.Hand{Cards: h.Cards, Total: h.Total, Soft: h.Soft, Done: h.Done}
}

func (s seen) Bettors(box int) (list []table.Bettor) {
	for _, b := range s.View.Boxes[box-1].Bettors {
		list = append(list, table.Bettor{Name: b.Name, Stake: b.Stake, Insured: b.Insurance, EvenMoney: b.EvenMoney})
	}
	return list
}

func (s seen) Stakes(box, hand int) func(yield func(string, int64) bool) {
	return func(yield func(string, int64) bool) {
		for _, one := range s.View.Boxes[box-1].Hands[hand-1].Stakes {
			if !yield(one.Bettor, one.Amount) {
				return
			}
		}
	}
}

func (s seen) Decided() (list []vocab.Output) {
	for _, b := range s.View.Boxes {
		for _, p := range b.Payouts {
			list = append(list, vocab.Output{
				Kind: vocab.Settled, Box: uint8(b.Number), Hand: uint8(p.Hand), Bettor: p.Bettor,
				Outcome: p.Outcome,
			})
		}
	}
	return list
}

// guestName is the box's number for the player who sits at it, with a letter added for others, as a dealer enters them.
func guestName(box, nth int) string {
	if nth == 0 {
		return fmt.Sprint(box)
	}
	return fmt.Sprintf("%d%c", box, 'a'+rune(nth-1))
}
