package host

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
)

// exitAgain is the pause after a command that the shoe did not carry out.
const exitAgain = time.Second

// exitKeeper makes the shoe's own lock and lamp follow the table, as the lock and the lamps
// of the panel do: panel.Light derives both from the same view.
type exitKeeper struct {
	exit  shoe.Exit
	board *Board
	log   *slog.Logger

	// locked is the last command to the shoe, nil for none; said is the last complaint.
	// Only run uses them.
	locked *bool
	said   string

	mu       sync.Mutex
	standing map[string]bool // alarms that the shoe has raised and not cleared
	alarm    string          // the alarm that held the table when it was last durable
	right    []string        // alarms that were put right, which the shoe must be told
	forgot   bool            // the shoe may have forgotten its last command
	news     chan struct{}
}

// newExitKeeper returns the keeper of a shoe's exit at a table that an alarm may have held
// since before the start. It is nil, which does nothing, for a shoe that takes no commands.
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
			clear(k.standing) // this means all of them
		}
	case shoe.Up:
		k.forgot = true
		k.wake()
	}
}

// durable takes the table as the journal has it. An alarm that no longer holds it, but that
// the shoe has not cleared, was put right by a supervisor.
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

// wake wakes run. The lock is held.
func (k *exitKeeper) wake() {
	select {
	case k.news <- struct{}{}:
	default:
	}
}

// takeRights returns what the shoe must be told besides what the view says.
func (k *exitKeeper) takeRights() (right []string, forgot bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	right, forgot = k.right, k.forgot
	k.right, k.forgot = nil, false
	return right, forgot
}

// run commands the shoe until ctx ends. The driver decides what happens to the lock then.
func (k *exitKeeper) run(ctx context.Context) {
	if k == nil {
		return
	}
	for ctx.Err() == nil {
		view, changed := k.board.Look()
		right, forgot := k.takeRights()
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

// follow sets lock and lamp according to a view. It returns false if that must be repeated.
func (k *exitKeeper) follow(ctx context.Context, v display.View) (done bool) {
	if !v.Known() {
		return true // nothing is known about the table yet
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

// lamp is the most urgent lamp of the panel: a shoe has only one, which does not blink.
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

// complain logs why the shoe does not carry out a command, once for each cause. A missing
// shoe has been logged already.
func (k *exitKeeper) complain(ctx context.Context, what string, err error) {
	if err == nil || ctx.Err() != nil || errors.Is(err, shoe.ErrNoPort) || err.Error() == k.said {
		return
	}
	k.said = err.Error()
	k.log.Warn(what, "why", err)
}
