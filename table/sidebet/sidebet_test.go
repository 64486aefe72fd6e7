package sidebet_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/sidebet"
)

// A name that could be on record as something else, or not at all, is refused.
func TestNames(t *testing.T) {
	for name, good := range map[string]bool{
		"twins": true, "21-plus-3": true, "lucky-nines": true, "": false, "-a": false, "Twins": false, "a b": false,
		"twins.": false, strings.Repeat("a", 32): true, strings.Repeat("a", 33): false,
	} {
		var bet sidebet.Bet
		var line sidebet.Line
		if err := bet.UnmarshalText([]byte(name)); (err == nil) != good || good && bet.String() != name {
			t.Errorf("%q was read as %q, %v", name, bet, err)
		}
		if err := line.UnmarshalText([]byte(name)); (err == nil) != good || good && line.String() != name {
			t.Errorf("%q was read as the line %q, %v", name, line, err)
		}
	}
	for _, taken := range []string{"main", "insurance", "even-money", "unknown"} {
		if err := new(sidebet.Bet).UnmarshalText([]byte(taken)); err == nil {
			t.Errorf("a bet may be called %s", taken)
		}
	}
	for _, said := range []string{"no-match", "dead", "void-round", "envy", "tie"} {
		if err := new(sidebet.Line).UnmarshalText([]byte(said)); err == nil {
			t.Errorf("a line may be called %s", said)
		}
	}
}
