package sidebet

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
)

// This file has the bets: a new one is a row here, with its lines and the function that judges it.

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
	// Count is the number of bets, including the zero Bet.
	Count
)

var rows = [Count]row{
	PerfectPairs: {
		name: "perfect-pairs", title: "Perfect Pairs", decided: "the box's first two cards",
		lines: []Line{PerfectPair, ColouredPair, MixedPair},
		at:    BoxSecond, judge: perfectPairs,
	},
	SwissCasinosJack: {
		name: "swiss-casinos-jack", title: "Swiss Casinos Jack", decided: "the bank's first two cards",
		lines: []Line{JackIsBlack, AllRed, Mix},
		at:    BankFirst | BankSecond, judge: swissCasinosJack, bank: 2,
	},
	Bust: {
		name: "bust", title: "Bust", decided: "the bank's total",
		lines: []Line{BankBust},
		at:    BankEnd, judge: bust, bank: ToTheEnd,
	},
	Twins: {
		name: "twins", title: "Twins", decided: "the box's first two cards",
		lines: []Line{TwinsJoker, TwinsPair},
		at:    BoxSecond, judge: twins,
	},
	CrazyTwins: {
		name: "crazy-twins", title: "Crazy Twins", decided: "the first cards of box and bank; the box must not lose",
		lines: []Line{CrazyTwinsJoker, CrazyTwinsPair},
		at:    BankFirst | LastHand, judge: crazyTwins,
	},
	ThreeCardWins: {
		name: "3-card-wins", title: "3 Card Wins", decided: "the box's first two cards and the bank's first",
		lines: []Line{ThreeAcesOfSpades, ThreeRedJacks, ThreeOfAKind, ThreeBlack},
		at:    BoxSecond, judge: threeCardWins,
	},
	QueensTrio: {
		name: "queens-trio", title: "Queens Trio", decided: "the box's first two cards and the bank's first",
		lines: []Line{ThreeQueensOfSpades, ThreeQueens, TwoQueensOfSpades, TwoQueens, QueenOfSpades, OneQueen},
		at:    BoxSecond, judge: queensTrio,
	},
	AdmiralJack: {
		name: "admiral-jack", title: "Admiral Jack", decided: "the box's first two cards",
		lines: []Line{BlackJack},
		at:    BoxSecond, judge: admiralJack,
	},
	Progressive: {
		name: "progressive", title: "Progressive Black Jack",
		decided: "the box's first two cards; the jackpot by the bank's too",
		lines:   []Line{Jackpot, SuitedAceKing, ColouredAceKing, AceKing, BlackJack},
		at:      BoxSecond | EveryBox, judge: progressive, bank: 2,
	},
}

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

	// LineCount is the number of lines, including the zero Line.
	LineCount
)

// lines are the names of the lines in transcripts and profiles, and which cards win
// them in words.
var lines = [LineCount]struct{ name, words string }{
	PerfectPair:  {"perfect-pair", "two identical cards"},
	ColouredPair: {"coloured-pair", "one rank and colour, two suits"},
	MixedPair:    {"mixed-pair", "one rank, one red and one black"},

	JackIsBlack: {"jack-is-black", "Black Jack with a black jack"},
	AllRed:      {"all-red", "Black Jack, both cards red"},
	Mix:         {"mix", "any other Black Jack"},

	BankBust: {"bank-bust", "the bank goes over 21"},

	TwinsJoker: {"twins-joker", "two cards of one rank, and the Joker on the box"},
	TwinsPair:  {"twins", "two cards of one rank"},

	CrazyTwinsJoker: {"crazy-twins-joker", "two cards of one rank, and the Joker on the box"},
	CrazyTwinsPair:  {"crazy-twins", "two cards of one rank"},

	ThreeAcesOfSpades: {"three-aces-of-spades", "three aces of spades"},
	ThreeRedJacks:     {"three-red-jacks", "three red jacks"},
	ThreeOfAKind:      {"three-of-a-kind", "three of one rank"},
	ThreeBlack:        {"three-black", "three black cards"},

	ThreeQueensOfSpades: {"three-queens-of-spades", "three queens of spades"},
	ThreeQueens:         {"three-queens", "three queens"},
	TwoQueensOfSpades:   {"two-queens-of-spades", "two queens of spades"},
	TwoQueens:           {"two-queens", "two queens"},
	QueenOfSpades:       {"queen-of-spades", "one queen, of spades"},
	OneQueen:            {"one-queen", "one queen"},

	Jackpot:         {"jackpot", "ace and king of one suit, and the bank has ace and king"},
	SuitedAceKing:   {"suited-ace-king", "ace and king of one suit"},
	ColouredAceKing: {"coloured-ace-king", "ace and king of one colour"},
	AceKing:         {"ace-king", "any other ace and king"},
	BlackJack:       {"blackjack", "Black Jack"},
}

// perfectPairs: two cards of one rank. (Schaffhausen, "Perfect Pairs".)
func perfectPairs(c Cards) (Line, bool) {
	switch {
	case c.First.Rank() != c.Second.Rank():
		return 0, true
	case c.First == c.Second:
		return PerfectPair, true
	case c.First.Red() == c.Second.Red():
		return ColouredPair, true
	default:
		return MixedPair, true
	}
}

