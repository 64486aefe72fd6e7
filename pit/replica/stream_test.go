package replica

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

// TestWhatIsSaidIsNotAskedFor: records that a table says by itself are kept as they come, many at once, too. What is
// lost of them is asked for, and so is everything once the connection or the table's program was another.
func TestWhatIsSaidIsNotAskedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab := h.line.table(t, "bj-1")
		tab.record(5)
		h.start()
		h.wait(time.Second)
		h.complete(tab)
		begun := tab.asked
		for n := range 50 {
			tab.record(1 + n%3)
			if n%5 > 0 {
				bubble.Settle(5 * time.Millisecond)
			}
		}
		bubble.Settle(100 * time.Millisecond)
		h.complete(tab)
		if tab.asked != begun {
			t.Errorf("it was asked %d times for what it had said", tab.asked-begun)
		}
		tab.streams = false
		tab.record(2) // what it says of these is lost
		tab.streams = true
		tab.record(1)
		bubble.Settle(200 * time.Millisecond)
		h.complete(tab)
		if tab.asked != begun+1 {
			t.Errorf("it was asked %d times for what was lost", tab.asked-begun)
		}
		tab.record(1)
		bubble.Settle(100 * time.Millisecond)
		h.complete(tab)
		if tab.asked != begun+1 {
			t.Error("it is asked for more than what was lost")
		}
		h.alerts("")
		h.stop()
	})
}

// TestTheStreamWhileTheStoreIsAway: what was said meanwhile is kept all the same, in order.
func TestTheStreamWhileTheStoreIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t)
		tab := h.line.table(t, "bj-1")
		tab.record(5)
		h.start()
		h.wait(time.Second)
		h.store.broke(errors.New("away"))
		for range 20 {
			tab.record(2)
			bubble.Settle(50 * time.Millisecond)
		}
		h.store.broke(nil)
		h.wait(time.Minute)
		h.complete(tab)
		h.stop()
	})
}
