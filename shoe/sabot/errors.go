package sabot

import (
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// Why the link is down, besides errors of the port itself. Test for them with errors.Is.
var (
	// ErrSilent: nothing arrived from the shoe for 1.5 seconds.
	ErrSilent = errors.New("nothing is heard from the shoe: check that it is switched on, and the cable")
	// ErrGarbage: bytes came, but none of them made a frame.
	ErrGarbage = errors.New("what comes from the shoe is not a sabot frame: check the kind of shoe, the baud rate " +
		"and the cable")
	// ErrNotHeard: the shoe is heard, but does not answer.
	ErrNotHeard = errors.New("the shoe is heard but does not answer: check the line from this side to the shoe")
	// ErrStalled: the shoe has events that do not arrive, although its other messages do.
	ErrStalled = errors.New("the shoe has events that never arrive whole: stop dealing; check the cable, then have " +
		"the firmware checked")
	// ErrVersion: the shoe speaks another version of the protocol.
	ErrVersion = errors.New("protocol version")
	// ErrUnsecured: this side has a key, and the shoe has none.
	ErrUnsecured = errors.New("the shoe has no key, and this table takes cards only from one that has: give the " +
		"shoe its key, or remove shoe.key_file on a bench")
	// ErrNeedsKey: the shoe has a key, and this side has none.
	ErrNeedsKey = errors.New("the shoe speaks only with a table that has its key: write it into a file and set " +
		"shoe.key_file")
	// ErrWrongKey: both sides have a key, but not the same.
	ErrWrongKey = errors.New("the shoe's key is not this table's: put the same key into both; if nobody changed " +
		"one, this may be another shoe")
	// ErrOtherSession: what comes is sealed for a session that this side does not have.
	ErrOtherSession = errors.New("what comes from the shoe was sealed for another session: check the line from this " +
		"side to the shoe; if it is good, somebody is playing back a recording")
)

// damagedError adds its bytes to what is wrong with a frame.
type damagedError struct {
	error
	frame []byte
}

func (e *damagedError) Error() string { return e.error.Error() + ": " + shoe.Dump(e.frame) }
func (e *damagedError) Unwrap() error { return e.error }

// What an attacker does to the line between a shoe and a table that share a key.
var tamperings = [...]error{
	wire.Forged:   errors.New("an intact frame came that was not sealed in this session"),
	wire.Replayed: errors.New("a sealed frame came a second time, or after a later one"),
	wire.Vanished: errors.New("sealed frames never came, and nothing damaged came in their place"),
}

// versionError adds to the codec's words which side to update.
func versionError(e *wire.VersionError) error {
	what := "update the shoe's firmware"
	if e.Got > e.Want {
		what = "update the table's software"
	}
	return fmt.Errorf("%w: the shoe speaks version %d, the table version %d: %s", ErrVersion, e.Got, e.Want, what)
}
