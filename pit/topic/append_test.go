package topic_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/pit/topic"
)

func newTable(t testing.TB) topic.Table {
	t.Helper()
	table, err := topic.NewTable("wiesbaden", "bj1")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestAppendEvent(t *testing.T) {
	at := time.Date(2026, 3, 29, 1, 2, 3, 4000, time.UTC)
	record := topic.Record{
		Number: 1042, Boot: 7, At: at.UnixNano(), Round: 17,
		Line: []byte(`{"out":"dealt","card":"TH","to":"box","box":3,"hand":1,"total":17,"soft":false}`),
	}
	got, err := topic.AppendEvent([]byte("before "), newTable(t), record)
	if err != nil {
		t.Fatal(err)
	}
	want := `before {"id":"wiesbaden/bj1/7/1042/1774746123000004000","site":"wiesbaden","table":"bj1","boot":7,` +
		`"sequence":1042,"time":"2026-03-29T01:02:03.000004000Z","type":"dealt","round":17,` +
		`"data":{"out":"dealt","card":"TH","to":"box","box":3,"hand":1,"total":17,"soft":false}}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestTheLinesRoundGoesFirst(t *testing.T) {
	payload, err := topic.AppendEvent(nil, newTable(t), topic.Record{
		Number: 1, Boot: 1, Round: 3, Line: []byte(`{"out":"opened","round":4}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	if event := brokertest.Decode[topic.Event](t, payload); event.Round != 4 {
		t.Errorf("round %d", event.Round)
	}
}

func TestAnUnreadableLine(t *testing.T) {
	record := topic.Record{Number: 5, Boot: 2, At: 1, Line: []byte("rubbish")}
	before := []byte("before")
	after, err := topic.AppendEvent(before, newTable(t), record)
	if err == nil || !strings.Contains(err.Error(), "event 5 of boot 2") {
		t.Fatalf("error %v", err)
	}
	if string(after) != "before" {
		t.Errorf("the buffer became %q", after)
	}
	cause := errors.New("a \"quoted\" \x01 cause \xff")
	event := brokertest.Decode[topic.Event](t, topic.AppendUnreadable(nil, newTable(t), record, cause))
	if event.Type != topic.TypeUnreadable || event.Sequence != 5 || event.Boot != 2 {
		t.Errorf("got %+v", event)
	}
	data := struct {
		Out   string `json:"out"`
		Error string `json:"error"`
	}{}
	if err := json.Unmarshal(event.Data, &data); err != nil {
		t.Fatal(err)
	}
	if data.Out != "unreadable" || data.Error != "a \"quoted\" \x01 cause \ufffd" {
		t.Errorf("data %+v", data)
	}
}

// TestEventsKeepWhatTheJournalHas reads any event back: everything of the record is
// there, the line byte for byte, and a second copy is the same.
func TestEventsKeepWhatTheJournalHas(t *testing.T) {
	table := newTable(t)
	rapid.Check(t, func(rt *rapid.T) {
		line, err := json.Marshal(map[string]any{
			"out": rapid.StringMatching(`[a-z]{1,9}(-[a-z]{1,9})?`).Draw(rt, "out"),
			"by":  rapid.String().Draw(rt, "by"),
			"won": rapid.Int64().Draw(rt, "won"),
		})
		if err != nil {
			rt.Fatal(err)
		}
		record := topic.Record{
			Number: rapid.Uint64Range(1, math.MaxInt64).Draw(rt, "number"),
			Boot:   rapid.Uint64Range(1, math.MaxInt64).Draw(rt, "boot"),
			At:     rapid.Int64().Draw(rt, "at"),
			Round:  rapid.Uint64Range(0, math.MaxInt64).Draw(rt, "round"),
			Line:   line,
		}
		payload, err := topic.AppendEvent(nil, table, record)
		if err != nil {
			rt.Fatal(err)
		}
		again, err := topic.AppendEvent(nil, table, record)
		if err != nil || !bytes.Equal(payload, again) {
			rt.Fatalf("a second copy differs: %s, %s, %v", payload, again, err)
		}
		event := brokertest.Decode[topic.Event](t, payload)
		if event.Sequence != record.Number || event.Boot != record.Boot || event.Round != record.Round ||
			event.Time.UnixNano() != record.At || !bytes.Equal(event.Data, line) {
			rt.Fatalf("%+v became %s", record, payload)
		}
	})
}

func TestAppendStatus(t *testing.T) {
	status := topic.Status{
		Site: "wiesbaden", Table: "bj1", Online: true, Reason: topic.ReasonConnected, Boot: 7, Connection: 2,
		Version: `1.2 "three"`, Time: time.Date(2026, 3, 29, 3, 2, 3, 0, time.FixedZone("CEST", 7200)),
	}
	payload := topic.AppendStatus(nil, status)
	if !strings.Contains(string(payload), `"time":"2026-03-29T01:02:03.000000000Z"`) {
		t.Errorf("the time is not in UTC with nine digits: %s", payload)
	}
	got := brokertest.Decode[topic.Status](t, payload)
	if got.Time = got.Time.In(status.Time.Location()); !reflect.DeepEqual(got, status) {
		t.Errorf("got %+v, want %+v", got, status)
	}
	if strings.Contains(string(payload), "trouble") {
		t.Errorf("there is trouble where there is none: %s", payload)
	}
	status.Trouble = topic.TroubleSlow
	if got := brokertest.Decode[topic.Status](t, topic.AppendStatus(nil, status)); got.Trouble != status.Trouble {
		t.Errorf("got %+v, want %+v", got, status)
	}
}

func TestAppendState(t *testing.T) {
	snapshot := topic.Snapshot{Sequence: 1042, Time: time.Unix(0, 5).UTC(), View: []byte(`{"phase":"play"}`)}
	payload, err := topic.AppendState(nil, newTable(t), 7, snapshot)
	if err != nil {
		t.Fatal(err)
	}
	got := brokertest.Decode[topic.State](t, payload)
	if got.Boot != 7 || got.Sequence != 1042 || !got.Time.Equal(snapshot.Time) ||
		!bytes.Equal(got.View, snapshot.View) {
		t.Errorf("got %+v", got)
	}
	for _, view := range []string{"", "null", "[]", "{", `{"a":1}x`} {
		snapshot.View = []byte(view)
		if after, err := topic.AppendState([]byte("before"), newTable(t), 7, snapshot); err == nil ||
			string(after) != "before" {
			t.Errorf("the view %q became %q, error %v", view, after, err)
		}
	}
}

func TestAppendHealth(t *testing.T) {
	last := time.Unix(1, 2).UTC()
	health := topic.Health{
		Site: "wiesbaden", Table: "bj1", Boot: 7, Version: "1.2", Time: time.Unix(5, 0).UTC(), Uptime: 61,
		Shoe: topic.Shoe{
			Up: true, Counters: map[string]uint64{"cards": 9, `odd"name`: 1}, Port: "/dev/ttyUSB0",
			Maker: "sabot", Serial: `SB "1"`, Firmware: "1.0.2", Packs: "red 1-6", LoadedBy: "d7",
			Queued: new(uint64), Confidence: &topic.Confidence{Cards: 100, Min: 71, Mean: 98, Low: 1},
			LastDown: &topic.Fault{Time: last, Text: "silent"},
		},
		Opening: &topic.Opening{Open: true, By: "anna", Dealer: "d7", Currency: "EUR", Min: 1000, BoxMax: 50000},
		Journal: topic.Journal{
			LastSequence: 12, LastEvent: &last, Unacknowledged: 3,
			Head: &topic.Head{ID: "ab", Record: 9, Hash: "cd"}, Away: 4, Began: &topic.Began{Acknowledged: 2, Away: 4},
			Trouble: &topic.Trouble{Code: topic.TroubleFailing, Since: last, Text: "disk full"},
		},
		Computer: &topic.Computer{
			DiskFree: new(uint64), DiskSize: new(uint64), JournalBytes: new(uint64),
			Celsius: new(uint64), Certificate: &last,
		},
		MemoryBytes: 1 << 24, Goroutines: 17,
		LastError: &topic.Fault{Time: last, Text: "serial port gone\nplug it in"},
	}
	payload := topic.AppendHealth(nil, health)
	got := brokertest.Decode[topic.Health](t, payload)
	want, err := json.Marshal(health)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(got); err != nil || !bytes.Equal(again, want) {
		t.Errorf("got  %s\nwant %s (%v)", again, want, err)
	}
	health.LastError, health.Journal.LastEvent, health.Journal.Head, health.Shoe.Counters = nil, nil, nil, nil
	health.Journal.Trouble, health.Opening, health.Computer = nil, nil, nil
	health.Shoe.Queued, health.Shoe.Confidence, health.Shoe.LastDown = nil, nil, nil
	got = brokertest.Decode[topic.Health](t, topic.AppendHealth(nil, health))
	if got.LastError != nil || got.Opening != nil || got.Computer != nil || got.Journal.LastEvent != nil ||
		got.Journal.Head != nil || got.Journal.Trouble != nil || len(got.Shoe.Counters) != 0 ||
		got.Shoe.Queued != nil || got.Shoe.Confidence != nil || got.Shoe.LastDown != nil {
		t.Errorf("a healthy table: %+v", got)
	}
}

// settledRecord is an event such as there are many.
func settledRecord() topic.Record {
	return topic.Record{
		Number: 1042, Boot: 7, At: 1774746123000004000, Round: 17,
		Line: []byte(`{"out":"settled","box":3,"bettor":"a","wager":"main","hand":1,"outcome":"win","why":"higher-total","stake":2000,"returned":2000,"won":2000}`),
	}
}

func BenchmarkAppendEvent(b *testing.B) {
	table := newTable(b)
	record := settledRecord()
	buffer := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		var err error
		if buffer, err = topic.AppendEvent(buffer[:0], table, record); err != nil {
			b.Fatal(err)
		}
	}
}
