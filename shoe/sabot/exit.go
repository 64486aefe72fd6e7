package sabot

import (
	"context"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// Exit is the shoe's card exit.
func (d *Driver) Exit() shoe.Exit { return d }

// SetLock locks the card exit or gives it free, as soon as there is a shoe and again
// whenever it forgets. The shoe tells the change as Locked or Unlocked; it may stay locked
// for reasons of its own. To one that cannot lock nothing is sent. Without leave for
// commands the exit is never locked, and given free all the same: a shoe keeps the lock of
// a table that was killed.
func (d *Driver) SetLock(_ context.Context, locked bool) error {
	d.update(func(l *link) { l.setLock(locked && d.commands) })
	return nil
}

// SetLamp sets the shoe's lamp, as soon as there is a shoe and again whenever it forgets.
// To one that has no lamp nothing is sent. It needs no leave: a lamp keeps nobody from
// drawing.
func (d *Driver) SetLamp(light wire.Light) {
	d.update(func(l *link) { l.setLamp(light) })
}

// PutRight does nothing: such a shoe takes its alarms back itself.
func (d *Driver) PutRight(context.Context, string) error { return nil }
