package paneldriver

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/vocab"
)

// timedTable keeps when everything was pressed.
type timedTable struct{ pressed []time.Time }

func (*timedTable) Look() (display.View, <-chan struct{}) { return display.View{}, nil }

func (t *timedTable) Press(_ context.Context, _ vocab.Input, at time.Time) (vocab.Reason, error) {
	t.pressed = append(t.pressed, at)
	return 0, nil
}

// TestTimes: what is put in, and what the panel's owner is told, has the times of the
// contacts, not those at which they had come to rest.
func TestTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := keysim.NewBank(keysim.BankOptions{Contacts: 3})
		began := time.Now()
		var turned, contradicted []time.Time
		var pressed timedTable
		d := New(Options{
			Board: board, Table: &pressed, Log: slog.New(slog.DiscardHandler),
			Wiring: Wiring{
				Contacts: []Contact{{Short: panel.Card, Long: panel.Double}, {Short: panel.Rest}, {Supervisor: true}},
				Timing:   usual,
			},
			Supervisor:    func(_ bool, at time.Time) { turned = append(turned, at) },
			Contradiction: func(_ context.Context, c Contradiction) { contradicted = append(contradicted, c.At) },
		})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- d.Run(ctx) }()
		at := func(when time.Duration, do func()) {
			bubble.Settle(time.Until(began.Add(when)))
			do()
		}
		at(1*time.Second, func() { board.Press(1, 100*time.Millisecond) })         // told on closing
		at(1100*time.Millisecond, func() { board.Press(0, 100*time.Millisecond) }) // contradicts it
		at(2*time.Second, func() { board.Press(0, 100*time.Millisecond) })         // told on release, at 2.1 s
		at(2080*time.Millisecond, func() { board.Press(1, time.Millisecond*100) }) // while that is held
		at(3*time.Second, func() { board.Press(0, 80*time.Millisecond) })          // told on release, at 3.08 s
		at(3085*time.Millisecond, func() { board.Press(1, 100*time.Millisecond) }) // before that has come to rest
		at(4*time.Second, func() { board.Press(0, time.Second); board.Hold(2) })   // long at 4.7 s
		at(6*time.Second, func() { board.Release(2) })
		bubble.Settle(time.Second)
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		for _, c := range []struct {
			what string
			got  []time.Time
			want []time.Duration
		}{
			{"put in", pressed.pressed, []time.Duration{time.Second, 3080 * time.Millisecond, 4700 * time.Millisecond}},
			{"contradicted", contradicted, []time.Duration{
				1100 * time.Millisecond, 2080 * time.Millisecond,
				3085 * time.Millisecond,
			}},
			{"turned", turned, []time.Duration{4 * time.Second, 6 * time.Second}},
		} {
			var got []time.Duration
			for _, at := range c.got {
				got = append(got, at.Sub(began))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s at %v, want %v", c.what, got, c.want)
			}
		}
	})
}

// TestContradictionIsNotEarlier: two calls of the same moment are a hair apart once their times are taken from the
// board's clock to the desk's, in either order. The contradiction is never told as earlier than the press that it
// undoes: the rules would take it for a call of its own.
func TestContradictionIsNotEarlier(t *testing.T) {
	for _, hair := range []time.Duration{-5 * time.Microsecond, 0, 5 * time.Microsecond} {
		var table timedTable
		var told []Contradiction
		d := New(Options{
			Table: &table, Log: slog.New(slog.DiscardHandler), Board: keysim.NewBank(keysim.BankOptions{Contacts: 2}),
			Wiring:        Wiring{Contacts: []Contact{{Short: panel.Card}, {Short: panel.Rest}}, Timing: usual},
			Contradiction: func(_ context.Context, c Contradiction) { told = append(told, c) },
		})
		now, lasts := time.Now(), make([]last, 2)
		of := func(e keys.Event, at time.Time) pressed { return pressed{Event: e, at: at, heard: now} }
		short := keys.Event{Kind: keys.Short, Key: 1, At: time.Second}
		second := keys.Event{Kind: keys.Contradiction, Key: 0, Other: 1, Given: true, At: time.Second}
		d.takePress(t.Context(), of(short, now), lasts)
		d.takePress(t.Context(), of(second, now.Add(hair)), lasts)
		if len(told) != 1 || told[0].At.Before(now) {
			t.Errorf("%s apart: told %+v", hair, told)
		}
	}
}
