// Package rules holds the houses' rule sheets as data. It is a leaf of the round
// engine: the engine reads Rules and never asks which house it plays.
package rules

import (
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/sidebet"
)

// Profile is a house's rule sheet, as its YAML file has it. The comments in the
// files under houses/ name sheet and clause of every value.
type Profile struct {
	// Extends is the house whose profile this one changes.
	Extends string `yaml:"extends" json:"-"`
	// House is the profile's name, such as wiesbaden.
	House string `yaml:"house,required"`
	// Title is the house as its guests know it.
	Title string `yaml:"title,required"`
	Game  Game   `yaml:"game,required"`

	Table       Limits      `yaml:"table,required"`
	Cards       Cards       `yaml:"cards,required"`
	Play        Play        `yaml:"play,required"`
	Bank        Bank        `yaml:"bank,required"`
	Double      Double      `yaml:"double,required"`
	Split       Split       `yaml:"split,required"`
	Insurance   Insurance   `yaml:"insurance,required"`
	Surrender   bool        `yaml:"surrender,required"`
	ThreeSevens ThreeSevens `yaml:"three_sevens,required"`
	Pays        Pays        `yaml:"pays,required"`
	SideBets    []SideBet   `yaml:"side_bets,required"`
	// Jackpot is the progressive jackpot; nil in a house that has none.
	Jackpot *Jackpot `yaml:"jackpot"`
}

// Limits are the amounts that a table displays, as a profile writes them.
type Limits struct {
	Currency string `yaml:"currency,required"`
	Boxes    int    `yaml:"boxes,required"`
	Min      Money  `yaml:"min,required"`
	// BoxMax bounds the sum of the main stakes on a box before doubling and splitting.
	BoxMax Money `yaml:"box_max,required"`
	// Unit is the smallest payable amount; every stake is a multiple of it.
	Unit     Money          `yaml:"unit,required"`
	Rounding money.Rounding `yaml:"rounding,required"`
}

// Cards is what the cards come out of.
type Cards struct {
	Source Source `yaml:"source,required"`
	Decks  int    `yaml:"decks,required"`
	Jokers int    `yaml:"jokers,required"`
}

// Play is how the dealer and the boxes take turns.
type Play struct {
	Calls CallMode `yaml:"calls,required"`
	// AutoRestAt21 rests a hand that counts 21 without asking.
	AutoRestAt21 bool `yaml:"auto_rest_at_21,required"`
	// LoneTwoBoxes wants a person who plays alone at the table to play two boxes.
	LoneTwoBoxes bool `yaml:"lone_player_two_boxes,required"`
}

// Bank is the bank's own rule beside drawing to 16 and standing on 17.
type Bank struct {
	Draws BankDraws `yaml:"draws,required"`
}

// Double says when a stake may be doubled.
type Double struct {
	Allowed bool `yaml:"allowed,required"`
	// On lists the totals of two cards that may be doubled; empty: any two cards.
	On []int `yaml:"on,required"`
	// HardOnly refuses totals in which an ace counts eleven.
	HardOnly   bool `yaml:"hard_only,required"`
	AfterSplit bool `yaml:"after_split,required"`
}

// Split says how often a box may be split.
type Split struct {
	// Max is the number of splits a box may make; Unlimited for no limit.
	Max       int  `yaml:"max,required"`
	AcesAgain bool `yaml:"aces_again,required"`
}

// Unlimited is a number of splits without a limit.
const Unlimited = -1

// Insurance says what may be insured.
type Insurance struct {
	Offered bool `yaml:"offered,required"`
	// Exactly refuses any other insurance than half the stake.
	Exactly bool `yaml:"exactly_half,required"`
	// BlackJack says whether a box with a Black Jack may insure.
	BlackJack bool `yaml:"black_jack,required"`
	// EvenMoney offers a Black Jack against the bank's ace 1:1 at once.
	EvenMoney bool `yaml:"even_money,required"`
}

// ThreeSevens is the bonus for 7-7-7 as a hand's first three cards.
type ThreeSevens struct {
	Paid       bool `yaml:"paid,required"`
	AfterSplit bool `yaml:"after_split,required"`
}

// Pays are the odds of the main game.
type Pays struct {
	Win         money.Ratio `yaml:"win,required"`
	BlackJack   money.Ratio `yaml:"black_jack,required"`
	EvenMoney   money.Ratio `yaml:"even_money,required"`
	Insurance   money.Ratio `yaml:"insurance,required"`
	ThreeSevens money.Ratio `yaml:"three_sevens,required"`
	// BonusBlackJack is for jack and ace of spades; nil where they are a Black
	// Jack like any other.
	BonusBlackJack *money.Ratio `yaml:"bonus_black_jack"`
	// FiveCardTrick is for five right cards in Black James that beat the bank.
	FiveCardTrick money.Ratio `yaml:"five_card_trick,required"`
}

// SideBet is one side bet that a house offers.
type SideBet struct {
	Bet sidebet.Bet `yaml:"bet,required"`
	// Least and Most bound one stake; Step is what it is a multiple of.
	Least Limit `yaml:"least,required"`
	Most  Limit `yaml:"most,required"`
	Step  Limit `yaml:"step,required"`
	// BoxMost bounds the stakes of a box together; nil for no bound.
	BoxMost *Limit `yaml:"box_most"`
	// Bettors is who may bet.
	Bettors Bettors `yaml:"bettors,required"`
	// OnePerBettor allows a person one such stake at the whole table.
	OnePerBettor bool   `yaml:"one_per_bettor,required"`
	Pays         []Line `yaml:"pays,required"`
}

// Line is what one line of a paytable pays.
type Line struct {
	Line sidebet.Line `yaml:"line,required"`
	Pays Prize        `yaml:"pays,required"`
}

// Jackpot is the meter of the progressive jackpot.
type Jackpot struct {
	// Seed is the amount from which it starts, again after each win.
	Seed Money `yaml:"seed,required"`
	// Feeds is the part of each stake that goes into it.
	Feeds money.Ratio `yaml:"feeds,required"`
	// Envy is what everybody else with a stake gets when somebody wins it.
	Envy Money `yaml:"envy,required"`
}

// Rules is everything the engine needs to know of a table: the house's profile
// with the table's own limits, all amounts in minor units. It is never changed
// once it is set.
type Rules struct {
	Profile
	// Table hides the profile's limits: these are the table's.
	Table TableLimits
	// Meter is the jackpot's feed, envy and seed in minor units.
	Meter  Meter
	offers [sidebet.Count]*Offer
	// Fingerprint is the SHA-256 of the profile, in hexadecimal.
	Fingerprint string
}

// TableLimits are the amounts of a table in minor units.
type TableLimits struct {
	Currency          string
	Boxes             int
	Min, BoxMax, Unit money.Amount
	Rounding          money.Rounding
}

// Meter are the amounts of a progressive jackpot.
type Meter struct {
	Seed, Envy money.Amount
	Feeds      money.Ratio
}

// Offer is a side bet as a table offers it, in minor units.
type Offer struct {
	Bet               sidebet.Bet
	Least, Most, Step money.Amount
	// BoxMost bounds the stakes of a box together, 0 for no bound.
	BoxMost      money.Amount
	Bettors      Bettors
	OnePerBettor bool
	prizes       [sidebet.LineCount]Prize
}

// Offer returns a side bet's limits and prizes, nil if it is not offered.
func (r *Rules) Offer(b sidebet.Bet) *Offer { return r.offers[b] }

// Prize returns what a line pays; the zero Prize is a line that the house does
// not have.
func (o *Offer) Prize(l sidebet.Line) Prize { return o.prizes[l] }
