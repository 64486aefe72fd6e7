// Package irregularity names the breaches of procedure that hold a round, and the ways to put each right. The house
// decides which of them it offers, and who may take them (package rules). It is a leaf of the round engine.
package irregularity

import "github.com/sabot-table/sabot/table/plaintext"

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
	JournalNew
	JournalBehind
	JournalTouched
	ReplayDiffers
	// FloorCalled is no breach, and holds nothing: the table wants somebody of the pit to
	// come. It is here for its alert.
	FloorCalled
	HeldByHand
	// PitMessage is no breach, and holds nothing: the pit says something to the dealer, who has
	// not said yet that it was seen. It is here for its alert.
	PitMessage
	// CommandRefused are commands of the pit that were refused. It holds nothing.
	CommandRefused
	// SettingsChanged are settings of the table that were changed at its screen. It holds nothing: the pit is to know.
	SettingsChanged
	// BigWin is no breach: a win of the house's amount or more, which a supervisor confirms before it is paid.
	BigWin
	// ShoeDue: bets were opened although the cut card had come.
	ShoeDue
	// FactoryOrder are cards that leave the shoe as packs lie that nobody has shuffled, and SameOrder the first cards
	// of a shoe that are those of the loading before. They hold nothing: somebody of the pit looks at the cards.
	FactoryOrder
	SameOrder
	// JackpotAsked is no breach: a jackpot of several tables was won, and the table stands until the pit has said how
	// much that is.
	JackpotAsked
	// Count is the number of codes, including the zero Code.
	Count
)

// row is what there is to say about an irregularity.
type row struct {
	name string
	// choices are what the engine can carry out to put it right: none for one that passes on its own.
	choices Choices
	// passes: it holds nothing.
	passes bool
	// ofRecord: it is about the record of the table, not about its game. It is put right in the same way in every
	// house, by the supervisor alone.
	ofRecord bool
	// word: it is no breach, but a word between the table and the pit.
	word bool
	// tells: it holds nothing, and the dealer is told all the same, until somebody of the pit has seen it.
	tells bool
}

var rows = [Count]row{
	UnreadCard:        {name: "unread-card", choices: Of(Identify, Burn, VoidRound)},
	UnexpectedCard:    {name: "unexpected-card", choices: Of(NextCard, Burn, VoidRound)},
	CardWithoutCall:   {name: "card-without-call", choices: Of(Accept, NextCard, Burn, VoidRound)},
	BankOverdraw:      {name: "bank-overdraw", choices: Of(Burn, NextRound, VoidRound)},
	ForeignCard:       {name: "foreign-card", choices: Of(VoidRound, Accept, Burn)},
	ForeignJoker:      {name: "foreign-joker", choices: Of(Burn, VoidRound)},
	LostCards:         {name: "lost-cards", choices: Of(Identify, NoneDrawn, VoidRound)},
	ContradictoryKeys: {name: "contradictory-keys", passes: true},
	PayoutMismatch:    {name: "payout-mismatch", choices: Of(Corrected, Accept)},
	ShoeOffline:       {name: "shoe-offline"},
	ShoeAlarm:         {name: "shoe-alarm", choices: Of(Accept, VoidRound)},
	ShoeExhausted:     {name: "shoe-exhausted", choices: Of(Reload, VoidRound)},
	StorageFailing:    {name: "storage-failing"},
	JournalNew:        {name: "journal-new", choices: Of(Accept), ofRecord: true},
	JournalBehind:     {name: "journal-behind", choices: Of(Accept), ofRecord: true},
	JournalTouched:    {name: "journal-touched", choices: Of(Accept), ofRecord: true},
	ReplayDiffers:     {name: "replay-differs", choices: Of(VoidRound, Accept), ofRecord: true},
	FloorCalled:       {name: "floor-called", passes: true, word: true},
	HeldByHand:        {name: "held-by-hand", choices: Of(Continue, VoidRound)},
	PitMessage:        {name: "pit-message", passes: true, word: true},
	CommandRefused:    {name: "command-refused", passes: true},
	SettingsChanged:   {name: "settings-changed", passes: true, word: true},
	BigWin:            {name: "big-win", choices: Of(Accept)},
	ShoeDue:           {name: "shoe-due", choices: Of(Accept)},
	FactoryOrder:      {name: "factory-order", passes: true, tells: true},
	SameOrder:         {name: "same-order", passes: true, tells: true},
	JackpotAsked:      {name: "jackpot-asked", choices: Of(Accept)},
}

var codeNames = func() plaintext.Enum[Code] {
	names := make(plaintext.Enum[Code], Count)
	for code := range rows {
		names[code] = rows[code].name
	}
	return names
}()

// Possible returns the choices that the engine can carry out for an irregularity: none for one that passes on its own.
func Possible(c Code) Choices { return rows[c].choices }

// OfRecord says whether the record of the table is in doubt, rather than the game. Such an irregularity can be put
// right in all ways that are Possible, in every house, by the supervisor alone.
func (c Code) OfRecord() bool { return rows[c].ofRecord }

// Holds says whether the round stands still until it is put right.
func (c Code) Holds() bool { return !rows[c].passes }

// Word says whether it is a word between the table and the pit, and no breach.
func (c Code) Word() bool { return rows[c].word }

// Tells says whether the dealer is told of it, though it holds nothing, until somebody of the pit has seen it.
func (c Code) Tells() bool { return rows[c].tells }

// String returns the irregularity's name in transcripts and profiles.
func (c Code) String() string { return codeNames.Name(c) }

// ParseCode reads an irregularity's name.
func ParseCode(s string) (Code, bool) { return codeNames.Parse(s) }

// EveryCode yields every irregularity.
func EveryCode(yield func(Code) bool) { codeNames.Every(yield) }

// MarshalText writes the irregularity's name.
func (c Code) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads the irregularity's name.
func (c *Code) UnmarshalText(text []byte) error { return codeNames.Read(c, text, "irregularity") }
