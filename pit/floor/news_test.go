package floor_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
)

// TestNewsOfAnAlertInBothLists: an alert that goes over while the lists are read is in both. Each thing is told once.
func TestNewsOfAnAlertInBothLists(t *testing.T) {
	at := time.Date(2026, 3, 1, 20, 0, 0, 0, time.UTC)
	raised := floor.Step{What: floor.Raised, At: at}
	open := floor.Alert{ID: "one", Steps: []floor.Step{raised}}
	over := floor.Alert{ID: "one", Steps: []floor.Step{raised, {What: floor.Over, At: at.Add(time.Second)}}}
	var w floor.Watch
	var told []floor.What
	for range 3 {
		for _, n := range w.News([]floor.Alert{open}, []floor.Alert{over}) {
			told = append(told, n.Step.What)
		}
	}
	if want := []floor.What{floor.Raised, floor.Over}; !slices.Equal(told, want) {
		t.Errorf("told %v, not %v", told, want)
	}
}
