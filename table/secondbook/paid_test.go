package secondbook_test

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
		stakes = "open; stake 1 a 20; stake 1 a 10 twins; stake 1 b 10 twins; stake 2 c 20; stake 2 c 10 twins; " +
			"close\n 9S TC 7D 9H 5C\n "
		won   = stakes + "paid box 1 wager=twins bettor=a"
		both  = stakes + "paid box 1 wager=twins"
		lost  = stakes + "paid box 2 wager=twins"
		toEnd = won + "\n rest; rest\n TC\n paid box 1 130"
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
		{
			"paid twice", won, func(s []step) []step { return append(s, s[len(s)-1]) },
			"box 1, a, twins: it is paid or taken at once a second time",
		},
		{
			"paid twice in one", both, last(func(o []vocab.Output) []vocab.Output { return append(o, o[0]) }),
			"it is paid or taken at once a second time",
		},
		{"not decided", won, as(func(o *vocab.Output) {
			o.Wager, o.Hand, o.Why = vocab.WagerMain, 1,
				vocab.WhyHigherTotal
		}), "box 1, a, main: it is paid or taken at once, but it is not decided by higher-total"},
		{
			"another's", won, as(func(o *vocab.Output) { o.Bettor = "z" }),
			"box 1, z, twins: it is paid or taken at once, but it is not decided",
		},
		{
			"a loser paid", lost, as(func(o *vocab.Output) { o.Outcome, o.Returned, o.Won = vocab.Win, 1000, 11000 }),
			"box 2, c, twins: it is paid or taken as win, but it is lose",
		},
		{
			"a winner taken", won, as(func(o *vocab.Output) { o.Outcome, o.Returned, o.Won = vocab.Lose, 0, 0 }),
			"it is paid or taken as lose, but it is win",
		},
		{
			"too much", won, as(func(o *vocab.Output) { o.Won = 22000 }),
			"10.00 come back and 110.00 are won; paid at once: 10.00 and 220.00",
		},
		{
			"an amount that is known", won, as(func(o *vocab.Output) { o.Unstated, o.Returned, o.Won = true, 0, 0 }),
			"whether its amounts are known is recorded wrongly",
		},
		{
			"not recorded", both, last(func(o []vocab.Output) []vocab.Output { return o[:1] }),
			"box 1, b, twins: the dealer has confirmed it, and it is not recorded as paid or taken",
		},
		{
			"asked for again in the payment", won + "\n rest; rest\n TC\n paid box 1 240",
			last(func(o []vocab.Output) []vocab.Output { return slices.DeleteFunc(o, irregular) }),
			"130.00 were left to be paid, but 240.00 were taken for right",
		},
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

// TestPaidBeforeACorrection corrects a round of which something was paid, records it wrongly, and expects the book to
// say so.
func TestPaidBeforeACorrection(t *testing.T) {
	const (
		box1 = "open; stake 1 a 20; stake 2 b 20; close\n TS TC 7D 9H 8H\n rest; rest\n TD\n paid box 1 20\n hold " +
			"by=s1\n "
		james = "open; stake 1 a 20; stake 2 b 20; close\n 9S TC 7D\n rest; rest\n 6D\n paid box 1 20\n hold by=s1\n "
		more  = "correct stake 1 a 30 by=s1"
		again = more + "; correct stake 1 a 20 by=s1"
		open  = "open; stake 1 a 20; stake 2 b 20; close\n AS TC 7D KH 9C\n paid box 1 wager=main\n hold by=s1\n " +
			"correct rename 4 9H by=s1"
	)
	difference := func(change func(*vocab.Output)) func([]step) []step {
		return edit(vocab.Difference, func(o *vocab.Output) {
			trouble := *o.Trouble
			o.Trouble = &trouble
			change(o)
		})
	}
	without := func(kind vocab.Kind) func([]step) []step {
		return func(s []step) []step {
			last := &s[len(s)-1]
			last.outs = slices.DeleteFunc(slices.Clone(last.outs), func(o vocab.Output) bool { return o.Kind == kind })
			return s
		}
	}
	for _, c := range []struct {
		name, house, lines string
		wrong              func([]step) []step
		want               string
	}{
		{"nothing", "wiesbaden", box1 + more, difference(func(*vocab.Output) {}), ""},
		{"nothing in Black James", "baden", james + again, edit(vocab.PaidAtOnce, func(*vocab.Output) {}), ""},
		{
			"the full sum again", "wiesbaden", box1 + more,
			difference(func(o *vocab.Output) { o.Difference.More = 3000 }),
			"box 1, a, main: 10.00 are to be paid on it besides; told: 30.00",
		},
		{
			"the stake on top", "baden", james + more, difference(func(o *vocab.Output) { o.Difference.More = 2000 }),
			"box 1, a, main: 10.00 are to be paid on it besides; told: 20.00",
		},
		{
			"paid otherwise", "wiesbaden", box1 + more, difference(func(o *vocab.Output) { o.Difference.Paid = 4000 }),
			"20.00 were paid on it; told: 40.00",
		},
		{
			"never paid", "wiesbaden", box1 + more,
			difference(func(o *vocab.Output) { o.Difference.HasPaid, o.Difference.HasMore = false, false }),
			"20.00 were paid on it; told: 20.00",
		},
		{
			"got otherwise", "wiesbaden", box1 + more, difference(func(o *vocab.Output) { o.Difference.Before = 2000 }),
			"its guest got 40.00 by the lines before; told: 20.00",
		},
		{
			"gets otherwise", "wiesbaden", box1 + more, difference(func(o *vocab.Output) { o.Difference.After = 3000 }),
			"its guest gets 60.00; told: 30.00",
		},
		{
			"not told", "baden", james + more, without(vocab.Difference),
			"the correction decides it otherwise, and tells no difference",
		},
		{
			"a new wager that is not told", "wiesbaden", box1 + "correct stake 1 c 20 by=s1", without(vocab.Difference),
			"box 1, c, main: the correction decides it otherwise, and tells no difference",
		},
		{
			"paid again in full", "wiesbaden", box1 + again, without(vocab.PaidAtOnce),
			"it was paid as it is due, and is to be paid again",
		},
		{
			"open, and put right at once", "wiesbaden", open,
			difference(func(o *vocab.Output) { o.Difference.HasMore, o.Difference.More = true, -3000 }),
			"0.00 are to be paid on it besides; told: -30.00",
		},
		{
			"another sum is taken for right", "baden", james + more + "; resolve continue by=s1; paid box 1 10",
			func(s []step) []step {
				s[len(s)-1].in.Amount = 3000
				return s
			}, "10.00 were left to be paid, but 30.00 were taken for right",
		},
		{"paid by nobody", "wiesbaden", box1 + more + "; resolve continue by=s1", func(s []step) []step {
			paid := vocab.Output{
				Kind: vocab.PaidAtOnce, Box: 2, Hand: 1, Bettor: "b", Wager: vocab.WagerMain,
				Outcome: vocab.Win, Why: vocab.WhyHigherTotal, Returned: 2000, Won: 2000,
			}
			s[len(s)-1].outs = append(s[len(s)-1].outs, paid)
			return s
		}, "box 2, b, main: it is told as paid, and nobody has paid it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := entered(c.wrong(played(t, c.house, c.lines)))
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("the book says %q, want %q", got, c.want)
			}
		})
	}
}

func irregular(o vocab.Output) bool { return o.Kind == vocab.Irregular }
