package replica

import (
	"fmt"
	"testing"
)

// TestBacklog: answers come out in the order in which they came in, and make room; one table does not take that of
// others.
func TestBacklog(t *testing.T) {
	var b backlog
	const tables = mostAnswered / mostOneAnswered
	long := make([]byte, mostOneAnswered)
	for i := range tables {
		table := tableNamed(t, fmt.Sprintf("bj-%d", i+1))
		if !b.holds(table, long) {
			t.Fatalf("there is no room for answer %d", i+1)
		}
		b.put(answer{table: table, payload: long})
		if i == 0 && b.holds(table, []byte{0}) {
			t.Error("there is room for more of one table than its most")
		}
	}
	if b.holds(tableNamed(t, "bj-99"), []byte{0}) {
		t.Error("there is room for more than the most")
	}
	for i := range tables {
		if a := b.first(); a == nil || a.table.Name() != fmt.Sprintf("bj-%d", i+1) {
			t.Errorf("%+v comes out, not the answer of bj-%d", a, i+1)
		}
	}
	if b.first() != nil || b.bytes != 0 || len(b.of) != 0 {
		t.Errorf("nothing waits, and %d bytes do", b.bytes)
	}
}

// TestTurns: a table has one turn at a time, and what of it is being kept keeps its room.
func TestTurns(t *testing.T) {
	var b backlog
	one, two := tableNamed(t, "bj-1"), tableNamed(t, "bj-2")
	for nth := range 2 {
		b.put(answer{table: one, payload: []byte{byte(nth)}})
	}
	b.put(answer{table: two, payload: make([]byte, mostOneAnswered)})
	if first := b.next(); first != one {
		t.Errorf("it is the turn of %s first", first)
	}
	held := b.of[one].answers
	first := b.take(one)
	if held[0].payload != nil {
		t.Error("what was taken is held where others wait")
	}
	if second := b.next(); second != two || b.more() {
		t.Errorf("then it is the turn of %s, and another table has one: %t", second, b.more())
	}
	long := b.take(two)
	if b.add(two); b.more() || b.holds(two, []byte{0}) {
		t.Error("a table has two turns at once, or room that is taken")
	}
	b.done(two, long)
	b.done(one, first)
	if !b.holds(two, []byte{0}) {
		t.Error("what is kept has its room still")
	}
	if next := b.first(); next == nil || next.payload[0] != 1 || b.more() || b.bytes != 0 || len(b.of) != 0 {
		t.Errorf("%+v comes last, and %d bytes of %d tables wait", next, b.bytes, len(b.of))
	}
}
