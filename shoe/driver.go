package shoe

import (
	"context"
	"log/slog"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
)

// Options say how a driver reaches its shoe, and what it may do with it. Only Open is required; a make ignores what it
// has no use for.
type Options struct {
	// Open opens the shoe's port.
	Open device.Opener
	// Stored is the position of the last durable event; the zero Position if there is none yet. (For a shoe that keeps
	// its events)
	Stored Position
	// Watches says that the caller stores nothing and only looks on: what the shoe gave to a table before is not
	// missing. (For a shoe that keeps its events)
	Watches bool
	// Key is the secret that the shoe shares; nil for none. The driver talks only to a shoe with the same key. (For a
	// shoe that shares a key)
	Key *wire.Secret
	// Commands allows what changes how the shoe behaves: locking its card exit, clearing
	// its errors.
	Commands bool
	// Baud is the speed at which Open opens a serial line, 0 for the make's usual one.
	Baud int
	// Guess says what bytes look like in which the driver finds no message: another make's, or a line with the wrong
	// speed, and what to do about it. It returns "" if they look like nothing that is known; nil always does.
	Guess func(*Sample) string
	// Log gets what the operator should know; nil is slog.Default().
	Log *slog.Logger
}

// Logger returns Log, or the default logger.
func (o Options) Logger() *slog.Logger {
	if o.Log == nil {
		return slog.Default()
	}
	return o.Log
}

// LooksLike asks Guess.
func (o Options) LooksLike(s *Sample) string {
	if o.Guess == nil {
		return ""
	}
	return o.Guess(s)
}

// Driver is the driver of one make of shoe. A function that takes Options makes it; Run starts it, once.
type Driver interface {
	Shoe
	// Counters returns what the driver counts, by the names used for the pit. It may be called at any time.
	Counters() map[string]uint64
	// Exit is the shoe's card exit, nil for a shoe that takes no commands.
	Exit() Exit
}

// Exit is how a table controls its shoe's card exit. Its methods are called one after the other; each returns once the
// shoe has the command, if its make answers commands.
type Exit interface {
	// SetLock locks or unlocks the card exit.
	SetLock(ctx context.Context, locked bool) error
	// SetLamp sets the shoe's lamp, if it has one.
	SetLamp(light wire.Light)
	// PutRight says that a supervisor has dealt with an alarm that the shoe raised.
	PutRight(ctx context.Context, alarm string) error
}

// Frame is one message on a shoe's line, in words for a person watching it.
type Frame struct {
	Text string
	// Card is the card that it reports, card.None for none.
	Card card.Card
	// Beat: it says only that the shoe is there.
	Beat bool
	// Err says why the message cannot be read; Text is then empty.
	Err error
}
