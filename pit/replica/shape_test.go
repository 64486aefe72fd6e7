package replica

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/plaintext"
)

// FuzzHear: whatever comes on whatever topic, the pit goes on, keeps no more than there is room for, and asks nobody
// for what it never heard of.
func FuzzHear(f *testing.F) {
	for _, kind := range topic.Kinds() {
		name := "sabot/v1/wiesbaden/bj-1/" + string(kind)
		if kind.Below() {
			name += "/pit"
		}
		f.Add(name,
			[]byte(`{"site":"wiesbaden","table":"bj-1","boot":1,"sequence":2,"online":true,"time":"2026-01-02T03:04:05Z"}`))
	}
	f.Add("sabot/v1/wiesbaden/bj-1/health",
		[]byte(`{"boot":1,"time":"2026-01-02T03:04:05Z","journal":{"head":{"id":"00112233445566778899aabbccddeeff","record":611,"hash":"32"}},"commands":{"session":"00112233445566778899aabbccddeeff","clock":1}}`))
	f.Fuzz(func(t *testing.T, name string, payload []byte) {
		on := floor.New(floor.Options{Most: 4})
		e := New(Options{Reader: "pit", Tables: 4, Log: slog.New(slog.DiscardHandler)}, newLine(), on, nil)
		for range 2 {
			e.Connected(true, "")
			e.Message(name, payload)
			e.readAll()
			on.Tick(time.Now())
			e.mu.Lock()
			due := e.asks.due(time.Now())
			e.mu.Unlock()
			if len(due) > 0 {
				t.Fatalf("%v is asked of a store that knows nothing", due)
			}
		}
		if n := len(on.Tiles()) + len(on.Alerts()); n > 4+1000 {
			t.Fatalf("there are %d tables and alerts", n)
		}
		for _, a := range on.Alerts() {
			for _, s := range append(a.Steps, floor.Step{By: a.By + a.Caller + a.Reason + a.With}) {
				if strings.ContainsFunc(s.By+s.Note, plaintext.Hidden) {
					t.Fatalf("an alert says %q %q", s.By, s.Note)
				}
			}
		}
	})
}

// TestAttackTopics: tables that nobody listed, and one that says endlessly many things, take neither the places of the
// room's tables nor the memory.
func TestAttackTopics(t *testing.T) {
	room := []topic.Table{tableNamed(t, "bj-1"), tableNamed(t, "bj-2")}
	on := floor.New(floor.Options{Tables: room, Most: 5})
	e := New(Options{Reader: "pit", Room: room, Tables: 5, Log: slog.New(slog.DiscardHandler)}, newLine(), on, nil)
	e.Connected(true, "")
	said := func(name string, kind topic.Kind) {
		table := tableNamed(t, name)
		e.Message(table.Topic(kind), fmt.Appendf(nil, `{"site":%q,"table":%q,"boot":1,"online":true,"time":%q}`,
			table.Site(), name, time.Now().Format(time.RFC3339Nano)))
	}
	tries, through := 0, 0
	for i := range 3000 {
		tries++
		said(fmt.Sprint("stranger-", i), []topic.Kind{topic.KindStatus, topic.KindHealth, topic.KindRecords}[i%3])
	}
	for i := range 3000 {
		tries++
		code := fmt.Sprint("made-up-", i)
		e.Message(room[1].Alert(code), fmt.Appendf(nil,
			`{"boot":1,"code":%q,"alert":{"code":%q,"raised":"x","times":1,"standing":1}}`, code, code))
	}
	e.inbox.mu.Lock()
	waiting := len(e.inbox.order)
	e.inbox.mu.Unlock()
	if waiting > 2*5 {
		through += waiting
		t.Errorf("%d messages wait", waiting)
	}
	said("bj-1", topic.KindHealth)
	e.readAll()
	if n := len(on.Tiles()); n > 5 {
		through += n - 5
		t.Errorf("there are %d tables", n)
	}
	if n := len(on.Alerts()); n > 100 {
		through += n - 100
		t.Errorf("there are %d alerts", n)
	}
	for kind, most := range longestOf {
		if kind == topic.KindAnswer {
			continue
		}
		tries++
		e.Message(room[0].Topic(kind), []byte(`{"x":"`+strings.Repeat("y", most)+`"}`))
		if len(e.inbox.takeMessages()) > 0 {
			through++
			t.Errorf("a message of the kind %s of %d bytes is kept", kind, most)
		}
	}
	if _, heard := on.Health(room[0]); !heard {
		through++
		t.Error("a table of the room is not heard among them")
	}
	attack.Report(t, "pit: tables and topics without end", tries, through)
}

// TestAttackLastPlace: who is quicker does not take the place of a table of the room.
func TestAttackLastPlace(t *testing.T) {
	room := []topic.Table{tableNamed(t, "bj-1")}
	e := New(Options{Reader: "pit", Room: room, Tables: 3, Log: slog.New(slog.DiscardHandler)}, newLine(),
		floor.New(floor.Options{Tables: room, Most: 3}), nil)
	const tries = 100
	for i := range tries {
		e.Message(tableNamed(t, fmt.Sprint("stranger-", i)).Topic(topic.KindStatus), []byte(`{}`))
	}
	through := 0
	if err := e.admits(room[0]); err != nil {
		through = 1
		t.Error(err)
	}
	attack.Report(t, "pit: places of the room's tables", tries, through)
}

// TestAttackHeads: a head that no database keeps is not given to one: it would be taken for broken, and no table be
// asked.
func TestAttackHeads(t *testing.T) {
	id, hash := strings.Repeat("ab", 16), strings.Repeat("cd", 32)
	good := fmt.Sprintf(`{"id":%q,"record":1,"hash":%q}`, id, hash)
	tries, through := 0, 0
	for _, head := range []string{
		fmt.Sprintf(`{"id":%q,"record":1,"hash":"zz"}`, id), fmt.Sprintf(`{"id":"x","record":1,"hash":%q}`, hash),
		fmt.Sprintf(`{"id":%q,"record":18446744073709551615,"hash":%q}`, id, hash),
		fmt.Sprintf(`{"id":"%s\u0000","record":1,"hash":%q}`, id[1:], hash),
		fmt.Sprintf(`{"id":"","record":1,"hash":%q}`, hash), fmt.Sprintf(`{"id":%q,"record":1}`, id),
		good + `,"last_sequence":18446744073709551615`, good + `,"away":18446744073709551615`,
		good + `,"began":{"acknowledged":9007199254740993,"away":0}`,
		good + `,"began":{"acknowledged":0,"away":9007199254740993}`,
		good + `},"boot":18446744073709551615,"else":{"a":1`,
	} {
		e := New(Options{Reader: "pit", Log: slog.New(slog.DiscardHandler)}, newLine(), floor.New(floor.Options{}),
			newMemory())
		e.Message(tableNamed(t, "bj-1").Topic(topic.KindHealth),
			fmt.Appendf(nil, `{"boot":1,"time":"2026-01-02T03:04:05Z","journal":{"head":%s}}`, head))
		e.readAll()
		tries++
		if len(e.heard.told) > 0 {
			through++
			t.Errorf("the head %s is compared with the database", head)
		}
	}
	attack.Report(t, "pit: heads that no journal has", tries, through)
}
