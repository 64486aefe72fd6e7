package keys_test

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/device/keys"
)

// BenchmarkFilter plays presses of bouncing buttons on a panel that has everything: 13
// buttons and switches, and 9 sensors. One operation is one edge.
func BenchmarkFilter(b *testing.B) {
	contacts := make([]keys.Contact, 22)
	for i := range contacts {
		contacts[i] = keys.Contact{Call: i < 9, Long: i%2 == 0, Switch: i > 11}
	}
	f := keys.New(usual(contacts...))
	bounces := []time.Duration{0, 1, 2, 3, 4, 100, 101, 103} // five edges to close, three to open
	told := 0
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		press, n := i/len(bounces), i%len(bounces)
		at := time.Duration(press)*time.Second + bounces[n]*ms
		told += len(f.Edge(keys.Edge{Key: press % len(contacts), Closed: n%2 == 0, At: at}))
	}
	if b.N > 1000 && told == 0 {
		b.Fatal("nothing was reported")
	}
}
