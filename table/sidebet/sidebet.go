// Package sidebet has the side bets: when each is decided, which cards win which line of its paytable, and what it
// needs of the bank. The house decides what a line pays, and who may stake how much (package rules). It is a leaf of
// the round engine.
package sidebet

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/enum"
)

// Moment is when side bets can be decided.
type Moment uint8

// The moments.
const (
	// BankFirst: the bank's first card has been dealt.
	BankFirst Moment = 1 << iota
	// BoxSecond: the box's second card has been dealt.
	BoxSecond
	// LastHand: the last of the box's hands is decided.
	LastHand
	// BankSecond: the bank's second card has been dealt, and has decided the box's other wagers.
	BankSecond
	// EveryBox: the bank's second card has been dealt, and has decided what it decides on every box. All bets on one
	// jackpot are then decided together.
	EveryBox
	// BankEnd: the bank draws no more, and the box's other wagers are decided.
	BankEnd
)

// ToTheEnd is how many of the bank's cards a bet needs that waits until the bank has finished.
const ToTheEnd = 255

// Hands is how the hands of a box have ended: those won are weighed against those lost by the holder's stakes.
type Hands uint8

// The ends.
const (
	HandsOpen Hands = iota // not all are decided
	HandsKept              // the box has not lost
	HandsLost
)

// Cards is what the side bets on a box depend on, as far as it has been dealt.
type Cards struct {
	First, Second    card.Card // the box's first two
	Bank, BankSecond card.Card // the bank's first two
	// Joker says that a Joker was laid to the box in the initial deal.
	Joker bool
	Hands Hands
	// BankBust says that the bank has gone over 21.
	BankBust bool
}

// row is one side bet.
type row struct {
	// name is the bet's name in transcripts and profiles, title the name that guests know.
	name, title string
	// decided says in words what decides the bet.
	decided string
	// lines are those that it can win, the highest first.
	lines []Line
	// at are the moments at which judge is asked; judge says which line wins, 0 for none, or that the cards dealt do
	// not decide it yet.
	at    Moment
	judge func(c Cards) (line Line, decided bool)
	// bank is how many cards the bank must have for it to be decided.
	bank int
}

// String returns the bet's name in transcripts and profiles.
func (b Bet) String() string { return betNames.Name(b) }

// Title returns the bet's name that guests know.
func (b Bet) Title() string { return b.row().title }

// Decided says in words what decides the bet.
func (b Bet) Decided() string { return b.row().decided }

// Lines returns the lines that a bet can win, the highest first.
func (b Bet) Lines() []Line { return b.row().lines }

// At says whether the bet can be decided at a moment.
func (b Bet) At(m Moment) bool { return b.row().at&m != 0 }

// Judge returns the line that a bet wins, 0 for none; false while the cards dealt do not decide it. The caller must
// skip a line that the house does not pay.
func (b Bet) Judge(c Cards) (line Line, decided bool) { return b.row().judge(c) }

// Bank returns how many cards the bank must have for the bet to be decided.
func (b Bet) Bank() int { return b.row().bank }

// Jackpot says whether the bet plays for the jackpot, and feeds it: its highest line is then Jackpot.
func (b Bet) Jackpot() bool { return len(b.Lines()) > 0 && b.Lines()[0] == Jackpot }

func (b Bet) row() *row { return &rows[b] }

var betNames = func() enum.Names[Bet] {
	names := make(enum.Names[Bet], Count)
	for b := range rows {
		names[b] = rows[b].name
	}
	return names
}()

// EveryBet yields every bet.
func EveryBet(yield func(Bet) bool) { betNames.Every(yield) }

// MarshalText writes the bet's name.
func (b Bet) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// UnmarshalText reads the bet's name.
func (b *Bet) UnmarshalText(text []byte) error { return betNames.Read(b, text, "side bet") }

var lineNames = func() enum.Names[Line] {
	names := make(enum.Names[Line], LineCount)
	for l := range lines {
		names[l] = lines[l].name
	}
	return names
}()

// String returns the line's name in transcripts and profiles.
func (l Line) String() string { return lineNames.Name(l) }

// EveryLine yields every line.
func EveryLine(yield func(Line) bool) { lineNames.Every(yield) }

// Words says in words which cards win the line.
func (l Line) Words() string { return lines[l].words }

// Joker says whether the line is won with a Joker alone.
func (l Line) Joker() bool { return l == TwinsJoker || l == CrazyTwinsJoker }

// MarshalText writes the line's name.
func (l Line) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads the line's name.
func (l *Line) UnmarshalText(text []byte) error {
	line, ok := lineNames.Parse(string(text))
	if !ok {
		return errors.New(strconv.Quote(string(text)) + " is not a line of a paytable")
	}
	*l = line
	return nil
}
