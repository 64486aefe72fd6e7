package sabot

import (
	"context"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// Exit is the shoe's card exit.
func (d *Driver) Exit() shoe.Exit { return d }

// SetLock locks or unlocks the card exit, as soon as there is a shoe and again whenever it forgets. The shoe reports
// the change as Locked or Unlocked; it may stay locked for reasons of its own. Nothing is sent to a shoe that cannot
// lock. If commands are not allowed the exit is never locked, but is still unlocked: a shoe keeps the lock of a table
// that was killed.
func (d *Driver) SetLock(_ context.Context, locked bool) error {
	d.update(func(l *link) { l.setLock(locked && d.commands) })
	return nil
}

// SetLamp sets the shoe's lamp, as soon as there is a shoe and again whenever it forgets. Nothing is sent to one
// without a lamp. This is always allowed: a lamp keeps nobody from drawing.
func (d *Driver) SetLamp(light wire.Light) {
	d.update(func(l *link) { l.setLamp(light) })
}

// PutRight does nothing: such a shoe clears its alarms itself.
func (d *Driver) PutRight(context.Context, string) error { return nil }
