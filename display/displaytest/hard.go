package displaytest

import (
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
)

// crowd seats three bettors on every box and deals each box one hand.
func crowd(boxes int, hands ...string) display.View {
	v := empty(display.PhasePlay, boxes)
	v.Bank = display.Hand{Cards: Cards("9H"), Total: 9}
	for i := range v.Boxes {
		seat(&v.Boxes[i], 2000, 1000, 50000)
		give(&v.Boxes[i], hands[i%len(hands)], 0, "rest")
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
	v.Boxes[3].Hands[0].Done = "double"
	due(&v, "call", 5, 3, "card", "rest", "double", "split")
	return v
}

// allSplit is seven boxes with three bettors each, all of them split to four hands.
func allSplit() display.View {
	v := full()
	for i := range v.Boxes {
		fourHands(&v.Boxes[i])
		if i < 4 {
			v.Boxes[i].Hands[2].Done, v.Boxes[i].Hands[3].Done = "rest", "rest"
		}
	}
	due(&v, "call", 5, 3, "card", "rest", "double", "split")
	return v
}

// paymentFull pays seven boxes with three bettors each, side bets included.
func paymentFull() display.View {
	v := crowd(7, "TS 9D", "5H 6C TD", "TH QS 5C", "AC 6S", "AH QD", "9C 9S", "7S 7D 7H")
	v.Phase, v.Due = display.PhasePayment, display.Due{To: "payment"}
	v.Bank = display.Hand{Cards: Cards("9H 4D 5S"), Total: 18, Done: "stands"}
	outcomes := [][2]string{
		{"win", "higher-total"},
		{"win", "higher-total"},
		{"lose", "bust"},
		{"lose", "lower-total"},
		{"win", "blackjack"},
		{"stand-off", "tie"},
		{"surrender", "surrender"},
	}
	for i, o := range outcomes {
		b := &v.Boxes[i]
		settle(b, 1, o[0], o[1])
		for _, p := range b.Bettors {
			side(b, p.Name, "twins", "no-match", 1000, 0)
		}
		side(b, "anna", "swiss-casinos-jack", "no-match", 1000, 0)
	}
	v.Boxes[2].Hands[0].Done = "bust"
	v.Boxes[4].Hands[0].Done = "blackjack"
	side(&v.Boxes[5], "ben", "perfect-pairs", "perfect-pair", 1000, 25)
	b := &v.Boxes[6]
	b.Payouts = append(b.Payouts, display.Payout{
		Bettor: "anna", Wager: "main", Hand: 1, Why: "three-sevens", Stake: 2000, Won: 2000,
	})
	v.Boxes[0].Paid = true
	sum(&v)
	return v
}

// paymentSplit pays two boxes of four hands between five others.
func paymentSplit() display.View {
	v := crowd(7, "TS 9D", "5H 6C TD", "TH QS 5C", "AC 6S", "AH QD", "9C 9S", "KS JD")
	v.Phase, v.Due = display.PhasePayment, display.Due{To: "payment"}
	v.Bank = display.Hand{Cards: Cards("9H 4D 5S"), Total: 18, Done: "stands"}
	for i := range v.Boxes {
		b := &v.Boxes[i]
		if i == 1 || i == 4 {
			fourHands(b)
			b.Hands[2] = *give(&display.Box{Bettors: b.Bettors}, "8H 2S KC", 20, "rest")
			b.Hands[3] = *give(&display.Box{Bettors: b.Bettors}, "8S 5C KH", 23, "bust")
			settle(b, 4, "lose", "bust")
			settle(b, 1, "stand-off", "tie")
			settle(b, 2, "win", "higher-total")
			settle(b, 3, "win", "higher-total")
			continue
		}
		settle(b, 1, "win", "higher-total")
	}
	sum(&v)
	return v
}

func held() display.View {
	v := play()
	v.Held = &display.Held{Code: "unread-card", Card: card.Unread, Choices: []string{"identify", "burn", "void-round"}}
	v.Aside = Cards("JOKER ??")
	return v
}

func heldBoth() display.View {
	v := play()
	v.Held = &display.Held{
		Code: "card-without-call", Card: Cards("5C")[0],
		Choices: []string{"accept", "next-card", "burn"}, Dealer: []string{"accept"},
	}
	return v
}

func offline() display.View {
	v := play()
	v.Held = &display.Held{Code: "shoe-offline"}
	v.Shoe.Online = false
	return v
}

func rejected() display.View {
	v := bets()
	v.Rejected = "below-minimum"
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
	due(&v, "call", 5, 1, "card", "rest", "double")
	v.Boxes[4].Hands[0].Done = ""
	return v
}

// many is a box split as often as a house without a limit lets it be in earnest.
func many() display.View {
	v := crowd(7, "TS 7D", "5H 6C TD", "AC 6S")
	b := &v.Boxes[1]
	fourHands(b)
	give(b, "8C 7S 6H", 21, "auto-rest")
	give(b, "8D TC", 18, "rest")
	give(b, "8H", 8, "")
	due(&v, "call", 2, 3, "card", "rest", "double")
	return v
}

// twelve is more hands than a box has room for: it must scroll to the one that is due.
func twelve() display.View {
	v := many()
	b := &v.Boxes[1]
	b.Hands[2].Active, b.Hands[2].Done = false, "rest"
	for range 5 {
		give(b, "8H TC", 18, "rest")
	}
	due(&v, "call", 2, len(b.Hands), "card", "rest")
	b.Hands[len(b.Hands)-1].Done = ""
	return v
}
