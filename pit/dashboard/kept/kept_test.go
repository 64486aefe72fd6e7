package kept_test

import (
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/dashboard/kept"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/store/storetest"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/tabletest"
)

// open keeps a night of the engine's, with mistakes, in a store.
func open(t *testing.T) (kept.Store, topic.Table) {
	t.Helper()
	folder := tabletest.FastDir(t)
	s, err := store.Open(t.Context(), store.Options{
		Source: filepath.Join(folder, "pit.db"), Day: store.Day{Begins: 6 * time.Hour, Zone: time.UTC}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	table, err := topic.NewTable("kursaal", "bj-3")
	if err != nil {
		t.Fatal(err)
	}
	night := storetest.NewNight(t, filepath.Join(folder, "journal"), "wiesbaden", 7)
	night.Mistakes, night.Dealers = 1, []string{"anna", "ben"}
	night.Deal(1200)
	r, err := journal.OpenReadOnly(filepath.Join(folder, "journal"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := s.Refill(t.Context(), table, r, nil); err != nil {
		t.Fatal(err)
	}
	return kept.Store{Store: s, Houses: profile.Built()}, table
}

// TestFind: each round that is found is so in the journal, too, and all that can be asked for is.
func TestFind(t *testing.T) {
	s, table := open(t)
	all, err := s.Find(t.Context(), dashboard.Search{Table: table, Most: 1000})
	if err != nil || len(all) < 10 {
		t.Fatalf("%d rounds, %v", len(all), err)
	}
	recall, err := s.Recall(t.Context(), table, "")
	if err != nil {
		t.Fatal(err)
	}
	wrong, righted := 0, 0
	for _, one := range all {
		round, err := recall.Round(one.Number)
		if err != nil {
			t.Fatal(err)
		}
		if one.Journal != "" || one.Void != round.Void || one.Boxes != len(round.Boxes) && !one.Void || !one.Opened.Equal(round.Began) || one.Dealer != round.Dealer {
			t.Errorf("round %d is found as %+v", one.Number, one)
		}
		for _, w := range one.Wrong {
			if wrong++; w.With != 0 {
				righted++
			}
		}
	}
	if wrong < 3 || righted < 3 {
		t.Errorf("only %d irregularities, %d of them put right", wrong, righted)
	}
	some := all[len(all)/2]
	for name, c := range map[string]struct {
		ask dashboard.Search
		fit func(dashboard.Round) bool
	}{
		"by number":       {dashboard.Search{Number: some.Number}, func(r dashboard.Round) bool { return r.Number == some.Number }},
		"by time":         {dashboard.Search{From: some.Opened}, func(r dashboard.Round) bool { return !r.Opened.Before(some.Opened) }},
		"until a time":    {dashboard.Search{To: some.Opened}, func(r dashboard.Round) bool { return r.Opened.Before(some.Opened) }},
		"by amount":       {dashboard.Search{Amount: some.Staked}, func(r dashboard.Round) bool { return r.Staked >= some.Staked }},
		"by dealer":       {dashboard.Search{Dealer: some.Dealer}, func(r dashboard.Round) bool { return r.Dealer == some.Dealer }},
		"by irregularity": {dashboard.Search{Wrong: true}, func(r dashboard.Round) bool { return len(r.Wrong) > 0 }},
	} {
		c.ask.Table, c.ask.Most = table, 1000
		found, err := s.Find(t.Context(), c.ask)
		want := 0
		for _, r := range all {
			if c.fit(r) {
				want++
			}
		}
		if err != nil || len(found) != want || want == 0 {
			t.Errorf("%s: %d rounds, want %d, %v", name, len(found), want, err)
		}
	}
	two, err := s.Find(t.Context(), dashboard.Search{Table: table, Most: 2, Skip: 3})
	if err != nil || len(two) != 2 || two[0].Number != all[3].Number {
		t.Errorf("a later page: %+v, %v", two, err)
	}
}

// TestUnknown: of a table of which nothing is kept nothing is found.
func TestUnknown(t *testing.T) {
	s, _ := open(t)
	other, err := topic.NewTable("kursaal", "bj-9")
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Find(t.Context(), dashboard.Search{Table: other, Most: 10})
	recall, unread := s.Recall(t.Context(), other, "")
	if len(found) != 0 || recall != nil || errors.Join(err, unread) != nil {
		t.Errorf("%v, %v, %v", found, recall, errors.Join(err, unread))
	}
}

// TestPages: a round of the store is found, shown, replayed and printed by the pit's pages.
func TestPages(t *testing.T) {
	s, table := open(t)
	d, err := dashboard.New(dashboard.Options{Floor: floor.New(floor.Options{Tables: []topic.Table{table}}), Past: s, Rooms: s, Name: "Kursaal", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) string {
		w := httptest.NewRecorder()
		d.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil))
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		return w.Body.String()
	}
	all, err := s.Find(t.Context(), dashboard.Search{Table: table, Most: 1})
	if err != nil {
		t.Fatal(err)
	}
	round := "/table/kursaal/bj-3/recall/" + strconv.FormatUint(all[0].Number, 10)
	if body := get("/table/kursaal/bj-3/recall"); !strings.Contains(body, `href="`+round+`/replay"`) {
		t.Error("the last round is not on the list")
	}
	for _, path := range []string{round, round + "/replay", round + "/sheet"} {
		if body := get(path); !strings.Contains(body, "PAST ROUND "+strconv.FormatUint(all[0].Number, 10)) {
			t.Errorf("%s does not show the round", path)
		}
	}
}

// TestRoom: how the room is arranged comes back as it was kept.
func TestRoom(t *testing.T) {
	s, _ := open(t)
	want := dashboard.Room{"kursaal/bj-3": {X: 2, Y: 5}}
	if err := s.PutRoom(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if room, err := s.Room(t.Context()); err != nil || !maps.Equal(room, want) {
		t.Errorf("%v, %v", room, err)
	}
}
