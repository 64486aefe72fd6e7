package tally_test

import (
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table/rules"
)

// TestTray: whatever is paid, rightly or wrongly, alone or together, in rounds that are voided or not, the opening
// tray, all that was taken and all that was paid come to the closing tray, and the rounds as they are counted, and the
// second book, say the same to the cent.
func TestTray(t *testing.T) {
	var rounds, void, kept, other, back, later int
	houses := tabletest.Book().Names()
	dice := rand.New(rand.NewPCG(31, 1))
	for rounds < tier.Times(3000, 100_000) {
		s := newScene(t)
		s.take(*tabletest.SetUp(rules.Setup{House: houses[dice.IntN(len(houses))]}))
		cash := &tabletest.Cash{Player: tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(4), Freely: true}}
		sum, over := int64(0), int64(0)
		for range 3000 {
			in := cash.Next(&s.table)
			cash.See(&in, s.answer(&in))
			step := s.last
			if a := step.Adjusted; a != nil {
				sum, over, later = sum-a.Amount, over+a.Amount, later+1
			}
			if dice.IntN(9) == 0 {
				s.resume()
			}
			if again := step.Reopened; again != nil {
				back++
				for _, w := range again.Wagers {
					sum, over = sum-w.Staked+w.Returned, over-w.Returned+w.Due
				}
			}
			if step.Ended == nil {
				continue
			}
			rounds++
			one := step.Ended
			for _, w := range one.Wagers {
				sum, over = sum+w.Staked-w.Returned, over+w.Returned-w.Due
				if w.Kept != 0 {
					kept++
				}
			}
			if one.Void {
				void++
			}
			if cash.Chips-cash.Adjusted != sum || cash.Over+cash.Adjusted != over {
				t.Fatalf("round %d: the tray has %d more than at the beginning, %d of it wrongly; by what was "+
					"counted %d and %d",
					one.Number, cash.Chips-cash.Adjusted, -cash.Over-cash.Adjusted, sum, -over)
			}
			if cash.Over != 0 {
				other++
			}
		}
	}
	if void == 0 || kept == 0 || other < 50 || back < 50 || later < 50 {
		t.Errorf("%d rounds, %d void, %d of them kept something, %d with wrong payments behind them, %d payments "+
			"taken back after the last, %d adjustments: the test shows too little",
			rounds, void, kept, other, back, later)
	}
}

// TestTheTrayIsGone: the tray of before is gone with a set-up in another money, and not with one in rules that nobody
// can read: it may be the same money.
func TestTheTrayIsGone(t *testing.T) {
	var fold tally.Fold
	for i, c := range []struct {
		house  string
		unread bool
		gone   string
	}{
		{"wiesbaden", false, ""},
		{"wiesbaden", false, ""},
		{"yen", false, "EUR"},
		{"yen", true, ""},
		{"yen", false, ""},
		{"wiesbaden", false, "JPY"},
	} {
		in := tabletest.SetUp(rules.Setup{House: c.house})
		if c.unread {
			in.Rules = nil
		}
		step := fold.Record(tally.Record{Seq: uint64(i) + 1, At: start, In: in})
		gone := ""
		if step.Gone != nil {
			gone = step.Gone.Currency
		}
		if !step.SetUp || gone != c.gone {
			t.Errorf("set-up %d: gone is the tray of %q, want %q", i, gone, c.gone)
		}
	}
}
