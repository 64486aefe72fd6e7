// Package processes has what tests and benchmarks of a whole table need: a pit that listens, a
// remote dealer, the daemon as a process.
package processes

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

// Deadline limits how long a test waits for what must happen. It is long because slow
// computers run the tests, too.
const Deadline = 60 * time.Second

// Take returns the next of what comes from a channel. If nothing comes, the test fails.
func Take[T any](t testing.TB, what string, from <-chan T) T {
	t.Helper()
	select {
	case one := <-from:
		return one
	case <-time.After(Deadline):
		t.Fatalf("waited %v in vain for %s", Deadline, what)
		panic("not reached")
	}
}

// Floor is a pit that listens to one table: it drops duplicates and notices gaps.
type Floor struct {
	mu         sync.Mutex
	last       uint64
	lines      [][]byte
	twice      int
	subscribed int
	fault      error
	changed    chan struct{}
	seen       func(line []byte)
}

// Listen subscribes to a table's events, at QoS 1, until the test ends, and again
// whenever the broker comes back. seen, if not nil, is called with each event's
// output as it arrives for the first time.
func Listen(t testing.TB, address string, table topic.Table, seen func(line []byte)) *Floor {
	t.Helper()
	f := &Floor{changed: make(chan struct{}), seen: seen}
	options := mqtt.NewClientOptions().AddBroker("tcp://" + address).SetClientID("floor-" + t.Name()).
		SetCleanSession(false).SetAutoReconnect(true).SetMaxReconnectInterval(time.Second).SetOrderMatters(true).
		SetOnConnectHandler(func(c mqtt.Client) { f.subscribe(c, table.Topic(topic.KindEvent)) })
	client := mqtt.NewClient(options)
	if token := client.Connect(); !token.WaitTimeout(Deadline) || token.Error() != nil {
		t.Fatalf("the floor cannot reach the broker at %s: %v", address, token.Error())
	}
	t.Cleanup(func() { client.Disconnect(100) })
	f.Subscribed(t, 1)
	return f
}

// subscribe is tried again with the next connection if it fails.
func (f *Floor) subscribe(c mqtt.Client, events string) {
	token := c.Subscribe(events, 1, func(_ mqtt.Client, m mqtt.Message) { f.take(m.Payload()) })
	if token.Wait() && token.Error() == nil {
		f.change(func() { f.subscribed++ })
	}
}

// Subscribed returns when the floor has subscribed this many times, including the first.
func (f *Floor) Subscribed(t testing.TB, times int) {
	t.Helper()
	f.await(t, func() error {
		if f.subscribed < times {
			return fmt.Errorf("the floor has subscribed %d times, not %d", f.subscribed, times)
		}
		return nil
	})
}

// event is what the floor needs of a topic.Event.
type event struct {
	Sequence uint64          `json:"sequence"`
	Data     json.RawMessage `json:"data"`
}

func (f *Floor) take(payload []byte) {
	var e event
	err := json.Unmarshal(payload, &e)
	f.change(func() {
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
		if f.seen != nil {
			f.seen(e.Data)
		}
	})
}

func (f *Floor) change(what func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	what()
	close(f.changed)
	f.changed = make(chan struct{})
}

// Lines returns the events' outputs up to a number, as soon as all of them have arrived.
func (f *Floor) Lines(t testing.TB, upTo uint64) (lines [][]byte) {
	t.Helper()
	f.await(t, func() error {
		if f.fault != nil {
			t.Fatalf("what the floor heard has faults: %v", f.fault)
		}
		if f.last < upTo {
			return fmt.Errorf("the floor heard %d of %d events", f.last, upTo)
		}
		lines = f.lines[:upTo]
		return nil
	})
	return lines
}

// await returns when holds no longer returns an error. It waits as long as the floor hears
// something: a busy machine may take its time.
func (f *Floor) await(t testing.TB, holds func() error) {
	t.Helper()
	for {
		changed, missing := f.look(holds)
		if missing == nil {
			return
		}
		select {
		case <-changed:
		case <-time.After(Deadline):
			t.Fatalf("nothing was heard for %v: %v", Deadline, missing)
		}
	}
}

func (f *Floor) look(holds func() error) (changed <-chan struct{}, missing error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	missing = holds()
	return f.changed, missing
}

// Twice counts the events that came again.
func (f *Floor) Twice() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.twice
}
