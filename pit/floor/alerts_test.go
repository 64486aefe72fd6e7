package floor_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

// TestAnAlertIsLatched: it stays until it is put right and a named person has seen it.
func TestAnAlertIsLatched(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	a := r.standing(irregularity.UnreadCard, 1)
	r.state(a)
	r.alerts("unread-card stands")
	r.state(right(a, "keller"))
	r.alerts("unread-card")
	r.wait(time.Hour)
	r.alerts("table-offline stands", "unread-card")
	r.health()
	r.acknowledge("table-offline", "anna")
	r.acknowledge("unread-card", "anna")
	r.alerts()
	r.state(right(a, "keller")) // the table still waits for somebody there
	r.alerts()
	over := r.History()
	if len(over) != 2 || over[0].Code != "unread-card" || over[0].AcknowledgedBy != "anna" || over[0].By != "keller" ||
		over[0].With != "burn" || over[0].Note != "seen" {
		t.Errorf("history: %+v", over)
	}
	again := a
	again.Times = 2
	r.state(again)
	r.alerts("unread-card stands")
	if first, second := over[0].ID, r.Alerts()[0].ID; first == second {
		t.Errorf("both are called %s", first)
	}
}

// TestAnAlertIsKeptOnce: while a table goes on dealing, an alert that stands is written once, and again only with news.
func TestAnAlertIsKeptOnce(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	unread := r.standing(irregularity.UnreadCard, 1)
	r.state(unread)
	if kept := r.Unkept(); len(kept) != 1 {
		t.Fatalf("%d alerts are to be kept", len(kept))
	}
	for range 3 {
		r.wait(time.Second)
		r.view.Round++
		r.state(unread)
	}
	if kept := r.Unkept(); len(kept) != 0 {
		t.Errorf("an alert is to be kept again: %+v", kept)
	}
	r.state(right(unread, "keller"))
	if kept := r.Unkept(); len(kept) != 1 || kept[0].Standing != 0 {
		t.Errorf("an alert that is put right is not to be kept: %+v", kept)
	}
}

// TestSeenAtTheTable: who acknowledges there, need not here.
func TestSeenAtTheTable(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	a := r.standing(irregularity.UnexpectedCard, 1)
	r.state(a)
	r.state(right(a, "keller"))
	seen := floor.Seen{Code: a.Code.String(), By: "keller", At: r.now.Add(-time.Second)}
	r.dealt(floor.Dealt{View: r.view, Seen: []floor.Seen{seen}}) // of one that was before
	r.alerts("unexpected-card")
	r.wait(2 * time.Second)
	seen.At = r.now
	r.view.Alerts = nil
	r.dealt(floor.Dealt{View: r.view, Seen: []floor.Seen{seen, {Code: "unread-card", By: "keller", At: r.now}}})
	r.alerts()
	if over := r.History(); len(over) != 1 || over[0].AcknowledgedBy != "keller" || !over[0].AtTable {
		t.Errorf("history: %+v", over)
	}
}

// TestANewJournalForgetsNoAlert: the table knows nothing of what its former journal had; the pit does.
func TestANewJournalForgetsNoAlert(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	r.state(r.standing(irregularity.PayoutMismatch, 1))
	r.wait(12 * time.Second)
	r.boot, r.sequence, r.journal = 1, 0, journalB
	r.health()
	r.state(r.standing(irregularity.JournalNew, 1))
	r.alerts("journal-new stands", "payout-mismatch")
}

// TestTheOrderOfAlerts: what stands, then the gravest, then the newest.
func TestTheOrderOfAlerts(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	call := r.standing(irregularity.FloorCalled, 1)
	keys := r.standing(irregularity.ContradictoryKeys, 1)
	touched := r.standing(irregularity.JournalTouched, 1)
	r.now = r.now.Add(time.Second)
	unread := r.standing(irregularity.UnreadCard, 1)
	r.now = r.now.Add(time.Second)
	lost := r.standing(irregularity.LostCards, 1)
	r.state(unread, right(touched, "keller"), call, keys, lost)
	r.alerts("lost-cards stands", "unread-card stands", "floor-called stands", "contradictory-keys stands",
		"journal-touched")
}

// TestATableThatIsOffline raises an alert only if somebody misses it.
func TestATableThatIsOffline(t *testing.T) {
	offline := "table-offline stands"
	for name, c := range map[string]struct {
		does func(*room)
		want []string
	}{
		"lost":   {func(r *room) { r.status(false, topic.ReasonLost) }, []string{offline}},
		"silent": {func(r *room) { r.wait(40 * time.Second) }, []string{offline}},
		"closed, and its switch": {func(r *room) {
			r.view.Opening.Closed = true
			r.state()
			r.status(false,
				topic.ReasonLost)
		}, nil},
		"shut down between": {func(r *room) { r.status(false, topic.ReasonShutDown) }, nil},
		"shut down in mid-round": {func(r *room) {
			r.view.Phase = 2
			r.state()
			r.status(false,
				topic.ReasonShutDown)
		}, []string{offline}},
		"the pit lost the broker": {func(r *room) { r.Link(false, "refused", r.now) }, []string{"broker-lost stands"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t, floor.Options{})
			r.connects()
			c.does(r)
			if name != "silent" {
				r.alerts()
			}
			r.wait(16 * time.Second)
			r.alerts(c.want...)
			r.connection++
			r.Link(true, "", r.now)
			r.connects()
			if len(r.Alerts()) > 0 && r.Alerts()[0].Standing > 0 {
				t.Error("it is back, and the alert stands")
			}
		})
	}
}

