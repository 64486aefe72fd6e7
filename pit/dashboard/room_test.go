package dashboard

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

func tablesNamed(n int) (all []topic.Table) {
	for i := range n {
		t, err := topic.NewTable("kursaal", fmt.Sprint("bj-", i+1))
		if err != nil {
			panic(err)
		}
		all = append(all, t)
	}
	return all
}

func TestRoom(t *testing.T) {
	for _, c := range []struct {
		tables int
		size   store.Spot
	}{
		{1, store.Spot{X: 1, Y: 1}},
		{4, store.Spot{X: 3, Y: 2}},
		{12, store.Spot{X: 4, Y: 3}},
		{60, store.Spot{X: 10, Y: 6}},
		{200, store.Spot{X: 16, Y: 13}},
	} {
		if lies, size := Room(nil).lay(tablesNamed(c.tables)); size != c.size || len(lies) != c.tables {
			t.Errorf("%d tables lie in %v, %d of them, want %v", c.tables, size, len(lies), c.size)
		}
	}
	tables := tablesNamed(4)
	room, ok := Room(nil).Move(tables, "kursaal/bj-1", store.Spot{X: 3, Y: 2})
	if lies, _ := room.lay(tables); !ok || lies["kursaal/bj-1"] != (store.Spot{X: 3, Y: 2}) ||
		lies["kursaal/bj-2"] != (store.Spot{X: 2, Y: 1}) {
		t.Errorf("moved to an empty place: %v", lies)
	}
	room, _ = room.Move(tables, "kursaal/bj-2", store.Spot{X: 3, Y: 2})
	if lies, _ := room.lay(tables); lies["kursaal/bj-1"] != (store.Spot{X: 2, Y: 1}) ||
		lies["kursaal/bj-2"] != (store.Spot{X: 3, Y: 2}) {
		t.Errorf("moved onto another: %v", lies)
	}
	for _, bad := range []struct {
		table string
		to    store.Spot
	}{
		{"kursaal/bj-9", store.Spot{X: 1, Y: 1}},
		{"kursaal/bj-1", store.Spot{X: 0, Y: 1}},
		{"kursaal/bj-1", store.Spot{X: 1, Y: Most + 1}},
	} {
		if _, ok := room.Move(tables, bad.table, bad.to); ok {
			t.Errorf("%v was moved", bad)
		}
	}
}

// TestRoomProperty: however tiles are moved, and tables come and go, no two lie on one spot, the one that was moved
// lies where it was put, and of the others that are shown none moves but the one whose place it took.
func TestRoomProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := tablesNamed(rapid.IntRange(1, 30).Draw(t, "tables"))
		var room Room
		for range rapid.IntRange(1, 12).Draw(t, "moves") {
			shown := all[:rapid.IntRange(1, len(all)).Draw(t, "shown")]
			before, _ := room.lay(shown)
			table := rapid.SampledFrom(shown).Draw(t, "table").String()
			to := store.Spot{X: rapid.IntRange(1, Most).Draw(t, "x"), Y: rapid.IntRange(1, Most).Draw(t, "y")}
			moved, ok := room.Move(shown, table, to)
			if !ok {
				t.Fatalf("%s cannot be moved to %v", table, to)
			}
			room = moved
			after, _ := room.lay(shown)
			seen := map[store.Spot]string{}
			for name, spot := range after {
				if other := seen[spot]; other != "" {
					t.Fatalf("%s lies on %s at %v", name, other, spot)
				}
				seen[spot] = name
				if name != table && spot != before[name] && (before[name] != to || spot != before[table]) {
					t.Fatalf("%s moved from %v to %v as %s was put on %v", name, before[name], spot, table, to)
				}
			}
			if after[table] != to {
				t.Fatalf("%s lies on %v, and was put on %v", table, after[table], to)
			}
		}
	})
}
