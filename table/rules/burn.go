package rules

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
)

// Burns says when cards are burnt: laid aside before a round, without counting for anything.
type Burns struct {
	Loaded *Burn `yaml:"loaded" json:",omitempty" doc:"Cards burnt after the shoe was loaded: a number, or by-value: the first and as many more as it counts, an ace one and a picture ten. Left out for none."`
	Relief *Burn `yaml:"relief" json:",omitempty" doc:"Cards burnt when a dealer is relieved: likewise."`
}

// Burn is how many cards are burnt: so many or, if ByValue, the first and as many more as it counts.
type Burn struct {
	Cards   int
	ByValue bool
}

// MaxBurn is the most cards that a profile may have burnt.
const MaxBurn = 52

// byValue is a burn by the first card.
const byValue = "by-value"

// UnmarshalText reads the burn.
func (b *Burn) UnmarshalText(text []byte) error {
	if string(text) == byValue {
		*b = Burn{Cards: 1, ByValue: true}
		return nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > MaxBurn {
		return errors.New(strconv.Quote(string(text)) + " is not how many cards are burnt: write 1 to " +
			strconv.Itoa(MaxBurn) + ", or " + byValue)
	}
	*b = Burn{Cards: n}
	return nil
}

// MarshalText writes the burn as a profile writes it.
func (b Burn) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String writes the burn as a profile writes it.
func (b Burn) String() string {
	if b.ByValue {
		return byValue
	}
	return strconv.Itoa(b.Cards)
}

// After is what is left to be burnt once a card was. One that has no value, since nobody has read it, leaves it to the
// next how many follow.
func (b Burn) After(c card.Card) Burn {
	switch {
	case !b.ByValue:
		return Burn{Cards: b.Cards - 1}
	case !c.Ranked():
		return b
	}
	return Burn{Cards: min(int(c.Rank()), 10)}
}

// BurnLoaded is what is burnt after the shoe was loaded.
func (r *Rules) BurnLoaded() Burn { return r.Cards.Burn.loaded() }

// BurnRelief is what is burnt when a dealer is relieved.
func (r *Rules) BurnRelief() Burn { return r.Cards.Burn.relief() }

// WithoutBurning are the rules without cards that are burnt: they change nothing of what is won.
func (r *Rules) WithoutBurning() *Rules {
	own := *r
	own.Cards.Burn = nil
	return &own
}

func (b *Burns) loaded() Burn {
	if b == nil || b.Loaded == nil {
		return Burn{}
	}
	return *b.Loaded
}

func (b *Burns) relief() Burn {
	if b == nil || b.Relief == nil {
		return Burn{}
	}
	return *b.Relief
}
