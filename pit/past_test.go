package pit

import (
	"context"
	"database/sql"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
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
func aNight(t *testing.T) (rounds, topic.Table, []history.Round) {
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
	dealt, err := recall.New(r, book).Last(1000)
	if err != nil || len(dealt) < 100 {
		t.Fatalf("%d rounds: %v", len(dealt), err)
	}
	return rounds{s, book}, table, dealt
}

// wrongIn is what went wrong in a round, as the table recalls it.
func wrongIn(r *history.Round) (list []tally.Irregularity) {
	for _, step := range r.Steps {
		for _, o := range step.Outputs {
			switch o.Out.Kind {
			case vocab.Irregular:
				list = append(list, tally.Irregularity{Code: o.Out.Code})
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
	found, err := k.Rounds(t.Context(), store.RoundQuery{Tables: []topic.Table{table}, Wrongs: true, Limit: 1000})
	if err != nil || len(found) != len(rounds) {
		t.Fatalf("%d rounds are found of %d: %v", len(found), len(rounds), err)
	}
	everywhere, err := k.Rounds(t.Context(), store.RoundQuery{Wrongs: true, Limit: 1000})
	if err != nil || len(everywhere) != len(found) {
		t.Fatalf("at all tables %d rounds are found of %d: %v", len(everywhere), len(found), err)
	}
	wrong := 0
	for i := range rounds {
		want, got := &rounds[i], found[i]
		if there := everywhere[i]; there.Table != table || there.Number != got.Number ||
			len(there.Irregularities) != len(got.Irregularities) {
			t.Errorf("of all tables, round %d of %s is found as %+v", got.Number, table, there)
		}
		if got.Number != want.Number || got.Dealer != want.Dealer || !got.Opened.Equal(want.Began) ||
			got.Void != want.Void {
			t.Errorf("round %d of %s, opened %s, void %t, is found as %+v", want.Number, want.Dealer, want.Began,
				want.Void, got)
		}
		over, _ := want.Over()
		if sums := want.Result.Out.Sums; !slices.ContainsFunc(got.Wagers, func(w tally.Wager) bool {
			return w.Unknown > 0
		}) && (got.Staked != sums.Staked || got.Returned != sums.Returned+sums.Won+over ||
			got.Due != sums.Returned+sums.Won) {
			t.Errorf("round %d: staked %d, returned %d, and is found as %+v", want.Number, sums.Staked,
				sums.Returned+sums.Won, got)
		}
		was := wrongIn(want)
		if len(was) != len(got.Irregularities) {
			t.Errorf("round %d: went wrong %+v, and is found as %+v", want.Number, was, got.Irregularities)
			continue
		}
		for j, w := range was {
			if is := got.Irregularities[j]; w.Code != is.Code || w.By != is.By && is.With != 0 || is.With != 0 &&
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
	was, err := k.Rounds(t.Context(), store.RoundQuery{
		Tables: []topic.Table{table}, Irregular: true, Wrongs: true,
		Limit: search,
	})
	if err != nil || len(was) < 10 {
		t.Fatalf("%d rounds: %v", len(was), err)
	}
	err = k.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000)
			INSERT INTO irregularity (journal, record, nth, place, round, code, alarm, box, raised, day, hour, dealer, sheet, righted, choice, person, reason)
			SELECT journal, 1000000 + n, 0, place, 1000000, code, alarm, box, $1, day, hour, dealer, sheet, righted, choice, person, reason
			FROM n, (SELECT * FROM irregularity ORDER BY raised LIMIT 1)`, was[0].Opened.UnixNano())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	is, err := k.Rounds(t.Context(), store.RoundQuery{
		Tables: []topic.Table{table}, Irregular: true, Wrongs: true,
		Limit: search,
	})
	if err != nil || len(is) != len(was) {
		t.Fatalf("%d rounds of %d: %v", len(is), len(was), err)
	}
	for i := range was {
		if !slices.Equal(is[i].Irregularities, was[i].Irregularities) {
			t.Errorf("in round %d went wrong %+v, and later %+v", was[i].Number, was[i].Irregularities,
				is[i].Irregularities)
		}
	}
}

// TestFindSome: each field of a search leaves out what it must, and nothing else.
func TestFindSome(t *testing.T) {
	k, table, rounds := aNight(t)
	all, err := k.Rounds(t.Context(), store.RoundQuery{Tables: []topic.Table{table}, Wrongs: true, Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	has := func(r store.Round, code irregularity.Code) bool {
		for _, w := range r.Irregularities {
			if w.Code == code {
				return true
			}
		}
		return false
	}
	middle := rounds[len(rounds)/2]
	for name, c := range map[string]struct {
		search store.RoundQuery
		fits   func(store.Round) bool
	}{
		"number": {store.RoundQuery{Number: middle.Number}, func(r store.Round) bool {
			return r.Number == middle.Number
		}},
		"dealer": {store.RoundQuery{Dealers: []string{middle.Dealer}}, func(r store.Round) bool {
			return r.Dealer == middle.Dealer
		}},
		"amount": {store.RoundQuery{LeastStaked: 30000}, func(r store.Round) bool { return r.Staked >= 30000 }},
		"paid":   {store.RoundQuery{LeastReturned: 30000}, func(r store.Round) bool { return r.Returned >= 30000 }},
		"from": {store.RoundQuery{From: middle.Began}, func(r store.Round) bool {
			return !r.Opened.Before(middle.Began)
		}},
		"to": {store.RoundQuery{To: middle.Began}, func(r store.Round) bool {
			return r.Opened.Before(middle.Began)
		}},
		"wrong": {store.RoundQuery{Irregular: true}, func(r store.Round) bool { return len(r.Irregularities) > 0 }},
		"code": {store.RoundQuery{Code: irregularity.UnreadCard.String()}, func(r store.Round) bool {
			return has(r, irregularity.UnreadCard)
		}},
	} {
		c.search.Tables, c.search.Wrongs, c.search.Limit = []topic.Table{table}, true, 1000
		got, err := k.Rounds(t.Context(), c.search)
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
	page, err := k.Rounds(t.Context(), store.RoundQuery{Tables: []topic.Table{table}, Limit: 10, Skip: 20})
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
