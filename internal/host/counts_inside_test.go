package host

import (
	"testing"

	"github.com/sabot-table/sabot/table/journal"
)

// TestCountsOfTheTray: each count is counted by what it was for, and whether it agreed, where anybody can say that.
func TestCountsOfTheTray(t *testing.T) {
	c := &counter{}
	c.now.TrayCounts = map[string]uint64{"opening": 0, "interim": 0, "closing": 0}
	var events []journal.Event
	for _, line := range []string{
		`{"out":"count","event":"opening","amount":5000,"dealer":"d7","by":"anna"}`,
		`{"out":"count","event":"interim","amount":5000,"tray":5000,"difference":0,"dealer":"d7","by":"anna"}`,
		`{"out":"count","event":"interim","amount":5000,"tray":5050,"difference":-50,"dealer":"d7","by":"anna"}`,
		`{"out":"count","event":"closing","amount":5005,"tray":5000,"difference":5,"dealer":"d7","by":"anna"}`,
		`{"out":"tray","in":"tips","amount":500,"tray":5500,"by":"d7"}`,
	} {
		events = append(events, journal.Event{Line: []byte(line)})
	}
	c.add(events)
	got := c.told()
	if n := got.TrayCounts; n["opening"] != 1 || n["interim"] != 2 || n["closing"] != 1 || got.Differ != 2 {
		t.Errorf("counted are %v, and %d that differ", n, got.Differ)
	}
}
