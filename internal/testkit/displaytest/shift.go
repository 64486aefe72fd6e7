package displaytest

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// closed is a table that a supervisor has closed.
func closed() display.View {
	v := idle()
	v.Opening = display.Opening{Closed: true, Dealer: "d7", By: "anna", At: "2026-03-14T02:30:00Z"}
	return v
}

// loaded is a table whose shoe was just loaded, which can be taken back.
func loaded() display.View {
	v := idle()
	v.Undo = display.Press{Kind: vocab.InShoe}
	return v
}

// unproven is a table that opens no round before a dealer is proven.
func unproven() display.View {
	v := idle()
	v.Supervisor = &authority.Status{Proof: authority.PIN, Names: []string{"anna"}, Needs: authority.PIN}
	v.Dealers = &authority.DealerStatus{
		Proof: authority.PINOrBadge, Names: []string{"d7", "d9", "Maximiliane"},
		Needs: true,
	}
	return v
}

// trayNew is a table whose tray nobody has counted.
func trayNew() display.View {
	v := At("schaffhausen", "tips 5 by=d7")
	return traySigned(v)
}

// traySlips is one that was counted, with fills and credits under way.
func traySlips() display.View {
	return traySigned(At("wiesbaden", "count opening 5x20 100x50 dealer=d7 by=anna; fill asked 100x20 5x40 by=d7; "+
		"fill approved 1 by=anna; fill sent 1 100x20 5x40 by=cage; credit asked 10x20 by=d7; credit approved 2 "+
		"by=anna; "+
		"fill asked 1000x5 500x10 100x20 50x20 20x40 10x40 5x40 2x40 by=d7"))
}

// trayCounted is one that was counted, with no slip under way.
func trayCounted() display.View {
	return traySigned(At("wiesbaden", "count opening 5x20 100x50 dealer=d7 by=anna"))
}

// traySigned is a table at which somebody deals, and a supervisor is proven by a PIN.
func traySigned(v display.View) display.View {
	v.Shift.Dealer = "d7"
	v.Supervisor = &authority.Status{
		Proof: authority.PIN, Names: []string{"anna"}, Needs: authority.PIN, Asks: authority.PIN,
	}
	return v
}
