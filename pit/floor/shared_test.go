package floor

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// two are two pits that watch one floor; the first answers for the table.
func two(t *testing.T) (first, second *Floor, table topic.Table, answers map[*Floor]bool) {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	answers = map[*Floor]bool{}
	open := func() (f *Floor) {
		f = New(Options{
			Escalation: []Escalation{{time.Minute, Manager}},
			Answers:    func(of topic.Table) bool { return of == topic.Table{} || answers[f] },
		})
		return f
	}
	first, second = open(), open()
	answers[first] = true
	return first, second, table, answers
}

// only is the one alert of a floor.
func only(t *testing.T, f *Floor) Alert {
	t.Helper()
	alerts := f.Alerts()
	if len(alerts) != 1 {
		t.Fatalf("there are %d alerts: %+v", len(alerts), alerts)
	}
	return alerts[0]
}

// TestOnePitAnswers: what one raises, and whom it calls next, the other shows and does not raise itself; what a person
// says at the other one ends the alert at both, also if it comes twice.
func TestOnePitAnswers(t *testing.T) {
	first, second, table, _ := two(t)
	now := time.Date(2026, 3, 14, 20, 0, 0, 0, time.UTC)
	for _, f := range []*Floor{first, second} {
		f.Raise(table, TableOffline, "gone", now)
		f.Tick(now.Add(2 * time.Minute))
	}
	if alerts := second.Alerts(); len(alerts) > 0 {
		t.Fatalf("both raise it: %+v", alerts)
	}
	kept := first.Unkept()
	second.Adopt(kept)
	if a := only(t, second); a.ID != only(t, first).ID || a.Calls != Manager {
		t.Errorf("the other one shows %+v", a)
	}
	if kept := second.Unkept(); len(kept) > 0 {
		t.Errorf("both keep it: %+v", kept)
	}
	id := only(t, second).ID
	if err := second.Acknowledge(id, "anna", "I look"); err != nil {
		t.Fatal(err)
	}
	words := second.Unsaid()
	second.Adopt(kept) // as it was before
	if a := only(t, second); !a.Seen() {
		t.Error("what was said here is forgotten before it is heard")
	}
	for range 2 {
		if own := first.Heed(words); len(own) != 1 {
			t.Errorf("%d words are for the first one", len(own))
		}
	}
	if a := only(t, first); a.AcknowledgedBy != "anna" || a.Note != "I look" || len(a.Steps) != 3 {
		t.Errorf("the first one has %+v", a)
	}
	first.Clear(table, TableOffline, now.Add(3*time.Minute))
	second.Adopt(first.Unkept())
	if open, over := second.Alerts(), second.History(); len(open) != 0 || len(over) != 1 || over[0].ID != id {
		t.Errorf("at the other one %+v is open, and %+v over", open, over)
	}
	if own := second.Heed(words); len(own) > 0 {
		t.Error("both take a word for theirs")
	}
}

// TestAPitTakesOver: who answers from now on keeps and ends what the other one has begun.
func TestAPitTakesOver(t *testing.T) {
	first, second, table, answers := two(t)
	now := time.Date(2026, 3, 14, 20, 0, 0, 0, time.UTC)
	first.Raise(table, TableOffline, "gone", now)
	second.Adopt(first.Unkept())
	answers[first], answers[second] = false, true
	second.Moved()
	if kept := second.Unkept(); len(kept) != 1 {
		t.Errorf("it keeps %+v", kept)
	}
	second.Clear(table, TableOffline, now.Add(time.Minute))
	first.Adopt(second.Unkept())
	if a := only(t, first); a.Standing != 0 {
		t.Errorf("the first one has %+v", a)
	}
}

// TestNewsOfOnePit: each thing is told by one of two pits; what one had to tell that died, the other one tells.
func TestNewsOfOnePit(t *testing.T) {
	table, err := topic.NewTable("wiesbaden", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 14, 20, 0, 0, 0, time.UTC)
	mine, inherited := false, false
	turn := Turn{
		Answers:   func(topic.Table) bool { return mine },
		Inherited: func(topic.Table) bool { return inherited },
	}
	news := func(id string) []News { return []News{{&Alert{ID: id, Table: table}, Step{What: Raised}}} }
	if own := turn.Take(news("a"), now); len(own) > 0 {
		t.Errorf("both tell %+v", own)
	}
	mine = true // given back by the other one, which has told it
	if own := turn.Take(news("b"), now.Add(time.Second)); len(own) != 1 || own[0].Alert.ID != "b" {
		t.Errorf("it tells %+v", own)
	}
	inherited = true
	if own := turn.Take(nil, now.Add(5*time.Second)); len(own) != 1 || own[0].Alert.ID != "a" {
		t.Errorf("of one that died it tells %+v", own)
	}
	mine = false
	turn.Take(news("c"), now)
	mine = true
	if own := turn.Take(nil, now.Add(time.Minute)); len(own) > 0 {
		t.Errorf("it tells what is long past: %+v", own)
	}
}
