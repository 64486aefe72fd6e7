package displaytest

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

func idle() display.View { return empty(vocab.Idle, 7) }

func bets() display.View {
	v := empty(vocab.Bets, 7)
	seat(&v.Boxes[0], 2000)
	seat(&v.Boxes[2], 2000, 1000, 5000)
	seat(&v.Boxes[3], 50000)
	seat(&v.Boxes[6], 1500, 1000)
	return v
}

func deal() display.View {
	v := bets()
	v.Phase = vocab.Deal
	give(&v.Boxes[0], "8S", 8, 0)
	give(&v.Boxes[2], "AH", 11, 0).Soft = true
	give(&v.Boxes[3], "KD", 10, 0)
	give(&v.Boxes[6], "", 0, 0)
	due(&v, vocab.ToBox, 7, 1)
	return v
}

// dealt is the table after the initial deal, the bank showing an ace.
func dealt() display.View {
	v := bets()
	give(&v.Boxes[0], "8S 9H", 17, 0)
	give(&v.Boxes[2], "AH TS", 21, vocab.DoneBlackJack)
	give(&v.Boxes[3], "KD 4C", 14, 0)
	give(&v.Boxes[6], "8C 8D", 16, 0)
	v.Bank = display.Hand{Cards: Cards("AD"), Total: 11, Soft: true}
	v.Aside = Cards("JOKER")
	return v
}

func insurance() display.View {
	v := dealt()
	v.Phase = vocab.InsuranceOffer
	v.Due = display.Due{To: vocab.ToInsurance}
	for i := range v.Boxes {
		if len(v.Boxes[i].Bettors) > 0 {
			v.Boxes[i].Offers = []vocab.Call{vocab.CallInsurance}
		}
	}
	v.Boxes[2].Offers = []vocab.Call{vocab.CallInsurance, vocab.CallEvenMoney}
	v.Boxes[0].Bettors[0].Insurance = 1000
	v.Boxes[2].Bettors[1].EvenMoney = true
	v.Boxes[6].Bettors[1].Insurance = 500
	return v
}

func play() display.View {
	v := insurance()
	v.Phase = vocab.Play
	for i := range v.Boxes {
		v.Boxes[i].Offers = nil
	}
	v.Boxes[0].Hands[0].Done = vocab.DoneRest
	due(&v, vocab.ToCall, 4, 1, vocab.CallCard, vocab.CallRest)
	return v
}

func split() display.View {
	v := play()
	v.Boxes[3].Hands[0] = display.Hand{
		Cards: Cards("KD 4C 9S"), Total: 23, Done: vocab.DoneBust,
		Stakes: v.Boxes[3].Hands[0].Stakes,
	}
	settle(&v.Boxes[3], 1, vocab.Lose, vocab.WhyBust)
	fourHands(&v.Boxes[6])
	due(&v, vocab.ToCall, 7, 3, vocab.CallCard, vocab.CallRest, vocab.CallDouble)
	return v
}

// fourHands splits a box three times; the second hand is doubled by the holder.
func fourHands(b *display.Box) {
	b.Hands = nil
	give(b, "8C TS", 18, vocab.DoneRest)
	give(b, "8D 3H 9C", 20, vocab.DoneDouble).Stakes[0].Amount *= 2
	give(b, "8H 2S", 10, 0)
	give(b, "8S", 8, 0)
}

func bank() display.View {
	v := split()
	v.Phase = vocab.BankDraws
	b := &v.Boxes[6]
	b.Hands[2] = display.Hand{Cards: Cards("8H 2S 7D"), Total: 17, Done: vocab.DoneRest, Stakes: b.Hands[2].Stakes}
	b.Hands[3] = display.Hand{Cards: Cards("8S 5C KH"), Total: 23, Done: vocab.DoneBust, Stakes: b.Hands[3].Stakes}
	settle(b, 4, vocab.Lose, vocab.WhyBust)
	v.Bank = display.Hand{Cards: Cards("AD 5S"), Total: 16, Soft: true, Active: true}
	v.Due = display.Due{To: vocab.ToBank}
	return v
}

// payment has a Black Jack, even money, a stand-off, wins, losses, a bust, and
// insurance that is lost; one box is paid.
func payment() display.View {
	v := bank()
	v.Phase = vocab.Payment
	v.Due = display.Due{To: vocab.ToPayment}
	v.Bank = display.Hand{Cards: Cards("AD 5S 2H"), Total: 18, Soft: true, Done: vocab.DoneStands}
	settle(&v.Boxes[0], 1, vocab.Lose, vocab.WhyLowerTotal)
	side(&v.Boxes[0], "anna", vocab.WagerInsurance, vocab.WhyNoBankBlackJack, 1000, 0)
	side(&v.Boxes[0], "anna", vocab.SideWager(sidebet.Twins), vocab.WhyNoMatch, 1000, 0)
	settle(&v.Boxes[2], 1, vocab.Win, vocab.WhyBlackJack)
	v.Boxes[2].Payouts[1].Why = vocab.WhyEvenMoney
	v.Boxes[2].Payouts[1].Won = 1000
	side(&v.Boxes[2], "ben", vocab.SideWager(sidebet.CrazyTwins), vocab.WhyLine(sidebet.CrazyTwinsPair), 1000, 22)
	v.Boxes[2].Paid = true
	settle(&v.Boxes[6], 1, vocab.StandOff, vocab.WhyTie)
	settle(&v.Boxes[6], 2, vocab.Win, vocab.WhyHigherTotal)
	settle(&v.Boxes[6], 3, vocab.Lose, vocab.WhyLowerTotal)
	side(&v.Boxes[6], "ben", vocab.WagerInsurance, vocab.WhyNoBankBlackJack, 500, 0)
	sum(&v)
	return v
}
