package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// The methods here let a display read the table. What they return belongs to the
// engine and is valid until the next Step.

// Rules returns the rules that are played, nil before the first setup.
func (t *Table) Rules() *rules.Rules { return t.rules }

// Round returns the number of the round under way, or of the last one.
func (t *Table) Round() uint64 { return t.kept.Round }

// Phase returns where the round stands.
func (t *Table) Phase() vocab.Phase { return t.phase }

// Boxes returns how many boxes the table has.
func (t *Table) Boxes() int { return len(t.boxes) }

// Bettors returns the bettors of a box, the holder first.
func (t *Table) Bettors(box int) []Bettor { return t.boxes[box-1].bettors }

// Paid says whether the dealer has confirmed a box's payment, or has nothing left to pay
// there in the payment.
func (t *Table) Paid(box int) bool {
	b := &t.boxes[box-1]
	return b.paid || t.phase == vocab.Payment && b.played() && b.left == 0 && !t.owesBack(b.number)
}

// LayOut returns what is to be laid out for the wager that was decided as the nth of the round, from 0, beside what was
// paid of it before a correction, and whether that is known.
func (t *Table) LayOut(nth int) (sum int64, known bool) { return t.layOut(nth) }

// Already returns what was paid of the wager that was decided as the nth of the round, from 0, before a correction, and
// what its bettor is still to get, below zero what is to be taken; known is false where nobody knows that, and moved
// where it was not paid before, or is as it is due.
func (t *Table) Already(nth int) (paid, more int64, known, moved bool) {
	one := &t.decided[nth]
	m := t.movedOn(one)
	if m == nil || !t.unpaid(nth) {
		return 0, 0, false, false
	}
	return m.Won, one.Returned + one.Won - m.has(one.Stake), !m.doubtful(one), true
}

// PaidBefore returns what was paid on a box before a correction that has taken payments of it back, and what of that is
// to be taken though no wager says so, since there is none.
func (t *Table) PaidBefore(box int) (paid, back int64, was bool) {
	if t.phase == vocab.Idle || t.boxes[box-1].paid {
		return 0, 0, false
	}
	for i := range t.history.moved {
		m := &t.history.moved[i]
		if int(m.Box) != box {
			continue
		}
		paid, was = paid+m.Won, true
		if t.phase == vocab.Payment && !t.isDecided(&m.Output) {
			back += m.Won
		}
	}
	return paid, back, was
}

// Hand is one hand as it lies on the table. Total is what it counts: points in
// Black James.
type Hand struct {
	Cards []card.Card
	Total int
	Soft  bool
	Done  vocab.Done
}

// Bank returns the bank's hand; Done says that it is bust or has a Black Jack.
func (t *Table) Bank() Hand {
	h := Hand{Cards: t.bank.cards}
	if t.rules == nil {
		return h
	}
	h.Total, h.Soft = t.game.bankTotal(t), t.bank.value.Soft()
	switch {
	case t.rules.Game == rules.BlackJames:
	case t.bankBlackJack():
		h.Done = vocab.DoneBlackJack
	case t.bank.value.Bust():
		h.Done = vocab.DoneBust
	}
	return h
}

// BankDrew says whether the bank has drawn since the initial deal.
func (t *Table) BankDrew() bool { return len(t.bank.cards) > 1 || t.bank.stopped }

// Hands returns how many hands a box has: none before bets are closed.
func (t *Table) Hands(box int) int { return len(t.boxes[box-1].hands) }

// Hand returns one hand of a box; both numbers count from 1. A Black Jack is done
// before its turn comes.
func (t *Table) Hand(box, number int) Hand {
	b := &t.boxes[box-1]
	h := &b.hands[number-1]
	one := Hand{Cards: h.cards, Done: h.done}
	one.Total, one.Soft = t.game.total(h)
	if one.Done == 0 && t.rules.Game == rules.BlackJack && b.blackJack() {
		one.Done = vocab.DoneBlackJack
	}
	return one
}

