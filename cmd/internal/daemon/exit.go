package daemon

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/oneway"
)

// exitAgain is how long a shoe that did not do as it was told is left alone.
const exitAgain = time.Second

// exitKeeper has the shoe's own lock and lamp follow the table, as the lock and the lamps
// of the panel do: both are drawn from the same view by panel.Light.
type exitKeeper struct {
	exit  shoe.Exit
	board *Board
	log   *slog.Logger

	// locked is what the shoe was told last, nil for nothing; said the last complaint.
	// They are run's alone.
	locked *bool
	said   string

	mu       sync.Mutex
	standing map[string]bool // alarms that the shoe has raised and not taken back
	alarm    string          // that held the table when it was last durable
	right    []string        // alarms of which the shoe is to be told that they were put right
	forgot   bool            // the shoe may have forgotten what it was told
	news     chan struct{}
}

// newExitKeeper returns the keeper of a shoe's exit at a table that an alarm may hold
// since before the start. It is nil, which keeps nothing, for a shoe that is told nothing.
func newExitKeeper(e shoe.Exit, alarm string, board *Board, log *slog.Logger) *exitKeeper {
	if e == nil {
		return nil
	}
	return &exitKeeper{
		exit: e, board: board, log: log,
		standing: map[string]bool{alarm: alarm != ""}, alarm: alarm, news: make(chan struct{}, 1),
	}
}

// heard takes an event of the shoe, before the table does.
func (k *exitKeeper) heard(e shoe.Event) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	switch e.Kind {
	case shoe.AlarmRaised:
		k.standing[e.Code] = true
	case shoe.AlarmCleared:
		delete(k.standing, e.Code)
		if e.Code == "" {
			clear(k.standing) // that is all of them
		}
	case shoe.Up:
		k.forgot = true
		k.wake()
	}
}

// durable takes the table as the journal has it. An alarm that holds it no more, and that
// the shoe has not taken back, a supervisor has put right.
func (k *exitKeeper) durable(v display.View) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	was := k.alarm
	k.alarm = v.Shoe.Alarm
	if was != k.alarm && k.standing[was] {
		delete(k.standing, was)
		k.right = append(k.right, was)
		k.wake()
	}
}

// wake tells run that there is news. The lock is held.
func (k *exitKeeper) wake() {
	select {
	case k.news <- struct{}{}:
	default:
	}
}

// take returns what the shoe is to be told beside what the view says.
func (k *exitKeeper) take() (right []string, forgot bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	right, forgot = k.right, k.forgot
	k.right, k.forgot = nil, false
	return right, forgot
}

// run tells the shoe until ctx ends. What becomes of the lock then is the driver's
// matter.
func (k *exitKeeper) run(ctx context.Context) {
	if k == nil {
		return
	}
	for ctx.Err() == nil {
		view, changed := k.board.Look()
		right, forgot := k.take()
		if forgot {
			k.locked = nil
		}
		for _, alarm := range right {
			k.complain(ctx, "shoe: the shoe does not take its alarm back", k.exit.PutRight(ctx, alarm))
		}
		var again <-chan time.Time
		if !k.follow(ctx, view) {
			again = time.After(exitAgain)
		}
		select {
		case <-changed:
		case <-k.news:
		case <-again:
		case <-ctx.Done():
		}
	}
}

// follow has lock and lamp be as a view says. It returns false if that must be tried
// again.
func (k *exitKeeper) follow(ctx context.Context, v display.View) (done bool) {
	if !v.Known() {
		return true // nobody knows anything of the table yet
	}
	lights := panel.Light(v)
	k.exit.SetLamp(lamp(lights))
	if k.locked != nil && *k.locked == lights.Locked {
		return true
	}
	k.locked = nil
	if err := k.exit.SetLock(ctx, lights.Locked); err != nil {
		k.complain(ctx, "shoe: the lock of the card exit does not follow the table", err)
		return false
	}
	k.locked, k.said = &lights.Locked, ""
	return true
}

// lamp is the most urgent lamp of the panel: a shoe has but one, which does not blink.
func lamp(l panel.Lights) wire.Light {
	switch {
	case l.Red != panel.Off:
		return wire.LightRed
	case l.Green != panel.Off:
		return wire.LightGreen
	case l.Amber != panel.Off:
		return wire.LightAmber
	}
	return wire.LightOff
}

// complain logs why the shoe does not do as it was told, once for each cause. That there
// is no shoe has been said.
func (k *exitKeeper) complain(ctx context.Context, what string, err error) {
	if err == nil || ctx.Err() != nil || errors.Is(err, oneway.ErrNoPort) || err.Error() == k.said {
		return
	}
	k.said = err.Error()
	k.log.Warn(what, "why", err)
}
