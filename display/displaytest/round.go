package displaytest

import "github.com/sabot-table/sabot/display"

func idle() display.View { return empty(display.PhaseIdle, 7) }

func bets() display.View {
	v := empty(display.PhaseBets, 7)
	seat(&v.Boxes[0], 2000)
	seat(&v.Boxes[2], 2000, 1000, 5000)
	seat(&v.Boxes[3], 50000)
	seat(&v.Boxes[6], 1500, 1000)
	return v
}

func deal() display.View {
	v := bets()
	v.Phase = display.PhaseDeal
	give(&v.Boxes[0], "8S", 8, "")
	give(&v.Boxes[2], "AH", 11, "").Soft = true
	give(&v.Boxes[3], "KD", 10, "")
	give(&v.Boxes[6], "", 0, "")
	due(&v, "box", 7, 1)
	return v
}

// dealt is the table after the initial deal, the bank showing an ace.
func dealt() display.View {
	v := bets()
	give(&v.Boxes[0], "8S 9H", 17, "")
	give(&v.Boxes[2], "AH TS", 21, "blackjack")
	give(&v.Boxes[3], "KD 4C", 14, "")
	give(&v.Boxes[6], "8C 8D", 16, "")
	v.Bank = display.Hand{Cards: Cards("AD"), Total: 11, Soft: true}
	v.Aside = Cards("JOKER")
	return v
}

func insurance() display.View {
	v := dealt()
	v.Phase = display.PhaseInsurance
	v.Due = display.Due{To: "insurance"}
	for i := range v.Boxes {
		if len(v.Boxes[i].Bettors) > 0 {
			v.Boxes[i].Offers = []string{"insurance"}
		}
	}
	v.Boxes[2].Offers = []string{"insurance", "even-money"}
	v.Boxes[0].Bettors[0].Insurance = 1000
	v.Boxes[2].Bettors[1].EvenMoney = true
	v.Boxes[6].Bettors[1].Insurance = 500
	return v
}

func play() display.View {
	v := insurance()
	v.Phase = display.PhasePlay
	for i := range v.Boxes {
		v.Boxes[i].Offers = nil
	}
	v.Boxes[0].Hands[0].Done = "rest"
	due(&v, "call", 4, 1, "card", "rest")
	return v
}

func split() display.View {
	v := play()
	v.Boxes[3].Hands[0] = display.Hand{
		Cards: Cards("KD 4C 9S"), Total: 23, Done: "bust",
		Stakes: v.Boxes[3].Hands[0].Stakes,
	}
	settle(&v.Boxes[3], 1, "lose", "bust")
	fourHands(&v.Boxes[6])
	due(&v, "call", 7, 3, "card", "rest", "double")
	return v
}

// fourHands splits a box three times; the second hand is doubled by the holder.
func fourHands(b *display.Box) {
	b.Hands = nil
	give(b, "8C TS", 18, "rest")
	give(b, "8D 3H 9C", 20, "double").Stakes[0].Amount *= 2
	give(b, "8H 2S", 10, "")
	give(b, "8S", 8, "")
}

func bank() display.View {
	v := split()
	v.Phase = display.PhaseBank
	b := &v.Boxes[6]
	b.Hands[2] = display.Hand{Cards: Cards("8H 2S 7D"), Total: 17, Done: "rest", Stakes: b.Hands[2].Stakes}
	b.Hands[3] = display.Hand{Cards: Cards("8S 5C KH"), Total: 23, Done: "bust", Stakes: b.Hands[3].Stakes}
	settle(b, 4, "lose", "bust")
	v.Bank = display.Hand{Cards: Cards("AD 5S"), Total: 16, Soft: true, Active: true}
	v.Due = display.Due{To: "bank"}
	return v
}

// payment has a Black Jack, even money, a stand-off, wins, losses, a bust, and
// insurance that is lost; one box is paid.
func payment() display.View {
	v := bank()
	v.Phase = display.PhasePayment
	v.Due = display.Due{To: "payment"}
	v.Bank = display.Hand{Cards: Cards("AD 5S 2H"), Total: 18, Soft: true, Done: "stands"}
	settle(&v.Boxes[0], 1, "lose", "lower-total")
	side(&v.Boxes[0], "anna", "insurance", "no-bank-blackjack", 1000, 0)
	side(&v.Boxes[0], "anna", "twins", "no-match", 1000, 0)
	settle(&v.Boxes[2], 1, "win", "blackjack")
	v.Boxes[2].Payouts[1].Why = "even-money"
	v.Boxes[2].Payouts[1].Won = 1000
	side(&v.Boxes[2], "ben", "crazy-twins", "crazy-twins", 1000, 22)
	v.Boxes[2].Paid = true
	settle(&v.Boxes[6], 1, "stand-off", "tie")
	settle(&v.Boxes[6], 2, "win", "higher-total")
	settle(&v.Boxes[6], 3, "lose", "lower-total")
	side(&v.Boxes[6], "ben", "insurance", "no-bank-blackjack", 500, 0)
	sum(&v)
	return v
}
