package displaytest

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/rules"
)

// pairsOnTable is a table on which box 3 has won Twins of two guests, and the others have lost
// theirs, which are taken.
var pairsOnTable = []string{
	"open; stake 1 anna 20; stake 1 anna 10 twins; stake 3 ben 50; stake 3 ben 10 twins; stake 3 chiara 20; stake 3 " +
		"chiara 20 twins; stake 5 dario 30; stake 5 dario 10 twins; close",
	"TS 8D 5C 6D 9H 8S JC",
	"paid wager=twins why=no-match",
}

// payNow asks for Twins while a call is due.
func payNow() display.View { return played(rules.Setup{House: "wiesbaden"}, pairsOnTable) }

// movedNow is the same once they are paid and box 1 rests.
func movedNow() display.View {
	return played(rules.Setup{House: "wiesbaden"}, pairsOnTable, "paid box 3 wager=twins", "rest")
}

// movedPaid is its payment, of what is left.
func movedPaid() display.View {
	return played(rules.Setup{House: "wiesbaden"}, pairsOnTable, "paid box 3 wager=twins", "rest; card", "2C",
		"rest; card", "KD", "paid box 5 wager=main", "KC", "TD")
}

// takeNow asks to take what several boxes have lost.
func takeNow() display.View {
	return played(rules.Setup{House: "schaffhausen"}, []string{
		"open; stake 1 anna 20; stake 1 anna 5 perfect-pairs; stake 2 ben 20; stake 2 ben 5 perfect-pairs; stake 3 " +
			"chiara 20; stake 3 chiara 10 perfect-pairs; close",
		"TS 8D 5C 6D 7H 8S JC",
	})
}

// takeHand asks to take a hand of a split box.
func takeHand() display.View {
	return played(rules.Setup{House: "schaffhausen"}, []string{
		"open; stake 2 ben 20; stake 4 dario 50; close", "8D 5C 6D 8S JC", "split", "TC", "card", "KD",
	})
}

// payMarks asks for a win on a stake that nobody has entered.
func payMarks() display.View {
	return played(rules.Setup{House: "wiesbaden"}, []string{
		"open; stake 1 anna -; stake 2 ben -; stake 2 ben - twins; close", "TS 8D 6D 9H 8S",
	})
}
