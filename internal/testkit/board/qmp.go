package board

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// monitor speaks QMP, which tells QEMU what happens to the hardware.
type monitor struct {
	to io.Writer

	mu      sync.Mutex
	one     sync.Mutex // one command at a time
	answers chan message
	events  []message
	changed chan struct{}
	ended   error
	gone    chan struct{} // closed when QEMU's output has ended
}

// message is any message from QEMU.
type message struct {
	Greeting json.RawMessage `json:"QMP"`
	Return   json.RawMessage `json:"return"`
	Error    *struct {
		Class string `json:"class"`
		Desc  string `json:"desc"`
	} `json:"error"`
	Event string          `json:"event"`
	Data  json.RawMessage `json:"data"`
}

// newMonitor starts the dialogue. It reads until QEMU ends.
func newMonitor(from io.Reader, to io.Writer) *monitor {
	m := &monitor{to: to, answers: make(chan message, 1), changed: make(chan struct{}), gone: make(chan struct{})}
	go m.listen(json.NewDecoder(from))
	return m
}

func (m *monitor) listen(from *json.Decoder) {
	defer close(m.gone)
	for {
		var heard message
		err := from.Decode(&heard)
		switch {
		case err != nil:
			m.change(func() { m.ended = fmt.Errorf("QEMU has ended: %w", err) })
			return
		case heard.Greeting != nil:
		case heard.Event != "":
			m.change(func() { m.events = append(m.events, heard) })
		default:
			m.answers <- heard
		}
	}
}

func (m *monitor) change(what func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	what()
	close(m.changed)
	m.changed = make(chan struct{})
}

// do makes QEMU execute a command. answer may be nil.
func (m *monitor) do(ctx context.Context, command string, arguments map[string]any, answer any) error {
	m.one.Lock()
	defer m.one.Unlock()
	text, err := json.Marshal(struct {
		Execute   string         `json:"execute"`
		Arguments map[string]any `json:"arguments,omitempty"`
	}{command, arguments})
	if err != nil {
		return err
	}
	if _, err := m.to.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("asking QEMU for %s: %w", command, err)
	}
	heard, err := m.answer(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("asking QEMU for %s: %w", command, err)
	case heard.Error != nil:
		return fmt.Errorf("QEMU refuses %s: %s: %s", command, heard.Error.Class, heard.Error.Desc)
	case answer == nil:
		return nil
	}
	return json.Unmarshal(heard.Return, answer)
}

func (m *monitor) answer(ctx context.Context) (message, error) {
	for {
		m.mu.Lock()
		ended, changed := m.ended, m.changed
		m.mu.Unlock()
		select {
		case heard := <-m.answers:
			return heard, nil
		default:
		}
		if ended != nil {
			return message{}, ended
		}
		select {
		case heard := <-m.answers:
			return heard, nil
		case <-changed:
		case <-ctx.Done():
			return message{}, ctx.Err()
		}
	}
}

// await returns when there is an event of this name about a device, and removes the event.
func (m *monitor) await(ctx context.Context, event, device string) error {
	for {
		m.mu.Lock()
		found, ended, changed := m.take(event, device), m.ended, m.changed
		m.mu.Unlock()
		if found || ended != nil {
			return errors.Join(ended)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("QEMU did not report %s of %s: %w", event, device, ctx.Err())
		}
	}
}

// take removes an event. The lock is held.
func (m *monitor) take(event, device string) bool {
	for i, e := range m.events {
		var about struct {
			Device string `json:"device"`
		}
		if e.Event == event && json.Unmarshal(e.Data, &about) == nil && about.Device == device {
			m.events = append(m.events[:i], m.events[i+1:]...)
			return true
		}
	}
	return false
}
