package store_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/table/money"
)

// TestRoundsInTheirCurrency: an amount that is looked for is as much of each round's own currency, whatever decimals
// that has, by round and by box; and no sum is of two currencies.
func TestRoundsInTheirCurrency(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		for i, house := range []string{"wiesbaden", "yen", "dinar"} {
			folder := filepath.Join(tabletest.FastDir(t), "journal")
			n := journaltest.NewNight(t, folder, house, uint64(i)+7)
			n.Deal(600)
			if err := s.Refill(t.Context(), table(t, house), reader(t, folder), nil); err != nil {
				t.Fatal(err)
			}
		}
		all, err := s.Rounds(t.Context(), store.RoundQuery{Limit: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		staked := map[string]int64{}
		for i := range all {
			staked[all[i].Currency] += all[i].Staked
		}
		for _, c := range []struct {
			in     string
			amount int64
			is     map[string]int64
		}{
			{"", 5_050, map[string]int64{"EUR": 5_050, "JPY": 51, "KWD": 50_500}},
			{"EUR", 400_000, map[string]int64{"EUR": 400_000, "JPY": 4_000, "KWD": 4_000_000}},
			{"JPY", 70, map[string]int64{"EUR": 7_000, "JPY": 70, "KWD": 70_000}},
			{"KWD", 123_456, map[string]int64{"EUR": 12_346, "JPY": 124, "KWD": 123_456}},
		} {
			inTheirCurrency(t, s, all, c.in, c.amount, c.is)
		}
		sums, err := s.Sums(t.Context(), store.Query{Of: tally.OfWagers})
		if err != nil || len(sums) != 3 {
			t.Fatalf("%d sums, %v", len(sums), err)
		}
		for i := range sums {
			if of := sums[i].Currency; sums[i].Staked != staked[of] {
				t.Errorf("%s: staked %d, want %d", of, sums[i].Staked, staked[of])
			}
		}
	})
}

// TestAdjustedInAnotherCurrency: what is paid of a past round once the table was set up in another currency, which a
// table refuses now and an earlier one has on record, is of that currency: yen are added to no round of euros, nor to
// what these have come to.
func TestAdjustedInAnotherCurrency(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 5)
		n.Rounds(5)
		n.SetUp("yen")
		n.Rounds(5)
		returned := func() (by map[string]int64) {
			t.Helper()
			n.Flush()
			if err := s.Refill(t.Context(), name, reader(t, folder), nil); err != nil {
				t.Fatal(err)
			}
			requireFigures(t, s)
			sums, err := s.Sums(t.Context(), store.Query{Of: tally.OfWagers})
			if err != nil || len(sums) != 2 {
				t.Fatalf("%d sums, %v", len(sums), err)
			}
			return map[string]int64{sums[0].Currency: sums[0].Returned, sums[1].Currency: sums[1].Returned}
		}
		was := returned()
		in := adjustable(t, n, 1)[0]
		in.Amount, in.By, in.Because = 1000, "s1", "dispute"
		n.Take(in)
		if is := returned(); is["EUR"] != was["EUR"] || is["JPY"] != was["JPY"]+1000 {
			t.Errorf("1000 yen were paid, and returned is %v, before it was %v", is, was)
		}
	})
}

// TestAClockThatJumps: a table whose clock begins in 1970 with each start, and is put right in the midst of a round,
// keeps nobody from adding up what the tables have come to, and its decisions have not taken decades.
func TestAClockThatJumps(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 5)
		right := n.Now
		for i := range 40 {
			n.Now = time.Unix(int64(i)*100, 0)
			n.Deal(3 + i%12)
			n.Now = right.AddDate(0, 0, i)
			n.Rounds(1)
		}
		if err := s.Refill(t.Context(), name, reader(t, folder), nil); err != nil {
			t.Fatal(err)
		}
		requireFigures(t, s)
		sums, err := s.Sums(t.Context(), store.Query{Of: tally.OfRounds})
		if err != nil || len(sums) != 1 {
			t.Fatalf("%d sums, %v", len(sums), err)
		}
		if one := sums[0]; one.Deciding > time.Duration(one.Decisions)*tally.MostDealt || one.Rounds < 40 {
			t.Errorf("%d decisions have taken %s, %d rounds %s", one.Decisions, one.Deciding, one.Rounds, one.Playing)
		}
	})
}

// inTheirCurrency looks for an amount, which is as much as it says in each currency.
func inTheirCurrency(t *testing.T, s *store.Store, all []store.Round, in string, amount int64, is map[string]int64) {
	t.Helper()
	for what, q := range map[string]store.RoundQuery{
		"staked":        {LeastStaked: amount},
		"returned":      {LeastReturned: amount},
		"paid on a box": {LeastReturned: amount, Boxes: []uint8{1, 2}},
	} {
		q.AmountsIn, q.Limit = in, 10_000
		found, err := s.Rounds(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for i := range all {
			r := &all[i]
			lies := len(q.Boxes) == 0
			for _, on := range r.Lays {
				lies = lies || (on.Box == 1 || on.Box == 2) && on.Returned >= is[r.Currency]
			}
			if (q.LeastStaked == 0 || r.Staked >= is[r.Currency]) &&
				(q.LeastReturned == 0 || r.Returned >= is[r.Currency]) && lies {
				want++
			}
		}
		if len(found) != want || want == 0 {
			t.Errorf("%s from %s %s: %d rounds, want %d of %d", what, money.Format(amount, money.Digits(in)), in,
				len(found), want, len(all))
		}
	}
}
