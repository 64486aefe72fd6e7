package sabot

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
)

// Why the link is down, beside what is wrong with the port itself. Ask for them
// with errors.Is.
var (
	// ErrSilent: nothing came from the shoe for 1.5 seconds.
	ErrSilent = errors.New("nothing is heard from the shoe: check that it is switched on, and the cable")
	// ErrGarbage: bytes came, but none of them made a frame.
	ErrGarbage = errors.New("what comes from the shoe is no sabot frame: check the kind of shoe, the baud rate and the cable")
	// ErrNotHeard: the shoe is heard, but does not answer.
	ErrNotHeard = errors.New("the shoe is heard but does not answer: check the line from this side to the shoe")
	// ErrStalled: the shoe has events that do not arrive, though its other messages do.
	ErrStalled = errors.New("the shoe has events that never arrive whole: check the cable, else have the firmware checked; stop dealing")
	// ErrVersion: the shoe speaks another version of the protocol.
	ErrVersion = errors.New("protocol version")
)

// versionError adds to the codec's words which side to update.
func versionError(e *wire.VersionError) error {
	what := "update the shoe's firmware"
	if e.Got > e.Want {
		what = "update the table's software"
	}
	return fmt.Errorf("%w: the shoe speaks version %d, the table version %d: %s", ErrVersion, e.Got, e.Want, what)
}
