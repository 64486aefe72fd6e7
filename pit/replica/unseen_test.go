package replica

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestUnseenIsDoubted: a cursor and an away that the pit did not see happen, as the ear hears of them, raise the alert;
// what the table told before does not.
func TestUnseenIsDoubted(t *testing.T) {
	s, err := store.Open(t.Context(), store.Options{Source: filepath.Join(tabletest.FastDir(t), "pit.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	table, err := topic.NewTable("wiesbaden", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	e, raised := New(Options{Reader: "pit", Log: slog.New(slog.DiscardHandler)}, newLine(),
		floor.New(floor.Options{}), s), 0
	for i, c := range []struct {
		boot               uint64
		acknowledged, away uint64
		began              topic.Began
		doubted            bool
	}{
		{1, 555, 0, topic.Began{Acknowledged: 500}, false},
		{2, 556, 0, topic.Began{Acknowledged: 555}, false},
		{3, 775, 0, topic.Began{Acknowledged: 775}, true},
		{4, 775, 30, topic.Began{Acknowledged: 775}, false},
		{5, 775, 60, topic.Began{Acknowledged: 775, Away: 60}, true},
	} {
		began := c.began
		e.witness(t.Context(), table, store.Told{
			Head: topic.Head{ID: strings.Repeat("ab", 16), Record: 9 + uint64(i), Hash: strings.Repeat("cd", 32)},
			Boot: c.boot, Acknowledged: c.acknowledged, Away: c.away, Began: &began, At: time.Unix(int64(i)+1, 0),
			Watched: true,
		})
		if c.doubted {
			raised++
		}
		if alerts := e.floor.Alerts(); len(alerts) != min(raised, 1) || raised > 0 &&
			(alerts[0].Code != floor.JournalUnseen || alerts[0].Times != raised || alerts[0].Standing > 0) {
			t.Errorf("start %d: %+v", c.boot, alerts)
		}
	}
	if list, err := s.Findings(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
}
