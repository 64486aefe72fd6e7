package secondbook_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/vocab"
)

// TestFloorFinds records wrongly what happens between two rounds, and expects the book to say
// so.
func TestFloorFinds(t *testing.T) {
	amount := func(n int64) func([]step) []step {
		return func(s []step) []step {
			for i := range s {
				if s[i].in.Kind == vocab.InStake {
					s[i].in.Amount = n
				}
			}
			return s
		}
	}
	without := func(kind vocab.InputKind) func([]step) []step {
		return func(s []step) []step {
			var left []step
			for _, one := range s {
				if one.in.Kind != kind || one.in.Table.Event != vocab.TableOpened {
					left = append(left, one)
				}
			}
			return left
		}
	}
	right := func(s []step) []step { return s }
	for _, c := range []struct {
		name, house, lines string
		wrong              func([]step) []step
		want               string
	}{
		{
			"right", "wiesbaden",
			"limits min=50 box_max=1000 by=s1\n dealer d7\n dealer d9 relieves=d7\n table closed by=s1\n table " +
				"opened by=s1\n open; stake 1 a 50; stake 1 b 950", right, "",
		},
		{
			"opened while closed", "wiesbaden", "table closed by=s1\n table opened by=s1\n open",
			without(vocab.InTable),
			"bets were opened at a closed table",
		},
		{
			"closed twice", "mendrisio", "table closed by=s1\n table opened by=s1",
			edit(vocab.TableChanged, func(o *vocab.Output) { o.Table.Event = vocab.TableClosed }),
			"the table was closed, and it already was",
		},
		{
			"below the limits", "mendrisio", "limits min=50 by=s1\n open; stake 1 a 50", amount(2000),
			"a stake of 20.00 on box 1 is below the minimum 50.00",
		},
		{
			"above the limits", "wiesbaden", "limits box_max=100 by=s1\n open; stake 1 a 50; stake 1 b 50",
			amount(6000),
			"120.00 lie on box 1, which may take 100.00",
		},
		{
			"other limits", "wiesbaden", "limits min=50 by=s1",
			edit(vocab.LimitsChanged, func(o *vocab.Output) { o.Limits.Min = 2000 }),
			"limits of 50.00 to 500.00 were announced, and 20.00 to 500.00 are in force",
		},
		{
			"another dealer", "wiesbaden", "dealer d7\n dealer d9 relieves=d7",
			edit(vocab.DealerChanged, func(o *vocab.Output) { o.Dealer.Relieves = "d8" }),
			`"d9" relieves "d8", but "d7" was dealing`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := entered(c.wrong(played(t, c.house, c.lines)))
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("the book says %q, want %q", got, c.want)
			}
		})
	}
}
