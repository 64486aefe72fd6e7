package store_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestTold: what a start found that the one before did not say is a finding where the pit was connected, and none
// otherwise.
func TestTold(t *testing.T) {
	began := func(acknowledged, away uint64) *topic.Began {
		return &topic.Began{Acknowledged: acknowledged, Away: away}
	}
	last := store.Told{Boot: 1, Head: topic.Head{Record: 90}, Acknowledged: 200, Away: 10, Began: began(100, 10)}
	for name, c := range map[string]struct {
		last, next store.Told
		want       string
	}{
		"the same": {last, store.Told{
			Boot: 2, Acknowledged: 230, Began: began(200, 10),
			Watched: true,
		}, ""},
		"a cursor that it was not told": {last, store.Told{
			Boot: 2, Acknowledged: 420, Began: began(420, 10),
			Watched: true,
		}, store.UnseenCursor},
		"events that it heard": {
			last,
			store.Told{Boot: 2, Acknowledged: 204, Heard: 204, Began: began(204, 10), Watched: true},
			"",
		},
		"records that are away": {
			last,
			store.Told{Boot: 2, Away: 60, Began: began(200, 60), Watched: true},
			store.UnseenAway,
		},
		"records that this start moves away": {
			last,
			store.Told{Boot: 2, Away: 60, Began: began(200, 10), Watched: true},
			"",
		},
		"it was not connected": {
			last,
			store.Told{Boot: 2, Acknowledged: 420, Away: 60, Began: began(420, 60)},
			"",
		},
		"an older program before it": {
			store.Told{Boot: 1, Acknowledged: 200},
			store.Told{Boot: 2, Away: 60, Began: began(200, 60), Watched: true},
			"",
		},
		"an older program after it": {last, store.Told{Boot: 2, Acknowledged: 420, Watched: true}, ""},
		"a start of before, which comes again": {
			store.Told{Boot: 2, Acknowledged: 200, Began: began(1, 0)},
			store.Told{Boot: 1, Acknowledged: 420, Began: began(420, 0), Watched: true},
			"",
		},
		"a publisher that went back, and killed": {last, store.Told{
			Boot: 2, Acknowledged: 150, Began: began(150, 10),
			Watched: true,
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, name := open(t, filepath.Join(tabletest.FastDir(t), "pit.db")), table(t, "bj1")
			tell := func(told store.Told, at int64) error {
				told.Head.ID, told.At = strings.Repeat("ab", 16), time.Unix(at, 0)
				return s.Told(t.Context(), name, told)
			}
			if err := tell(c.last, 1); err != nil {
				t.Fatal(err)
			}
			err, found := tell(c.next, 2), kinds(t, s)
			unseen, is := errors.AsType[*store.UnseenError](err)
			if c.want == "" && (err != nil || len(found) > 0) || c.want != "" &&
				(!is || unseen.Kind != c.want || found[c.want] != 1) {
				t.Errorf("%v, findings %v", err, found)
			}
		})
	}
}
