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
		if a := b.take(); a == nil || a.table.Name() != fmt.Sprintf("bj-%d", i+1) {
			t.Errorf("%+v comes out, not the answer of bj-%d", a, i+1)
		}
	}
	if b.take() != nil || b.bytes != 0 || len(b.of) != 0 {
		t.Errorf("nothing waits, and %d bytes do", b.bytes)
	}
}