// TestARestartIsNoAlarm: a table that is back within seconds wakes nobody.
func TestARestartIsNoAlarm(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	r.status(false, topic.ReasonLost)
	r.wait(10 * time.Second)
	r.boot++
	r.connects()
	r.wait(30 * time.Second)
	r.alerts()
}

// TestEscalation calls another role when nobody comes.
func TestEscalation(t *testing.T) {
	r := newRoom(t, floor.Options{Escalation: []floor.Escalation{
		{5 * time.Minute, floor.Manager},
		{10 * time.Minute, floor.Technician},
	}})
	r.connects()
	a := r.standing(irregularity.UnreadCard, 1)
	r.state(a)
	called := func(want floor.Role) {
		t.Helper()
		if got := r.Alerts()[0].Calls; got != want {
			t.Errorf("after %s %s is called, want %s", r.now.Sub(evening), got, want)
		}
	}
	called(floor.Supervisor)
	r.live(4 * time.Minute)
	called(floor.Supervisor)
	if err := r.Coming(r.Alerts()[0].ID, "anna"); err != nil {
		t.Fatal(err)
	}
	r.live(4 * time.Minute)
	called(floor.Supervisor)
	r.live(time.Minute)
	called(floor.Manager)
	r.live(10 * time.Minute)
	called(floor.Technician)
	r.live(time.Hour)
	called(floor.Technician)
	a.Times = 2
	r.state(a)
	called(floor.Supervisor)
	r.acknowledge("unread-card", "anna")
	r.live(time.Hour)
	called(floor.Supervisor)
	if steps := r.Alerts()[0].Steps; len(steps) != 6 || steps[1].What != floor.Coming || steps[1].By != "anna" ||
		steps[3].Note != "technician" {
		t.Errorf("steps: %+v", steps)
	}
}

// TestWhatIsPutRightCallsNobody although nobody has seen it yet.
func TestWhatIsPutRightCallsNobody(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	r.state(right(r.standing(irregularity.UnreadCard, 1), "keller"))
	r.live(time.Hour)
	if got := r.Alerts()[0].Calls; got != floor.Supervisor {
		t.Errorf("%s is called", got)
	}
}

// TestAPersonIsNamed: nobody sees an alert without a name, nor one that is over.
func TestAPersonIsNamed(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	r.state(r.standing(irregularity.UnreadCard, 1))
	id := r.Alerts()[0].ID
	if r.Acknowledge(id, "", "") == nil || r.Coming(id, "") == nil || r.Acknowledge("elsewhere", "anna", "") == nil ||
		r.Coming("elsewhere", "anna") == nil {
		t.Error("there is no error")
	}
	r.alerts("unread-card stands")
}

// TestAlertsOutliveTheirPit: what is kept comes back, byte for byte, and nothing is raised twice.
func TestAlertsOutliveTheirPit(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	seen, open := r.standing(irregularity.UnreadCard, 3), r.standing(irregularity.ShoeAlarm, 1)
	r.state(seen, open)
	r.acknowledge("unread-card", "anna")
	r.state(right(seen, "keller"), open)
	r.Raise(topic.Table{}, floor.StoreFailing, "disk full", r.now)
	kept := map[string]floor.Alert{}
	for _, a := range r.Unkept() {
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		var back floor.Alert
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(a, back) {
			t.Fatalf("%+v came back as %+v, %v", a, back, err)
		}
		kept[a.ID] = back
	}
	if more := r.Unkept(); len(kept) != 3 || len(more) != 0 {
		t.Fatalf("%d are kept, then %d", len(kept), len(more))
	}
	again := newRoom(t, floor.Options{})
	var list []floor.Alert
	for _, a := range kept {
		list = append(list, a)
	}
	again.Restore(list)
	again.alerts("store-failing stands", "shoe-alarm stands")
	again.status(true, topic.ReasonConnected)
	again.health()
	again.state(right(seen, "keller"), open)
	again.alerts("store-failing stands", "shoe-alarm stands")
	if len(again.History()) != 1 || len(again.Unkept()) > 1 {
		t.Errorf("history: %s", written(again.History()))
	}
}

