package replica

import "testing"

// TestBacklog: answers come out in the order in which they came in, and make room.
func TestBacklog(t *testing.T) {
	var b backlog
	half := make([]byte, mostAnswered/2)
	for i := range 2 {
		if !b.holds(half) {
			t.Fatalf("there is no room for answer %d", i+1)
		}
		b.put(answer{table: tableNamed(t, []string{"bj-1", "bj-2"}[i]), payload: half})
	}
	if b.holds([]byte{0}) {
		t.Error("there is room for more than the most")
	}
	for _, name := range []string{"bj-1", "bj-2"} {
		if a := b.take(); a == nil || a.table.Name() != name {
			t.Errorf("%+v comes out, not the answer of %s", a, name)
		}
	}
	if b.take() != nil || b.bytes != 0 || !b.holds(half) {
		t.Errorf("nothing waits, and %d bytes do", b.bytes)
	}
}
