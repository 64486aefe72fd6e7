package displaytest

import (
	"fmt"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// coPlayers pays three bettors on each of seven boxes, all of whom have won.
func coPlayers() display.View {
	lines := []string{"open"}
	for box := range 7 {
		const three = "stake %[1]d anna%[1]d 30; stake %[1]d ben%[1]d 25; stake %[1]d chiara%[1]d 10"
		lines = append(lines, fmt.Sprintf(three, box+1))
	}
	lines = append(lines,
		"close; 9S 9H 9D 9C 8S 8H 8D TS TC TD TH KS KH KD KC; rest; rest; rest; rest; rest; rest; rest; 7C")
	return played(rules.Setup{House: "schaffhausen"}, lines)
}

// shares pays one, two, three and four bettors on a box, of whom some have lost, with side bets and split hands. One
// box, and a bettor of another, are paid already.
func shares() display.View {
	v := empty(vocab.Payment, 7)
	v.House, v.Currency, v.Due = "schaffhausen", "CHF", display.Due{To: vocab.ToPayment}
	v.Bank = display.Hand{Cards: Cards("9H 4D 5S"), Total: 18, Done: vocab.DoneStands}
	for i, stakes := range [][]int64{
		{12750}, {5000, 2000}, {2000, 1000, 50000}, {5000, 2500, 1000, 2000}, {2000, 1500}, {3000, 1000}, {10000, 5000},
	} {
		b := &v.Boxes[i]
		for k, stake := range stakes {
			b.Bettors = append(b.Bettors, display.Bettor{
				Name:   fmt.Sprintf("%s%d", append(guests, "dario")[k], i+1),
				Holder: k == 0, Stake: stake,
			})
		}
	}
	won := func(i int, cards string) {
		give(&v.Boxes[i], cards, 20, vocab.DoneRest)
		settle(&v.Boxes[i], 1, vocab.Win, vocab.WhyHigherTotal)
	}
	won(0, "TS KD")
	won(1, "QC TD")
	side(&v.Boxes[1], "anna2", vocab.SideWager(sidebet.PerfectPairs), vocab.WhyNoMatch, 1000, 0)
	side(&v.Boxes[1], "ben2", vocab.SideWager(sidebet.PerfectPairs), vocab.WhyNoMatch, 1000, 0)
	give(&v.Boxes[2], "9C 9D", 18, vocab.DoneRest)
	settle(&v.Boxes[2], 1, vocab.StandOff, vocab.WhyTie)
	side(&v.Boxes[2], "ben3", vocab.SideWager(sidebet.PerfectPairs), vocab.WhyLine(sidebet.ColouredPair), 1000, 12)
	won(3, "5S 6H 9C")
	v.Boxes[3].Payouts[1].Paid = true
	b := &v.Boxes[4]
	give(b, "8C TS", 18, vocab.DoneRest)
	give(b, "8D 3H 9C", 20, vocab.DoneDouble)
	settle(b, 1, vocab.StandOff, vocab.WhyTie)
	settle(b, 2, vocab.Win, vocab.WhyHigherTotal)
	give(&v.Boxes[5], "7S 6H KD", 23, vocab.DoneBust)
	settle(&v.Boxes[5], 1, vocab.Lose, vocab.WhyBust)
	side(&v.Boxes[5], "ben6", vocab.WagerInsurance, vocab.WhyNoBankBlackJack, 500, 0)
	b = &v.Boxes[6]
	fourHands(b)
	b.Hands[2] = *give(&display.Box{Bettors: b.Bettors}, "8H 2S KC", 20, vocab.DoneRest)
	b.Hands[3] = *give(&display.Box{Bettors: b.Bettors}, "8S 5C KH", 23, vocab.DoneBust)
	settle(b, 4, vocab.Lose, vocab.WhyBust)
	settle(b, 1, vocab.StandOff, vocab.WhyTie)
	settle(b, 2, vocab.Win, vocab.WhyHigherTotal)
	settle(b, 3, vocab.Win, vocab.WhyHigherTotal)
	v.Boxes[0].Paid = true
	sum(&v)
	return v
}
