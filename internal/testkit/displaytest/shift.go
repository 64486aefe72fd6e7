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
