package replica

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestTheInboxIsBounded: neither topics nor bytes fill the memory, and what was taken makes room.
func TestTheInboxIsBounded(t *testing.T) {
	b, mebibyte := newInbox(), make([]byte, 1<<20)
	for i := range 100 {
		b.putMessage(topic.Table{}, fmt.Sprint(i), mebibyte)
	}
	b.putMessage(topic.Table{}, "0", make([]byte, 2<<20)) // more than before, and too much
	b.putMessage(topic.Table{}, "1", nil)
	b.putMessage(topic.Table{}, "other", mebibyte) // in its place
	list, lost := b.takeMessages()
	bytes := 0
	for _, m := range list {
		bytes += len(m.payload)
	}
	if bytes != mostUnreadBytes || lost != 37 || len(list) != 65 {
		t.Errorf("%d messages of %d bytes wait, %d are lost", len(list), bytes, lost)
	}
	b.putMessage(topic.Table{}, "0", mebibyte)
	if list, lost := b.takeMessages(); len(list) != 1 || lost != 0 {
		t.Errorf("then %d messages wait, %d are lost", len(list), lost)
	}
}

// TestALiarIsBounded: whoever may write to the broker invents tables, tells their heads, and answers what nobody asked.
func TestALiarIsBounded(t *testing.T) {
	f := floor.New(floor.Options{})
	o := Options{Reader: "pit", Tables: 10, Underway: 20, Log: slog.New(slog.DiscardHandler)}
	e := New(o, newLine(), f, newMemory())
	for i := range 1000 {
		table := tableNamed(t, fmt.Sprintf("bj-%d", i))
		health, err := json.Marshal(topic.Health{
			Site: table.Site(), Table: table.Name(), Boot: 1, Time: time.Now(),
			Journal: topic.Journal{Head: &topic.Head{
				ID: strings.Repeat("ab", 16), Record: 9,
				Hash: strings.Repeat("cd", 32),
			}},
		})
		if err != nil {
			t.Fatal(err)
		}
		e.Message(table.Topic(topic.KindHealth), health)
		e.Message(table.Topic(topic.KindState), make([]byte, maxTold+1))
		e.readAll()
	}
	if len(e.heard.told) != 10 || len(e.asks.tables) != 10 || e.inbox.bytes != 0 {
		t.Errorf("%d heads of %d tables are remembered", len(e.heard.told), len(e.asks.tables))
	}
	for table := range e.asks.tables {
		e.asks.know(table, Position{})
	}
	asked := e.asks.due(time.Now().Add(time.Hour))
	answer := make([]byte, mostOneAnswered)
	for _, a := range asked {
		for range 2 {
			e.Message(a.table.Topic(topic.KindRecords)+"/pit", answer)
		}
	}
	if len(asked) < 9 || len(e.waiting.answers) != 8 || e.waiting.bytes != mostAnswered {
		t.Errorf("%d tables were asked; %d answers of %d bytes wait", len(asked), len(e.waiting.answers),
			e.waiting.bytes)
	}
}
