package displaytest

import (
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// crowd seats three bettors on every box and deals each box one hand.
func crowd(boxes int, hands ...string) display.View {
	v := empty(vocab.Play, boxes)
	v.Bank = display.Hand{Cards: Cards("9H"), Total: 9}
	for i := range v.Boxes {
		seat(&v.Boxes[i], 2000, 1000, 50000)
		give(&v.Boxes[i], hands[i%len(hands)], 0, vocab.DoneRest)
		count(&v.Boxes[i].Hands[0])
	}
	return v
}

// count gives a hand its total, as plainly as the samples need it.
func count(h *display.Hand) {
	h.Total, h.Soft = 0, false
	ace := false
	for _, c := range h.Cards {
		h.Total += int(min(c.Rank(), 10))
		ace = ace || c.Rank() == card.Ace
	}
	if ace && h.Total <= 11 {
		h.Total, h.Soft = h.Total+10, true
	}
}

// full is seven boxes with three bettors each, one of them split into four.
func full() display.View {
	v := crowd(7, "TS 7D", "5H 6C TD", "2S 3H 4D 2C 3S AS 2H", "AC 6S", "KH QD", "9C 9S", "4S 5D")
	for i := range v.Boxes {
		v.Boxes[i].Bettors[1].Insurance = 500
	}
	fourHands(&v.Boxes[4])
	v.Boxes[3].Hands[0].Done = vocab.DoneDouble
	due(&v, vocab.ToCall, 5, 3, vocab.CallCard, vocab.CallRest, vocab.CallDouble, vocab.CallSplit)
	return v
}

// allSplit is seven boxes with three bettors each, all of them split to four hands.
func allSplit() display.View {
	v := full()
	for i := range v.Boxes {
		fourHands(&v.Boxes[i])
		if i < 4 {
			v.Boxes[i].Hands[2].Done, v.Boxes[i].Hands[3].Done = vocab.DoneRest, vocab.DoneRest
		}
	}
	due(&v, vocab.ToCall, 5, 3, vocab.CallCard, vocab.CallRest, vocab.CallDouble, vocab.CallSplit)
	return v
}

// paymentFull pays seven boxes with three bettors each, side bets included.
func paymentFull() display.View {
	v := crowd(7, "TS 9D", "5H 6C TD", "TH QS 5C", "AC 6S", "AH QD", "9C 9S", "7S 7D 7H")
	v.Phase, v.Due = vocab.Payment, display.Due{To: vocab.ToPayment}
	v.Bank = display.Hand{Cards: Cards("9H 4D 5S"), Total: 18, Done: vocab.DoneStands}
	outcomes := []struct {
		outcome vocab.Outcome
		why     vocab.Why
	}{
		{vocab.Win, vocab.WhyHigherTotal},
		{vocab.Win, vocab.WhyHigherTotal},
		{vocab.Lose, vocab.WhyBust},
		{vocab.Lose, vocab.WhyLowerTotal},
		{vocab.Win, vocab.WhyBlackJack},
		{vocab.StandOff, vocab.WhyTie},
		{vocab.Surrendered, vocab.WhySurrender},
	}
	for i, o := range outcomes {
		b := &v.Boxes[i]
		settle(b, 1, o.outcome, o.why)
		for _, p := range b.Bettors {
			side(b, p.Name, vocab.SideWager(sidebet.Twins), vocab.WhyNoMatch, 1000, 0)
		}
		side(b, "anna", vocab.SideWager(sidebet.SwissCasinosJack), vocab.WhyNoMatch, 1000, 0)
	}
	v.Boxes[2].Hands[0].Done = vocab.DoneBust
	v.Boxes[4].Hands[0].Done = vocab.DoneBlackJack
	side(&v.Boxes[5], "ben", vocab.SideWager(sidebet.PerfectPairs), vocab.WhyLine(sidebet.PerfectPair), 1000, 25)
	b := &v.Boxes[6]
	b.Payouts = append(b.Payouts, display.Payout{
		Bettor: "anna", Wager: vocab.WagerMain, Hand: 1, Why: vocab.WhyThreeSevens, Stake: 2000, Won: 2000,
	})
	v.Boxes[0].Paid = true
	sum(&v)
	return v
}

// paymentSplit pays two boxes of four hands between five others.
func paymentSplit() display.View {
	v := crowd(7, "TS 9D", "5H 6C TD", "TH QS 5C", "AC 6S", "AH QD", "9C 9S", "KS JD")
	v.Phase, v.Due = vocab.Payment, display.Due{To: vocab.ToPayment}
	v.Bank = display.Hand{Cards: Cards("9H 4D 5S"), Total: 18, Done: vocab.DoneStands}
	for i := range v.Boxes {
		b := &v.Boxes[i]
		if i == 1 || i == 4 {
			fourHands(b)
			b.Hands[2] = *give(&display.Box{Bettors: b.Bettors}, "8H 2S KC", 20, vocab.DoneRest)
			b.Hands[3] = *give(&display.Box{Bettors: b.Bettors}, "8S 5C KH", 23, vocab.DoneBust)
			settle(b, 4, vocab.Lose, vocab.WhyBust)
			settle(b, 1, vocab.StandOff, vocab.WhyTie)
			settle(b, 2, vocab.Win, vocab.WhyHigherTotal)
			settle(b, 3, vocab.Win, vocab.WhyHigherTotal)
			continue
		}
		settle(b, 1, vocab.Win, vocab.WhyHigherTotal)
	}
	sum(&v)
	return v
}

func held() display.View {
	v := play()
	v.Held = &display.Held{
		Code: irregularity.UnreadCard, Card: card.Unread,
		Choices: []irregularity.Choice{irregularity.Identify, irregularity.Burn, irregularity.VoidRound},
	}
	v.Aside = Cards("JOKER ??")
	return v
}

func heldBoth() display.View {
	v := play()
	v.Held = &display.Held{
		Code: irregularity.CardWithoutCall, Card: Cards("5C")[0],
		Choices: []irregularity.Choice{irregularity.Accept, irregularity.NextCard, irregularity.Burn},
		Dealer:  []irregularity.Choice{irregularity.Accept},
	}
	return v
}

func offline() display.View {
	v := play()
	v.Held = &display.Held{Code: irregularity.ShoeOffline}
	v.Shoe.Online = false
	return v
}

func rejected() display.View {
	v := bets()
	v.Rejected = vocab.BelowMinimum
	return v
}

// long has names and amounts that no table should see, and a name that is markup.
func long() display.View {
	v := paymentFull()
	v.Table, v.House, v.Currency, v.Digits = "Black Jack Salon Privé 12", "schaffhausen", "CHF", 2
	names := map[string]string{
		"anna":   "Maximiliane von Hohenberg-Unterwalden",
		"ben":    "<script>alert(1)</script>",
		"chiara": "王小明",
	}
	for i := range v.Boxes {
		rename(&v.Boxes[i], names)
	}
	v.Boxes[0].Payouts[2].Won = 1234567890
	v.Boxes[3].Payouts[0].Stake = 25000000
	v.Shoe.Alarm = strings.Repeat("cover open ", 3)
	sum(&v)
	return v
}

func rename(b *display.Box, names map[string]string) {
	for i := range b.Bettors {
		b.Bettors[i].Name = names[b.Bettors[i].Name]
	}
	for i := range b.Payouts {
		b.Payouts[i].Bettor = names[b.Payouts[i].Bettor]
	}
	for _, h := range b.Hands {
		for i := range h.Stakes {
			h.Stakes[i].Bettor = names[h.Stakes[i].Bettor]
		}
	}
}

// nine is the widest table a house names: nine boxes.
func nine() display.View {
	v := crowd(9, "TS 7D", "5H 6C", "AC 6S", "9C 2S", "4S 5D")
	due(&v, vocab.ToCall, 5, 1, vocab.CallCard, vocab.CallRest, vocab.CallDouble)
	v.Boxes[4].Hands[0].Done = 0
	return v
}

// many is a box split as often as a house without a limit lets it be in earnest.
func many() display.View {
	v := crowd(7, "TS 7D", "5H 6C TD", "AC 6S")
	b := &v.Boxes[1]
	fourHands(b)
	give(b, "8C 7S 6H", 21, vocab.DoneAutoRest)
	give(b, "8D TC", 18, vocab.DoneRest)
	give(b, "8H", 8, 0)
	due(&v, vocab.ToCall, 2, 3, vocab.CallCard, vocab.CallRest, vocab.CallDouble)
	return v
}

// twelve is more hands than a box has room for: it must scroll to the one that is due.
func twelve() display.View {
	v := many()
	b := &v.Boxes[1]
	b.Hands[2].Active, b.Hands[2].Done = false, vocab.DoneRest
	for range 5 {
		give(b, "8H TC", 18, vocab.DoneRest)
	}
	due(&v, vocab.ToCall, 2, len(b.Hands), vocab.CallCard, vocab.CallRest)
	b.Hands[len(b.Hands)-1].Done = 0
	return v
}
