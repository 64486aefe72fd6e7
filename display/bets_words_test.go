package display_test

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// A side bet that no language file names has a name all the same, and so do its lines: as
// Queens Trio and its lines have, word for word those of the English file.
func TestBetsHaveNames(t *testing.T) {
	for _, line := range []sidebet.Line{sidebet.ThreeQueens, sidebet.QueenOfSpades, sidebet.OneQueen} {
		key := "why." + vocab.WhyLine(line).String()
		got, _ := display.NameOfBet(key)
		if want := lookup(key); got != want || got == "" {
			t.Errorf("%s is %q, in English %q", key, got, want)
		}
	}
	if got := lookup("wager.lucky-nines"); got != "Lucky nines" {
		t.Errorf("a house's own bet is called %q", got)
	}
	for _, key := range []string{"wager.", "why.A", "rule.line-nines", "where.box"} {
		if text, ok := display.NameOfBet(key); ok {
			t.Errorf("%s is a bet called %q", key, text)
		}
	}
}

// TestKnownBetsAreInWords: what every house knows is said in words of its own, and not by its name.
func TestKnownBetsAreInWords(t *testing.T) {
	var keys []string
	for bet := range sidebet.EveryBet {
		keys = append(keys, "wager."+bet.String(), "rule.decided-"+bet.String())
	}
	for line := range sidebet.EveryLine {
		keys = append(keys, "why."+line.String(), "rule.line-"+line.String())
	}
	english := words.BuiltIn(words.English)
	for _, key := range keys {
		if english.Text(key) == "" {
			t.Errorf("no language has %s: add it to words/topics/wagers.properties", key)
		}
	}
}

func lookup(key string) string {
	text, _ := display.English.Lookup(key)
	return text
}
