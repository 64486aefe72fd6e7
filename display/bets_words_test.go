package display_test

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// A side bet that no language file names has a name all the same, and so do its lines: as
// Queens Trio and its lines have, word for word those of the English file.
func TestBetsHaveNames(t *testing.T) {
	for _, line := range sidebet.QueensTrio.Lines() {
		key := "why." + vocab.WhyLine(line).String()
		if got, want := display.OfBets(key), lookup(key); got != want || got == "" {
			t.Errorf("%s is %q, in English %q", key, got, want)
		}
	}
	for bet := range sidebet.EveryBet {
		if display.OfBets("wager."+bet.String()) == "" {
			t.Errorf("%s has no name", bet)
		}
	}
}

func lookup(key string) string {
	text, _ := display.English.Lookup(key)
	return text
}
