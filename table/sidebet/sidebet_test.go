package sidebet_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/sidebet"
)

// A name that is not a bet's is refused with a list of the bets; so is one that is not a line's.
func TestUnknownNames(t *testing.T) {
	var bet sidebet.Bet
	err := bet.UnmarshalText([]byte("twin"))
	if err == nil || bet != 0 {
		t.Fatalf("twin was read as %q", bet)
	}
	for known := range sidebet.EveryBet {
		if !strings.Contains(err.Error(), known.String()) {
			t.Errorf("%v: it does not name %s", err, known)
		}
	}
	var line sidebet.Line
	if err := line.UnmarshalText([]byte("twin")); err == nil || line != 0 {
		t.Errorf("twin was read as the line %q", line)
	}
}
