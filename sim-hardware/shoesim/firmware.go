package shoesim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
)

// Kind is the make of a shoe, by its name in shoe/makes.
type Kind string

// simulator is how a make is simulated.
type simulator struct {
	// start begins a life of the firmware.
	start func(*Shoe) firmware
	// troubles are those that the make has, in the order of their names.
	troubles []Trouble
	// key: it can share a key with its host.
	key bool
}

// simulators are the makes that can be simulated. Each one's file adds it.
var simulators = map[Kind]simulator{}

// Kinds lists the makes that can be simulated, in the order of their names.
func Kinds() []Kind { return slices.Sorted(maps.Keys(simulators)) }

// Trouble is what a shoe raises an alarm for.
type Trouble string

// The troubles. Each make knows some of them.
const (
	CannotRead  Trouble = "cannot-read"
	ReversePull Trouble = "reverse-pull"
	Overdraw    Trouble = "overdraw"
	ForeignCard Trouble = "foreign-card"
	Jam         Trouble = "jam"
	Cover       Trouble = "cover"
)

// Troubles lists the troubles that a make has, in the order of their names.
func (k Kind) Troubles() []Trouble { return simulators[k].troubles }

// ErrNoSuch: this make of shoe has no such part or trouble.
var ErrNoSuch = errors.New("this make of shoe has nothing like it")

// knows returns an error for a trouble that a make does not know.
func (k Kind) knows(t Trouble) error {
	if slices.Contains(k.Troubles(), t) {
		return nil
	}
	var known []string
	for _, t := range k.Troubles() {
		known = append(known, string(t))
	}
	return fmt.Errorf("trouble %q: %w; it knows %s", t, ErrNoSuch, strings.Join(known, ", "))
}

// firmware is a shoe's firmware, without its hardware: bytes and times in, bytes out. Times are since its start.
type firmware interface {
	// Step takes the bytes received, does what is due at now, and appends what the shoe
	// sends to out.
	Step(now time.Duration, in, out []byte) []byte
	// Wake is when the next Step is due even if nothing happens.
	Wake() time.Duration
	// card: a card left; card.Unread is one that the sensor could not read.
	card(now time.Duration, c card.Card)
	cutCard(now time.Duration)
	// trouble raises one of those that the make knows, or ends it.
	trouble(now time.Duration, t Trouble, raised bool)
	// locked says why no card can leave, "" if one can.
	locked() string
	// sending is how many messages wait for their turn.
	sending() int
	// frame is how long the first message is in what is sent.
	frame(p []byte) int
}

// never is a Wake of a firmware that does nothing on its own.
const never = time.Duration(1<<63 - 1)
