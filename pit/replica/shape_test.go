package replica

import (
	"bytes"
	"encoding/json"
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

func TestPlainly(t *testing.T) {
	const no = "\uFFFD"
	long := strings.Repeat("x", longestText)
	for text, want := range map[string]string{
		`{"by":"anna \"the\" ace\\","n":[1,2]}`: `{"by":"anna \"the\" ace\\","n":[1,2]}`,
		`{"by":"Zoë \u00e9 \ud83c\udca1 🂡"}`:    `{"by":"Zoë \u00e9 \ud83c\udca1 🂡"}`,
		`{"by":"a\u001b[2Jb"}`:                  `{"by":"a` + no + `[2Jb"}`,
		`{"by":"a\nb\tc"}`:                      `{"by":"a` + no + `b` + no + `c"}`,
		`{"a\u202eb":"\u2066"}`:                 `{"a` + no + `b":"` + no + `"}`,
		"{\"by\":\"a\u202eb\u200b\"}":           `{"by":"a` + no + `b` + no + `"}`,
		"{\"by\":\"a\x9bb\"}":                   `{"by":"a` + no + `b"}`,
		"{\"by\":\"a\u0085b\"}":                 `{"by":"a` + no + `b"}`,
		`{"by":"\ud800"}`:                       `{"by":"` + no + `"}`,
		`{"by":"` + long + `yz"}`:               `{"by":"` + long + `"}`,
		"{\"by\":\"e\u0301\u0301\u0301\"}":      "{\"by\":\"e\u0301\u0301" + no + "\"}",
		``:                                      ``,
		`{"by":"half`:                           `{"by":"half`,
	} {
		if got, err := plainly([]byte(text)); err != nil || string(got) != want {
			t.Errorf("%q becomes %q, %v; want %q", text, got, err, want)
		}
	}
	for _, deep := range []string{
		strings.Repeat("[", deepest+1), strings.Repeat(`{"a":`, 100_000),
		strings.Repeat("[", deepest+1) + `"` + "\u202e",
	} {
		if _, err := plainly([]byte(deep)); err == nil {
			t.Errorf("%.20q… is not too deep", deep)
		}
	}
	same := []byte(`{"a":["b",{"c":"d"}]}`)
	if got, _ := plainly(same); &got[0] != &same[0] {
		t.Error("a message that may stay as it is was copied")
	}
}

// FuzzPlainly: what was JSON is JSON of the same form afterwards, and no text of it hides anything.
func FuzzPlainly(f *testing.F) {
	for _, text := range []string{
		`{"a":"b"}`, `["\u202e\ud83c\udca1\n"]`, "[\"\u202e\"]",
		`{"a":{"b":[1,-2.5e3,null,true]}}`, `"\\"`, `"\"`, `"\ud800\u0041"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		var before, after any
		was := json.Unmarshal(payload, &before) == nil
		got, err := plainly(bytes.Clone(payload))
		if err != nil || !was {
			return
		}
		if err := json.Unmarshal(got, &after); err != nil {
			t.Fatalf("%q became %q: %v", payload, got, err)
		}
		if a, b := form(before), form(after); a != b {
			t.Fatalf("%q became %q: %s, and was %s", payload, got, b, a)
		}
		seen(t, after)
	})
}

// form is a value without its texts.
func form(v any) string {
	switch v := v.(type) {
	case []any:
		var all []string
		for _, one := range v {
			all = append(all, form(one))
		}
		return "[" + strings.Join(all, " ") + "]"
	case map[string]any: // keys that differ only in what is hidden become one
		return "{}"
	case string:
		return "text"
	}
	return fmt.Sprint(v)
}

func seen(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			seen(t, one)
		}
	case map[string]any:
		for key, one := range v {
			seen(t, key)
			seen(t, one)
		}
	case string:
		if strings.ContainsFunc(v, plaintext.Hidden) {
			t.Fatalf("%q hides something", v)
		}
	}
}

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
	f.Add("sabot/v1/wiesbaden/bj-1/alert/unread-card",
		[]byte(`{"site":"wiesbaden","table":"bj-1","boot":1,"code":"unread-card","alert":{"code":"unread-card","round":1,"raised":"2026-01-02T03:04:05Z","times":1,"standing":1}}`))
	f.Add("sabot/v1/wiesbaden/bj-1/health",
		[]byte(`{"boot":1,"time":"2026-01-02T03:04:05Z","journal":{"head":{"id":"00112233445566778899aabbccddeeff","record":611,"hash":"32"}},"commands":{"session":"00112233445566778899aabbccddeeff","clock":1}}`))
	f.Add("sabot/v1/wiesbaden/bj-1/state",
		[]byte(`{"boot":1,"sequence":1,"view":{"table":"bj-1","digits":2,"due":{"to":"open"},"alerts":[{"code":"unread-card","times":1,"standing":1}]}}`))
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
		said(fmt.Sprint("stranger-", i), []topic.Kind{topic.KindStatus, topic.KindHealth, topic.KindEvent}[i%3])
	}
	for i := range 3000 {
		tries++
		code := fmt.Sprint("made-up-", i)
		e.Message(room[1].Alert(code), fmt.Appendf(nil,
			`{"boot":1,"code":%q,"alert":{"code":%q,"raised":"x","times":1,"standing":1}}`, code, code))
	}
	e.inbox.mu.Lock()
	waiting, bytes := len(e.inbox.order), e.inbox.bytes
	e.inbox.mu.Unlock()
	if waiting > 3*5+mostOfTable {
		through += waiting
		t.Errorf("%d messages wait, of %d bytes", waiting, bytes)
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
		if kind == topic.KindRecords || kind == topic.KindAnswer || kind == topic.KindEvent {
			continue
		}
		tries++
		name := room[0].Topic(kind)
		if kind.Below() {
			name += "/unread-card"
		}
		e.Message(name, []byte(`{"x":"`+strings.Repeat("y", most)+`"}`))
		if list, _ := e.inbox.takeMessages(); len(list) > 0 {
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
		e.Message(tableNamed(t, fmt.Sprint("stranger-", i)).Topic(topic.KindEvent), []byte(`{}`))
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
