package displaytest

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// noBets are bets that are open, and nobody has any.
func noBets() display.View { return played(rules.Setup{House: "schaffhausen"}, nil, "open") }

// marked are the bets of a table where nobody enters amounts.
func marked() display.View {
	v := played(rules.Setup{House: "schaffhausen"}, unstated[:2])
	v.Bets.Amounts = false
	return v
}

// again is a table that may have last round's bets again.
func again() display.View { return after() }

// carried are bets of which some lie as in the last round, and nobody has said yet that they
// still do.
func carried() display.View {
	return after("stake 1 anna 20; stake 3 ben 50; stake 3 chiara 20; stake 4 dario 80; stake 4 dario 10 twins")
}

// after are bets that are open after a round, which the view remembers.
func after(stakes ...string) display.View {
	table := rules.Setup{House: "wiesbaden"}
	closed := played(table, twins, "close")
	open := []string{"close; 7S JOKER 9H KD 8C 7D 7H 9S 5C 3H; rest; rest; rest; rest; TC; paid; open"}
	v := played(table, twins, append(open, stakes...)...)
	var memory display.Memory
	memory.Look(&closed)
	memory.Look(&v)
	return v
}

// packs is a table between rounds at which it may be said which packs are loaded.
func packs() display.View {
	v := idle()
	v.Packs = []string{"Bee Standard rot", "Bee Standard blau", "Cartamundi 100% Plastic", "Angel Playing Cards 1.1"}
	return v
}

// wideStrip pays the first box in three kinds of chips, while the bank has four cards and
// others lie aside.
func wideStrip() display.View {
	v := payment()
	v.Bank = display.Hand{Cards: Cards("AD 2S 2H 3C TD"), Total: 18, Done: vocab.DoneStands}
	v.Boxes[2].Paid = false
	v.Boxes[2].Payouts[0].Won = 76_850
	v.Jackpot = 1_025_950
	sum(&v)
	return v
}