// TestEveryCodeHasItsGravity: those of the tables come from their rows, those of the pit from its own.
func TestEveryCodeHasItsGravity(t *testing.T) {
	want := map[string]floor.Gravity{
		"contradictory-keys": floor.Notice, "floor-called": floor.Call, "factory-order": floor.Call,
		"same-order": floor.Call, "unread-card": floor.Stop, "storage-failing": floor.Stop,
		"journal-touched": floor.Record, "replay-differs": floor.Record,
		"command-refused": floor.Notice, floor.RecordsMissing: floor.Notice, floor.JournalRolledBack: floor.Record,
		floor.BrokerLost: floor.Stop,
	}
	r := newRoom(t, floor.Options{})
	r.connects()
	for code := range irregularity.EveryCode {
		r.state(r.standing(code, 1))
		if code == irregularity.PitMessage { // the pit's own word to the dealer
			if got := r.Alerts(); len(got) > 0 {
				t.Errorf("what the pit says to a dealer is an alert of the pit: %+v", got)
			}
			r.state()
			continue
		}
		checkGravity(t, r.Alerts()[0], want)
		r.acknowledge(code.String(), "anna")
		r.state()
	}
	for _, code := range floor.Codes() {
		r.Raise(r.table, code, "", r.now)
		checkGravity(t, r.Alerts()[0], want)
		r.acknowledge(code, "anna")
		r.Clear(r.table, code, r.now)
	}
	if len(want) > 0 {
		t.Errorf("not met: %v", want)
	}
}

func checkGravity(t *testing.T, a floor.Alert, want map[string]floor.Gravity) {
	t.Helper()
	if w, ok := want[a.Code]; ok && w != a.Gravity {
		t.Errorf("%s is a %s, want %s", a.Code, a.Gravity, w)
	}
	if a.Calls == "" {
		t.Errorf("%s calls nobody", a.Code)
	}
	delete(want, a.Code)
}

// TestChangedTellsEverybody, and what is not for the model wakes nobody.
func TestChangedTellsEverybody(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	one, two := r.Changed(), r.Changed()
	r.hear(topic.KindEvent, []byte(`{}`))
	select {
	case <-one:
		t.Error("an event has changed the floor")
	default:
	}
	r.state()
	<-one
	<-two
}

// TestSomebodyLooksAfterIt: an alert waits until somebody comes or has seen it, again once others are called although
// somebody said they come, and again once it is raised anew.
func TestSomebodyLooksAfterIt(t *testing.T) {
	r := newRoom(t, floor.Options{Escalation: []floor.Escalation{{After: 5 * time.Minute, Calls: floor.Manager}}})
	r.connects()
	a := r.standing(irregularity.UnreadCard, 1)
	r.state(a)
	waits := func(want bool, comes string) {
		t.Helper()
		if one := r.Alerts()[0]; one.Waits() != want || one.Comes != comes {
			t.Errorf("it waits: %t, want %t; %q comes, want %q", one.Waits(), want, one.Comes, comes)
		}
	}
	come := func(by string) {
		t.Helper()
		if err := r.Coming(r.Alerts()[0].ID, by); err != nil {
			t.Fatal(err)
		}
	}
	waits(true, "")
	come("anna")
	waits(false, "anna")
	r.live(6 * time.Minute)
	waits(true, "anna")
	come("bruno")
	waits(false, "bruno")
	r.state(right(a, "bruno"))
	waits(false, "bruno")
	a.Times = 2
	r.state(a)
	waits(true, "")
	come("anna")
	r.acknowledge("unread-card", "anna")
	waits(false, "anna")
}

// TestAClockThatWasAhead: an alert that was kept while the pit's clock was wrong calls the next role all the same.
func TestAClockThatWasAhead(t *testing.T) {
	for name, comes := range map[string]bool{"nobody comes": false, "somebody comes": true} {
		before := newRoom(t, floor.Options{})
		before.now = before.now.AddDate(1, 0, 0)
		before.Link(true, "", before.now)
		before.Raise(before.table, floor.JournalRewritten, "", before.now)
		if comes {
			if err := before.Coming(before.Alerts()[0].ID, "anna"); err != nil {
				t.Fatal(err)
			}
		}
		r := newRoom(t, floor.Options{Escalation: []floor.Escalation{{
			After: 5 * time.Minute,
			Calls: floor.Technician,
		}}})
		r.Restore(before.Alerts())
		r.wait(4 * time.Minute)
		if a := r.Alerts()[0]; a.Calls != floor.Manager || a.Taken() != comes {
			t.Errorf("%s: after four minutes it calls %s, and somebody looks after it: %t", name, a.Calls, a.Taken())
		}
		r.wait(2 * time.Minute)
		if a := r.Alerts()[0]; a.Calls != floor.Technician || a.Taken() {
			t.Errorf("%s: after six minutes it calls %s, and somebody looks after it: %t", name, a.Calls, a.Taken())
		}
	}
}
