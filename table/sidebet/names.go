package sidebet

import (
	"errors"
	"slices"
	"strconv"
)

// This file has the names of bets and lines, which are on record. A house may have bets of its own beside those that
// every house knows.

// Bet is one kind of side bet, by its name in transcripts and profiles. The zero Bet is none.
type Bet string

// Line is one line of a paytable, by its name in transcripts and profiles. The zero Line is a bet that does not win.
type Line string

// The side bets of the houses that come with Sabot.
const (
	PerfectPairs     Bet = "perfect-pairs"
	SwissCasinosJack Bet = "swiss-casinos-jack"
	Bust             Bet = "bust"
	Twins            Bet = "twins"
	CrazyTwins       Bet = "crazy-twins"
	ThreeCardWins    Bet = "3-card-wins"
	QueensTrio       Bet = "queens-trio"
	AdmiralJack      Bet = "admiral-jack"
	Progressive      Bet = "progressive"
)

// The lines of their paytables, the highest first.
const (
	PerfectPair  Line = "perfect-pair"
	ColouredPair Line = "coloured-pair"
	MixedPair    Line = "mixed-pair"

	JackIsBlack Line = "jack-is-black"
	AllRed      Line = "all-red"
	Mix         Line = "mix"

	BankBust Line = "bank-bust"

	TwinsJoker Line = "twins-joker"
	TwinsPair  Line = "twins"

	CrazyTwinsJoker Line = "crazy-twins-joker"
	CrazyTwinsPair  Line = "crazy-twins"

	ThreeAcesOfSpades Line = "three-aces-of-spades"
	ThreeRedJacks     Line = "three-red-jacks"
	ThreeOfAKind      Line = "three-of-a-kind"
	ThreeBlack        Line = "three-black"

	ThreeQueensOfSpades Line = "three-queens-of-spades"
	ThreeQueens         Line = "three-queens"
	TwoQueensOfSpades   Line = "two-queens-of-spades"
	TwoQueens           Line = "two-queens"
	QueenOfSpades       Line = "queen-of-spades"
	OneQueen            Line = "one-queen"

	Jackpot         Line = "jackpot"
	SuitedAceKing   Line = "suited-ace-king"
	ColouredAceKing Line = "coloured-ace-king"
	AceKing         Line = "ace-king"
	BlackJack       Line = "blackjack" // of Progressive Black Jack and Admiral Jack
)

// Bets are the names of the bets that every house knows, in the order in which they are listed.
var Bets = []Bet{
	PerfectPairs, SwissCasinosJack, Bust, Twins, CrazyTwins, ThreeCardWins, QueensTrio, AdmiralJack, Progressive,
	"21-plus-3", "lucky-ladies", "royal-match", "match-the-dealer", "hot-3", "lucky-lucky", "blazing-7s", "over-13",
	"under-13", "buster", "in-bet", "lucky-aces",
}

// Lines are the names of their lines.
var Lines = []Line{
	PerfectPair, ColouredPair, MixedPair, JackIsBlack, AllRed, Mix, BankBust, TwinsJoker, TwinsPair, CrazyTwinsJoker,
	CrazyTwinsPair, ThreeAcesOfSpades, ThreeRedJacks, ThreeOfAKind, ThreeBlack, ThreeQueensOfSpades, ThreeQueens,
	TwoQueensOfSpades, TwoQueens, QueenOfSpades, OneQueen, Jackpot, SuitedAceKing, ColouredAceKing, AceKing, BlackJack,
	"suited-three-of-a-kind", "straight-flush", "straight", "flush", "queens-of-hearts-blackjack", "queens-of-hearts",
	"matched-20", "suited-20", "total-20", "royal-match", "easy-match", "two-suited-matches", "suited-and-other-match",
	"suited-match", "two-matches", "one-match", "suited-777", "suited-678", "three-sevens", "six-seven-eight",
	"suited-21", "total-21", "total-19", "coloured-777", "two-sevens", "one-seven", "over-13", "under-13",
	"bust-8-blackjack",
	"bust-7-blackjack", "bust-8", "bust-7", "bust-6", "bust-5", "bust-4", "bust-3", "spread-1", "spread-2", "spread-3",
	"spread-4", "four-aces",
	"three-suited-aces", "three-aces", "two-suited-aces", "two-aces", "ace-of-diamonds", "one-ace",
}

// Known says whether every house knows the bet.
func (b Bet) Known() bool { return slices.Contains(Bets, b) }

// String returns the bet's name.
func (b Bet) String() string { return string(b) }

// EveryBet yields every bet that every house knows.
func EveryBet(yield func(Bet) bool) {
	for _, b := range Bets {
		if !yield(b) {
			return
		}
	}
}

// EveryLine yields every line of the bets that every house knows.
func EveryLine(yield func(Line) bool) {
	for _, l := range Lines {
		if !yield(l) {
			return
		}
	}
}

// MarshalText writes the bet's name.
func (b Bet) MarshalText() ([]byte, error) { return []byte(b), nil }

// UnmarshalText reads the bet's name.
func (b *Bet) UnmarshalText(text []byte) error {
	if wrong := WrongName(string(text)); wrong != "" {
		return errors.New(wrong)
	}
	if slices.Contains(taken, string(text)) {
		return errors.New(strconv.Quote(string(text)) +
			" is what another wager is called: give the bet a name of its own")
	}
	*b = Bet(text)
	return nil
}

// String returns the line's name.
func (l Line) String() string { return string(l) }

// MarshalText writes the line's name.
func (l Line) MarshalText() ([]byte, error) { return []byte(l), nil }

// UnmarshalText reads the line's name.
func (l *Line) UnmarshalText(text []byte) error {
	if wrong := WrongName(string(text)); wrong != "" {
		return errors.New(wrong)
	}
	if slices.Contains(said, string(text)) {
		return errors.New(strconv.Quote(string(text)) +
			" is what else decides a wager: give the line a name of its own")
	}
	*l = Line(text)
	return nil
}

// taken are the names of other wagers, and said what else is said to decide a wager.
var (
	taken = []string{"main", "insurance", "even-money", "unknown"}
	said  = []string{
		"bonus-blackjack", "even-money", "higher-total", "bust", "lower-total", "bank-blackjack", "no-bank-blackjack",
		"tie", "surrender", "wrong-forecast-blackjack", "wrong-forecast", "points", "five-card-trick",
		"no-match", "envy",
		"void-round", "dead",
	}
)

// mostName bounds a name.
const mostName = 32

// WrongName says what is wrong with the name of a bet or a line, "" for nothing.
func WrongName(name string) string {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', i > 0 && c == '-':
		default:
			return strconv.Quote(name) + " is not the name of a bet or a line: write a-z, 0-9 and -, no - first"
		}
	}
	if name == "" || len(name) > mostName {
		return strconv.Quote(name) + " is not the name of a bet or a line: write 1 to " + strconv.Itoa(mostName) +
			" characters"
	}
	return ""
}
