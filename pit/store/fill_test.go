package store_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestGapIsFilled: records that the table did not have are kept once its journal has them, where
// they belong, and the rounds around them are counted then.
func TestGapIsFilled(t *testing.T) {
	for name, missing := range map[string][][]int{
		"in the middle": {{1, 2}}, "before the last": {{2, 3}}, "at the beginning": {{0, 1}},
		"in two steps": {{1, 2, 3}, {1}}, "the last first": {{1, 2, 3}, {2}},
		"what is between stays away": {{1, 2, 3}, {1, 3}}, "two gaps": {{1, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			onEachInSoak(t, func(t *testing.T, source string) { gapIsFilled(t, open(t, source), missing) })
		})
	}
}

func gapIsFilled(t *testing.T, s *store.Store, missing [][]int) {
	name := table(t, "bj1")
	folder := filepath.Join(tabletest.FastDir(t), "journal")
	for i, dealers := range [][]string{{"anna"}, {"ben"}, {"carla"}, {"dora"}, nil} { // each start begins a part
		goesOn(t, folder, uint64(i), 250/store.Lighter, dealers...)
	}
	whole := reader(t, folder)
	for _, parts := range missing {
		r := reader(t, without(t, folder, parts))
		if err := s.Refill(t.Context(), name, r, nil); err != nil {
			t.Fatal(err)
		}
		if c, err := s.Check(t.Context(), name, whole, nil); err != nil || len(c.Missing) == 0 ||
			len(c.Differ)+len(c.Extra) > 0 {
			t.Fatalf("with a gap: %+v, %v", c, err)
		}
		requireFigures(t, s)
	}
	// The table goes on with its gap, as one does whose archive comes back later, and its dealer
	// has signed in in the gap.
	goesOn(t, folder, 9, 250/store.Lighter)
	again := reader(t, without(t, folder, missing[len(missing)-1]))
	if err := s.Refill(t.Context(), name, again, nil); err != nil {
		t.Fatal(err)
	}
	whole = reader(t, folder)
	for range 2 {
		if err := s.Refill(t.Context(), name, whole, nil); err != nil {
			t.Fatal(err)
		}
		same(t, s, name, whole)
	}
	requireRoundsOf(t, s, whole)
	goesOn(t, folder, 10, 250/store.Lighter)
	if err := s.Refill(t.Context(), name, whole, nil); err != nil {
		t.Fatal(err)
	}
	same(t, s, name, whole)
}

// TestGapFilledBehindASetUp: what the table plays now stays so when older records come, though a round is under way: it
// was set up in yen, and nobody has counted a tray of yen.
func TestGapFilledBehindASetUp(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s, name := open(t, source), table(t, "bj1")
		folder := filepath.Join(tabletest.FastDir(t), "journal")
		for i := range 2 {
			goesOn(t, folder, uint64(i), 100)
		}
		n := journaltest.NewNight(t, folder, "wiesbaden", 3)
		n.Count(vocab.CountOpening, 100)
		n.Rounds(2)
		n.SetUp("yen")
		n.Deal(8)
		whole := reader(t, folder)
		for _, r := range []*journal.Reader{reader(t, without(t, folder, []int{1})), whole} {
			if err := s.Refill(t.Context(), name, r, nil); err != nil {
				t.Fatal(err)
			}
			all, err := s.Trays(t.Context())
			if err != nil || all[name] == nil || all[name].Currency != "JPY" || all[name].Count != nil {
				t.Errorf("%+v, %v", all[name], err)
			}
		}
		same(t, s, name, whole)
	})
}

// without is a copy of a journal's folder without some of its parts.
func without(t *testing.T, folder string, parts []int) string {
	t.Helper()
	to := copied(t, folder)
	names, err := filepath.Glob(filepath.Join(to, "part-*"))
	slices.Sort(names)
	for _, i := range parts {
		if err == nil {
			err = os.Remove(names[i])
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func requireFigures(t *testing.T, s *store.Store) {
	t.Helper()
	if differ, err := s.Compare(t.Context(), nil); err != nil || len(differ) > 0 {
		t.Fatalf("the figures do not follow from the records: %v, %v", differ, err)
	}
}

// requireRoundsOf refuses rounds other than a store has that never lacked anything.
func requireRoundsOf(t *testing.T, s *store.Store, r *journal.Reader) {
	t.Helper()
	fresh := open(t, filepath.Join(tabletest.FastDir(t), "pit.db"))
	if err := fresh.Refill(t.Context(), table(t, "bj1"), r, nil); err != nil {
		t.Fatal(err)
	}
	want, err := fresh.Rounds(t.Context(), store.RoundQuery{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Rounds(t.Context(), store.RoundQuery{Limit: 10_000})
	if err != nil || len(got) != len(want) || len(got) == 0 {
		t.Fatalf("%d rounds are kept, %d with nothing missing; %v", len(got), len(want), err)
	}
	for i := range got {
		a, b := got[i], want[i]
		if a.First != b.First || a.Staked != b.Staked || a.Returned != b.Returned || a.Dealer != b.Dealer ||
			a.Game != b.Game || a.Irregular != b.Irregular {
			t.Errorf("a round is %+v, and with nothing missing %+v", a, b)
		}
	}
}
