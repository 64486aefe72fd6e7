package secondbook_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/vocab"
)

// TestPaidOtherwise accepts a payment that is not what is due, records it wrongly, and expects the book to say so.
func TestPaidOtherwise(t *testing.T) {
	const (
		box1     = "open; stake 1 a 20; stake 1 b 30; stake 2 c 20; close\n TS TC 7D 9H 8H\n rest; rest\n TD\n "
		more     = box1 + "paid box 1 60\n resolve accept by=s1"
		one      = box1 + "paid box 1 bettor=b 20\n resolve accept by=s1"
		toEnd    = more + "\n paid"
		held     = box1 + "paid box 1 60"
		right    = box1 + "paid box 1 60\n resolve corrected by=s1"
		redealt  = more + "\n hold by=s1\n correct stake 2 c 40 by=s1"
		anothers = box1 + "paid box 1 bettor=a\n paid box 1 bettor=b 20"
	)
	told := func(kind vocab.Kind, change func(*vocab.Output)) func([]step) []step {
		return edit(kind, func(o *vocab.Output) {
			trouble := vocab.Trouble{}
			if o.Trouble != nil {
				trouble = *o.Trouble
			}
			o.Trouble = &trouble
			change(o)
		})
	}
	payout := func(change func(*vocab.Output)) func([]step) []step { return told(vocab.Payout, change) }
	without := func(kind vocab.Kind) func([]step) []step {
		return func(s []step) []step {
			last := &s[len(s)-1]
			last.outs = slices.DeleteFunc(slices.Clone(last.outs), func(o vocab.Output) bool { return o.Kind == kind })
			return s
		}
	}
	invented := func(s []step) []step {
		from := played(t, "wiesbaden", more)
		s[len(s)-1].outs = append(slices.Clone(s[len(s)-1].outs), from[len(from)-1].outs[1])
		return s
	}
	for _, c := range []struct {
		name, lines string
		wrong       func([]step) []step
		want        string
	}{
		{"nothing", toEnd, payout(func(*vocab.Output) {}), ""},
		{"nothing of one", one, payout(func(*vocab.Output) {}), ""},
		{"nothing after a correction", redealt, payout(func(*vocab.Output) {}), ""},
		{
			"not told", more, without(vocab.Payout),
			"60.00 were paid instead of 50.00, and it was accepted; told by wagers: 0.00 instead of 0.00",
		},
		{
			"another amount", more, payout(func(o *vocab.Output) { o.Payment.Given += 500 }),
			"60.00 were paid instead of 50.00, and it was accepted; told by wagers: 35.00 instead of 20.00",
		},
		{
			"another amount was due", more,
			payout(func(o *vocab.Output) { o.Payment.Owed, o.Payment.Given = 2500, 3500 }),
			"box 1, a, main: another amount was due on it; told: 25.00",
		},
		{
			"on another box", more, payout(func(o *vocab.Output) { o.Box, o.Bettor = 2, "c" }),
			"box 2, c, main: another amount is told as paid, and it was not the one in dispute",
		},
		{
			"another bettor's", one, payout(func(o *vocab.Output) { o.Bettor = "a" }),
			"box 1, a, main: another amount is told as paid, and it was not the one in dispute",
		},
		{
			"somebody else's word", more, payout(func(o *vocab.Output) { o.By = "s2" }),
			`"s1" has accepted a payment; told: "s2"`,
		},
		{
			"for another reason", more, payout(func(o *vocab.Output) { o.Because = "error" }),
			`"s1" has accepted a payment`,
		},
		{
			"as something else", more, payout(func(o *vocab.Output) { o.Why = vocab.WhyBankBust }),
			"another amount is told as paid, and it is not decided by bank-bust",
		},
		{
			"as much", more, payout(func(o *vocab.Output) { o.Payment.Given = o.Payment.Owed }),
			"20.00 are told as paid instead of as much",
		},
		{
			"put right, and told", right, invented,
			"box 1, a, main: 30.00 are told as paid instead of 20.00, and nobody has accepted that",
		},
		{
			"the end says nothing", toEnd, told(vocab.Finished, func(o *vocab.Output) { o.Trouble = nil }),
			"30.00 were paid in the round where 20.00 were due; its end says 0.00 and 0.00",
		},
		{
			"the end says more", toEnd, told(vocab.Finished, func(o *vocab.Output) { o.Payment.Given++ }),
			"its end says 30.01 and 20.00",
		},
		{
			"the end says less was due", toEnd, told(vocab.Finished, func(o *vocab.Output) { o.Payment.Owed-- }),
			"its end says 30.00 and 19.99",
		},
		{
			"held for another amount", held, told(vocab.Irregular, func(o *vocab.Output) { o.Payment.Given = 6100 }),
			"60.00 were paid where 50.00 were due; told: 61.00 and 50.00",
		},
		{
			"held for another sum", held, told(vocab.Irregular, func(o *vocab.Output) { o.Payment.Owed = 5100 }),
			"60.00 were paid where 50.00 were due; told: 60.00 and 51.00",
		},
		{
			"held for another bettor", anothers, told(vocab.Irregular, func(o *vocab.Output) { o.Bettor = "a" }),
			"20.00 were paid where 30.00 were due",
		},
		{
			"one, and not recorded as paid", one, without(vocab.PaidAtOnce),
			"box 1, b, main: the dealer has confirmed it, and it is not recorded as paid or taken",
		},
		{
			"told again otherwise", redealt, payout(func(o *vocab.Output) { o.Payment.Given = 5000 }),
			"box 1, a, main: it is told as paid after the correction, and was not",
		},
		{
			"not told again", redealt, without(vocab.Payout),
			"box 1, a, main: it is told as paid after the correction, and was not",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := entered(c.wrong(played(t, "wiesbaden", c.lines)))
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("the book says %q, want %q", got, c.want)
			}
		})
	}
}
