package angeleye

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// Exit is the shoe's card exit, nil where no commands are allowed.
func (d *Driver) Exit() shoe.Exit {
	if !d.commands {
		return nil
	}
	return exit{d}
}

type exit struct{ *Driver }

func (e exit) SetLock(ctx context.Context, locked bool) error {
	if locked {
		return e.Lock(ctx)
	}
	return e.Unlock(ctx)
}

// SetLamp does nothing: such a shoe has no lamp to set.
func (e exit) SetLamp(wire.Light) {}

// PutRight clears the shoe's error and lets it continue.
func (e exit) PutRight(ctx context.Context, alarm string) error {
	code, is := Error(alarm)
	if !is {
		return nil // the driver's own alarm, unknown to the shoe
	}
	if err := e.ClearError(ctx, code); err != nil {
		return err
	}
	return e.Confirm(ctx)
}

// Error returns the code of the error behind an alarm of this shoe, as ClearError takes it; false for an alarm that the
// driver itself raised.
func Error(alarm string) (code int, is bool) {
	if i := slices.Index(alarms[:], alarm); alarm != "" && i >= 0 {
		return i, true
	}
	number, is := strings.CutPrefix(alarm, otherError)
	code, err := strconv.Atoi(number)
	return code, is && err == nil
}
