package floor_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/display"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

// TestTheNewestIsShown: whatever old messages a broker repeats in between, the floor shows the newest state and
// status that it was told.
func TestTheNewestIsShown(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t, floor.Options{})
		r.connects()
		var old [][2]any
		online := true
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			r.now = r.now.Add(time.Second)
			switch rapid.SampledFrom([]string{"state", "state", "lost", "boot", "copy", "copy"}).Draw(rt, "what") {
			case "state":
				r.view.Round++
				r.state()
			case "lost":
				if online {
					online = false
					r.status(false, topic.ReasonLost)
				} else {
					online = true
					r.connection++
					r.status(true, topic.ReasonConnected)
				}
				old = append(old, [2]any{topic.KindStatus, r.statusOf(false, topic.ReasonLost, r.boot, r.connection-1)})
			case "boot":
				old = append(old, [2]any{topic.KindStatus, r.statusOf(false, topic.ReasonLost, r.boot, r.connection)})
				r.boot, r.connection, online = r.boot+1, 1, true
				r.connects()
			case "copy":
				if len(old) > 0 {
					copied := rapid.SampledFrom(old).Draw(rt, "copy")
					r.hear(copied[0].(topic.Kind), copied[1].([]byte))
				}
			}
			want := floor.Offline
			if online {
				want = floor.Open
				r.health()
			}
			tile := r.tile()
			if tile.Standing != want || tile.Round != r.view.Round {
				rt.Fatalf("the table is %s in round %d, want %s in %d", tile.Standing, tile.Round, want, r.view.Round)
			}
		}
	})
}

// TestNoAlertIsLost: whatever becomes of alerts, each is either open, or was put right and seen; those that are
// open are in order; and a pit that is started anew in between knows the same.
func TestNoAlertIsLost(t *testing.T) {
	codes := []irregularity.Code{
		irregularity.UnreadCard, irregularity.ShoeOffline, irregularity.FloorCalled,
		irregularity.JournalTouched, irregularity.ContradictoryKeys,
	}
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t, floor.Options{})
		r.connects()
		at := map[irregularity.Code]*display.Alert{} // as the table has them
		waits := map[string]bool{}                   // raised, and not both put right and seen since
		seen, kept := map[string]bool{}, map[string]floor.Alert{}
		keep := func() {
			for _, a := range r.Unkept() {
				kept[a.ID] = a
			}
		}
		publish := func() {
			var list []display.Alert
			for _, code := range codes {
				if a := at[code]; a != nil {
					list = append(list, *a)
				}
			}
			r.state(list...)
		}
		done := func(code irregularity.Code) {
			if name := code.String(); seen[name] && (at[code] == nil || at[code].Standing == 0) {
				delete(waits, name)
			}
		}
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			r.now = r.now.Add(time.Second)
			code := rapid.SampledFrom(codes).Draw(rt, "code")
			name, a := code.String(), at[code]
			switch rapid.SampledFrom([]string{"raise", "clear", "table", "pit", "restart"}).Draw(rt, "what") {
			case "raise":
				if a == nil {
					one := r.standing(code, 1)
					at[code] = &one
				} else {
					a.Times, a.Standing, a.AcknowledgedBy = a.Times+1, a.Standing+1, ""
					a.Cleared, a.With, a.By = "", 0, ""
				}
				waits[name], seen[name] = true, false
				publish()
			case "clear":
				if a == nil || a.Standing == 0 {
					continue
				}
				a.Standing--
				a.With, a.By = irregularity.Accept, "keller"
				if a.Standing == 0 && a.AcknowledgedBy != "" {
					delete(at, code)
				}
				publish()
				done(code)
			case "table":
				if a == nil {
					continue
				}
				a.AcknowledgedBy = "keller"
				if a.Standing == 0 {
					delete(at, code)
				}
				publish()
				seen[name] = true
				done(code)
			case "pit":
				for _, open := range r.Alerts() {
					if open.Code == name {
						if err := r.Acknowledge(open.ID, "anna", ""); err != nil {
							rt.Fatal(err)
						}
						seen[name] = true
						done(code)
					}
				}
			case "restart":
				keep()
				var all []floor.Alert
				for _, one := range kept {
					all = append(all, one)
				}
				r.Floor = floor.New(floor.Options{})
				r.Restore(all)
				r.health()
				publish()
			}
			var open []string
			alerts := r.Alerts()
			for _, one := range alerts {
				open = append(open, one.Code)
			}
			slices.Sort(open)
			var want []string
			for name := range waits {
				want = append(want, name)
			}
			slices.Sort(want)
			if !slices.Equal(open, want) {
				rt.Fatalf("open are %v, want %v", open, want)
			}
			if !slices.IsSortedFunc(alerts, func(a, b floor.Alert) int {
				return min(b.Standing, 1) - min(a.Standing, 1)
			}) {
				rt.Fatalf("what stands is not first: %s", written(alerts))
			}
		}
	})
}

// TestRaisingAndClearing the pit's own alerts: one stands while it was raised last.
func TestRaisingAndClearing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRoom(t, floor.Options{})
		stands := false
		for range rapid.IntRange(1, 20).Draw(rt, "steps") {
			r.now = r.now.Add(time.Second)
			if rapid.Bool().Draw(rt, "raise") {
				stands = true
				r.Raise(r.table, floor.JournalRewritten, rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "text"), r.now)
			} else {
				stands = false
				r.Clear(r.table, floor.JournalRewritten, r.now)
			}
			if rapid.Bool().Draw(rt, "see") && len(r.Alerts()) > 0 {
				r.acknowledge(floor.JournalRewritten, "anna")
			}
			got := len(r.Alerts()) > 0 && r.Alerts()[0].Standing == 1
			if got != stands {
				rt.Fatalf("it stands: %t, want %t", got, stands)
			}
		}
	})
}
