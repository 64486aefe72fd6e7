package pit

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/replica"
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
	k := keeper{Store: s}
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
		err := k.Witness(t.Context(), table, replica.Told{
			Boot: c.boot, At: time.Unix(int64(i)+1, 0), Watched: true,
			Journal: topic.Journal{
				LastSequence: 775, Unacknowledged: 775 - c.acknowledged, Away: c.away, Began: &c.began,
				Head: &topic.Head{ID: strings.Repeat("ab", 16), Record: 9 + uint64(i), Hash: strings.Repeat("cd", 32)},
			},
		})
		doubt, doubted := errors.AsType[*replica.DoubtError](err)
		if doubted != c.doubted || doubted && (doubt.Code != floor.JournalUnseen || !doubt.Once || !doubt.Kept) ||
			err != nil && !doubted {
			t.Errorf("start %d: %v", c.boot, err)
		}
	}
	if list, err := s.Findings(t.Context()); err != nil || len(list) != 2 {
		t.Errorf("%+v, %v", list, err)
	}
}
