package shoe

import (
	"context"
	"log/slog"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
)

// Options say how a driver reaches its shoe, and what it may do there. Only Open is
// required; a make ignores what it has no use for.
type Options struct {
	// Open opens the shoe's port.
	Open device.Opener
	// Stored is the position of the last event that is durable; the zero Position if there
	// is none yet. (A shoe that keeps its events)
	Stored Position
	// Key is the secret that the shoe shares; nil for none. Only a shoe with the same key
	// is spoken with. (A shoe that shares a key)
	Key *wire.Secret
	// Commands allows what changes how the shoe behaves: locking its card exit, clearing
	// its errors.
	Commands bool
	// Log gets what people should know; nil is slog.Default().
	Log *slog.Logger
}

// Logger returns Log, or the usual one.
func (o Options) Logger() *slog.Logger {
	if o.Log == nil {
		return slog.Default()
	}
	return o.Log
}

// Driver is the driver of some make's shoe. It is made by a function that takes Options;
// Run starts it, once.
type Driver interface {
	Shoe
	// Counters are what the driver counts, by the names that the pit gets. It may be
	// called at any time.
	Counters() map[string]uint64
	// Exit is the shoe's card exit, nil for a shoe that is told nothing.
	Exit() Exit
}

// Exit is what a table has its shoe do at the card exit. Its methods are called one
// after the other; each returns once the shoe was told, as far as its make answers.
type Exit interface {
	// SetLock locks the card exit or gives it free.
	SetLock(ctx context.Context, locked bool) error
	// SetLamp has the shoe's lamp burn so, if it has one.
	SetLamp(light wire.Light)
	// PutRight says that a supervisor has seen to an alarm that the shoe had raised.
	PutRight(ctx context.Context, alarm string) error
}

// Frame is one message on a shoe's line, in words for people who look on.
type Frame struct {
	Text string
	// Card is the card that it tells of, card.None for none.
	Card card.Card
	// Beat: it only says that the shoe is there.
	Beat bool
	// Err says why the message cannot be read; it has no Text then.
	Err error
}
