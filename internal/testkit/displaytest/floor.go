package displaytest

import (
	"github.com/sabot-table/sabot/display"
)

// floorCalled is a round in which the floor is called, and nobody has seen it.
func floorCalled() display.View {
	return At("wiesbaden", playing+"; floor called dispute by=d7")
}

// floorComing is a payment while somebody of the pit is on the way.
func floorComing() display.View {
	return At("schaffhausen", winning+"; floor called chips; acknowledge floor-called Maximiliane")
}

// floorHeld is a held round to which the floor is called.
func floorHeld() display.View {
	return At("st-moritz", playing+"; card; ??; floor called; acknowledge floor-called anna")
}

// pitMessage is a round in which the pit says something to the dealer, while the floor is called.
func pitMessage() display.View {
	return At("wiesbaden",
		playing+`; floor called chips by=d7; message sent "Your break is at 22:15, Bruno relieves you" by=anna`)
}

// pitMessageLong is as long as a message of the pit may be, in the longest name, at a table that is held.
func pitMessageLong() display.View {
	return At("st-moritz",
		playing+
			`; card; ??; message sent "Please wait with the payment of box 3: the floor looks at the cards with the guest, and says which hand it was, at once" by="Maximiliane Hohenberg-Unterwalden-Gruber"`)
}

// openCard is a round in which the next card lies open.
func openCard() display.View {
	return At("schaffhausen", playing+"; 7D; resolve next-card")
}

// openSplit is one in which the next card lies open, for a split hand.
func openSplit() display.View {
	return At("wiesbaden",
		"open; stake 1 anna 20; stake 4 ben 50; stake 4 chiara 20; close; 8S 9D 9H 8C 7C; split; TD; 7D; resolve "+
			"next-card")
}

// openBets is a table at which a card has come before the deal.
func openBets() display.View {
	return At("mendrisio", "open; stake 3 anna 20; 7D; resolve next-card")
}

// openIdle is a table at which cards lie open for the next round.
func openIdle() display.View {
	return At("wiesbaden", "7D; resolve next-card; TH; resolve next-card")
}
