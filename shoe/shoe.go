// Package shoe turns a card-reading shoe's bytes into card events. Each kind of
// shoe is a driver in a folder of its own; this package holds what they share, and
// all but the decoder of those whose shoe keeps no card (Unacked).
package shoe

import (
	"context"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
)

// Position names one event of a shoe: the boot in which it happened and its
// number in that boot, from 1. The zero Position is before every event.
type Position struct {
	Boot uint32
	Seq  uint32
}

// String writes the position as boot and number.
func (p Position) String() string { return fmt.Sprintf("%08x/%d", p.Boot, p.Seq) }

// Kind says what a shoe reported.
type Kind uint8

// What a shoe can report.
const (
	// Drawn: a card left the shoe; Event.Card says which, or card.Unread.
	Drawn Kind = iota + 1
	// CutCard: the cut card appeared; the current round is the shoe's last.
	CutCard
	// AlarmRaised and AlarmCleared: the shoe's own trouble, named by Event.Code.
	AlarmRaised
	AlarmCleared
	// Up: the link is up, and Event.Shoe is the shoe on it. Up comes again, without a Down, if another shoe is found
	// there.
	Up
	// Down: the link is lost, or the shoe has gone quiet. Event.Err says why; Down comes again if another reason
	// replaces the first.
	Down
	// Gap: events of the shoe are lost, each of which may have been a card whose identity will never be known.
	// Event.Missing counts them; 0 means that the number is unknown.
	Gap
	// Key: a key wired to the shoe was pressed, named by Event.Code.
	Key
	// Locked and Unlocked: the state of the card exit.
	Locked
	Unlocked
	// Other: an event without meaning for the table, named by Event.Code. It has a number like any other, and is stored
	// so that it is not missed.
	Other
	// Reused: a shoe restarted under a boot id that it had before, named by Event.Code in hexadecimal, against its
	// protocol. A Gap follows, and then numbers that were used before.
	Reused
)

var kindNames = [...]string{
	Drawn: "card", CutCard: "cut-card", AlarmRaised: "alarm-raised", AlarmCleared: "alarm-cleared",
	Up: "up", Down: "down", Gap: "gap", Key: "key", Locked: "locked", Unlocked: "unlocked",
	Other: "other", Reused: "boot-reused",
}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Identity says which shoe it is: its make, by the name in configurations, its serial number and the version of its
// firmware. The last two are "" for a make that does not tell them.
type Identity struct{ Maker, Serial, Firmware string }

// Event is one thing a shoe reported.
type Event struct {
	Kind Kind
	// At is when the host received it.
	At time.Time
	// Position is set on the numbered events (all but Up, Down and Reused) of a shoe that keeps them until the host
	// calls Stored. A shoe that keeps nothing leaves it zero on all.
	Position Position
	// Report is the shoe's own report of a card, as it came over the line, from a shoe that sends each report several
	// times and keeps none; otherwise it is empty. It is stored with the card, and Options.Reports returns it at the
	// next start.
	Report string
	Card   card.Card
	Code   string
	// Detail is what a note says beyond its Code: a report's bytes, by which a card may be known. It goes on record
	// with the code, but not where a card of the round may lie face down. (Other)
	Detail string
	// Shoe is which shoe is on the line. (Up)
	Shoe    Identity
	Missing uint32
	// Late marks a Key that was pressed before the link was up, or waited in the shoe for a second or more: whoever
	// pressed it looked at another table than there is when it comes.
	Late bool
	// Unsure marks a Gap of which nobody can say whether a card left at all: the link to a shoe that keeps no card was
	// down, or what came could not be read. It matters only while a round is running.
	Unsure bool
	Err    error
}

// Shoe is one shoe on its line, as the table's runner uses it.
type Shoe interface {
	// Run talks to the shoe until ctx ends, reconnecting as often as needed. Every event goes to handle, in order, from
	// one goroutine; handle may block, and the shoe then waits. Run returns only ctx's error, or an error for a
	// configuration that can never work.
	Run(ctx context.Context, handle func(Event)) error
	// Stored says that every numbered event up to p is durable. It may be called
	// from any goroutine, never blocks, and a later call with an earlier
	// position of the same boot changes nothing. A shoe that keeps nothing ignores
	// it.
	Stored(p Position)
}
