package replica

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestWhatIsTold: what is passed on with each health: which events were heard, and whether the connection has held. A
// line is what happens: a record and its event, by their number, "up" for a new connection, "kept" where the store has
// taken what waits, or a health with the start's number and the event that the broker has.
func TestWhatIsTold(t *testing.T) {
	for name, c := range map[string]struct{ happens, want string }{
		"the first health begins": {"7 8 health:1:8", "1: heard 0"},
		"events that follow are heard": {
			"health:1:8 kept 9 10 health:1:9",
			"1: heard 0; 1: heard 10, watched",
		},
		"after one that is lost none is": {"health:1:8 9 11 12 health:2:12", "1: heard 0; 2: heard 9, watched"},
		"the next health begins anew": {
			"health:1:8 11 health:1:11 kept 12 health:1:12",
			"1: heard 0; 1: heard 12, watched",
		},
		"a cursor that nothing was sent for": {"health:1:8 9 health:2:50", "1: heard 0; 2: heard 9, watched"},
		"a connection that was lost":         {"health:1:8 9 up health:2:50", "1: heard 0; 2: heard 9"},
		"one that was lost before the old word": {
			"health:1:8 kept up health:1:8 9 health:2:9",
			"1: heard 0; 1: heard 8; 2: heard 9, watched",
		},
		"one start after the other waits": {"health:1:8 health:2:50 health:2:60", "1: heard 0; 2: heard 8, watched"},
	} {
		t.Run(name, func(t *testing.T) {
			e, table := New(Options{Reader: "pit"}, newLine(), floor.New(floor.Options{}), newMemory()),
				tableNamed(t, "bj-1")
			e.Connected(true, "")
			var got []string
			kept := func() {
				for told := e.heard.next(table); told != nil; told = e.heard.next(table) {
					one := fmt.Sprintf("%d: heard %d", told.Boot, told.Heard)
					if told.Watched {
						one += ", watched"
					}
					got = append(got, one)
				}
			}
			for what := range strings.FieldsSeq(c.happens) {
				if what == "kept" {
					kept()
					continue
				}
				happens(t, e, table, what)
			}
			if kept(); strings.Join(got, "; ") != c.want {
				t.Errorf("%q, want %q", strings.Join(got, "; "), c.want)
			}
		})
	}
}

func happens(t *testing.T, e *Ear, table topic.Table, what string) {
	t.Helper()
	var number, boot uint64
	if what == "up" {
		e.Connected(false, "lost")
		e.Connected(true, "")
		return
	}
	if _, err := fmt.Sscanf(what, "health:%d:%d", &boot, &number); err == nil {
		e.Message(table.Topic(topic.KindHealth), topic.AppendHealth(nil, topic.Health{
			Site: table.Site(), Table: table.Name(), Boot: boot,
			Journal: topic.Journal{LastSequence: number, Head: &topic.Head{
				ID: strings.Repeat("ab", 16), Record: number,
				Hash: strings.Repeat("cd", 32),
			}},
		}))
		e.readAll()
		return
	}
	if _, err := fmt.Sscan(what, &number); err != nil {
		t.Fatal(err)
	}
	e.Message(table.Records(topic.Stream), topic.AppendRecords(nil, topic.Records{
		Site: table.Site(), Table: table.Name(), Boot: 1, Journal: strings.Repeat("ab", 16), After: number - 1,
		Records: [][]json.RawMessage{recordOf(number)},
	}))
}

// recordOf is a record with one event of the same number.
func recordOf(number uint64) []json.RawMessage {
	return []json.RawMessage{
		json.RawMessage(`{"in":"open"}`), json.RawMessage(`{"out":"opened","round":1}`),
		json.RawMessage(fmt.Sprintf(`{"record":%d,"event":%d,"hash":"%064x"}`, number, number, number)),
	}
}

// TestLastEventOf: a record's last event is found in whatever comes as one.
func TestLastEventOf(t *testing.T) {
	for record, want := range map[string]uint64{
		`[{"in":"open"},{"out":"opened"},{"out":"due"},{"record":1,"event":7}]`: 8, `[{"in":"open"},{"record":1,"event":7}]`: 6,
		`[{"record":1,"event":7}]`: 0, `[{},{"event":-1}]`: 0, `[{},{"event":"7"}]`: 0, `[{},{}]`: 0, `{}`: 0, ``: 0,
		`[{},{"event":9223372036854775808}]`: 0, `[{},{},{"event":18446744073709551615}]`: 0,
	} {
		if got := lastEventOf([]byte(record)); got != want {
			t.Errorf("%s has the event %d, want %d", record, got, want)
		}
	}
}

// TestDoubtedOnce: what nothing can put right is an alert all the same, until somebody has seen it.
func TestDoubtedOnce(t *testing.T) {
	for _, once := range []bool{false, true} {
		var err error = &store.RewrittenError{Record: 9}
		code := floor.JournalRewritten
		if once {
			err, code = &store.UnseenError{Kind: store.UnseenCursor, Is: 9}, floor.JournalUnseen
		}
		f := floor.New(floor.Options{})
		e, table := New(Options{Reader: "pit", Log: slog.New(slog.DiscardHandler)}, newLine(), f, newMemory()),
			tableNamed(t, "bj-1")
		f.Tick(time.Now())
		e.doubt(table, err)
		alerts := f.Alerts()
		if len(alerts) != 1 || alerts[0].Code != code || (alerts[0].Standing > 0) == once {
			t.Errorf("once %t: %+v", once, alerts)
		}
	}
}

// TestBrokersOfSeveralNodes: what a broker of several nodes has lost between them is no reason to doubt a table.
func TestBrokersOfSeveralNodes(t *testing.T) {
	e, table := New(Options{Reader: "pit", Brokers: true}, newLine(), floor.New(floor.Options{}), newMemory()),
		tableNamed(t, "bj-1")
	e.Connected(true, "")
	for _, what := range []string{"health:1:8", "9", "health:2:50"} {
		happens(t, e, table, what)
	}
	for told := e.heard.next(table); told != nil; told = e.heard.next(table) {
		if told.Watched {
			t.Errorf("start %d was watched", told.Boot)
		}
	}
}
