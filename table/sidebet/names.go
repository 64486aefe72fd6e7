// Package sidebet knows the side bets: which cards win which line of their
// paytables. What a line pays, and who may stake how much, is the house's matter
// (package rules). It is a leaf of the round engine.
package sidebet

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/table/enum"
)

// Bet is one kind of side bet. The zero Bet is none.
type Bet uint8

// The side bets, by the houses that have them.
const (
	PerfectPairs     Bet = iota + 1 // Schaffhausen
	SwissCasinosJack                // Schaffhausen
	Bust                            // Schaffhausen
	Twins                           // Wiesbaden
	CrazyTwins                      // Wiesbaden
	ThreeCardWins                   // St. Moritz
	QueensTrio                      // St. Moritz
	AdmiralJack                     // Mendrisio
	Progressive                     // Mendrisio
	// Count is the number of bets, the zero Bet included.
	Count
)

var betNames = enum.Names[Bet]{
	PerfectPairs: "perfect-pairs", SwissCasinosJack: "swiss-casinos-jack", Bust: "bust",
	Twins: "twins", CrazyTwins: "crazy-twins", ThreeCardWins: "3-card-wins",
	QueensTrio: "queens-trio", AdmiralJack: "admiral-jack", Progressive: "progressive",
}

// String returns the bet's name in transcripts and profiles.
func (b Bet) String() string { return betNames.Name(b) }

// ParseBet reads a bet's name.
func ParseBet(s string) (Bet, bool) { return betNames.Parse(s) }

// EveryBet yields every bet.
func EveryBet(yield func(Bet) bool) { betNames.Every(yield) }

// MarshalText writes the bet's name.
func (b Bet) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the bet's name.
func (b *Bet) UnmarshalText(text []byte) error { return betNames.Read(b, text, "side bet") }

// Line is one line of a paytable. The zero Line is a bet that does not win.
type Line uint8

// The lines, by the bets that have them, the highest first.
const (
	PerfectPair Line = iota + 1
	ColouredPair
	MixedPair

	JackIsBlack
	AllRed
	Mix

	BankBust

	TwinsJoker
	TwinsPair

	CrazyTwinsJoker
	CrazyTwinsPair

	ThreeAcesOfSpades
	ThreeRedJacks
	ThreeOfAKind
	ThreeBlack

	ThreeQueensOfSpades
	ThreeQueens
	TwoQueensOfSpades
	TwoQueens
	QueenOfSpades
	OneQueen

	Jackpot
	SuitedAceKing
	ColouredAceKing
	AceKing
	BlackJack // of Progressive Black Jack and Admiral Jack

	// LineCount is the number of lines, the zero Line included.
	LineCount
)

var lineNames = enum.Names[Line]{
	PerfectPair: "perfect-pair", ColouredPair: "coloured-pair", MixedPair: "mixed-pair",
	JackIsBlack: "jack-is-black", AllRed: "all-red", Mix: "mix",
	BankBust:   "bank-bust",
	TwinsJoker: "twins-joker", TwinsPair: "twins",
	CrazyTwinsJoker: "crazy-twins-joker", CrazyTwinsPair: "crazy-twins",
	ThreeAcesOfSpades: "three-aces-of-spades", ThreeRedJacks: "three-red-jacks",
	ThreeOfAKind: "three-of-a-kind", ThreeBlack: "three-black",
	ThreeQueensOfSpades: "three-queens-of-spades", ThreeQueens: "three-queens",
	TwoQueensOfSpades: "two-queens-of-spades", TwoQueens: "two-queens",
	QueenOfSpades: "queen-of-spades", OneQueen: "one-queen",
	Jackpot: "jackpot", SuitedAceKing: "suited-ace-king", ColouredAceKing: "coloured-ace-king",
	AceKing: "ace-king", BlackJack: "blackjack",
}

// String returns the line's name in transcripts and profiles.
func (l Line) String() string { return lineNames.Name(l) }

// EveryLine yields every line.
func EveryLine(yield func(Line) bool) { lineNames.Every(yield) }

// MarshalText writes the line's name.
func (l Line) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the line's name.
func (l *Line) UnmarshalText(text []byte) error {
	line, ok := lineNames.Parse(string(text))
	if !ok {
		return errors.New(strconv.Quote(string(text)) + " is no line of a paytable")
	}
	*l = line
	return nil
}

// lines are the lines of each bet, the highest first.
var lines = [Count][]Line{
	PerfectPairs:     {PerfectPair, ColouredPair, MixedPair},
	SwissCasinosJack: {JackIsBlack, AllRed, Mix},
	Bust:             {BankBust},
	Twins:            {TwinsJoker, TwinsPair},
	CrazyTwins:       {CrazyTwinsJoker, CrazyTwinsPair},
	ThreeCardWins:    {ThreeAcesOfSpades, ThreeRedJacks, ThreeOfAKind, ThreeBlack},
	QueensTrio:       {ThreeQueensOfSpades, ThreeQueens, TwoQueensOfSpades, TwoQueens, QueenOfSpades, OneQueen},
	AdmiralJack:      {BlackJack},
	Progressive:      {Jackpot, SuitedAceKing, ColouredAceKing, AceKing, BlackJack},
}

// Lines returns the lines that a bet can win, the highest first.
func (b Bet) Lines() []Line { return lines[b] }
