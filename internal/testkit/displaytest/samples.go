// Package displaytest holds sample views: every phase of a round and the tables
// that are hardest to draw. The displays' tests, benchmarks and screenshots share them. It also
// finds what does not belong into a text that people read.
package displaytest

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// Sample is one view under the name by which tests ask for it.
type Sample struct {
	Name string
	View display.View
}

// samples are in an order that could be one long evening.
var samples = []struct {
	name string
	view func() display.View
}{
	{"idle", idle},
	{"closed", closed},
	{"loaded", loaded},
	{"unproven", unproven},
	{"bets", bets},
	{"deal", deal},
	{"insurance", insurance},
	{"play", play},
	{"split", split},
	{"full", full},
	{"bank", bank},
	{"payment", payment},
	{"payment-full", paymentFull},
	{"payment-split", paymentSplit},
	{"held", held},
	{"held-both", heldBoth},
	{"offline", offline},
	{"rejected", rejected},
	{"long", long},
	{"nine", nine},
	{"many", many},
	{"twelve", twelve},
	{"surrender", surrender},
	{"six-hands", sixHands},
	{"six-hands-paid", sixHandsPaid},
	{"twins-bets", twinsBets},
	{"twins-joker", twinsJoker},
	{"queens", queens},
	{"cut-card", cutCard},
	{"bonus-blackjack", bonusBlackJack},
	{"jackpot", jackpot},
	{"jackpot-won", jackpotWon},
	{"forecast", forecast},
	{"forecast-paid", forecastPaid},
	{"marks", marks},
	{"marks-paid", marksPaid},
	{"all-split", allSplit},
	{"crowded", crowded},
	{"crowded-paid", crowdedPaid},
	{"no-bets", noBets},
	{"marked", marked},
	{"again", again},
	{"carried", carried},
	{"packs", packs},
	{"wide-strip", wideStrip},
	{"floor-called", floorCalled},
	{"floor-coming", floorComing},
	{"floor-held", floorHeld},
	{"pit-message", pitMessage},
	{"pit-message-long", pitMessageLong},
	{"open-card", openCard},
	{"open-split", openSplit},
	{"open-bets", openBets},
	{"open-idle", openIdle},
	{"pay-now", payNow},
	{"take-now", takeNow},
	{"take-hand", takeHand},
	{"pay-marks", payMarks},
	{"moved", movedNow},
	{"moved-paid", movedPaid},
	{"co-players", coPlayers},
	{"shares", shares},
	{"line-bets", lineBets},
	{"line-paid", linePaid},
	{"tray-new", trayNew},
	{"tray-slips", traySlips},
	{"tray-counted", trayCounted},
}

// Samples returns every sample. Each call builds them anew, so that a test may
// change what it got.
func Samples() []Sample {
	var all []Sample
	for i := range samples {
		all = append(all, sample(i))
	}
	return all
}

func sample(i int) Sample {
	s := Sample{Name: samples[i].name, View: samples[i].view()}
	s.View.Seq = uint64(i + 1)
	return s
}

// Named returns one sample's view. It panics on a name that Samples lacks, which
// is a mistake in the test that asks.
func Named(name string) display.View {
	for i := range samples {
		if samples[i].name == name {
			return sample(i).View
		}
	}
	panic(fmt.Sprintf("displaytest: no sample %q", name))
}

// Cards reads cards in their notation, separated by spaces: "TH 7S ?? JOKER". It
// panics on what is no card.
func Cards(s string) []card.Card {
	var cards []card.Card
	for _, f := range strings.Fields(s) {
		c, err := card.Parse(f)
		if err != nil {
			panic("displaytest: " + err.Error())
		}
		cards = append(cards, c)
	}
	return cards
}

// empty returns an empty table in a phase.
func empty(phase vocab.Phase, boxes int) display.View {
	v := display.View{
		Table: "BJ 4", House: "wiesbaden", Currency: "EUR", Digits: 2,
		Min: 1000, BoxMax: 50000, Unit: 50, Round: 17, Phase: phase,
		Due:  display.Due{To: vocab.ToNothing},
		Shoe: display.Shoe{Online: true},
	}
	for n := range boxes {
		v.Boxes = append(v.Boxes, display.Box{Number: n + 1})
	}
	return v
}

// seat puts bettors on a box; the first is its holder.
func seat(b *display.Box, stakes ...int64) {
	for i, s := range stakes {
		b.Bettors = append(b.Bettors, display.Bettor{Name: guests[i], Holder: i == 0, Stake: s})
	}
}

// give gives a box one more hand, with every bettor's stake on it.
func give(b *display.Box, cards string, total int, done vocab.Done) *display.Hand {
	h := display.Hand{Cards: Cards(cards), Total: total, Done: done}
	for _, p := range b.Bettors {
		h.Stakes = append(h.Stakes, display.HandStake{Bettor: p.Name, Amount: p.Stake})
	}
	b.Hands = append(b.Hands, h)
	return &b.Hands[len(b.Hands)-1]
}

// settle decides the main wagers of a hand.
func settle(b *display.Box, hand int, outcome vocab.Outcome, why vocab.Why) {
	for _, s := range b.Hands[hand-1].Stakes {
		p := display.Payout{
			Bettor: s.Bettor, Wager: vocab.WagerMain, Hand: hand, Outcome: outcome, Why: why,
			Stake: s.Amount,
		}
		switch outcome {
		case vocab.Win:
			p.Returned, p.Won = s.Amount, s.Amount
			if why == vocab.WhyBlackJack {
				p.Won = s.Amount * 3 / 2
			}
		case vocab.StandOff, vocab.Void:
			p.Returned = s.Amount
		case vocab.Surrendered:
			p.Returned = s.Amount / 2
		}
		b.Payouts = append(b.Payouts, p)
	}
}

// side decides a wager of a whole box; odds 0 loses it.
func side(b *display.Box, bettor string, wager vocab.Wager, why vocab.Why, stake, odds int64) {
	p := display.Payout{Bettor: bettor, Wager: wager, Outcome: vocab.Lose, Why: why, Stake: stake}
	if odds > 0 {
		p.Outcome, p.Returned, p.Won = vocab.Win, stake, stake*odds
	}
	b.Payouts = append(b.Payouts, p)
}

// sum fills the round's sums from the payouts.
func sum(v *display.View) {
	v.Sums = &display.Sums{}
	for _, b := range v.Boxes {
		for _, p := range b.Payouts {
			v.Sums.Staked += p.Stake
			v.Sums.Returned += p.Returned
			v.Sums.Won += p.Won
		}
	}
}

// due makes one hand of one box the next thing.
func due(v *display.View, to vocab.To, box, hand int, allowed ...vocab.Call) {
	v.Due = display.Due{To: to, Box: box, Hand: hand, Allowed: allowed}
	v.Boxes[box-1].Hands[hand-1].Active = true
}
