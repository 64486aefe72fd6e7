package irregularity

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/table/plaintext"
)

// Ways are the choices that a house offers for an irregularity, and which of them
// a dealer may take; all are the supervisor's.
type Ways struct {
	Choices
	dealer uint16
}

// byDealer marks, in a profile, a choice that a dealer may take.
const byDealer = " (dealer)"

// Dealer says whether a dealer may take the choice.
func (w Ways) Dealer(c Choice) bool { return w.dealer>>c&1 == 1 }

// UnmarshalText reads a list such as "accept (dealer), next-card, burn".
func (w *Ways) UnmarshalText(text []byte) error {
	var read Ways
	part, rest, more := plaintext.Cut(string(text), ',')
	for {
		name, dealer := plaintext.CutSuffix(plaintext.Trim(part), byDealer)
		c, ok := ParseChoice(name)
		switch {
		case !ok:
			return errors.New(strconv.Quote(name) +
				" is not a choice: write choices such as identify, burn, void-round, and (dealer) after those that " +
				"a dealer may take")
		case read.Has(c):
			return errors.New("the choice " + name + " is there twice: remove one of them")
		case read.n == most:
			return errors.New("there are too many choices: write at most " + strconv.Itoa(most))
		}
		read.list[read.n] = c
		read.n++
		if dealer {
			read.dealer |= 1 << c
		}
		if !more {
			break
		}
		part, rest, more = plaintext.Cut(rest, ',')
	}
	*w = read
	return nil
}

// MarshalText writes the list as a profile does.
func (w Ways) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// String writes the list as a profile does.
func (w Ways) String() string {
	var parts []string
	for c := range w.All {
		name := c.String()
		if w.Dealer(c) {
			name += byDealer
		}
		parts = append(parts, name)
	}
	return plaintext.Join(parts, ", ")
}
