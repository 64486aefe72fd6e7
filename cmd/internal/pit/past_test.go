package pit

import (
	"context"
	"database/sql"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/sim-hardware/nights"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/vocab"
)

// aNight is a store that has a table's night, and what the table itself recalls of it.
func aNight(t *testing.T) (kept, topic.Table, []history.Round) {
	t.Helper()
	book := profile.Built()
	tables, err := nights.Floor(book, 2)
	if err != nil {
		t.Fatal(err)
	}
	plan := nights.Plan{
		Seed: 3, Houses: book, Tables: tables, Staff: nights.UsualStaff(2), Nights: 1, OneIn: 3,
		First: time.Date(2026, 3, 27, 0, 0, 0, 0, time.UTC),
	}
	folder := filepath.Join(t.TempDir(), "journal")
	if _, err := plan.Write(t.Context(), 1, folder, nights.Writing{}); err != nil {
		t.Fatal(err)
	}
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	s, err := store.Open(t.Context(), store.Options{
		Source: filepath.Join(t.TempDir(), "pit.db"),
		Log:    slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	table, err := topic.NewTable("demo", "bj-2")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Refill(t.Context(), table, r, nil); err != nil {
		t.Fatal(err)
	}
	rounds, err := recall.New(r, book).Last(1000)
	if err != nil || len(rounds) < 100 {
		t.Fatalf("%d rounds: %v", len(rounds), err)
	}
	return kept{s, book}, table, rounds
}

// wrongIn is what went wrong in a round, as the table recalls it.
func wrongIn(r *history.Round) (list []dashboard.Wrong) {
	for _, step := range r.Steps {
		for _, o := range step.Outputs {
			switch o.Out.Kind {
			case vocab.Irregular:
				list = append(list, dashboard.Wrong{Code: o.Out.Code})
			case vocab.Resolved:
				for i := range list {
					if w := &list[i]; w.Code == o.Out.Code && w.With == 0 {
						w.With, w.By = o.Out.With, o.Out.By
						break
					}
				}
			}
		}
	}
	return list
}

// TestFind: what the pages find is what the table itself recalls.
func TestFind(t *testing.T) {
	k, table, rounds := aNight(t)
	found, err := k.Find(t.Context(), dashboard.Search{Table: table, Most: 1000})
	if err != nil || len(found) != len(rounds) {
		t.Fatalf("%d rounds are found of %d: %v", len(found), len(rounds), err)
	}
	everywhere, err := k.Find(t.Context(), dashboard.Search{Most: 1000})
	if err != nil || len(everywhere) != len(found) {
		t.Fatalf("at all tables %d rounds are found of %d: %v", len(everywhere), len(found), err)
	}
	wrong := 0
	for i := range rounds {
		want, got := &rounds[i], found[i]
		if there := everywhere[i]; there.Table != table || there.Number != got.Number ||
			len(there.Wrong) != len(got.Wrong) {
			t.Errorf("of all tables, round %d of %s is found as %+v", got.Number, table, there)
		}
		if got.Number != want.Number || got.Dealer != want.Dealer || !got.Opened.Equal(want.Began) ||
			got.Void != want.Void {
			t.Errorf("round %d of %s, opened %s, void %t, is found as %+v", want.Number, want.Dealer, want.Began,
				want.Void, got)
		}
		over, _ := want.Over()
		if sums := want.Result.Out.Sums; got.Unknown == 0 &&
			(got.Staked != sums.Staked || got.Returned != sums.Returned+sums.Won+over ||
				got.Due != sums.Returned+sums.Won) {
			t.Errorf("round %d: staked %d, returned %d, and is found as %+v", want.Number, sums.Staked,
				sums.Returned+sums.Won, got)
		}
		was := wrongIn(want)
		if len(was) != len(got.Wrong) {
			t.Errorf("round %d: went wrong %+v, and is found as %+v", want.Number, was, got.Wrong)
			continue
		}
		for j, w := range was {
			if is := got.Wrong[j]; w.Code != is.Code || w.By != is.By && is.With != 0 || is.With != 0 &&
				is.Righted.Before(is.Raised) {
				t.Errorf("round %d: went wrong %+v, and is found as %+v", want.Number, w, is)
			}
			wrong++
		}
	}
	if wrong < 10 {
		t.Errorf("only %d times something went wrong", wrong)
	}
}

// TestWrongInMuch: however much went wrong at a table meanwhile, a round that is found says what went wrong in it.
func TestWrongInMuch(t *testing.T) {
	k, table, _ := aNight(t)
	const search = 1000
	was, err := k.Find(t.Context(), dashboard.Search{Table: table, Wrong: true, Most: search})
	if err != nil || len(was) < 10 {
		t.Fatalf("%d rounds: %v", len(was), err)
	}
	err = k.store.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000)
			INSERT INTO irregularity (journal, record, nth, place, round, code, alarm, box, raised, day, hour, dealer, sheet, righted, choice, person, reason)
			SELECT journal, 1000000 + n, 0, place, 1000000, code, alarm, box, $1, day, hour, dealer, sheet, righted, choice, person, reason
			FROM n, (SELECT * FROM irregularity ORDER BY raised LIMIT 1)`, was[0].Opened.UnixNano())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	is, err := k.Find(t.Context(), dashboard.Search{Table: table, Wrong: true, Most: search})
	if err != nil || len(is) != len(was) {
		t.Fatalf("%d rounds of %d: %v", len(is), len(was), err)
	}
	for i := range was {
		if !slices.Equal(is[i].Wrong, was[i].Wrong) {
			t.Errorf("in round %d went wrong %+v, and later %+v", was[i].Number, was[i].Wrong, is[i].Wrong)
		}
	}
}

// TestFindSome: each field of a search leaves out what it must, and nothing else.
func TestFindSome(t *testing.T) {
	k, table, rounds := aNight(t)
	all, err := k.Find(t.Context(), dashboard.Search{Table: table, Most: 1000})
	if err != nil {
		t.Fatal(err)
	}
	has := func(r dashboard.Round, code irregularity.Code) bool {
		for _, w := range r.Wrong {
			if w.Code == code {
				return true
			}
		}
		return false
	}
	middle := rounds[len(rounds)/2]
	for name, c := range map[string]struct {
		search dashboard.Search
		fits   func(dashboard.Round) bool
	}{
		"number": {dashboard.Search{Number: middle.Number}, func(r dashboard.Round) bool {
			return r.Number == middle.Number
		}},
		"dealer": {dashboard.Search{Dealer: middle.Dealer}, func(r dashboard.Round) bool {
			return r.Dealer == middle.Dealer
		}},
		"amount": {dashboard.Search{Amount: 30000}, func(r dashboard.Round) bool { return r.Staked >= 30000 }},
		"paid":   {dashboard.Search{Paid: 30000}, func(r dashboard.Round) bool { return r.Returned >= 30000 }},
		"from": {dashboard.Search{From: middle.Began}, func(r dashboard.Round) bool {
			return !r.Opened.Before(middle.Began)
		}},
		"to": {dashboard.Search{To: middle.Began}, func(r dashboard.Round) bool {
			return r.Opened.Before(middle.Began)
		}},
		"wrong": {dashboard.Search{Wrong: true}, func(r dashboard.Round) bool { return len(r.Wrong) > 0 }},
		"code": {dashboard.Search{Code: irregularity.UnreadCard}, func(r dashboard.Round) bool {
			return has(r, irregularity.UnreadCard)
		}},
	} {
		c.search.Table, c.search.Most = table, 1000
		got, err := k.Find(t.Context(), c.search)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var want []uint64
		for _, r := range all {
			if c.fits(r) {
				want = append(want, r.Number)
			}
		}
		for i, r := range got {
			if i >= len(want) || r.Number != want[i] {
				t.Errorf("%s: %d rounds are found, the %d. is %d", name, len(got), i+1, r.Number)
				break
			}
		}
		if len(got) != len(want) || len(want) == 0 || len(want) == len(all) {
			t.Errorf("%s: %d rounds are found, and %d of %d fit", name, len(got), len(want), len(all))
		}
	}
	page, err := k.Find(t.Context(), dashboard.Search{Table: table, Most: 10, Skip: 20})
	if err != nil || len(page) != 10 || page[0].Number != all[20].Number {
		t.Errorf("the third page has %d rounds: %v", len(page), err)
	}
}

// TestRecall: a round that the store keeps is recalled as at the table; of a table that is not known there is nothing.
func TestRecall(t *testing.T) {
	k, table, rounds := aNight(t)
	r, err := k.Recall(t.Context(), table, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range rounds[:5] {
		got, err := r.Round(want.Number)
		if err != nil || len(got.Steps) != len(want.Steps) || got.Result.Out.Sums != want.Result.Out.Sums {
			t.Errorf("round %d is recalled as %+v: %v", want.Number, got, err)
		}
	}
	nobody, err := topic.NewTable("demo", "bj-9")
	if err != nil {
		t.Fatal(err)
	}
	if r, err := k.Recall(t.Context(), nobody, ""); r != nil || err != nil {
		t.Errorf("of a table that nobody knows %v is recalled: %v", r, err)
	}
}

// TestRoomIsKept: the room is as it was arranged.
func TestRoomIsKept(t *testing.T) {
	k, table, _ := aNight(t)
	for _, room := range []dashboard.Room{{}, {table.String(): {X: 3, Y: 2}}} {
		if err := k.PutRoom(t.Context(), room); err != nil {
			t.Fatal(err)
		}
		if got, err := k.Room(t.Context()); err != nil || !maps.Equal(got, room) {
			t.Errorf("the room is %v, not %v: %v", got, room, err)
		}
	}
}
