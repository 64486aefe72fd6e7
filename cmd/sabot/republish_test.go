package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// pitTable writes the configuration of a table with a journal and a broker.
func pitTable(t *testing.T, journal, broker string) string {
	t.Helper()
	path := write(t, fmt.Sprintf(`site: test
table: bj-1
house: wiesbaden
shoe: {port: /dev/null}
journal: {path: %s}
mqtt: {broker: "%s", window: 4}
supervisors: {proof: none}
`, journal, broker))
	if _, err := config.Load(path, profile.Built()); err != nil {
		t.Fatal(err)
	}
	return path
}

// messagesOf returns the payloads that the table's own publisher makes from its events.
func messagesOf(t *testing.T, path string) (payloads [][]byte) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	found, err := j.Events(0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range publish.Records(found) {
		payload, err := topic.AppendEvent(nil, name, r)
		if err != nil {
			t.Fatal(err)
		}
		payloads = append(payloads, payload)
	}
	return payloads
}

// TestRepublish sends all events of a journal, some, and one: byte for byte as the table
// sent them, in order, and nothing else.
func TestRepublish(t *testing.T) {
	path := recorded(t, round)
	all := messagesOf(t, path)
	mosquitto := brokertest.StartMosquitto(t)
	file := pitTable(t, path, "tcp://"+mosquitto.Addr())
	end := len(all)
	for _, c := range []struct {
		args        []string
		first, last int
	}{
		{[]string{"--from", "1"}, 1, end},
		{[]string{"--from", "3", "--to", "9"}, 3, 9},
		{[]string{"--from", strconv.Itoa(end)}, end, end},
		{[]string{"--from", "1", "--to", "1"}, 1, 1},
	} {
		subscriber := brokertest.Subscribe(t, mosquitto.Addr(), "#")
		got := sabot(t, "", append([]string{"journal", "republish", "--config", file}, c.args...)...)
		n := c.last - c.first + 1
		want := fmt.Sprintf("events %d to %d of %s: %d sent, %d acknowledged by tcp://%s\n", c.first, c.last, path, n,
			n, mosquitto.Addr())
		if got.Status != exitOK || got.Err != "" || got.Out != want {
			t.Errorf("%v: %+v, not %s", c.args, got, want)
		}
		brokertest.Publish(t, mosquitto.Addr(), "end", []byte("x"))
		brokertest.Until(t, "all is there", func() bool {
			messages := subscriber.Messages()
			return len(messages) > 0 && messages[len(messages)-1].Topic == "end" && !messages[len(messages)-1].Retained
		})
		var came [][]byte
		for _, m := range subscriber.Messages() {
			switch m.Topic {
			case "end":
			case "sabot/v1/test/bj-1/event":
				came = append(came, m.Payload)
			default:
				t.Errorf("%v: %s on %s", c.args, m.Payload, m.Topic)
			}
		}
		if !bytes.Equal(bytes.Join(came, []byte("\n")), bytes.Join(all[c.first-1:c.last], []byte("\n"))) {
			t.Errorf("%v: %d events came, not those from %d to %d", c.args, len(came), c.first, c.last)
		}
	}
}

// TestRepublishRefused: each error says what is wrong and what to do.
func TestRepublishRefused(t *testing.T) {
	path := recorded(t, round)
	end := len(messagesOf(t, path))
	mosquitto := brokertest.StartMosquitto(t, "allow_anonymous false")
	denied := pitTable(t, path, "tcp://"+mosquitto.Addr())
	away := pitTable(t, path, "tcp://127.0.0.1:1")
	ends := fmt.Sprintf("ends with event %d", end)
	for _, c := range []struct {
		config string
		args   []string
		status int
		want   []string
	}{
		{away, []string{"--from", strconv.Itoa(end + 1)}, exitFailed, []string{path, ends}},
		{away, []string{"--from", "1", "--to", strconv.Itoa(end + 1)}, exitFailed, []string{path, ends}},
		{
			away,
			[]string{"--from", "1"},
			exitFailed,
			[]string{"no event was sent", "check that a broker runs at 127.0.0.1:1"},
		},
		{denied, []string{"--from", "1"}, exitFailed, []string{
			"no event was sent", "not authorised (CONNACK 5)",
			"access list",
		}},
		{pitTable(t, path, ""), []string{"--from", "1"}, exitFailed, []string{"names no MQTT broker: set mqtt.broker"}},
		{
			pitTable(t, filepath.Join(t.TempDir(), "missing.db"), "tcp://127.0.0.1:1"),
			[]string{"--from", "1"},
			exitFailed,
			[]string{"check the path"},
		},
		{away, nil, exitUsage, []string{"--from takes the number of an event"}},
		{away, []string{"--from", "9", "--to", "3"}, exitUsage, []string{"nothing from event 9 to 3"}},
		{away, []string{"--from", "1", "2"}, exitUsage, []string{`"2" is too much`}},
	} {
		wantFailure(t, sabot(t, "", append([]string{"journal", "republish", "--config", c.config}, c.args...)...),
			c.status, c.want...)
	}
	wantFailure(t, sabot(t, "", "journal", "republish", "--from", "1"), exitUsage,
		"republish: it needs a configuration")
	if strings.Contains(ends, "event 0") {
		t.Error("the journal has no events")
	}
}
