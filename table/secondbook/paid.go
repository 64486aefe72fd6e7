package secondbook

import (
	"fmt"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// line is a decided wager or a bonus as it was recorded. Its chips were moved at once, or
// with the payment of its box.
type line struct {
	place
	name     string
	wager    vocab.Wager
	outcome  vocab.Outcome
	why      vocab.Why
	unstated bool
	atOnce   bool
	paid     bool
	stake    int64
	returned int64
	won      int64
	// odds and times are those of a stake that nobody knows.
	odds  money.Ratio
	times uint8
	extra
	big bigWin
	// carried: a chip is laid on the line, half of it the bettor's; onLine: one lay there, and goes with it.
	carried, onLine bool
}

// note keeps a decided wager.
func (p *page) note(out *vocab.Output) {
	p.lines = append(p.lines, line{
		place: place{out.Box, out.Hand}, name: out.Bettor, wager: out.Wager, outcome: out.Outcome, why: out.Why,
		unstated: out.Unstated, stake: out.Stake, returned: out.Returned, won: out.Won, odds: out.Odds,
		times: out.Times,
	})
}

// owe corrects the wager that was decided last: what must be paid for it is what the
// rules say, also where something else was recorded.
func (b *Book) owe(want verdict, stake int64) {
	l := &b.page.lines[len(b.page.lines)-1]
	l.outcome, l.why, l.unstated, l.stake = want.outcome, want.why, stake < 0, known(stake)
	if l.returned, l.won = 0, 0; stake >= 0 {
		l.returned, l.won = b.fair(want, stake)
	}
	b.line(l, want)
}

// gets reports whether something is paid on top of the stake.
func (l *line) gets() bool { return l.outcome == vocab.Win || l.outcome == 0 }

// moved reports whether the chips are where they belong.
func (l *line) moved() bool { return l.atOnce || l.paid }

// moved checks that chips which were moved before the payment are those of a decided
// wager, whose they are, and that they were not moved before.
func (b *Book) moved(out *vocab.Output) error {
	if err := b.page.move(out); err != nil {
		return fmt.Errorf("%s, %s, %s: %w", place{out.Box, out.Hand}, out.Bettor, out.Wager, err)
	}
	return nil
}

func (p *page) move(out *vocab.Output) error {
	found, again := p.findLine(out)
	switch {
	case found == nil && again:
		return fmt.Errorf("it is paid or taken at once a second time")
	case found == nil:
		return fmt.Errorf("it is paid or taken at once, but it is not decided by %s", out.Why)
	}
	found.atOnce = true
	switch {
	case found.outcome != out.Outcome:
		return fmt.Errorf("it is paid or taken as %s, but it is %s", result(out.Outcome), result(found.outcome))
	case found.unstated != out.Unstated:
		return fmt.Errorf("whether its amounts are known is recorded wrongly")
	case found.returned != out.Returned || found.won != out.Won:
		return fmt.Errorf("%s come back and %s are won; paid at once: %s and %s",
			amount(found.returned), amount(found.won), amount(out.Returned), amount(out.Won))
	}
	return nil
}

// findLine finds the decided wager that an output speaks of and whose chips lie there
// still, nil if there is none; again says that there was one.
func (p *page) findLine(out *vocab.Output) (found *line, again bool) {
	for i := range p.lines {
		l := &p.lines[i]
		if !l.isOf(out) {
			continue
		}
		if !l.moved() {
			return l, again
		}
		again = true
	}
	return nil, again
}

func result(o vocab.Outcome) string {
	if o == 0 {
		return "a bonus"
	}
	return o.String()
}

// confirmed checks an input by which the dealer confirms a payment, against what was
// recorded for it.
func (b *Book) confirmed(in *vocab.Input, outs []vocab.Output) error {
	p := &b.page
	switch {
	case in.Kind != vocab.InPaid:
		return nil
	case in.Wager != "":
		return p.allMoved(in)
	}
	err := b.agrees(in, outs)
	switch {
	case disputed(outs) != nil:
	case in.Bettor == "":
		p.clearOf(uint8(in.Box))
	case err == nil:
		err = p.allMoved(in)
	}
	return err
}

// clearOf: the dealer has confirmed the payment of a box, box 0 of all of them.
func (p *page) clearOf(box uint8) {
	for i := range p.cleared {
		p.cleared[i] = p.cleared[i] || box == 0 || int(box) == i
	}
	for i := range p.lines {
		if box == 0 || p.lines[i].box == box {
			p.lines[i].paid = true
		}
	}
}

// dispute follows a payment that does not agree until somebody puts it right: then the box
// is paid. A correction after which it agrees tells itself which boxes are paid.
func (p *page) dispute(out *vocab.Output) {
	switch {
	case out.Code != irregularity.PayoutMismatch:
	case out.Kind == vocab.Irregular:
		p.disputed = claim{
			box: out.Box, name: out.Bettor, owed: out.Payment.Owed, given: out.Payment.Given,
			again: out.Box != 0 && p.cleared[out.Box],
		}
	case out.With != irregularity.Cleared && p.disputed.name == "":
		p.clearOf(p.disputed.box)
	}
}

// disputed is what was told of a payment that did not agree, nil for one that did.
func disputed(outs []vocab.Output) *vocab.Output {
	for i := range outs {
		if outs[i].Kind == vocab.Irregular && outs[i].Code == irregularity.PayoutMismatch {
			return &outs[i]
		}
	}
	return nil
}

// agrees: a stated sum is what the box, or all of them, won and nobody was paid before. It
// holds the round if it is another.
func (b *Book) agrees(in *vocab.Input, outs []vocab.Output) error {
	var sum int64
	told := disputed(outs)
	for i := range b.page.lines {
		l := &b.page.lines[i]
		// What one bettor is paid is told with the answer.
		if l.atOnce && !(in.Bettor != "" && toldPaid(outs, l)) || in.Box != 0 && in.Box != int(l.box) ||
			in.Bettor != "" && in.Bettor != l.name {
			continue
		}
		more, known := b.layOut(l)
		if !known {
			return nil
		}
		sum += more
	}
	switch held := told != nil; {
	case held && in.Stated && in.Amount != sum &&
		(told.Payment.Owed != sum || told.Payment.Given != in.Amount || int(told.Box) != in.Box ||
			told.Bettor != in.Bettor):
		return fmt.Errorf("%s were paid where %s were due; told: %s and %s", amount(in.Amount), amount(sum),
			amount(told.Payment.Given), amount(told.Payment.Owed))
	case !in.Stated, held == (in.Amount != sum):
		return nil
	case held:
		return fmt.Errorf("%s were paid, which is what was left to be paid, and the table was held for it",
			amount(in.Amount))
	}
	return fmt.Errorf("%s were left to be paid, but %s were taken for right", amount(sum), amount(in.Amount))
}

// allMoved: what the dealer means is on record as paid or taken.
func (p *page) allMoved(in *vocab.Input) error {
	for i := range p.lines {
		l := &p.lines[i]
		meant := (in.Wager == "" || l.wager == in.Wager) && (in.Box == 0 || in.Box == int(l.box)) &&
			(in.Bettor == "" || in.Bettor == l.name) &&
			(in.Hand == 0 || in.Hand == l.hand) && (in.Why == "" || in.Why == l.why)
		if meant && !l.moved() {
			return fmt.Errorf("%s, %s, %s: the dealer has confirmed it, and it is not recorded as paid or taken",
				l.place, l.name, l.wager)
		}
	}
	return nil
}
