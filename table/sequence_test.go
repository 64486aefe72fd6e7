package table_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table"
)

// TestFirstCardsAsText: the first cards of a shoe are read as they are written, and nothing else is.
func TestFirstCardsAsText(t *testing.T) {
	for text, wrong := range map[string]string{
		"":                           "",
		"AS TH JOKER ??":             "",
		"AS 2S 3S 4S 5S 6S 7S 8S":    "",
		"AS 2S 3S 4S 5S 6S 7S 8S 9S": "too many",
		"AS XY":                      `"XY" is not a card`,
	} {
		var first table.FirstCards
		err := first.UnmarshalText([]byte(text))
		if wrong != "" {
			if err == nil || !strings.Contains(err.Error(), wrong) {
				t.Errorf("%q is read with %v, want %q", text, err, wrong)
			}
			continue
		}
		again, _ := first.MarshalText()
		if err != nil || string(again) != text || first.IsZero() != (text == "") {
			t.Errorf("%q is read as %q, none %t (%v)", text, again, first.IsZero(), err)
		}
	}
}
