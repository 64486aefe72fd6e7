package dashboard

import (
	"maps"
	"math"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// Most is how many columns and rows a room has.
const Most = 16

// within says whether a spot is in some room.
func within(s store.Spot) bool { return s.X >= 1 && s.X <= Most && s.Y >= 1 && s.Y <= Most }

// Room is where tiles were put, by the names of their tables as topic.Table writes them. Tables that are not in it
// come where there is room.
type Room map[string]store.Spot

// Move puts a table's tile on a spot; the one that lies there takes the place that it leaves. tables are all that are
// shown: what lay where nobody had put it stays there from then on, so that no other tile moves. It is false for a spot
// outside of every room, or a table that is not shown.
func (r Room) Move(tables []topic.Table, table string, to store.Spot) (Room, bool) {
	lies, _ := r.lay(tables)
	from, known := lies[table]
	if !known || !within(to) {
		return r, false
	}
	moved := maps.Clone(r)
	if moved == nil {
		moved = Room{}
	}
	maps.Copy(moved, lies)
	for name, spot := range moved {
		if spot == to {
			moved[name] = from
		}
	}
	moved[table] = to
	return moved, true
}

// lay says where each table's tile lies, and how many columns and rows that takes.
func (r Room) lay(tables []topic.Table) (lies Room, size store.Spot) {
	lies, taken := Room{}, map[store.Spot]bool{}
	wide := min(max(int(math.Round(math.Sqrt(float64(len(tables))*5/3))), (len(tables)+Most-1)/Most, 1), Most)
	for _, t := range tables {
		if spot, ok := r[t.String()]; ok && within(spot) && !taken[spot] {
			lies[t.String()], taken[spot] = spot, true
			wide = max(wide, spot.X)
		}
	}
	next := store.Spot{X: 1, Y: 1}
	for _, t := range tables {
		if _, ok := lies[t.String()]; ok {
			continue
		}
		for taken[next] {
			if next.X++; next.X > wide {
				next = store.Spot{X: 1, Y: next.Y + 1}
			}
		}
		lies[t.String()], taken[next] = next, true
	}
	for spot := range maps.Values(lies) {
		size = store.Spot{X: max(size.X, spot.X), Y: max(size.Y, spot.Y)}
	}
	return lies, size
}

// tablesOf are the tables of tiles.
func tablesOf(tiles []floor.Tile) (tables []topic.Table) {
	for i := range tiles {
		tables = append(tables, tiles[i].Table)
	}
	return tables
}
