package displaytest

import (
	"fmt"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/rules"
)

// surrender is Schaffhausen after one co-player of box 2 has left: the holder is
// asked the same again.
func surrender() display.View {
	return played(
		rules.Setup{House: "schaffhausen"}, nil,
		"open; stake 1 anna 20; stake 1 anna 20 perfect-pairs; stake 1 anna 10 swiss-casinos-jack",
		"stake 2 ben 50; stake 2 chiara 20; stake 2 chiara 10 perfect-pairs; stake 2 ben 10 bust",
		"stake 3 dario 100; stake 3 dario 10 bust; stake 4 elif 20; stake 4 elif 5 perfect-pairs; stake 4 franz 10",
		"stake 6 greta 30; stake 6 hugo 20 seated; stake 6 greta 10 swiss-casinos-jack; stake 6 hugo 10 "+
			"swiss-casinos-jack",
		"close; 8S TH 5H 9C TS TD 8S 6C 6D 9S 7D",
		"split; TC; rest; 3H; double; KC",
		"surrender chiara",
	)
}

// fiveSplits are a box of Schaffhausen that is split five times.
var fiveSplits = []string{
	"open; stake 1 anna 20; stake 1 anna 10 swiss-casinos-jack; stake 2 ben 50; stake 2 ben 10 perfect-pairs",
	"stake 2 chiara 20; stake 2 chiara 20 perfect-pairs; stake 3 dario 20; stake 3 dario 10 bust",
	"stake 5 elif 30; stake 5 franz 10; stake 7 greta 100; stake 7 greta 5 bust",
	"close; TS 8S 5H 9C QS 6D 9D 8H 6H AC QD",
	"rest; split; 8D; split; 8C; split; 8D; split; 3H",
	"double; TD; 2C; card; 7S; rest; TH; rest; 8H; split",
	"5S; card; JC; KS; rest; 9S",
}

// sixHands is that box while its last hand is asked.
func sixHands() display.View { return played(rules.Setup{House: "schaffhausen"}, fiveSplits) }

func sixHandsPaid() display.View {
	return played(rules.Setup{House: "schaffhausen"}, fiveSplits, "rest; double; TH; rest; rest; TC KH; paid box 1")
}

// twins are bets of Wiesbaden, among them of two guests who have nothing but
// additional games.
var twins = []string{
	"open; stake 1 anna 20; stake 1 anna 10 twins; stake 1 petra 20 twins; stake 1 petra 10 crazy-twins",
	"stake 3 ben 50; stake 3 ben 10 twins; stake 3 ben 10 crazy-twins; stake 3 chiara 20",
	"stake 4 dario 100; stake 4 quentin 100 twins; stake 6 elif 20; stake 6 elif 10 crazy-twins",
}

// twinsBets are the bets before they are closed.
func twinsBets() display.View { return played(rules.Setup{House: "wiesbaden"}, twins) }

// twinsJoker: the Joker lies at box 3, whose Twins pay 200:1.
func twinsJoker() display.View {
	return played(rules.Setup{House: "wiesbaden"}, twins, "close; 7S JOKER 9H KD 8C 7D 7H 9S 5C 3H")
}

// queens is the payment of St. Moritz with both additional stakes on every box,
// after the cut card.
func queens() display.View {
	return played(
		rules.Setup{House: "st-moritz"}, nil,
		"open; stake 1 anna 20; stake 1 anna 10 3-card-wins; stake 1 anna 10 queens-trio",
		"stake 2 ben 50; stake 2 ben 10 3-card-wins; stake 2 ben 10 queens-trio; stake 2 chiara 20; stake 2 chiara "+
			"20 queens-trio",
		"stake 3 dario 10; stake 3 dario 10 3-card-wins; stake 5 elif 100; stake 5 elif 20 queens-trio; stake 5 "+
			"franz 30",
		"stake 6 greta 20; stake 6 greta 10 3-card-wins; stake 7 hugo 40; stake 7 hugo 10 queens-trio; stake 7 ines "+
			"10; stake 7 ines 10 queens-trio",
		"close; QS QH 7S AC KC QS QS 9S 7H 7D 5S 8D QS",
		"rest; rest; card; 7H; card; TC; card; 6D; rest; rest",
		"shoe cut-card; 9H; paid box 1; paid box 2",
	)
}

// cutCard is the same table once everything is paid: the shoe must be loaded.
func cutCard() display.View {
	return played(
		rules.Setup{House: "st-moritz"}, nil,
		"open; stake 3 dario 10; close; 7S QS 9H; rest; shoe cut-card; 9C; paid",
	)
}