// Stakes yields the main stakes on a hand: the bettor's name and the amount,
// doubled where it was doubled, Unstated where nobody knows it.
func (t *Table) Stakes(box, number int) func(yield func(string, int64) bool) {
	b := &t.boxes[box-1]
	return func(yield func(string, int64) bool) {
		for _, w := range b.hands[number-1].wagers {
			if !yield(b.bettors[w.bettor].Name, w.amount()) {
				return
			}
		}
	}
}

// Sides returns the side bets on a box.
func (t *Table) Sides(box int) []SideStake { return t.boxes[box-1].sides }

// Decided returns the round's decided wagers, in the order in which they were decided.
func (t *Table) Decided() []vocab.Output { return t.decided }

// Sums returns the amounts of the decided wagers.
func (t *Table) Sums() vocab.Sums { return t.sums }

// Aside returns the cards laid aside in this round.
func (t *Table) Aside() []card.Card { return t.aside }

// Shoe returns what the engine was told of the shoe.
func (t *Table) Shoe() ShoeState { return t.kept.Shoe }

// Alarm returns the shoe's own alarm that holds the round, "" for none.
func (t *Table) Alarm() string {
	for _, i := range t.held {
		if i.Code == irregularity.ShoeAlarm {
			return i.Alarm
		}
	}
	return ""
}

// Rejected returns why the last input was refused, 0 if it was taken.
func (t *Table) Rejected() vocab.Reason { return t.rejected }

// TwoKeys says that the last input told of two calls at once, of which neither counts.
func (t *Table) TwoKeys() bool { return t.twoKeys }

// Held returns the irregularity that a person must put right next.
func (t *Table) Held() (Irregularity, bool) {
	switch {
	case len(t.held) > 0:
		return t.held[0], true
	case t.kept.Shoe.Offline:
		return Irregularity{Code: irregularity.ShoeOffline}, true
	case t.unrecorded:
		return Irregularity{Code: irregularity.StorageFailing}, true
	}
	return Irregularity{}, false
}

// Behind returns what waits behind the irregularity that Held returns: how many others,
// and how many cards, or holes in the shoe's numbers, have come meanwhile.
func (t *Table) Behind() (others, arrived int) {
	others = len(t.held)
	if t.kept.Shoe.Offline {
		others++
	}
	if t.unrecorded {
		others++
	}
	return max(0, others-1), len(t.behind)
}

// Settled says whether nothing is under way that a restart would have to replay:
// no round, nothing held but for doubts about the record, nothing waiting behind it.
func (t *Table) Settled() bool {
	return t.phase == vocab.Idle && t.heldByRecord() && len(t.behind) == 0 && !t.unrecorded
}

// Open sums the stakes that are not decided yet and whose amount is known.
func (t *Table) Open() int64 {
	var open int64
	for i := range t.boxes {
		open += t.boxes[i].openStakes(t.phase == vocab.Bets)
	}
	return open
}

func (b *box) openStakes(betting bool) int64 {
	var open int64
	for i := range b.bettors {
		if one := &b.bettors[i]; !one.insuranceDecided {
			open += max(0, one.Insured)
		}
		if betting {
			open += max(0, b.bettors[i].Stake)
		}
	}
	for _, s := range b.sides {
		if !s.settled {
			open += max(0, s.Amount)
		}
	}
	for i := range b.hands {
		for _, w := range b.hands[i].wagers {
			if !w.settled {
				open += max(0, w.amount())
			}
		}
	}
	return open
}

// Waiting returns the cards that lie open and become the next cards due.
func (t *Table) Waiting() []card.Card {
	open := slices.Clone(t.kept.Waiting)
	if early := t.early(); early >= 0 {
		return slices.Delete(open, early, early+1)
	}
	return open
}

// Early returns the card that was dealt to the bank before its turn, and lies there until the boxes have played; None
// for none.
func (t *Table) Early() card.Card {
	if early := t.early(); early >= 0 {
		return t.kept.Waiting[early]
	}
	return card.None
}
