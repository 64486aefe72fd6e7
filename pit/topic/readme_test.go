package topic_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestTheReadmesExamples decodes the example that README.md gives for each topic.
func TestTheReadmesExamples(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)### `(\\w+)`\n\n```json\n(.*?)\n```").FindAllSubmatch(text, -1)
	if want := len(topic.Kinds()) - 2; len(examples) != want { // what is signed is no JSON
		t.Fatalf("README.md has %d examples for %d topics", len(examples), want)
	}
	for _, example := range examples {
		switch kind, payload := topic.Kind(example[1]), example[2]; kind {
		case topic.KindStatus:
			brokertest.Decode[topic.Status](t, payload)
		case topic.KindState:
			brokertest.Decode[topic.State](t, payload)
		case topic.KindEvent:
			sameAgain(t, brokertest.Decode[topic.Event](t, payload), payload)
		case topic.KindHealth:
			brokertest.Decode[topic.Health](t, payload)
		case topic.KindAlert:
			brokertest.Decode[topic.Alert](t, payload)
		case topic.KindTotals:
			totals := brokertest.Decode[topic.Totals](t, payload)
			if again := topic.AppendTotals(nil, totals); string(again) != string(payload) {
				t.Errorf("README.md says %s\nthe table says %s", payload, again)
			}
		case topic.KindRequest:
			brokertest.Decode[topic.Request](t, payload)
		case topic.KindFetch:
			fetchAgain(t, payload)
		case topic.KindRecords:
			recordsAgain(t, payload)
		case topic.KindAnswer:
			answer := brokertest.Decode[topic.Answer](t, payload)
			if again := topic.AppendAnswer(nil, answer); string(again) != string(payload) {
				t.Errorf("README.md says %s\nthe table says %s", payload, again)
			}
		default:
			t.Errorf("README.md has an example for %q", kind)
		}
	}
}

// TestTheReadmeSaysHowOften holds README.md to the time between two healths.
func TestTheReadmeSaysHowOften(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprintf("| `%s` | 1 | yes | every %d seconds |", topic.KindHealth, topic.HealthEvery/time.Second)
	if !strings.Contains(string(text), said) {
		t.Errorf("README.md does not say %s", said)
	}
}

// sameAgain builds the example of an event anew: the bytes are a contract.
func sameAgain(t *testing.T, event topic.Event, payload []byte) {
	t.Helper()
	again, err := topic.AppendEvent(nil, newTable(t), topic.Record{
		Number: event.Sequence, Boot: event.Boot, At: event.Time.UnixNano(), Round: event.Round, Line: event.Data,
	})
	if err != nil || string(again) != string(payload) {
		t.Errorf("README.md says %s\nthe table says %s (%v)", payload, again, err)
	}
}

// fetchAgain reads the example of a fetch as a table does, and writes it anew.
func fetchAgain(t *testing.T, payload []byte) {
	t.Helper()
	fetch, err := topic.ParseFetch(payload)
	if again := topic.AppendFetch(nil, fetch); err != nil || string(again) != string(payload) {
		t.Errorf("README.md says %s\na reader says %s (%v)", payload, again, err)
	}
}

// recordsAgain reads the example of an answer as a reader does, and writes it anew.
func recordsAgain(t *testing.T, payload []byte) {
	t.Helper()
	brokertest.Decode[topic.Records](t, payload)
	records, err := topic.ParseRecords(payload)
	if again := topic.AppendRecords(nil, records); err != nil || string(again) != string(payload) {
		t.Errorf("README.md says %s\nthe table says %s (%v)", payload, again, err)
	}
}
