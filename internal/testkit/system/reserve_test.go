package system

import "testing"

// TestAddressOfAnother: two processes that look at the same ports are given different ones, also while nobody listens
// on either.
func TestAddressOfAnother(t *testing.T) {
	from := given.Load()
	seen := map[string]bool{}
	for range 20 {
		given.Store(from) // as that of another process may stand
		address := Address(t)
		if seen[address] {
			t.Fatalf("%s was given twice", address)
		}
		seen[address] = true
	}
}
