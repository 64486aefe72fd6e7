package floor_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/table/irregularity"
)

// TestAttackViews: a view that would take long to draw on every screen, or fill the memory, is not taken; the one
// before stays.
func TestAttackViews(t *testing.T) {
	spoil := map[string]func(*display.View){
		"a billion decimals": func(v *display.View) { v.Digits = 1 << 30 },
		"less than none":     func(v *display.View) { v.Digits = -1 << 30 },
		"boxes":              func(v *display.View) { v.Boxes = make([]display.Box, 10_000) },
		"bettors": func(v *display.View) {
			v.Boxes = []display.Box{{Bettors: make([]display.Bettor, 10_000)}}
		},
		"hands": func(v *display.View) { v.Boxes = []display.Box{{Hands: make([]display.Hand, 10_000)}} },
		"stakes": func(v *display.View) {
			v.Boxes = []display.Box{{Hands: []display.Hand{{Stakes: make([]display.HandStake, 10_000)}}}}
		},
		"alerts": func(v *display.View) { v.Alerts = make([]display.Alert, 10_000) },
	}
	tries, through := 0, 0
	for what, spoil := range spoil {
		r := newRoom(t, floor.Options{})
		r.connects()
		before, _ := r.View(r.table)
		spoil(&r.view)
		tries++
		err := r.Deal(r.table, &floor.Dealt{View: r.view}, r.now)
		after, _ := r.View(r.table)
		if err == nil || after.Digits != before.Digits || len(after.Boxes) != len(before.Boxes) {
			through++
			t.Errorf("%s: %v, and the view has %d decimals and %d boxes", what, err, after.Digits, len(after.Boxes))
		}
	}
	attack.Report(t, "pit: views that no table has", tries, through)
}

// TestAttackAlerts: a table that raises an alert over and over, each put right and seen at once, is kept at a bounded
// pace; what it calls people is no longer than names are.
func TestAttackAlerts(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	tries := tier.Times(1000, 5000)
	began := r.now
	kept, codes := map[string]bool{}, slices.Collect(irregularity.EveryCode)
	for i := range tries {
		at := r.now.Add(time.Duration(i) * time.Millisecond)
		r.view.Alerts = []display.Alert{{
			Code: codes[i%len(codes)], Raised: at.Format(time.RFC3339Nano), Times: 1, Standing: -5,
			AcknowledgedBy: strings.Repeat("a", 5000), By: strings.Repeat("b", 5000),
		}}
		if err := r.Deal(r.table, &floor.Dealt{View: r.view}, at); err != nil {
			t.Fatal(err)
		}
		for _, a := range r.Unkept() {
			kept[a.ID] = true
			if len(a.AcknowledgedBy) > 100 || a.Standing < 0 {
				t.Fatalf("an alert was seen by somebody of %d letters and stands %d times", len(a.AcknowledgedBy),
					a.Standing)
			}
		}
	}
	most := 201 + int(time.Duration(tries)*time.Millisecond/(10*time.Second))
	through := max(0, len(kept)-most)
	if len(kept) < 100 {
		t.Errorf("only %d were kept since %v", len(kept), began)
	}
	attack.Report(t, "pit: alerts without end", tries, through)
}
