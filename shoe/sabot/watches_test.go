package sabot

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// TestWatchesAfterAnOldHello: a side that only watches hears an older hello first, which the line still had, and then
// the shoe's own: what another host has acknowledged in between is not missing.
func TestWatchesAfterAnOldHello(t *testing.T) {
	now := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	l := newLink()
	l.watches = true
	for _, first := range []uint32{1, 4} {
		if !l.compare(now, &wire.Message{Boot: 7, First: first, Last: 3}) {
			t.Fatal("the hello is doubted")
		}
	}
	if got := l.taken(); got.Seq != 3 || l.counts.Gaps != 0 {
		t.Errorf("taken up to %v, with %d losses", got, l.counts.Gaps)
	}
}
