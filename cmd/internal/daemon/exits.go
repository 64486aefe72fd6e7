package daemon

import (
	"context"

	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/angeleye"
	"github.com/sabot-table/sabot/shoe/sabot"
)

// sabotExit is the exit of a sabot shoe. It is locked only where that is allowed. It is
// given free everywhere, since a shoe keeps the lock of a table that was killed; and the
// lamp keeps nobody from drawing.
type sabotExit struct {
	*sabot.Driver
	locks bool
}

func (e sabotExit) SetLock(_ context.Context, locked bool) error {
	e.Driver.SetLock(locked && e.locks)
	return nil
}

// SetLamp shows the most urgent lamp of the panel, since the shoe has but one, which does
// not blink.
func (e sabotExit) SetLamp(l panel.Lights) {
	light := wire.LightOff
	switch {
	case l.Red != panel.Off:
		light = wire.LightRed
	case l.Green != panel.Off:
		light = wire.LightGreen
	case l.Amber != panel.Off:
		light = wire.LightAmber
	}
	e.Driver.SetLamp(light)
}

// PutRight does nothing: such a shoe takes its alarms back itself.
func (e sabotExit) PutRight(context.Context, string) error { return nil }

// angelEyeExit is the exit of an Angel Eye to which commands may be sent.
type angelEyeExit struct{ *angeleye.Driver }

func (e angelEyeExit) SetLock(ctx context.Context, locked bool) error {
	if locked {
		return e.Lock(ctx)
	}
	return e.Unlock(ctx)
}

// SetLamp does nothing: such a shoe has no lamp that could be set.
func (e angelEyeExit) SetLamp(panel.Lights) {}

// PutRight clears the shoe's error and has it go on.
func (e angelEyeExit) PutRight(ctx context.Context, alarm string) error {
	code, is := angeleye.Error(alarm)
	if !is {
		return nil // the driver's own alarm, of which the shoe knows nothing
	}
	if err := e.ClearError(ctx, code); err != nil {
		return err
	}
	return e.Confirm(ctx)
}
