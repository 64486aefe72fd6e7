// Package irregularity names the breaks of the procedure that hold a round, and
// the ways to put each right. Which of them a house offers, and who may take them,
// is the house's matter (package rules). It is a leaf of the round engine.
package irregularity

import "fmt"

// Code names an irregularity. The zero Code is none.
type Code uint8

// The irregularities.
const (
	UnreadCard Code = iota + 1
	UnexpectedCard
	CardWithoutCall
	BankOverdraw
	ForeignCard
	ForeignJoker
	LostCards
	ContradictoryKeys
	PayoutMismatch
	ShoeOffline
	ShoeAlarm
	ShoeExhausted
	StorageFailing
	// JournalNew, JournalBehind, JournalTouched and ReplayDiffers are about the record of
	// the table, and not about its game.
	JournalNew
	JournalBehind
	JournalTouched
	ReplayDiffers
	// Count is the number of codes, the zero Code included.
	Count
)

var codeNames = [Count]string{
	UnreadCard: "unread-card", UnexpectedCard: "unexpected-card", CardWithoutCall: "card-without-call",
	BankOverdraw: "bank-overdraw", ForeignCard: "foreign-card", ForeignJoker: "foreign-joker",
	LostCards: "lost-cards", ContradictoryKeys: "contradictory-keys", PayoutMismatch: "payout-mismatch",
	ShoeOffline: "shoe-offline", ShoeAlarm: "shoe-alarm", ShoeExhausted: "shoe-exhausted",
	StorageFailing: "storage-failing", JournalNew: "journal-new", JournalBehind: "journal-behind",
	JournalTouched: "journal-touched", ReplayDiffers: "replay-differs",
}

// String returns the irregularity's name in transcripts and profiles.
func (c Code) String() string { return nameOf(codeNames[:], int(c)) }

// ParseCode reads an irregularity's name.
func ParseCode(s string) (Code, bool) {
	i, ok := find(codeNames[:], s)
	return Code(i), ok
}

// MarshalText writes the irregularity's name.
func (c Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the irregularity's name.
func (c *Code) UnmarshalText(text []byte) error {
	parsed, ok := ParseCode(string(text))
	if !ok {
		return fmt.Errorf("%q is no irregularity; there are %q", text, codeNames[1:])
	}
	*c = parsed
	return nil
}

// EveryCode yields every irregularity.
func EveryCode(yield func(Code) bool) {
	for c := UnreadCard; c < Count; c++ {
		if !yield(c) {
			return
		}
	}
}

// Choice is a way to put an irregularity right. The zero Choice is none.
type Choice uint8

// The choices. Online and Cleared are no person's: the shoe came back, or what
// was wrong is so no more.
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
	choiceCount
)

var choiceNames = [choiceCount]string{
	Identify: "identify", Burn: "burn", VoidRound: "void-round", NextCard: "next-card",
	Accept: "accept", NextRound: "next-round", NoneDrawn: "none-drawn", Corrected: "corrected",
	Reload: "reload", Online: "online", Cleared: "cleared",
}

// String returns the choice's name in transcripts and profiles.
func (c Choice) String() string { return nameOf(choiceNames[:], int(c)) }

// ParseChoice reads the name of a choice that a person can take.
func ParseChoice(s string) (Choice, bool) {
	i, ok := find(choiceNames[:], s)
	return Choice(i), ok && Choice(i) < Online
}

// MarshalText writes the choice's name, "" for none.
func (c Choice) MarshalText() ([]byte, error) { return []byte(choiceNames[c]), nil }

// UnmarshalText reads the choice's name.
func (c *Choice) UnmarshalText(text []byte) error {
	i, ok := find(choiceNames[:], string(text))
	if !ok {
		return fmt.Errorf("%q is no choice; there are %q", text, choiceNames[1:])
	}
	*c = Choice(i)
	return nil
}

// EveryChoice yields every choice.
func EveryChoice(yield func(Choice) bool) {
	for c := Identify; c < choiceCount; c++ {
		if !yield(c) {
			return
		}
	}
}

func nameOf(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("unnamed %d", i)
}

// find returns the place of a name; the empty name is none.
func find(names []string, name string) (int, bool) {
	for i, known := range names {
		if known == name && known != "" {
			return i, true
		}
	}
	return 0, false
}
