package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	pitfloor "github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestPrune: of gaming days that are removed the sums stay, and all that comes after them; the
// table is followed as before.
func TestPrune(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 5)
		n.Mistakes, n.Apart, n.Dealers = 1, 2*time.Minute, []string{"anna", "ben"}
		n.Deal(2500) // three and a half days
		r := reader(t, folder)
		if err := s.Refill(t.Context(), name, r, nil); err != nil {
			t.Fatal(err)
		}
		sums := func() []store.Sum {
			sums, err := s.Sums(t.Context(), store.Query{By: []store.Group{store.ByDay, store.ByDealer}})
			if err != nil || len(sums) < 6 {
				t.Fatal(len(sums), err)
			}
			return sums
		}
		was := sums()
		const before = store.Date(20260330)
		for range 2 {
			if err := s.Prune(t.Context(), before); err != nil {
				t.Fatal(err)
			}
		}
		if now := sums(); !reflect.DeepEqual(now, was) {
			t.Errorf("sums are\n%+v, and were\n%+v", now, was)
		}
		c, err := s.Check(t.Context(), name, r, nil)
		head, _, _ := r.Head()
		if err != nil || !c.Same() || c.Pruned == 0 || c.Records != head-c.Pruned {
			t.Errorf("of %d records: %+v, %v", head, c, err)
		}
		kept, err := s.Records(t.Context(), name, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range kept.Records(1) {
			if away, ok := errors.AsType[*journal.AwayError](err); !ok || away.Last != c.Pruned {
				t.Errorf("record 1 gives %v", err)
			}
			break
		}
		rounds, err := s.Rounds(t.Context(), store.RoundQuery{Limit: 10_000})
		if err != nil || len(rounds) == 0 || rounds[len(rounds)-1].Day < before.Add(-1) {
			t.Errorf("%d rounds are left, %v", len(rounds), err)
		}
		n.Deal(300)
		if err := s.Refill(t.Context(), name, r, nil); err != nil {
			t.Fatal(err)
		}
		if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
			t.Errorf("the figures do not follow from the records: %v, %v", differ, err)
		}
		if err := s.Rebuild(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
			t.Errorf("after a rebuild the figures do not follow from the records: %v, %v", differ, err)
		}
	})
}

// TestPruneKeepsTheTray: what must be in a tray and in its drop box stays known, however old the last count and the
// last drop are, and so does a slip that is under way. What else was before the count goes.
func TestPruneKeepsTheTray(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 46)
		n.Cash = &tabletest.Cash{Player: tabletest.Player{Dice: rand.New(rand.NewPCG(46, 1)), Boxes: 2, Freely: true}}
		n.Take(n.Cash.Count(vocab.CountOpening))
		n.Take(vocab.Input{Kind: vocab.InDrop, By: "s1"})
		n.Sell(20_000)
		n.AskFill(10)
		n.Rounds(2)
		n.Take(n.Cash.Count(vocab.CountInterim))
		n.Sell(5000)
		n.Rounds(3)
		n.Now = n.Now.AddDate(0, 0, 5)
		n.Rounds(1)
		r := reader(t, folder)
		if err := s.Refill(t.Context(), name, r, nil); err != nil {
			t.Fatal(err)
		}
		check := func() {
			t.Helper()
			all, err := s.Trays(t.Context())
			if err != nil || all[name] == nil {
				t.Fatalf("%v, %v", all, err)
			}
			y := all[name]
			if y.Count == nil || !y.Known || y.Must != n.Cash.Held() || y.Cash != 25_000 || y.Rounds != 4 ||
				len(y.Slips) != 1 {
				t.Errorf("%+v", y)
			}
		}
		check()
		if err := s.Prune(t.Context(), 20260330); err != nil {
			t.Fatal(err)
		}
		if c, err := s.Check(t.Context(), name, r, nil); err != nil || c.Pruned == 0 {
			t.Fatalf("%+v, %v", c, err)
		}
		check()
		days, err := s.TrayDay(t.Context(), journaltest.TheGamingDay)
		if err != nil || days[name] == nil {
			t.Fatalf("%v, %v", days, err)
		}
		if list := days[name].Events; len(list) < 4 || list[0].Of != vocab.InBuyIn || list[1].Of != vocab.InFill ||
			list[2].Told.Count != vocab.CountInterim {
			t.Errorf("of the first day there are %+v", list)
		}
		differ, err := s.Compare(t.Context(), nil)
		ofTray := func(one string) bool { return strings.Contains(one, ": tray_") }
		if err != nil || slices.ContainsFunc(differ, ofTray) {
			t.Errorf("what is kept of the tray does not follow from the records: %v, %v", differ, err)
		}
	})
}

