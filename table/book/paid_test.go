package book_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/vocab"
)

// TestPaidAtOnce plays a round in which a wager is paid before the payment, records it
// wrongly, and expects the book to say so.
func TestPaidAtOnce(t *testing.T) {
	const (
		stakes = "open; stake 1 a 20; stake 1 a 10 twins; stake 1 b 10 twins; stake 2 c 20; stake 2 c 10 twins; close\n 9S TC 7D 9H 5C\n "
		won    = stakes + "paid box 1 wager=twins bettor=a"
		both   = stakes + "paid box 1 wager=twins"
		lost   = stakes + "paid box 2 wager=twins"
		toEnd  = won + "\n rest; rest\n TC\n paid box 1 130"
	)
	as := func(change func(*vocab.Output)) func([]step) []step { return edit(vocab.PaidAtOnce, change) }
	// last changes what was recorded for the last input.
	last := func(change func([]vocab.Output) []vocab.Output) func([]step) []step {
		return func(steps []step) []step {
			one := &steps[len(steps)-1]
			one.outs = change(slices.Clone(one.outs))
			return steps
		}
	}
	for _, c := range []struct {
		name, lines string
		wrong       func([]step) []step
		want        string
	}{
		{"nothing", both, as(func(*vocab.Output) {}), ""},
		{"nothing, and the rest in the payment", toEnd, as(func(*vocab.Output) {}), ""},
		{"paid twice", won, func(s []step) []step { return append(s, s[len(s)-1]) }, "box 1, a, twins: it is paid or taken at once a second time"},
		{"paid twice in one", both, last(func(o []vocab.Output) []vocab.Output { return append(o, o[0]) }), "it is paid or taken at once a second time"},
		{"not decided", won, as(func(o *vocab.Output) { o.Wager, o.Hand, o.Why = vocab.WagerMain, 1, vocab.WhyHigherTotal }), "box 1, a, main: it is paid or taken at once, but it is not decided by higher-total"},
		{"another's", won, as(func(o *vocab.Output) { o.Bettor = "z" }), "box 1, z, twins: it is paid or taken at once, but it is not decided"},
		{"a loser paid", lost, as(func(o *vocab.Output) { o.Outcome, o.Returned, o.Won = vocab.Win, 1000, 11000 }), "box 2, c, twins: it is paid or taken as win, but it is lose"},
		{"a winner taken", won, as(func(o *vocab.Output) { o.Outcome, o.Returned, o.Won = vocab.Lose, 0, 0 }), "it is paid or taken as lose, but it is win"},
		{"too much", won, as(func(o *vocab.Output) { o.Won = 22000 }), "10.00 come back and 110.00 are won; paid at once: 10.00 and 220.00"},
		{"an amount that is known", won, as(func(o *vocab.Output) { o.Unstated, o.Returned, o.Won = true, 0, 0 }), "whether its amounts are known is recorded wrongly"},
		{"not recorded", both, last(func(o []vocab.Output) []vocab.Output { return o[:1] }), "box 1, b, twins: the dealer has confirmed it, and it is not recorded as paid or taken"},
		{"asked for again in the payment", won + "\n rest; rest\n TC\n paid box 1 240", last(func(o []vocab.Output) []vocab.Output { return slices.DeleteFunc(o, irregular) }), "130.00 were left to be paid, but 240.00 were taken for right"},
		{"held without a reason", toEnd, func(s []step) []step {
			more := played(t, "wiesbaden", won+"\n rest; rest\n TC\n paid box 1 240")
			s[len(s)-1].outs = more[len(more)-1].outs
			return s
		}, "130.00 were paid, which is what was left to be paid, and the table was held for it"},
		{"undone, and paid", won + "\n undo\n paid box 1 wager=twins bettor=a", as(func(*vocab.Output) {}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := entered(c.wrong(played(t, "wiesbaden", c.lines)))
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("the book says %q, want %q", got, c.want)
			}
		})
	}
}

func irregular(o vocab.Output) bool { return o.Kind == vocab.Irregular }
