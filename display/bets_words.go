package display

import (
	"strings"

	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/table/sidebet"
)

// ofBets are the names of side bets and of the lines of their paytables, as sidebet has
// them: English falls back to them, so that a bet needs no language file before it is
// shown, and the house that offers it can put it into its own words.
var ofBets = &texts{code: words.English, says: func() *said { return betNames }}

var betNames = func() *said {
	s := &said{}
	for bet := range sidebet.EveryBet {
		s.add("wager."+bet.String(), bet.Title())
	}
	for line := range sidebet.EveryLine {
		name := strings.ReplaceAll(line.String(), "-", " ")
		s.add("why."+line.String(), strings.ToUpper(name[:1])+name[1:])
	}
	return s
}()