// TestPruneAdjusts: an adjustment of a past round counts once, whether it was made before the round was removed with
// its gaming day or afterwards, and also once the table is counted anew.
func TestPruneAdjusts(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 5)
		refill := func() {
			t.Helper()
			n.Rounds(2)
			if err := s.Refill(t.Context(), name, reader(t, folder), nil); err != nil {
				t.Fatal(err)
			}
		}
		n.Rounds(20)
		n.Now = n.Now.AddDate(0, 0, 3)
		refill()
		all := adjustable(t, n, 3)
		adjust := func(nth int, amount int64) {
			t.Helper()
			in := all[nth]
			in.Amount, in.By, in.Because = amount, "s1", "dispute"
			n.Take(in)
			refill()
		}
		returned := func() (by map[store.Date]int64) {
			t.Helper()
			sums, err := s.Sums(t.Context(), store.Query{By: []store.Group{store.ByDay}})
			if err != nil {
				t.Fatal(err)
			}
			by = map[store.Date]int64{}
			for i := range sums {
				by[sums[i].Day] = sums[i].Returned
			}
			return by
		}
		was := returned()[journaltest.TheGamingDay]
		adjust(0, 700)
		adjust(1, 500)
		adjust(1, -500)
		if got := returned()[journaltest.TheGamingDay] - was; got != 700 {
			t.Errorf("adjustments of rounds of the first day come to %d there", got)
		}
		if err := s.Prune(t.Context(), journaltest.TheGamingDay+2); err != nil {
			t.Fatal(err)
		}
		adjust(2, 1200)
		want := returned()
		if got := want[journaltest.TheGamingDay] - was; got != 700 {
			t.Errorf("an adjustment of a round that is removed has changed its day, which has %d more now", got)
		}
		requireFigures(t, s)
		if err := s.Rebuild(t.Context(), name); err != nil {
			t.Fatal(err)
		}
		requireFigures(t, s)
		if got := returned(); !maps.Equal(got, want) {
			t.Errorf("counted anew, %v was returned, and %v before", got, want)
		}
	})
}

// TestAdjustmentsOfAnEarlierForm: of a table whose tray was counted it is known which adjustments an earlier version
// has counted with their rounds.
func TestAdjustmentsOfAnEarlierForm(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		f, name := floor{store: open(t, source)}, table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 5)
		n.Count(vocab.CountOpening, 100)
		n.Rounds(20)
		n.Now = n.Now.AddDate(0, 0, 3)
		n.Rounds(2)
		in := adjustable(t, n, 1)[0]
		in.Amount, in.By, in.Because = 700, "s1", "dispute"
		n.Take(in)
		n.Rounds(2)
		if err := f.store.Refill(t.Context(), name, reader(t, folder), nil); err != nil {
			t.Fatal(err)
		}
		f.undo(t, 63, "00063_adjusted.sql")
		again := open(t, source)
		requireFigures(t, again)
		if err := again.Prune(t.Context(), journaltest.TheGamingDay+2); err != nil {
			t.Fatal(err)
		}
		requireFigures(t, again)
	})
}

// TestRebuild: figures that were changed by somebody are found, and made anew.
func TestRebuild(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		n := journaltest.NewNight(t, folder, "wiesbaden", 5)
		n.Mistakes = 1
		n.Deal(900)
		if err := s.Refill(t.Context(), name, reader(t, folder), nil); err != nil {
			t.Fatal(err)
		}
		for _, change := range []string{
			`UPDATE wager_sum SET staked = staked + 100`, `UPDATE round SET returned = 0`,
			`DELETE FROM irregularity WHERE nth = 0`,
			`UPDATE irregularity_sum SET times = times + 1`, `UPDATE round_sum SET rounds = 0`,
		} {
			err := s.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, change)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) == 0 {
				t.Errorf("after %s nothing differs, %v", change, err)
			}
			if err := s.Rebuild(t.Context(), name); err != nil {
				t.Fatal(err)
			}
			if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
				t.Errorf("after %s and a rebuild: %v, %v", change, differ, err)
			}
		}
	})
}

// TestChange: a change with an error changes nothing, and none of those that are made with it.
func TestChange(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		wrong := errors.New("the PIN is wrong")
		done := make(chan error)
		for i := range 40 {
			go func() {
				err := s.Change(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
					if _, err := tx.ExecContext(ctx, `INSERT INTO rules (fingerprint, content) VALUES ($1, $2)`,
						fmt.Sprint(i), []byte("x")); err != nil {
						return err
					}
					if i%2 == 0 {
						return wrong
					}
					return nil
				})
				if (i%2 == 0) != errors.Is(err, wrong) {
					err = fmt.Errorf("change %d: %w", i, err)
				} else {
					err = nil
				}
				done <- err
			}()
		}
		for range 40 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		var changed int
		if err := s.DB().QueryRowContext(t.Context(), `SELECT count(*) FROM rules`).Scan(&changed); err != nil ||
			changed != 20 {
			t.Errorf("%d changes, %v", changed, err)
		}
	})
}

// TestPruneAlerts: alerts that were over before the date are removed; one that is open stays, however old it is.
func TestPruneAlerts(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		const before = store.Date(20260330)
		begins := store.Day{Begins: 6 * time.Hour, Zone: system.Zone(t, "Europe/Berlin")}.Start(before)
		long := begins.AddDate(0, -1, 0)
		if err := s.KeepAlerts(t.Context(), []pitfloor.Alert{
			{ID: "open", Raised: long},
			{ID: "over", Raised: long, Over: begins.Add(-time.Nanosecond)},
			{ID: "kept", Raised: long, Over: begins},
		}); err != nil {
			t.Fatal(err)
		}
		if err := s.Prune(t.Context(), before); err != nil {
			t.Fatal(err)
		}
		left, err := s.OpenAlerts(t.Context())
		var names []string
		for _, a := range left {
			names = append(names, a.ID)
		}
		if want := []string{"open", "kept"}; err != nil || !slices.Equal(names, want) {
			t.Errorf("%v, %v, not %v", names, err, want)
		}
	})
}
