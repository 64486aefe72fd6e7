package shoe

import (
	"context"
	"log/slog"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
)

// Options say how a driver reaches its shoe, and what it may do with it. Only Open is required; a make ignores what it
// has no use for.
type Options struct {
	// Open opens the shoe's port.
	Open device.Opener
	// Stored are the positions of the last durable event of each boot of a shoe, the latest first; none before the
	// first event. (For a shoe that keeps its events)
	Stored []Position
	// Watches says that the caller stores nothing and only looks on: what the shoe gave to a table before is not
	// missing. (For a shoe that keeps its events)
	Watches bool
	// Reports are the last on record, in the order in which they came: their copies may still be on the line. (For a
	// shoe that keeps no events)
	Reports []Report
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

// Report is an Event.Report that is on record, and when the host took it, by the host's clock.
type Report struct {
	Bytes string
	At    time.Time
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
	// Condition returns what is known of the shoe at the moment. It may be called at any time.
	Condition() Condition
	// Exit is the shoe's card exit, nil for a shoe that takes no commands.
	Exit() Exit
}

// Condition is how a shoe does at the moment, as far as its make tells.
type Condition struct {
	// Queued is how many events the shoe keeps until they are acknowledged; nil while nobody knows.
	Queued *uint64
	// Confidence is how sure the shoe was of the cards that it read last; nil for none.
	Confidence *Confidence
}

// Confidence is how sure a shoe was of so many cards that it read, in percent. Low counts those below LowConfidence.
type Confidence struct{ Cards, Min, Mean, Low uint64 }

// LowConfidence is the percentage below which a reading is worth a look at the sensor: cleaning it helps before cards
// become unread.
const LowConfidence = 80

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
