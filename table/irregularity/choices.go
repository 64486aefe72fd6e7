package irregularity

import (
	"slices"

	"github.com/sabot-table/sabot/table/plaintext"
)

// Choice is a way to put an irregularity right. The zero Choice is none.
type Choice uint8

// The choices. No person takes Online and Cleared: the shoe came back, or what was wrong is right again.
const (
	Identify Choice = iota + 1
	Burn
	VoidRound
	NextCard
	Accept
	NextRound
	NoneDrawn
	Corrected
	Reload
	Online
	Cleared
	Continue
)

var choiceNames = plaintext.Enum[Choice]{
	Identify: "identify", Burn: "burn", VoidRound: "void-round", NextCard: "next-card",
	Accept: "accept", NextRound: "next-round", NoneDrawn: "none-drawn", Corrected: "corrected",
	Reload: "reload", Online: "online", Cleared: "cleared",
	Continue: "continue",
}

// byItself are the choices that no person can take.
var byItself = Of(Online, Cleared)

// String returns the choice's name in transcripts and profiles, "" for none.
func (c Choice) String() string { return choiceNames.Name(c) }

// ParseChoice reads the name of a choice that a person can take.
func ParseChoice(s string) (Choice, bool) {
	c, ok := choiceNames.Parse(s)
	return c, ok && !byItself.Has(c)
}

// EveryChoice yields every choice.
func EveryChoice(yield func(Choice) bool) { choiceNames.Every(yield) }

// MarshalText writes the choice's name, "" for none.
func (c Choice) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the choice's name.
func (c *Choice) UnmarshalText(text []byte) error { return choiceNames.Read(c, text, "choice") }

// most is the most choices of an irregularity.
const most = 4

// Choices are the ways to put an irregularity right; the first is proposed.
type Choices struct {
	list [most]Choice
	n    uint8
}

// Of makes a list of choices.
func Of(list ...Choice) Choices {
	var c Choices
	c.n = uint8(copy(c.list[:], list))
	return c
}

// All yields the choices in order.
func (c Choices) All(yield func(Choice) bool) {
	slices.Values(c.list[:c.n])(yield)
}

// Has says whether the choice is among them.
func (c Choices) Has(choice Choice) bool {
	return slices.Contains(c.list[:c.n], choice)
}

// Without returns the choices except one.
func (c Choices) Without(choice Choice) Choices {
	var rest Choices
	for one := range c.All {
		if one != choice {
			rest.list[rest.n] = one
			rest.n++
		}
	}
	return rest
}