// bonusBlackJack is a 6:5 table of St. Moritz: box 3 is paid before the bank draws.
func bonusBlackJack() display.View {
	return played(
		rules.Setup{House: "st-moritz-65"}, nil,
		"open; stake 1 anna 20; stake 1 anna 10 3-card-wins; stake 3 ben 50; stake 3 chiara 20; stake 5 dario 30",
		"close; 9S AS AD TC 5D JS KH",
	)
}

var mendrisio = rules.Setup{House: "mendrisio", Jackpot: 1024550}

// aceKing is a round of Mendrisio in which two progressive stakes wait for the bank.
var aceKing = []string{
	"open; stake 1 anna 20; stake 1 anna 5 progressive; stake 1 anna 10 admiral-jack; stake 1 ben 50; stake 1 ben " +
		"20 admiral-jack",
	"stake 2 chiara 100; stake 2 chiara 5 progressive; stake 2 dario 20; stake 2 dario 10 admiral-jack",
	"stake 4 elif 30; stake 4 elif 5 progressive; stake 5 franz 50; stake 7 greta 10; stake 7 greta 5 progressive",
	"close; 9S AS 7S TC 8H AH 9D KS 7H QD 3C",
}

// jackpot is the moment of insurance and even money.
func jackpot() display.View { return played(mendrisio, aceKing) }

func jackpotWon() display.View {
	return played(mendrisio, aceKing,
		"insurance 1 ben 25; even-money 2 dario; insurance 5 franz 25; insurance-closed",
		"split; 2C; double; TH; TS; rest; card; 7D; rest; double; 8S; KD",
	)
}

// forecasts are a round of Baden up to the last box.
var forecasts = []string{
	"open; stake 1 anna 20; stake 2 ben 50; stake 2 chiara 20; stake 3 dario 10; stake 4 elif 100; stake 6 franz " +
		"30; stake 7 greta 20",
	"close; 9S AC 4H 3D TC 7H 6D",
	"lower; 5C; higher; 8D; rest; lower; KS; higher; 2S",
	"higher; 6C; higher; 9D; lower; 9C; lower; 4S; higher; AD",
	"higher; 9H; lower; 3C",
}

// forecast is the last box being asked.
func forecast() display.View { return played(rules.Setup{House: "baden"}, forecasts) }

// forecastPaid: the bank stopped at its turned card.
func forecastPaid() display.View {
	return played(rules.Setup{House: "baden"}, forecasts, "rest; 9S 5S 5H")
}

// unstated is a round of Schaffhausen in which nobody enters amounts.
var unstated = []string{
	"open; stake 1 anna -; stake 1 anna - perfect-pairs; stake 1 anna - swiss-casinos-jack; stake 2 ben -; stake 2 " +
		"chiara -",
	"stake 2 chiara - perfect-pairs; stake 3 dario -; stake 3 dario - bust; stake 5 elif -; stake 5 franz -; stake " +
		"6 greta -",
	"close; 8S 6H TC AS 9D AD 8H 5C 6S KD 9H",
	"insurance 2 ben -; insurance 5 elif -; insurance-closed",
}

// marks is the first box being asked.
func marks() display.View { return played(rules.Setup{House: "schaffhausen"}, unstated) }

func marksPaid() display.View {
	return played(rules.Setup{House: "schaffhausen"}, unstated,
		"split; TD; rest; 3D; double; KC; double ben; 9C; surrender dario; rest; 5D TS 2H; paid box 1")
}

// everyBet is every bet of Schaffhausen from three bettors on each box.
func everyBet() []string {
	lines := []string{"open"}
	for box := range 7 {
		for i, name := range guests {
			stake := fmt.Sprintf("stake %d %s%[1]d", box+1, name)
			lines = append(
				lines,
				fmt.Sprintf("%s %d seated", stake, 20+10*i),
				fmt.Sprintf("%s %d perfect-pairs", stake, 5+10*i),
				stake+" 10 swiss-casinos-jack; "+stake+" 5 bust",
			)
		}
	}
	return lines
}

var guests = []string{"anna", "ben", "chiara"}

func crowded() display.View { return played(rules.Setup{House: "schaffhausen"}, everyBet()) }

// crowdedPaid pays all of it, among it insurances and Perfect Pairs.
func crowdedPaid() display.View {
	lines := append(everyBet(), "close; TS 5H QC AC KD 9C 7S AS TS 6C QC 6S QD 9S 7D")
	for box := range 7 {
		for i, name := range guests {
			lines = append(lines, fmt.Sprintf("insurance %[1]d %[2]s%[1]d %[3]d", box+1, name, 10+5*i))
		}
	}
	lines = append(lines,
		"insurance-closed; rest; card; TD; rest; rest; rest; split; 2H; card; 9H; rest; 3S; card; KC; card; 7H; "+
			"5C 9D KH",
	)
	return played(rules.Setup{House: "schaffhausen"}, lines)
}
