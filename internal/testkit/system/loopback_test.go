package system_test

import (
	"net"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestAddress: no address is given twice, although each is free again at once, and one can
// listen on it.
func TestAddress(t *testing.T) {
	seen := map[string]bool{}
	for range 2000 {
		address := system.Address(t)
		if seen[address] {
			t.Fatalf("%s was given twice", address)
		}
		seen[address] = true
	}
	for address := range seen {
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		listener.Close()
	}
}

// TestAddressBesideOthers: one can listen on an address at once, and again, whatever other tests start meanwhile.
func TestAddressBesideOthers(t *testing.T) {
	defer startOthers(t)()
	for range 300 {
		address := system.Address(t)
		for range 2 {
			listener, err := net.Listen("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			if err := system.Close(listener); err != nil {
				t.Fatal(err)
			}
		}
	}
}
