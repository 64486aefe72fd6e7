package display_test

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestViewsOfTheHouses: what each house has that the others have not reaches the view.
func TestViewsOfTheHouses(t *testing.T) {
	tests := []struct {
		sample, what string
		shows        func(v display.View) bool
	}{
		{"surrender", "who has surrendered, and side bets open and decided", func(v display.View) bool {
			b := v.Boxes[1]
			return b.Payouts[len(b.Payouts)-1] == display.Payout{
				Bettor: "chiara", Wager: vocab.WagerMain, Hand: 1,
				Outcome: vocab.Surrendered, Why: vocab.WhySurrender, Stake: 2000, Returned: 1000, AtOnce: true,
				Asked: true,
			} &&
				slices.Equal(b.Sides, []display.SideBet{{
					Bettor: "chiara", Wager: vocab.SideWager(sidebet.PerfectPairs),
					Stake: 1000,
				}, {Bettor: "ben", Wager: vocab.SideWager(sidebet.Bust), Stake: 1000}})
		}},
		{"twins-bets", "a guest without a main stake", func(v display.View) bool {
			b := v.Boxes[3]
			return len(b.Bettors) == 1 && slices.Equal(b.Sides,
				[]display.SideBet{{Bettor: "quentin", Wager: vocab.SideWager(sidebet.Twins), Stake: 10000}}) &&
				v.Shoe.Shuffler
		}},
		{"jackpot", "even money for the Black Jack alone, half the stake for the others", func(v display.View) bool {
			return v.Due.Half && v.Jackpot == 1025950 &&
				slices.Equal(v.Boxes[1].Offers, []vocab.Call{vocab.CallEvenMoney}) &&
				slices.Equal(v.Boxes[0].Offers, []vocab.Call{vocab.CallInsurance}) && v.Boxes[2].Offers == nil
		}},
		{"insurance", "both for a Black Jack, up to half the stake", func(v display.View) bool {
			return !v.Due.Half && slices.Equal(v.Boxes[2].Offers,
				[]vocab.Call{vocab.CallInsurance, vocab.CallEvenMoney})
		}},
		{"bonus-blackjack", "a Black Jack that is paid already", func(v display.View) bool {
			b := v.Boxes[2]
			return b.Offers == nil && b.Payouts[0].Why == vocab.WhyBonusBlackJack && b.Payouts[0].Won == 25000 &&
				b.Hands[0].Done == vocab.DoneBlackJack
		}},
		{"cut-card", "the cut card, and what is left", func(v display.View) bool {
			return v.Shoe.CutCard && v.Shoe.Dealt == 4 && v.Shoe.Left == 308 && !v.Shoe.Shuffler
		}},
		{"forecast-paid", "points, and the card that stopped the bank", func(v display.View) bool {
			return v.Game == display.BlackJames && v.Bank.Total == 3 && v.Bank.Done == vocab.DoneStop &&
				slices.Equal(v.Aside, displaytest.Cards("5H")) && v.Boxes[3].Hands[0].Total == 5 &&
				v.Boxes[3].Hands[0].Done == vocab.DoneFiveCardTrick
		}},
		{"marks-paid", "odds where nobody knows the stake, and no sums", func(v display.View) bool {
			won := v.Boxes[1].Payouts[len(v.Boxes[1].Payouts)-2]
			return v.Sums == nil && won == display.Payout{
				Bettor: "ben", Wager: vocab.WagerMain, Hand: 1, Outcome: vocab.Win, Why: vocab.WhyHigherTotal,
				Stake: display.Unstated, Returned: display.Unstated, Won: display.Unstated, Odds: "1:1", Times: 2,
			}
		}},
	}
	for _, tt := range tests {
		if v := displaytest.Named(tt.sample); !tt.shows(v) {
			t.Errorf("%s must show %s; it is %+v", tt.sample, tt.what, v)
		}
	}
}
