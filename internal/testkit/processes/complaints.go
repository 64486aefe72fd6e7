package processes

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// ofASlowComputer is said where the computer has stood still for a moment, and is then no fault of what runs on it.
var ofASlowComputer = []string{
	"a write to the journal is slow", "the slow write to the journal has finished", "shoe: link is down",
	"a card may have left unseen", "an MQTT reader was disconnected",
}

// StoodStill says from now on whether this computer has kept a goroutine waiting for half a second.
func StoodStill(t testing.TB) func() bool {
	var did atomic.Bool
	go func() {
		const often, still = 50 * time.Millisecond, 500 * time.Millisecond
		ticker := time.NewTicker(often)
		defer ticker.Stop()
		for last := time.Now(); ; last = time.Now() {
			select {
			case <-ticker.C:
			case <-t.Context().Done():
				return
			}
			if time.Since(last) > still {
				did.Store(true)
			}
		}
	}()
	return did.Load
}

// Complaints are the lines of the program's log, without those that only say that the computer has stood still, if it
// did.
func (p *Process) Complaints(stoodStill func() bool) (said string) {
	for line := range strings.Lines(p.Log()) {
		of := slices.ContainsFunc(ofASlowComputer, func(what string) bool { return strings.Contains(line, what) })
		if !of || !stoodStill() {
			said += line
		}
	}
	return said
}
