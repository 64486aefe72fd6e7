package sidebet

import (
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
)

// Cards is what the side bets on a box hang on.
type Cards struct {
	First, Second card.Card // the box's first two
	Bank          card.Card // the bank's first
	// Joker says that a Joker was laid to the box in the initial deal.
	Joker bool
}

// OfBox returns the line that a bet wins by the cards of the initial deal, for the
// bets that those decide alone: Perfect Pairs, Twins, 3 Card Wins, Queens Trio,
// Admiral Jack. A line that the house does not pay is for the caller to pass over.
func OfBox(b Bet, c Cards) Line {
	switch b {
	case PerfectPairs:
		return pair(c.First, c.Second)
	case Twins:
		return twins(c)
	case ThreeCardWins:
		return threeCards(c)
	case QueensTrio:
		return queens(c)
	case AdmiralJack:
		if hand.BlackJack([]card.Card{c.First, c.Second}) {
			return BlackJack
		}
	}
	return 0
}

// pair: two cards of one rank. (Schaffhausen, "Perfect Pairs".)
func pair(a, b card.Card) Line {
	switch {
	case a.Rank() != b.Rank():
		return 0
	case a == b:
		return PerfectPair
	case a.Red() == b.Red():
		return ColouredPair
	default:
		return MixedPair
	}
}

// twins: two cards of one rank, whatever the suit. (Wiesbaden, "Twins".)
func twins(c Cards) Line {
	switch {
	case c.First.Rank() != c.Second.Rank():
		return 0
	case c.Joker:
		return TwinsJoker
	default:
		return TwinsPair
	}
}

// CrazyMatch says whether the box's and the bank's first card have one rank: the
// one half of Crazy Twins, the other being that the box does not lose.
// (Wiesbaden, "Crazy-Twins".)
func CrazyMatch(c Cards) bool { return c.First.Rank() == c.Bank.Rank() }

// Crazy returns the line of a box whose Crazy Twins match and that has not lost.
func Crazy(c Cards) Line {
	if c.Joker {
		return CrazyTwinsJoker
	}
	return CrazyTwinsPair
}

// threeCards looks at the box's two cards and the bank's first. (St. Moritz,
// "3 Card Wins".)
func threeCards(c Cards) Line {
	three := [3]card.Card{c.First, c.Second, c.Bank}
	aceOfSpades := card.Of(card.Ace, card.Spades)
	switch {
	case all(three, func(c card.Card) bool { return c == aceOfSpades }):
		return ThreeAcesOfSpades
	case all(three, func(c card.Card) bool { return c.Rank() == card.Jack && c.Red() }):
		return ThreeRedJacks
	case c.First.Rank() == c.Second.Rank() && c.Second.Rank() == c.Bank.Rank():
		return ThreeOfAKind
	case all(three, func(c card.Card) bool { return !c.Red() }):
		return ThreeBlack
	}
	return 0
}

func all(cards [3]card.Card, is func(card.Card) bool) bool {
	return is(cards[0]) && is(cards[1]) && is(cards[2])
}

// queens counts the queens among the box's two cards and the bank's first.
// (St. Moritz, "Queens Trio".)
func queens(c Cards) Line {
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
		return ThreeQueensOfSpades
	case queens == 3:
		return ThreeQueens
	case ofSpades == 2 && queens == 2:
		return TwoQueensOfSpades
	case queens == 2:
		return TwoQueens
	case ofSpades == 1:
		return QueenOfSpades
	case queens == 1:
		return OneQueen
	}
	return 0
}

// Swiss returns the line of Swiss Casinos Jack that the bank's two cards win.
// (Schaffhausen, "Swiss Casinos Jack".)
func Swiss(first, second card.Card) Line {
	if !hand.BlackJack([]card.Card{first, second}) {
		return 0
	}
	ten := first
	if first.Rank() == card.Ace {
		ten = second
	}
	switch {
	case ten.Rank() == card.Jack && !ten.Red():
		return JackIsBlack
	case first.Red() && second.Red():
		return AllRed
	default:
		return Mix
	}
}

// AceOrKing says whether a card can be part of the ace and king that the bank must
// have for the jackpot.
func AceOrKing(c card.Card) bool { return c.Rank() == card.Ace || c.Rank() == card.King }

// IsAceKing says whether two cards are an ace and a king.
func IsAceKing(a, b card.Card) bool {
	return AceOrKing(a) && AceOrKing(b) && a.Rank() != b.Rank()
}

// OfProgressive returns the line that a box's first two cards win, the bank's ace
// and king aside. (Mendrisio, "Progressive Black Jack".)
func OfProgressive(a, b card.Card) Line {
	switch {
	case !hand.BlackJack([]card.Card{a, b}):
		return 0
	case !IsAceKing(a, b):
		return BlackJack
	case a.Suit() == b.Suit():
		return SuitedAceKing
	case a.Red() == b.Red():
		return ColouredAceKing
	default:
		return AceKing
	}
}
