package dashboard

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestZone: pages write and read the times of the house's clock, which is not the machine's.
func TestZone(t *testing.T) {
	zone := system.Zone(t, "Pacific/Kiritimati")
	d, err := New(Options{Floor: noFloor{}, Language: display.English, Zone: zone})
	if err != nil {
		t.Fatal(err)
	}
	var r renderer
	for _, one := range d.renders {
		if one.language.Tag() == display.English.Tag() {
			r = one
		}
	}
	at := time.Date(2026, 3, 28, 20, 30, 5, 0, time.UTC)
	if got := r.clock(at); got != "29 Mar 2026 10:30" {
		t.Errorf("a time of another day is %q", got)
	}
	synctest.Test(t, func(t *testing.T) { // where midnight does not come between two looks
		now := time.Now()
		if got, want := r.clock(now), now.In(zone).Format(time.TimeOnly); got != want {
			t.Errorf("a time of this day is %q, want %q", got, want)
		}
	})
	if got, err := r.when("2026-03-29T10:30"); err != nil || !got.Equal(at.Truncate(time.Minute)) {
		t.Errorf("the field's time is %s, %v", got, err)
	}
	if got := r.zoneName(); got != "Pacific/Kiritimati" {
		t.Errorf("the page's script is told of the zone %q", got)
	}
}

// noFloor is there, and is asked for nothing.
type noFloor struct{ Floor }
