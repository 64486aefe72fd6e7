package journal

import (
	"slices"
	"testing"
)

// positionsOf are the positions that a journal with these entries has.
func positionsOf(entries []Entry) (list []Position) {
	for _, e := range slices.Backward(entries) {
		known := func(p Position) bool { return p.Boot == e.ShoeBoot }
		if e.fromShoe() && len(list) < MostPositions && !slices.ContainsFunc(list, known) {
			list = append(list, Position{e.ShoeBoot, e.ShoeSeq})
		}
	}
	return list
}

// turns is entries of shoes that take turns.
func turns(positions ...Position) (entries []Entry) {
	for _, p := range positions {
		e := cardEntry(len(entries))
		e.ShoeBoot, e.ShoeSeq = p.Boot, p.Seq
		entries = append(entries, e)
	}
	return entries
}

// TestPositions: the last position of each boot is known, over starts and parts, the latest
// first.
func TestPositions(t *testing.T) {
	path := newPath(t)
	var all []Entry
	for _, batch := range [][]Entry{
		turns(Position{7, 1}, Position{7, 2}),
		turns(Position{8, 0}),
		turns(Position{7, 2}, Position{7, 3}, Position{9, 1}),
		turns(Position{8, 1}, Position{7, 0}),
	} {
		j := mustOpen(t, path)
		mustAppend(t, j, batch...)
		all = append(all, batch...)
		for range 2 {
			if got, want := j.Positions(), positionsOf(all); !slices.Equal(got, want) {
				t.Errorf("the positions are %v, want %v", got, want)
			}
			mustClose(t, j)
			j = mustOpen(t, path)
		}
		mustClose(t, j)
	}
}

// TestMostPositions: the boots that were there last are kept, and headers stay short.
func TestMostPositions(t *testing.T) {
	path := newPath(t)
	var positions []Position
	for boot := range uint32(MostPositions + 50) {
		positions = append(positions, Position{1<<32 - 1 - boot, 1<<32 - 1})
	}
	all := turns(positions...)
	j := mustOpen(t, path)
	mustAppend(t, j, all[:len(all)-1]...)
	mustAppend(t, j, all[len(all)-1]) // a header repeats the last write
	for range 2 {
		if got, want := j.Positions(), positionsOf(all); !slices.Equal(got, want) || len(got) != MostPositions {
			t.Errorf("%d positions, or others than %d", len(got), len(want))
		}
		mustClose(t, j)
		j = mustOpen(t, path)
	}
	if p, err := j.shelf.get(2); err != nil || p.begins > 8<<10 {
		t.Errorf("the header has %d bytes, %v", p.begins, err)
	}
}
