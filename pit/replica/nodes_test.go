package replica

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// TestATableOfAnotherNode: a table that another node keeps is not asked, and what it says by itself is not kept; once
// this node keeps it, it asks anew where the store ends.
func TestATableOfAnotherNode(t *testing.T) {
	epoch, now := int64(0), time.Date(2026, 3, 14, 20, 0, 0, 0, time.UTC)
	a := newAsks(limits{underway: 4, far: 2, patience: time.Second, most: 10})
	a.epoch = func(topic.Table) int64 { return epoch }
	table := tableNamed(t, "bj-1")
	head := func(record uint64) Position { return Position{"j", record} }
	pass := func(d time.Duration) time.Time { now = now.Add(d); return now }
	a.hasHead(table, head(5), now)
	a.event(table, now)
	if len(a.lost()) > 0 || len(a.due(pass(time.Second))) > 0 || a.streams(table, head(4), head(5), now) {
		t.Error("another node's table is asked")
	}
	epoch = 7
	a.moved()
	if lost := a.lost(); len(lost) != 1 {
		t.Fatalf("the store is not asked how far it is: %v", lost)
	}
	a.know(table, head(3))
	if due := a.due(pass(time.Second)); len(due) != 1 || due[0].Record != 2 {
		t.Errorf("it is asked %v", due)
	}
	a.answers(table, now)
	a.kept(table, 2, head(5), head(5), now)
	if told := a.told(); len(told) != 1 || told[0].why != "" {
		t.Errorf("what another node told a technician is not put right: %v", told)
	}
	epoch = 8 // lost, and taken again
	a.moved()
	if len(a.lost()) != 1 {
		t.Error("what the store had before is taken for true")
	}
	a.know(table, head(5))
	a.hasHead(table, head(6), now)
	a.due(pass(time.Second))
	epoch = 0
	a.moved()
	epoch = 9 // lost, and taken again, before anybody has looked
	a.moved()
	if len(a.lost()) != 1 {
		t.Error("the store is not asked how far it is")
	}
	epoch = 0
	a.moved()
	epoch = 10
	a.moved()
	if len(a.lost()) != 1 {
		t.Error("the store is not asked how far it is, since it was to be asked before")
	}
	epoch = 0
	a.moved()
	if a.answers(table, now) || len(a.lost()) > 0 {
		t.Error("an answer is kept that came too late")
	}
}
