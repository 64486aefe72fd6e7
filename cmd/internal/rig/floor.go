// Package rig is what tests and benchmarks of a whole table need: a pit that
// listens, a dealer at a distance, the daemon as a process.
package rig

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/pit/topic"
)

// Deadline bounds how long a test waits for what must come. It is long: slow
// computers run the tests too.
const Deadline = 60 * time.Second

// Floor is a pit that listens to one table: it drops what comes twice and notices
// what is missing.
type Floor struct {
	mu      sync.Mutex
	last    uint64
	lines   [][]byte
	twice   int
	fault   error
	changed chan struct{}
	seen    func(topic.Event)
}

// Listen subscribes to a table's events, at QoS 1, until the test ends. seen, if
// not nil, is called with each event as it arrives for the first time.
func Listen(t testing.TB, address string, table topic.Table, seen func(topic.Event)) *Floor {
	t.Helper()
	f := &Floor{changed: make(chan struct{}), seen: seen}
	options := mqtt.NewClientOptions().AddBroker("tcp://" + address).SetClientID("floor-" + t.Name()).
		SetCleanSession(false).SetAutoReconnect(true).SetOrderMatters(true)
	client := mqtt.NewClient(options)
	if token := client.Connect(); !token.WaitTimeout(Deadline) || token.Error() != nil {
		t.Fatalf("the floor cannot reach the broker at %s: %v", address, token.Error())
	}
	token := client.Subscribe(table.Topic(topic.KindEvent), 1, func(_ mqtt.Client, m mqtt.Message) { f.take(m.Payload()) })
	if !token.WaitTimeout(Deadline) || token.Error() != nil {
		t.Fatalf("the floor cannot subscribe: %v", token.Error())
	}
	t.Cleanup(func() { client.Disconnect(100) })
	return f
}

func (f *Floor) take(payload []byte) {
	var e topic.Event
	err := json.Unmarshal(payload, &e)
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err != nil:
		f.fault = errors.Join(f.fault, fmt.Errorf("event after %d: %w", f.last, err))
	case e.Sequence <= f.last:
		f.twice++
		return
	case e.Sequence != f.last+1:
		f.fault = errors.Join(f.fault, fmt.Errorf("event %d follows %d", e.Sequence, f.last))
	}
	f.last = e.Sequence
	f.lines = append(f.lines, e.Data)
	close(f.changed)
	f.changed = make(chan struct{})
	if f.seen != nil {
		f.seen(e)
	}
}

// Lines returns the events' outputs up to a number, as soon as all are there.
func (f *Floor) Lines(t testing.TB, upTo uint64) [][]byte {
	t.Helper()
	timeout := time.After(Deadline)
	for {
		f.mu.Lock()
		last, lines, fault, changed := f.last, f.lines, f.fault, f.changed
		f.mu.Unlock()
		if fault != nil {
			t.Fatalf("what the floor heard has faults: %v", fault)
		}
		if last >= upTo {
			return lines[:upTo]
		}
		select {
		case <-changed:
		case <-timeout:
			t.Fatalf("the floor heard %d of %d events", last, upTo)
		}
	}
}

// Twice counts the events that came again.
func (f *Floor) Twice() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.twice
}
