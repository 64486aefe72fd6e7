package displaytest

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/rules"
)

// halves are a round after which a chip lies on the lines of two boxes, for one bettor and for two.
const halves = "open; stake 1 anna 5; stake 2 ben 15; stake 2 chiara 25; stake 7 dora 10; close; AS AC 9D 7D TH TC " +
	"8D; rest; TS; paid"

// lineBets are bets while chips lie on lines.
func lineBets() display.View {
	v := carriedOver("open")
	v.Bets.Amounts = true
	return v
}

// linePaid is a payment with everything that can be done with the chips on the lines: some are won, one is taken, and
// others are laid.
func linePaid() display.View {
	return carriedOver("open; stake 1 anna 15; stake 2 ben 15; stake 2 chiara 25; stake 7 dora 5; close; 9S AC AD " +
		"7D 7H TC TH; rest; TC")
}

// carriedOver is the round after halves. It goes by the name of the house that the house for tests extends, which comes
// with Sabot.
func carriedOver(lines string) display.View {
	v := played(rules.Setup{House: "olympic"}, []string{halves, lines})
	v.House = "schaffhausen"
	return v
}