// swissCasinosJack: the bank's Black Jack, which is no longer possible unless its first card is an ace or a ten-value.
// (Schaffhausen, "Swiss Casinos Jack".)
func swissCasinosJack(c Cards) (Line, bool) {
	up := c.Bank.Rank()
	switch {
	case up != card.Ace && !hand.TenValue(up):
		return 0, true
	case c.BankSecond == card.None:
		return 0, false
	case !blackJack(c.Bank, c.BankSecond):
		return 0, true
	}
	ten := c.Bank
	if up == card.Ace {
		ten = c.BankSecond
	}
	switch {
	case ten.Rank() == card.Jack && !ten.Red():
		return JackIsBlack, true
	case c.Bank.Red() && c.BankSecond.Red():
		return AllRed, true
	default:
		return Mix, true
	}
}

// bust: the bank goes over 21. (Schaffhausen, "Bust".)
func bust(c Cards) (Line, bool) {
	if c.BankBust {
		return BankBust, true
	}
	return 0, true
}

// twins: two cards of one rank, whatever the suit. (Wiesbaden, "Twins".)
func twins(c Cards) (Line, bool) {
	switch {
	case c.First.Rank() != c.Second.Rank():
		return 0, true
	case c.Joker:
		return TwinsJoker, true
	default:
		return TwinsPair, true
	}
}

// crazyTwins: the first cards of box and bank have one rank, and the box does not lose.
// (Wiesbaden, "Crazy-Twins".)
func crazyTwins(c Cards) (Line, bool) {
	switch {
	case c.First.Rank() != c.Bank.Rank():
		return 0, true
	case c.Hands == HandsOpen:
		return 0, false
	case c.Hands == HandsLost:
		return 0, true
	case c.Joker:
		return CrazyTwinsJoker, true
	default:
		return CrazyTwinsPair, true
	}
}

// threeCardWins looks at the box's two cards and the bank's first. (St. Moritz,
// "3 Card Wins".)
func threeCardWins(c Cards) (Line, bool) {
	three := [3]card.Card{c.First, c.Second, c.Bank}
	aceOfSpades := card.Of(card.Ace, card.Spades)
	switch {
	case all(three, func(c card.Card) bool { return c == aceOfSpades }):
		return ThreeAcesOfSpades, true
	case all(three, func(c card.Card) bool { return c.Rank() == card.Jack && c.Red() }):
		return ThreeRedJacks, true
	case c.First.Rank() == c.Second.Rank() && c.Second.Rank() == c.Bank.Rank():
		return ThreeOfAKind, true
	case all(three, func(c card.Card) bool { return !c.Red() }):
		return ThreeBlack, true
	}
	return 0, true
}

func all(cards [3]card.Card, is func(card.Card) bool) bool {
	return is(cards[0]) && is(cards[1]) && is(cards[2])
}

// queensTrio counts the queens among the box's two cards and the bank's first.
// (St. Moritz, "Queens Trio".)
func queensTrio(c Cards) (Line, bool) {
	queens, ofSpades := 0, 0
	for _, one := range [3]card.Card{c.First, c.Second, c.Bank} {
		if one.Rank() == card.Queen {
			queens++
			if one.Suit() == card.Spades {
				ofSpades++
			}
		}
	}
	switch {
	case ofSpades == 3:
		return ThreeQueensOfSpades, true
	case queens == 3:
		return ThreeQueens, true
	case ofSpades == 2 && queens == 2:
		return TwoQueensOfSpades, true
	case queens == 2:
		return TwoQueens, true
	case ofSpades == 1:
		return QueenOfSpades, true
	case queens == 1:
		return OneQueen, true
	}
	return 0, true
}

// admiralJack: the box has a Black Jack. (Mendrisio, "Admiral Jack".)
func admiralJack(c Cards) (Line, bool) {
	if blackJack(c.First, c.Second) {
		return BlackJack, true
	}
	return 0, true
}

// progressive: a Black Jack of the box. Ace and king of one suit wait for the bank while
// it can have ace and king, for the jackpot. (Mendrisio, "Progressive Black Jack".)
func progressive(c Cards) (Line, bool) {
	switch {
	case !blackJack(c.First, c.Second):
		return 0, true
	case !aceKing(c.First, c.Second):
		return BlackJack, true
	case c.First.Red() != c.Second.Red():
		return AceKing, true
	case c.First.Suit() != c.Second.Suit():
		return ColouredAceKing, true
	case aceKing(c.Bank, c.BankSecond):
		return Jackpot, true
	default:
		return SuitedAceKing, c.BankSecond != card.None || !aceOrKing(c.Bank)
	}
}

func blackJack(a, b card.Card) bool { return hand.BlackJack([]card.Card{a, b}) }

func aceOrKing(c card.Card) bool { return c.Rank() == card.Ace || c.Rank() == card.King }

// aceKing says whether two cards are an ace and a king.
func aceKing(a, b card.Card) bool { return aceOrKing(a) && aceOrKing(b) && a.Rank() != b.Rank() }
