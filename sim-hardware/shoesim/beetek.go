package shoesim

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
)

// BeeTek is a Bee-Tek.
const BeeTek Kind = "bee-tek"

func init() {
	start := func(*Shoe) firmware { return &beeTek{} }
	simulators[BeeTek] = simulator{start: start, troubles: slices.Sorted(maps.Keys(beeTekTroubles))}
}

// beeTek writes what the public programs read from a Bee-Tek shoe in its mode Manual
// Burn Cards. It hears nothing.
type beeTek struct {
	out []byte
}

// beeTekTroubles are alarms that this shoe may have. Only the one for a card that could not be read is known, and comes
// with the card; these texts are made up.
var beeTekTroubles = map[Trouble]string{
	ReversePull: "E4 Reverse Pull", Overdraw: "E5 Too Many Cards", Jam: "E6 Card Jam", Cover: "E7 Cover Open",
}

func (f *beeTek) Step(_ time.Duration, _, out []byte) []byte {
	out = append(out, f.out...)
	f.out = f.out[:0]
	return out
}

func (f *beeTek) Wake() time.Duration { return never }

// card writes the card, or both ways to say that it could not be read.
func (f *beeTek) card(_ time.Duration, c card.Card) {
	if !c.Ranked() {
		f.out = append(f.out, " [Manual Burn Cards]<Game>  [GameAlarm]<Alarm:E3 Card Not Read> "...)
		return
	}
	f.out = fmt.Appendf(f.out, " [Manual Burn Cards]<Card:%s> ", c)
}

// Write writes text of the caller's choice. Only a Bee-Tek writes text.
func (s *Shoe) Write(text string) error {
	return s.do(func(time.Duration) error {
		f, is := s.firmware.(*beeTek)
		if !is {
			return fmt.Errorf("a text: %w", ErrNoSuch)
		}
		f.out = append(f.out, text...)
		return nil
	})
}

// cutCard: no text is known for it.
func (f *beeTek) cutCard(time.Duration) {}

func (f *beeTek) trouble(_ time.Duration, t Trouble, raised bool) {
	if raised {
		f.out = fmt.Appendf(f.out, " [GameAlarm]<Alarm:%s> ", beeTekTroubles[t])
	}
}

func (f *beeTek) locked() string { return "" }

func (f *beeTek) sending() int { return 0 }

// frame ends with the space after a closing angle bracket.
func (f *beeTek) frame(p []byte) int { return bytes.Index(p, []byte("> ")) + 2 }
