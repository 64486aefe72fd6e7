package replica

import (
	"container/heap"
	"time"
)

// agenda knows which tables are to be asked, and when, so that a message costs no look at all of them. It is told of
// each table of which anything was changed, and looks at it before it is asked itself.
type agenda struct {
	touched []*tableAsks
	// later are the tables whose time has not come, the earliest first. Of those whose time has come, far are those
	// that are far behind, and near all others; those come first whose turn was longest ago.
	later, near, far queue
	// asked are the tables that were asked, until their answer is kept.
	asked map[*tableAsks]bool
	// unlocated are the tables of which it is to be found out how far the store has them, since it was asked last.
	unlocated []*tableAsks
}

func newAgenda() agenda {
	turn := func(x, y *tableAsks) bool {
		if by := x.asked.Compare(y.asked); by != 0 {
			return by < 0
		}
		return byName(x.table, y.table) < 0
	}
	return agenda{
		later: queue{before: func(x, y *tableAsks) bool { return x.at.Before(y.at) }},
		near:  queue{before: turn}, far: queue{before: turn}, asked: map[*tableAsks]bool{},
	}
}

// touch notes that something of a table is about to change.
func (g *agenda) touch(t *tableAsks) {
	if !t.touched {
		t.touched = true
		g.touched = append(g.touched, t)
	}
}

// plan gives the tables that were touched their places.
func (g *agenda) plan(settle time.Duration) {
	for _, t := range g.touched {
		t.touched = false
		if t.queue != nil {
			heap.Remove(t.queue, t.index)
		}
		if at := t.ready(settle); !at.IsZero() {
			t.at = at
			heap.Push(&g.later, t)
		}
		if t.underway() {
			g.asked[t] = true
		} else {
			delete(g.asked, t)
		}
		if lost := t.lost(); lost != t.noted {
			if t.noted = lost; lost {
				g.unlocated = append(g.unlocated, t)
			}
		}
	}
	g.touched = g.touched[:0]
}

// arrive moves the tables whose time has come.
func (g *agenda) arrive(now time.Time) {
	for g.later.Len() > 0 && !g.later.tables[0].at.After(now) {
		t := heap.Pop(&g.later).(*tableAsks)
		if t.far() && !t.wantsLook() {
			heap.Push(&g.far, t)
		} else {
			heap.Push(&g.near, t)
		}
	}
}

// pop takes the table whose turn it is, nil for none; one that is far behind only if so many have room.
func (g *agenda) pop(roomFar int) *tableAsks {
	from := &g.near
	if roomFar > 0 && g.far.Len() > 0 && (g.near.Len() == 0 || g.far.before(g.far.tables[0], g.near.tables[0])) {
		from = &g.far
	}
	if from.Len() == 0 {
		return nil
	}
	return heap.Pop(from).(*tableAsks)
}

// onAgenda is what an agenda has noted of a table, in which queue the table stands, and for when.
type onAgenda struct {
	touched, noted bool
	queue          *queue
	index          int
	at             time.Time
}

// queue is a heap of tables. Each knows in which one it is, and where.
type queue struct {
	tables []*tableAsks
	before func(x, y *tableAsks) bool
}

func (q *queue) Len() int           { return len(q.tables) }
func (q *queue) Less(x, y int) bool { return q.before(q.tables[x], q.tables[y]) }

func (q *queue) Swap(x, y int) {
	q.tables[x], q.tables[y] = q.tables[y], q.tables[x]
	q.tables[x].index, q.tables[y].index = x, y
}

func (q *queue) Push(t any) {
	table := t.(*tableAsks)
	table.queue, table.index = q, len(q.tables)
	q.tables = append(q.tables, table)
}

func (q *queue) Pop() any {
	last := len(q.tables) - 1
	t := q.tables[last]
	q.tables[last] = nil
	q.tables, t.queue = q.tables[:last], nil
	return t
}
