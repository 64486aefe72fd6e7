// Package sidebet has the side bets: the language in which a paytable says which cards win which line, and who reads
// it. The house decides what a line pays, and who may stake how much (package rules); the bets that every house knows
// are in profile/bets.yaml. It is a leaf of the round engine.
package sidebet

import "github.com/sabot-table/sabot/shoe/card"

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
	// JokerMayCome says that the initial deal of the box goes on, so that a Joker may still be laid to it.
	JokerMayCome bool
	Hands        Hands
	// Hand is the first hand of the box, and BankHand that of the bank; nil until it has ended.
	Hand, BankHand []card.Card
}
