package secondbook

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Book follows one table. Its zero value waits for a set-up.
type Book struct {
	rules *rules.Rules
	page  page
	// due is what was due last, box and hand: a call is for that hand.
	due vocab.Output
	// earlier are the pages before each key press that undo can take back: the first
	// presses elements are in use, and the memory of the others is kept.
	earlier []page
	presses int
	// finished are the hands that the current input has dealt to. One that ended at once
	// may have no open wager after it.
	finished []place
	// felt are the chips that lie where a payment has moved them that a correction of this round has taken back.
	felt felt
	// jackpot is what the meter must show.
	jackpot int64
	floor   floor
	// past are the rounds that were finished last, each in the place that its number gives it.
	past []pastRound
	// last is the round that was finished last.
	last uint64
	// onLine are those for whom a chip lies on a line since the last round. turned says that it holds for the next
	// round already: turnLines has passed on to it.
	onLine []owner
	turned bool
	tray   tray
	// corrections says that the round was corrected.
	corrections bool
	paytables   []paytable
}

// SetUp adopts the rules of a table, and the amount that its jackpot shows.
func (b *Book) SetUp(r *rules.Rules, jackpot int64) {
	if b.rules == nil || r.Fingerprint == "" || b.rules.Fingerprint != r.Fingerprint {
		b.paytables = paytablesOf(r)
	}
	b.rules, b.jackpot = r, jackpot
	b.floor.limits(r.Table.Min, r.Table.BoxMax)
	b.presses, b.felt = 0, b.felt[:0]
	b.onLine, b.turned = b.onLine[:0], true
	b.page.clear()
}

// Jackpot is what the progressive jackpot must show.
func (b *Book) Jackpot() int64 { return b.jackpot }

// Sums are the amounts of the round's decided wagers.
func (b *Book) Sums() vocab.Sums { return b.page.sums }

// Committed is everything that was put on the table in this round and whose amount is
// known.
func (b *Book) Committed() int64 { return b.page.committed() }

// errNothing is an undo of nothing.
var errNothing = errors.New("something was undone, but there was nothing to undo")

// Enter writes down one input and the outputs that were recorded for it. The error says,
// in the words of the table, what breaks the rules; the book continues all the same. An
// input that was refused changes nothing.
func (b *Book) Enter(in *vocab.Input, outs []vocab.Output) error {
	if len(outs) == 1 && outs[0].Kind == vocab.Rejected {
		return nil
	}
	if in.Kind == vocab.InSetup {
		b.setUp(in)
	}
	if b.rules == nil {
		return nil
	}
	return inCurrency(b.enter(in, outs), b.rules.Digits())
}

func (b *Book) enter(in *vocab.Input, outs []vocab.Output) error {
	b.floor.shoe(in, outs)
	if in.Kind == vocab.InUndo && in.Of == vocab.InShoe {
		b.floor.toBurn, b.floor.cut = b.floor.unloaded, b.floor.left
		return nil // no money moves
	}
	if out := undone(outs); out != nil {
		return b.takenBack(out, outs)
	}
	switch in.Kind {
	case vocab.InCorrect:
		b.corrections = b.corrections || b.page.underWay
		return b.correct(outs)
	case vocab.InAdjust:
		return b.adjusted(in, outs)
	case vocab.InMeter:
		if in.Stated {
			b.jackpot = in.Amount
		}
		return nil
	case vocab.InCount, vocab.InFill, vocab.InCredit, vocab.InBuyIn, vocab.InDrop, vocab.InChange, vocab.InTips:
		return b.atTray(in, outs)
	}
	if in.Kind == vocab.InOpen && !opens(outs) {
		return b.atFloor(in, outs) // the table stands still instead
	}
	b.remember(in.Kind)
	wrong := b.wrongCall(in)
	b.putInput(in)
	err := b.atFloor(in, outs)
	if err == nil {
		err = wrong
	}
	for _, wrong := range [...]error{
		b.follow(outs), b.paidAtOnce(), b.confirmed(in, outs), b.accepted(in, outs),
		b.stillPaid(), b.unasked(in, outs), b.bigWins(in),
	} {
		if err == nil {
			err = wrong
		}
	}
	return err
}

// takenBack takes the last input back, as the table says that it has.
func (b *Book) takenBack(out *vocab.Output, outs []vocab.Output) error {
	finished := !b.page.underWay
	err := b.takeBack()
	b.noteDue(outs)
	if err == nil && finished {
		b.tray.takeOut()
	}
	if err == nil && finished != (out.Round != 0) {
		err = errors.New("a round that was finished is at payment again, and it is told otherwise")
	}
	return err
}

