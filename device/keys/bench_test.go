package keys_test

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/device/keys"
)

// presses are those of bouncing buttons on a panel that has everything: 13 buttons and switches, and 9 sensors.
type presses struct {
	contacts []keys.Contact
	filter   *keys.Filter
	n        int
	told     int // what the filter has reported
}

func newPresses() *presses {
	contacts := make([]keys.Contact, 22)
	for i := range contacts {
		contacts[i] = keys.Contact{Call: i < 9, Long: i%2 == 0, Switch: i > 11}
	}
	return &presses{contacts: contacts, filter: keys.New(usual(contacts...))}
}

// edge is the next one.
func (p *presses) edge() {
	bounces := [...]time.Duration{0, 1, 2, 3, 4, 100, 101, 103} // five edges to close, three to open
	press, n := p.n/len(bounces), p.n%len(bounces)
	at := time.Duration(press)*time.Second + bounces[n]*ms
	p.told += len(p.filter.Edge(keys.Edge{Key: press % len(p.contacts), Closed: n%2 == 0, At: at}))
	p.n++
}

// BenchmarkFilter plays presses. One operation is one edge.
func BenchmarkFilter(b *testing.B) {
	p := newPresses()
	b.ReportAllocs()
	for b.Loop() {
		p.edge()
	}
	if b.N > 1000 && p.told == 0 {
		b.Fatal("nothing was reported")
	}
}
