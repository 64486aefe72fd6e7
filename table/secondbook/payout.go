package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// claim is a payment that did not agree: of a box, 0 for all of them, or of one guest on it.
type claim struct {
	box         uint8
	name        string
	owed, given int64
	// again: the box was paid already.
	again bool
}

// extra is what was paid on a line where that was not what was due, and is accepted.
type extra struct {
	other       bool
	owed, given int64
}

// asPaid is the line with what was won on it as it was paid.
func (l *line) asPaid() line {
	one := *l
	one.won += l.given - l.owed
	one.extra, one.big = extra{}, 0
	return one
}

// isOf says whether an output tells of the line, decided as it is.
func (l *line) isOf(out *vocab.Output) bool {
	return l.place == (place{out.Box, out.Hand}) && l.name == out.Bettor && l.wager == out.Wager && l.why == out.Why
}

// payout keeps what was paid on a line. A line in the record of an earlier version has none.
func (b *Book) payout(out *vocab.Output) error {
	for i := range b.page.lines {
		l := &b.page.lines[i]
		if !l.isOf(out) || l.other {
			continue
		}
		l.extra = extra{true, out.Payment.Owed, out.Payment.Given}
		if out.Payment.Owed == out.Payment.Given {
			return fmt.Errorf("%s, %s, %s: %s are told as paid instead of as much", l.place, l.name, l.wager,
				amount(out.Payment.Given))
		}
		return nil
	}
	return fmt.Errorf("%s, %s, %s: another amount is told as paid, and it is not decided by %s",
		place{out.Box, out.Hand}, out.Bettor, out.Wager, out.Why)
}

// accepted: what was paid is on record, wager by wager, where a payment that does not agree is accepted, and nowhere
// else.
func (b *Book) accepted(in *vocab.Input, outs []vocab.Output) error {
	p := &b.page
	with := righted(outs)
	right := with == irregularity.Accept
	var owed, given int64
	for i := range outs {
		out := &outs[i]
		if out.Kind != vocab.Payout {
			continue
		}
		l := p.lineOf(&line{
			place: place{out.Box, out.Hand}, name: out.Bettor, wager: out.Wager,
			outcome: outcomeOf(p, out),
		})
		switch of := p.disputed; {
		case !right || of.again:
			return fmt.Errorf("%s, %s, %s: %s are told as paid instead of %s, and nobody has accepted that",
				place{out.Box, out.Hand}, out.Bettor, out.Wager, amount(out.Payment.Given), amount(out.Payment.Owed))
		case of.box != 0 && of.box != out.Box, of.name != "" && of.name != out.Bettor:
			return fmt.Errorf("%s, %s, %s: another amount is told as paid, and it was not the one in dispute",
				place{out.Box, out.Hand}, out.Bettor, out.Wager)
		case out.By != in.By || out.Because != in.Because:
			return fmt.Errorf("%q has accepted a payment; told: %q", in.By, out.By)
		case l != nil && !b.owes(l, out.Payment.Owed):
			return fmt.Errorf("%s, %s, %s: another amount was due on it; told: %s", l.place, l.name, l.wager,
				amount(out.Payment.Owed))
		}
		owed, given = owed+out.Payment.Owed, given+out.Payment.Given
	}
	if right && !p.disputed.again && given-owed != p.disputed.given-p.disputed.owed {
		return fmt.Errorf("%s were paid instead of %s, and it was accepted; told by wagers: %s instead of %s",
			amount(p.disputed.given), amount(p.disputed.owed), amount(given), amount(owed))
	}
	if with != 0 && with != irregularity.Cleared && p.disputed.name != "" {
		return p.allMoved(&vocab.Input{Box: int(p.disputed.box), Bettor: p.disputed.name})
	}
	return nil
}

// owes reports whether so much was to be laid out for a line: nothing, if it was paid before.
func (b *Book) owes(l *line, owed int64) bool {
	want, known := b.layOut(l)
	return !known || owed == want || owed == 0
}

// outcomeOf is the outcome of the line of which a payout tells.
func outcomeOf(p *page, out *vocab.Output) vocab.Outcome {
	for i := range p.lines {
		if l := &p.lines[i]; l.isOf(out) {
			return l.outcome
		}
	}
	return 0
}

// righted is how a payment that did not agree is put right, 0 where none is.
func righted(outs []vocab.Output) irregularity.Choice {
	for i := range outs {
		if outs[i].Kind == vocab.Resolved && outs[i].Code == irregularity.PayoutMismatch {
			return outs[i].With
		}
	}
	return 0
}

// toldPaid reports whether a line is told as paid.
func toldPaid(outs []vocab.Output, l *line) bool {
	for i := range outs {
		if out := &outs[i]; out.Kind == vocab.PaidAtOnce && l.isOf(out) {
			return true
		}
	}
	return false
}

// finished: the end of the round says what was paid otherwise than it was due.
func (p *page) finished(out *vocab.Output) error {
	var owed, given int64
	other := false
	for i := range p.lines {
		l := &p.lines[i]
		owed, given, other = owed+l.owed, given+l.given, other || l.other
	}
	var told vocab.Trouble
	if out.Trouble != nil {
		told = *out.Trouble
	}
	if told.Payment.Differs != other || told.Payment.Owed != owed || told.Payment.Given != given {
		return fmt.Errorf("%s were paid in the round where %s were due; its end says %s and %s", amount(given),
			amount(owed), amount(told.Payment.Given), amount(told.Payment.Owed))
	}
	return nil
}

// retold: what was paid otherwise before a correction is told again if the payment stands.
func (p *page) retold(was []line) error {
	for i := range p.lines {
		l := &p.lines[i]
		before := extra{}
		for k := range was {
			if was[k].same(l) && was[k].why == l.why {
				before = was[k].extra
			}
		}
		if l.other && l.extra != before {
			return fmt.Errorf("%s, %s, %s: another amount is told as paid after the correction than was", l.place,
				l.name, l.wager)
		}
	}
	return nil
}
