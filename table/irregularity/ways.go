package irregularity

import (
	"errors"
	"fmt"
	"strings"
)

// possible are the choices that the engine can carry out for an irregularity.
var possible = [Count]Choices{
	UnreadCard:      Of(Identify, Burn, VoidRound),
	UnexpectedCard:  Of(NextCard, Burn, VoidRound),
	CardWithoutCall: Of(Accept, NextCard, Burn, VoidRound),
	BankOverdraw:    Of(Burn, NextRound, VoidRound),
	ForeignCard:     Of(VoidRound, Accept, Burn),
	ForeignJoker:    Of(Burn, VoidRound),
	LostCards:       Of(Identify, NoneDrawn, VoidRound),
	PayoutMismatch:  Of(Corrected, Accept),
	ShoeAlarm:       Of(Accept, VoidRound),
	ShoeExhausted:   Of(Reload, VoidRound),
}

// fixed are the ways to put right what concerns the record of the table: the same in
// every house, and the supervisor's alone.
var fixed = [Count]Ways{
	JournalNew:     {Choices: Of(Accept)},
	JournalBehind:  {Choices: Of(Accept)},
	JournalTouched: {Choices: Of(Accept)},
	ReplayDiffers:  {Choices: Of(VoidRound, Accept)},
}

// Possible returns the choices that there can be for an irregularity: none for one
// that passes by itself.
func Possible(c Code) Choices {
	if ways, ok := Fixed(c); ok {
		return ways.Choices
	}
	return possible[c]
}

// Fixed returns the ways to put an irregularity right that no house can change; false
// for one that is the houses' matter, or passes by itself.
func Fixed(c Code) (Ways, bool) { return fixed[c], fixed[c].n > 0 }

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
	for part := range strings.SplitSeq(string(text), ",") {
		name, dealer := strings.CutSuffix(strings.TrimSpace(part), byDealer)
		c, ok := ParseChoice(name)
		switch {
		case !ok:
			return fmt.Errorf("%q is no choice: write such as identify, burn, void-round, and (dealer) behind what a dealer may take", name)
		case read.Has(c):
			return fmt.Errorf("the choice %s is there twice", c)
		case read.n == most:
			return errors.New("there are too many choices")
		}
		read.list[read.n] = c
		read.n++
		if dealer {
			read.dealer |= 1 << c
		}
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
	return strings.Join(parts, ", ")
}
