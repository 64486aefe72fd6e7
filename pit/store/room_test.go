package store_test

import (
	"maps"
	"testing"

	"github.com/sabot-table/sabot/pit/store"
)

// TestRoom: what was put last is kept, also for the next time that the store is opened.
func TestRoom(t *testing.T) {
	onEach(t, func(t *testing.T, source string) {
		s := open(t, source)
		if room, err := s.Room(t.Context()); err != nil || room == nil || len(room) != 0 {
			t.Fatalf("at first: %v, %v", room, err)
		}
		want := map[string]store.Spot{"kursaal/bj-1": {X: 2, Y: 3}, "kursaal/bj-2": {X: 1, Y: 1}}
		for _, room := range []map[string]store.Spot{{"kursaal/bj-1": {X: 1, Y: 1}, "kursaal/bj-9": {X: 4, Y: 4}}, want} {
			if err := s.PutRoom(t.Context(), room); err != nil {
				t.Fatal(err)
			}
		}
		if room, err := open(t, source).Room(t.Context()); err != nil || !maps.Equal(room, want) {
			t.Errorf("kept: %v, %v", room, err)
		}
	})
}
