package shoesim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
)

// Kind is the make of a shoe, by the name of its driver.
type Kind string

// The makes that can be simulated.
const (
	Sabot    Kind = "sabot"
	BeeTek   Kind = "bee-tek"
	AngelEye Kind = "angel-eye"
)

// Kinds lists the makes.
func Kinds() []Kind { return []Kind{Sabot, BeeTek, AngelEye} }

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

// Troubles lists the troubles that a make knows, in the order of their names.
func (k Kind) Troubles() []Trouble {
	switch k {
	case BeeTek:
		return slices.Sorted(maps.Keys(beeTekTroubles))
	case AngelEye:
		return slices.Sorted(maps.Keys(angelEyeTroubles))
	}
	return slices.Sorted(maps.Keys(sabotTroubles))
}

// ErrNoSuch: this make of shoe has no such part, or knows no such trouble.
var ErrNoSuch = errors.New("this make of shoe has nothing like it")

// firmware is what is inside a shoe, without its hardware: bytes and times in, bytes
// out. Times are since its start.
type firmware interface {
	// Step takes the bytes received, does what is due at now, and appends what the shoe
	// sends to out.
	Step(now time.Duration, in, out []byte) []byte
	// Wake is when the next Step is due even if nothing happens.
	Wake() time.Duration
	// card: a card left; card.Unread is one that the sensor could not read.
	card(now time.Duration, c card.Card)
	cutCard(now time.Duration)
	trouble(now time.Duration, t Trouble, raised bool) error
	// locked says why no card can leave, "" if one can.
	locked() string
	// sending is how many messages wait for their turn.
	sending() int
	// frame is how long the first message is in what is sent.
	frame(p []byte) int
}

// never is a Wake of a firmware that does nothing by itself.
const never = time.Duration(1<<63 - 1)

func noTrouble[V any](t Trouble, known map[Trouble]V) error {
	names := make([]string, 0, len(known))
	for _, name := range slices.Sorted(maps.Keys(known)) {
		names = append(names, string(name))
	}
	return fmt.Errorf("trouble %q: %w; it knows %s", t, ErrNoSuch, strings.Join(names, ", "))
}

// sabotFirmware is a Core as any shoe's firmware.
type sabotFirmware struct{ *Core }

var sabotTroubles = map[Trouble]wire.AlarmCode{
	CannotRead: wire.AlarmSensor, ReversePull: wire.AlarmReversePull, ForeignCard: wire.AlarmForeignCard,
	Jam: wire.AlarmJam, Cover: wire.AlarmCover,
}

func (f sabotFirmware) card(now time.Duration, c card.Card) {
	r := read(c)
	f.Card(now, r.rank, r.suit, r.confidence)
}

func (f sabotFirmware) cutCard(now time.Duration) { f.CutCard(now) }

func (f sabotFirmware) trouble(now time.Duration, t Trouble, raised bool) error {
	code, known := sabotTroubles[t]
	switch {
	case !known:
		return noTrouble(t, sabotTroubles)
	case raised:
		f.RaiseAlarm(now, code, 0)
	default:
		f.ClearAlarm(now, code, 0)
	}
	return nil
}

func (f sabotFirmware) locked() string {
	if locks := f.Locks(); locks != 0 {
		return fmt.Sprintf("reasons %#02x", uint8(locks))
	}
	return ""
}

func (f sabotFirmware) sending() int { return 0 }

// frame ends with a zero byte.
func (f sabotFirmware) frame(p []byte) int {
	return slices.Index(p, 0) + 1
}
