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
		e.Message(table.Topic(topic.KindState), make([]byte, 1<<20))
		e.readAll()
	}
	if len(e.heard.told) != 10 || len(e.asks.tables) != 10 {
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
	answers := 0
	for _, w := range e.waiting.of {
		answers += len(w.answers)
	}
	if len(asked) < 9 || answers != 8 || e.waiting.bytes != mostAnswered {
		t.Errorf("%d tables were asked; %d answers of %d bytes wait", len(asked), answers, e.waiting.bytes)
	}
}
