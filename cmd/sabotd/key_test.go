package main

import (
	"bytes"
	"encoding/hex"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
)

// newKeyedWorld makes a world with a shoe that has a key, which the table has in a file.
func newKeyedWorld(t *testing.T, toHost func([]byte) []byte) (w *world, digits string) {
	t.Helper()
	key := wire.Secret{0xC0, 0xFF, 0xEE, 1, 2, 3}
	w = newWorldWith(t, shoesim.Options{Key: &key, ToHost: toHost})
	w.keyFile, digits = filepath.Join(w.dir, "shoe-key"), hex.EncodeToString(key[:])
	write(t, w.keyFile, digits+"\n")
	return w, digits
}

// TestTampering has an attacker on the line replay what the shoe sent, while a daemon with
// a key deals, is killed, and continues.
func TestTampering(t *testing.T) {
	t.Parallel()
	var meddles atomic.Bool
	w, digits := newKeyedWorld(t, func(p []byte) []byte {
		if meddles.CompareAndSwap(true, false) {
			return append(bytes.Clone(p), p...)
		}
		return p
	})
	process := w.start()
	d := w.deal(3)
	d.stop(5)
	d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
		meddles.Store(true)
		return asUsual(s)
	})
	d.awaitHeld(irregularity.ShoeAlarm, irregularity.Accept)
	logs(t, process, "somebody may be tampering with the line", "tampering-replayed")
	// The display is ahead of the journal.
	brokertest.Until(t, "the journal has the alarm", func() bool {
		_, outputs := w.records()
		return strings.Contains(outputs, "tampering-replayed")
	})
	process.Kill()
	if strings.Contains(process.Log(), digits[:8]) {
		t.Error("the log tells the key")
	}
	process = w.start()
	now := w.look()
	now.awaitHeld(irregularity.ShoeAlarm, irregularity.Accept)
	now.resolve(irregularity.Accept, card.None)
	w.check(d.finish(), 3, "shoe-alarm")
	process.Stop()
}

// TestWrongKey: a shoe with another key delivers no card, and the log says why. With the
// right key the table deals.
func TestWrongKey(t *testing.T) {
	t.Parallel()
	w, digits := newKeyedWorld(t, nil)
	write(t, w.keyFile, strings.Repeat("5", len(digits)))
	process := w.start()
	d := w.deal(2)
	d.awaitHeld(irregularity.ShoeOffline)
	logs(t, process, "the shoe's key is not this table's")
	process.Stop()

	write(t, w.keyFile, digits)
	process = w.start()
	w.check(d.finish(), 2)
	process.Stop()
}