// opens says whether a round was begun.
func opens(outs []vocab.Output) bool {
	for i := range outs {
		if outs[i].Kind == vocab.Opened {
			return true
		}
	}
	return false
}

// undone is what was told of a key press that was undone, by the undo key, or because two keys were pressed at once;
// nil where none was.
func undone(outs []vocab.Output) *vocab.Output {
	for i := range outs {
		if outs[i].Kind == vocab.Undone {
			return &outs[i]
		}
	}
	return nil
}

// setUp: the same house's jackpot stays, unless the set-up gives an amount.
func (b *Book) setUp(in *vocab.Input) {
	if b.rules != nil && b.rules.Table.Currency != in.Rules.Table.Currency {
		b.tray = b.tray.inOther(b.rules.Table.Currency, in.Rules.Table.Currency)
	}
	jackpot := in.Rules.Meter.Seed
	if in.Rules.Linked() {
		jackpot = 0
	}
	if b.rules != nil && b.rules.House == in.Rules.House && (in.Setup == nil || in.Setup.Jackpot == 0) {
		jackpot = b.jackpot
	}
	b.SetUp(in.Rules, jackpot)
	b.floor.toBurn = burningOf(in.Rules.BurnLoaded()) // a set-up counts as a fresh shoe
}

// takeBack returns to the page before the last key press.
func (b *Book) takeBack() error {
	if b.presses == 0 {
		return errNothing
	}
	b.presses--
	if !b.rules.Linked() {
		b.jackpot += b.earlier[b.presses].fed - b.page.fed
	}
	b.page.become(&b.earlier[b.presses])
	for i := range b.page.lines {
		if l := &b.page.lines[i]; b.felt.of(l) != nil && b.felt.of(l).right(l) {
			l.atOnce = true
		}
	}
	return nil
}

// remember keeps the page as it is before a key press. Nothing before an input that
// advances the round without a key press can be undone.
func (b *Book) remember(k vocab.InputKind) {
	switch k {
	case vocab.InCall, vocab.InClose, vocab.InPaid:
		if b.presses == len(b.earlier) {
			b.earlier = append(b.earlier, page{})
		}
		b.earlier[b.presses].become(&b.page)
		b.presses++
	case vocab.InOpen, vocab.InStake, vocab.InSetup, vocab.InLimits:
		b.presses = 0
	case vocab.InCard, vocab.InResolve, vocab.InHole, vocab.InJackpot:
		if b.page.underWay { // between rounds they are of none
			b.presses = 0
		}
	}
}

// follow writes the outputs down, and returns the first fault in them.
func (b *Book) follow(outs []vocab.Output) (first error) {
	for i := range outs {
		out := &outs[i]
		var err error
		switch out.Kind {
		case vocab.Dealt:
			err = b.dealt(out)
		case vocab.HoleTold:
			err = b.holeTold(out)
		case vocab.DueChanged:
			b.due = *out
		case vocab.Settled:
			err = b.settled(out)
		case vocab.Bonus:
			err = b.bonus(out)
		case vocab.RoundDecided:
			err = b.decided(out)
		case vocab.PaidAtOnce:
			err = b.moved(out)
		case vocab.Irregular, vocab.Resolved:
			b.page.dispute(out)
			err = b.page.bigWin(out)
			if out.Kind == vocab.Resolved && out.Code == irregularity.JackpotAsked && out.With == irregularity.Accept {
				b.give(int64(b.rules.Alone(b.jackpot)))
			}
		case vocab.JackpotTold:
			err = b.jackpotTold(out)
		case vocab.Payout:
			err = b.payout(out)
		case vocab.Finished:
			b.page.underWay = false
			err = b.page.finished(out)
			b.finish(out.Round)
			if wrong := b.brought(out); err == nil {
				err = wrong
			}
		}
		if first == nil {
			first = err
		}
	}
	return first
}

func (b *Book) noteDue(outs []vocab.Output) {
	for i := range outs {
		if outs[i].Kind == vocab.DueChanged {
			b.due = outs[i]
		}
	}
}

// place is a hand on a box; the zero place is the bank's.
type place struct{ box, hand uint8 }

// String names the hand as a croupier does.
func (p place) String() string {
	if p.box == 0 {
		return "the bank"
	}
	if p.hand > 1 {
		return fmt.Sprintf("box %d, hand %d", p.box, p.hand)
	}
	return fmt.Sprintf("box %d", p.box)
}
