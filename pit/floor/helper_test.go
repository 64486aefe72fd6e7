package floor_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

var evening = time.Date(2026, 11, 21, 20, 0, 0, 0, time.UTC)

const journalA, journalB = "00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"

// room is a floor with a table, and a clock.
type room struct {
	testing.TB
	*floor.Floor
	now   time.Time
	table topic.Table

	boot, connection, sequence uint64
	journal                    string
	skew                       time.Duration // of the table's clock
	view                       display.View
}

func newRoom(t testing.TB, o floor.Options) *room {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	r := &room{TB: t, Floor: floor.New(o), now: evening, table: table, boot: 7, connection: 1, journal: journalA}
	r.view = display.View{
		Table: "bj-1", House: "wiesbaden", Currency: "EUR", Digits: 2, Min: 1000, BoxMax: 50000,
		Due: display.Due{To: vocab.ToBox}, Round: 16,
	}
	r.Link(true, "", r.now)
	return r
}

// wait lets time pass, a second at a time, without a word of the table.
func (r *room) wait(d time.Duration) {
	for end := r.now.Add(d); r.now.Before(end); {
		r.now = r.now.Add(time.Second)
		r.Tick(r.now)
	}
}

// live lets time pass while the table reports its health.
func (r *room) live(d time.Duration) {
	for end := r.now.Add(d); r.now.Before(end); {
		r.wait(10 * time.Second)
		r.health()
	}
}

func (r *room) hear(kind topic.Kind, payload []byte) {
	r.Helper()
	if err := r.Hear(r.table.Topic(kind), payload, r.now); err != nil {
		r.Fatal(err)
	}
}

func (r *room) statusOf(online bool, reason string, boot, connection uint64) []byte {
	return topic.AppendStatus(nil, topic.Status{
		Site: r.table.Site(), Table: r.table.Name(), Online: online, Reason: reason, Boot: boot, Connection: connection,
		Time: r.now.Add(r.skew), Records: true,
	})
}

func (r *room) status(online bool, reason string) {
	r.Helper()
	r.hear(topic.KindStatus, r.statusOf(online, reason, r.boot, r.connection))
}

func (r *room) healthOf() []byte {
	return topic.AppendHealth(nil, topic.Health{
		Site: r.table.Site(), Table: r.table.Name(), Boot: r.boot, Time: r.now.Add(r.skew),
		Journal: topic.Journal{
			LastSequence: r.sequence,
			Head:         &topic.Head{ID: r.journal, Record: r.sequence, Hash: strings.Repeat("0", 64)},
		},
	})
}

func (r *room) health() {
	r.Helper()
	r.hear(topic.KindHealth, r.healthOf())
}

// dealt has the table stand so.
func (r *room) dealt(d floor.Dealt) {
	r.Helper()
	if err := r.Deal(r.table, &d, r.now); err != nil {
		r.Fatal(err)
	}
}

// state shows the view, with the given alerts and no others, after one more record.
func (r *room) state(alerts ...display.Alert) {
	r.Helper()
	r.sequence++
	r.view.Alerts = alerts
	r.dealt(floor.Dealt{View: r.view})
}

// connects is what a table says when it has connected.
func (r *room) connects() {
	r.Helper()
	r.status(true, topic.ReasonConnected)
	r.health()
	r.state()
}

// standing is an alert that was raised at the room's time.
func (r *room) standing(code irregularity.Code, times int) display.Alert {
	return display.Alert{
		Code: code, Round: r.view.Round, Raised: r.now.Add(r.skew).Format(time.RFC3339Nano),
		Times: times, Standing: 1,
	}
}

func right(a display.Alert, by string) display.Alert {
	a.Standing, a.Cleared, a.With, a.By = 0, a.Raised, irregularity.Burn, by
	return a
}

func (r *room) tile() floor.Tile {
	r.Helper()
	for _, t := range r.Tiles() {
		if t.Table == r.table {
			return t
		}
	}
	r.Fatal("the table has no tile")
	return floor.Tile{}
}

func (r *room) wants(s floor.Standing) {
	r.Helper()
	if got := r.tile().Standing; got != s {
		r.Errorf("at %s the table is %s, want %s", r.now.Format(time.TimeOnly), got, s)
	}
}

// alerts are written as code, whether it stands, and who has seen it.
func (r *room) alerts(want ...string) {
	r.Helper()
	if got := written(r.Alerts()); got != strings.Join(want, "; ") {
		r.Errorf("alerts: %s\nwant:   %s", got, strings.Join(want, "; "))
	}
}

func written(alerts []floor.Alert) string {
	var list []string
	for _, a := range alerts {
		s := a.Code
		if a.Standing > 0 {
			s += " stands"
		}
		if a.Seen() {
			s += " seen by " + a.AcknowledgedBy
		}
		list = append(list, s)
	}
	return strings.Join(list, "; ")
}

func (r *room) acknowledge(code, by string) {
	r.Helper()
	for _, a := range r.Alerts() {
		if a.Code == code {
			if err := r.Acknowledge(a.ID, by, "seen"); err != nil {
				r.Fatal(err)
			}
			return
		}
	}
	r.Fatalf("there is no alert %s", code)
}
