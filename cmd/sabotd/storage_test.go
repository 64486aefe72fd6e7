package main

import (
	"encoding/json"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

// heard is what the pit knows of a table from its retained topics.
type heard struct {
	t      *testing.T
	reader *brokertest.Subscriber
	name   topic.Table
}

func (w *world) hear() heard {
	w.t.Helper()
	name, err := topic.NewTable("test", "bj-1")
	if err != nil {
		w.t.Fatal(err)
	}
	return heard{w.t, brokertest.Subscribe(w.t, w.broker.Addr(), topic.Prefix+"/test/bj-1/#"), name}
}

// all returns what came on a topic.
func (h heard) all(on string) (payloads [][]byte) {
	for _, m := range h.reader.Messages() {
		if m.Topic == on {
			payloads = append(payloads, m.Payload)
		}
	}
	return payloads
}

// last decodes the last message on a topic; false if there is none.
func last[T any](h heard, on string) (T, bool) {
	all := h.all(on)
	if len(all) == 0 || len(all[len(all)-1]) == 0 {
		var none T
		return none, false
	}
	return brokertest.Decode[T](h.t, all[len(all)-1]), true
}

// alert is the table's alert of a journal that cannot be written.
func (h heard) alert() (a display.Alert, found bool) {
	m, found := last[topic.Alert](h, h.name.Alert(irregularity.StorageFailing.String()))
	if found {
		if err := json.Unmarshal(m.Alert, &a); err != nil {
			h.t.Fatal(err)
		}
	}
	return a, found
}

// trouble returns the journal's code in status, health and state.
func (h heard) trouble() (codes [3]string) {
	status, _ := last[topic.Status](h, h.name.Topic(topic.KindStatus))
	health, _ := last[topic.Health](h, h.name.Topic(topic.KindHealth))
	state, _ := last[topic.State](h, h.name.Topic(topic.KindState))
	codes[0] = status.Trouble
	if t := health.Journal.Trouble; t != nil {
		codes[1] = t.Code
	}
	var v display.View
	if err := json.Unmarshal(state.View, &v); state.View != nil && err != nil {
		h.t.Fatal(err)
	}
	if v.Held != nil {
		codes[2] = v.Held.Code.String()
	}
	return codes
}

// TestThePitHearsOfAFailingJournal: status, health, state and an alert say that the table
// cannot record while that lasts, and at once that it is over. The alert stays until
// somebody has acknowledged it. The events are those of the journal, in order.
func TestThePitHearsOfAFailingJournal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	h := w.hear()
	process := w.start()
	d := w.deal(2)
	w.fail(d, process)

	const code = topic.TroubleFailing
	brokertest.Until(t, "the pit hears of it", func() bool {
		a, found := h.alert()
		return h.trouble() == [3]string{code, code, code} && found && a.Standing == 1 && a.Times == 1 && a.Raised != ""
	})
	health, _ := last[topic.Health](h, h.name.Topic(topic.KindHealth))
	contains(t, health.Journal.Trouble.Text, w.path, "not full")
	state, _ := last[topic.State](h, h.name.Topic(topic.KindState))
	if n := health.Journal.LastSequence; state.Sequence != n {
		t.Errorf("the state has event %d, the journal ends with %d", state.Sequence, n)
	}

	limitFiles(t, process, unix.RLIM_INFINITY)
	told := d.finish()
	brokertest.Until(t, "the pit hears that it is over", func() bool {
		a, found := h.alert()
		return h.trouble() == [3]string{} && found && a.Standing == 0 && a.Cleared != ""
	})
	if a, _ := h.alert(); a.Times != 1 {
		t.Errorf("one failure was told %d times: %+v", a.Times, a)
	}
	raised := false
	for _, payload := range h.all(h.name.Alert(code)) {
		raised = raised || len(payload) > 0
		if raised && len(payload) == 0 {
			t.Error("the alert was taken off before anybody had seen it")
		}
	}
	w.check(told, 2, "storage-failing")
	process.Stop()
}
