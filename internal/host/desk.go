package host

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/host/paneldriver"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table/vocab"
)

// PanelOpener opens the lines of a panel: its contacts and its outputs.
type PanelOpener func(inputs, outputs []gpio.Line) (paneldriver.Board, error)

// WithPanel makes the daemon take the panel's lines from open instead of the kernel's GPIO
// chips, such as from a simulation.
func WithPanel(open PanelOpener) Option { return func(d *Daemon) { d.given.panel = open } }

func openGPIO(inputs, outputs []gpio.Line) (paneldriver.Board, error) {
	return gpio.Open(inputs, outputs)
}

// openDesk takes the lines of the keys and signals; it returns nil if there are none, and no
// keys at the shoe.
func (d *Daemon) openDesk() (*paneldriver.Desk, error) {
	wiring, err := paneldriver.WiringOf(d.config)
	lines := len(wiring.Inputs) + len(wiring.Outputs)
	if err != nil || lines == 0 && len(d.config.Shoe.Keys.Does) == 0 {
		return nil, err
	}
	var board paneldriver.Board
	if lines > 0 {
		if board, err = d.given.panel(wiring.Inputs, wiring.Outputs); err != nil {
			return nil, fmt.Errorf("the keys and signals: %w", err)
		}
	}
	return paneldriver.New(paneldriver.Options{
		Board: board, Wiring: wiring, Table: deskTable{d}, Log: d.log,
		Supervisor: d.supervisorKey, Contradiction: d.contradiction, Missing: d.linesMissing,
	}), nil
}

// deskTable is the table as the panel sees it.
type deskTable struct{ *Daemon }

func (t deskTable) Look() (display.View, <-chan struct{}) { return t.Board.Look() }

func (t deskTable) Press(ctx context.Context, in vocab.Input, at time.Time) (vocab.Reason, error) {
	in.Come(t.origin(vocab.FromPanel, ""))
	if in.Kind == vocab.InResolve || in.Kind == vocab.InHold {
		answer, err := t.submit(ctx, in, nil)
		return answer.Rejected, err
	}
	answer, err := t.runner.SubmitAt(ctx, in, t.given.outside.at(at))
	return answer.Rejected, err
}

// shoeKey presses what a key at the shoe does. Its event is in the journal, and never comes
// again: if the daemon ends before the call is put in, the press is lost, and the dealer, who
// sees that nothing happened, presses again.
func (d *Daemon) shoeKey(e shoe.Event) {
	key := d.config.Shoe.Keys.Press(e.Code)
	if e.Kind != shoe.Key || key == 0 {
		return
	}
	d.log.Info("keys: a key at the shoe was pressed", "number", e.Code, "key", key.String())
	d.panel.desk.Press(key, e.At, e.Late)
}

// supervisorKey takes the state of the supervisor's key switch.
func (d *Daemon) supervisorKey(on bool, at time.Time) {
	d.log.Info("keys: the supervisor's key was turned", "on", on, "at", at)
	d.Key(on, at)
}

// contradiction handles two calls that were pressed at once. If the first was taken, the
// rules undo it when they see the second, at the time when it was pressed.
func (d *Daemon) contradiction(ctx context.Context, c paneldriver.Contradiction) {
	d.log.Warn("keys: two calls at once, and neither counts: the dealer presses again",
		"first", c.First.String(), "second", c.Second.String(), "first_was_taken", c.Taken, "at", c.At)
	second, isCall := vocab.ParseCall(c.Second.String())
	if !c.Taken || !isCall {
		d.record(from(vocab.FromPanel, "", vocab.Input{Kind: vocab.InNote, Code: vocab.NoteTwoCalls + " " +
			c.First.String() + " " + c.Second.String()}))
		return
	}
	in := vocab.Input{Kind: vocab.InCall, Call: second}
	in.Come(d.origin(vocab.FromPanel, ""))
	if _, err := d.runner.SubmitAt(ctx, in, d.given.outside.at(c.At)); err != nil {
		d.log.Error("keys: the first of two calls at once was not taken back: undo it", "first", c.First.String(),
			"err", err)
	}
}

// lines is what is said about lines of the panel that are missing. Only the desk's goroutine uses said.
type lines struct {
	said map[string]bool // the reasons

	mu    sync.Mutex
	fault *topic.Fault // the last loss, even if it is over
}

func (l *lines) look() *topic.Fault {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fault
}

// linesMissing is called when lines of the panel can no longer be used, or can be again.
func (d *Daemon) linesMissing(list []paneldriver.Missing) {
	reasons, names := map[string]bool{}, []string{}
	for _, m := range list {
		why := m.Err.Error()
		if reasons[why] = true; !d.panel.lines.said[why] {
			d.log.Error("keys: lines of the panel are missing; the table continues without them, and uses them as "+
				"soon as they are there",
				"lines", strings.Join(m.Lines, ", "), "err", why)
			d.panel.lines.mu.Lock()
			d.panel.lines.fault = &topic.Fault{Time: time.Now(), Text: why}
			d.panel.lines.mu.Unlock()
		}
		names = append(names, m.Lines...)
	}
	switch {
	case len(list) > 0:
		d.record(from(vocab.FromProgram, "", vocab.Input{Kind: vocab.InNote, Code: "keys-missing " +
			strings.Join(names, ", ")}))
	case len(d.panel.lines.said) > 0:
		d.log.Info("keys: all lines of the panel are there again")
		d.record(from(vocab.FromProgram, "", vocab.Input{Kind: vocab.InNote, Code: "keys-back"}))
	}
	d.panel.lines.said = reasons
	d.shows.screen.change(func() { d.shows.screen.view.Missing = names })
}
