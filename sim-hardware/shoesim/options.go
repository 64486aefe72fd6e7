package shoesim

import (
	"fmt"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
)

// Options describe a shoe. The zero Options are a sabot shoe with six shuffled decks
// and no cut card, on a port in a directory of its own.
type Options struct {
	// Kind is the make, Sabot if empty.
	Kind Kind
	// Cards, if any, are the cards in the order in which they come; Decks, Jokers and Seed are then ignored.
	// card.Unread is one that cannot be read.
	Cards []card.Card
	// Decks is how many decks are shuffled, 0 for 6; Jokers how many Jokers are
	// added to all of them together.
	Decks, Jokers int
	// WithoutTens are decks of 48 cards, without tens.
	WithoutTens bool
	// Seed decides the shuffle: the same seed gives the same cards.
	Seed uint64
	// Continuous makes it a continuous shuffler: cards go back in by Return.
	Continuous bool
	// CutAfter is how many cards come before the cut card; 0 for none.
	CutAfter int

	// Serial is the serial number, "SIM-1" if empty.
	Serial string
	// Firmware is the version of a sabot shoe's firmware, 1.0.0 if zero.
	Firmware [3]uint8
	// Boot is the first boot id, chosen at random if 0; each Reboot adds 1.
	Boot uint32
	// Last is how many events the first boot has had before.
	Last uint32
	// Key is the secret that a sabot shoe shares with its host; nil for none.
	Key *wire.Secret
	// AngelEye says how an Angel Eye reports.
	AngelEye AngelEyeOptions
	// Link is where the port's stable name is made; if empty, in a temporary
	// directory that Close removes.
	Link string
	// Listen, if set, is host:port where the shoe listens, as through a serial-to-network converter; Memory makes Open
	// the only way to the shoe. Neither has a port then.
	Listen string
	Memory bool

	// ToHost and FromHost, if set, are what the line does to the bytes on their
	// way: they return what arrives. They are never called at the same time.
	ToHost, FromHost func([]byte) []byte
}

// complete fills in what the options leave open.
func (o *Options) complete() error {
	if o.CutAfter < 0 || o.Decks < 0 || o.Jokers < 0 {
		return fmt.Errorf("decks %d, Jokers %d, cut card after %d: none of them may be negative", o.Decks, o.Jokers,
			o.CutAfter)
	}
	if o.Decks == 0 {
		o.Decks = 6
	}
	if o.Serial == "" {
		o.Serial = "SIM-1"
	}
	if o.Firmware == [3]uint8{} {
		o.Firmware = [3]uint8{1, 0, 0}
	}
	if o.Kind == "" {
		o.Kind = Sabot
	}
	kind, known := simulators[o.Kind]
	if !known {
		return fmt.Errorf("a shoe of kind %q cannot be simulated: choose one of %v", o.Kind, Kinds())
	}
	if o.Key != nil && !kind.key {
		return fmt.Errorf("a shoe of kind %s shares no key with its host", o.Kind)
	}
	return nil
}
