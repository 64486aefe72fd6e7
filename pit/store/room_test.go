package store_test

import (
	"maps"
	"testing"

	"github.com/sabot-table/sabot/pit/store"
)

// TestRoom: the room is as it was put last, also after the store was opened again.
func TestRoom(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		for _, room := range []map[string]store.Spot{
			{},
			{"demo/bj-1": {1, 1}, "demo/bj-2": {2, 1}},
			{"demo/bj-2": {1, 1}, "demo/bj-3": {16, 16}},
		} {
			if err := s.PutRoom(t.Context(), room); err != nil {
				t.Fatal(err)
			}
			for _, kept := range []*store.Store{s, open(t, source)} {
				if got, err := kept.Room(t.Context()); err != nil || !maps.Equal(got, room) {
					t.Errorf("the room is %v, put was %v: %v", got, room, err)
				}
			}
		}
	})
}
