package transcript_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/transcript"
)

// TestOutside: a line from outside may not steer a terminal; a line on record is read as it stands.
func TestOutside(t *testing.T) {
	record, outside := transcript.NewParser(nil), transcript.NewParser(nil)
	outside.Outside = true
	for _, c := range []struct {
		line   string
		column int // 0: it is taken
	}{
		{`{"in":"stake","box":1,"bettor":"Zoë O'Hara","wager":"main","amount":1000}`, 0},
		{`{"in":"stake","box":1,"bettor":"a\u001b[2J","wager":"main","amount":1000}`, 32},
		{`{"in":"stake","box":1,"bettor":"a` + "\u202e" + `b","wager":"main","amount":1000}`, 32},
		{`{"in":"stake","box":1,"bettor":"a","player":"\n","wager":"main"}`, 45},
		{`{"in":"call","call":"double","bettors":["a","b\u0000"]}`, 40},
		{`{"in":"resolve","with":"burn","by":"anna","reason":"\"so\" — he said"}`, 0},
		{`{"in":"resolve","with":"burn","by":"anna","reason":"a\rb"}`, 52},
		{`{"in":"dealer","name":"` + strings.Repeat("d", 65) + `"}`, 23},
		{`{"in":"shoe","event":"alarm","code":"a\u009b2J"}`, 37},
	} {
		if _, err := record.Parse([]byte(c.line), 7); err != nil {
			t.Errorf("%s on record: %v", c.line, err)
		}
		_, err := outside.Parse([]byte(c.line), 7)
		var wrong *transcript.Error
		switch {
		case c.column == 0 && err != nil:
			t.Errorf("%s is refused: %v", c.line, err)
		case c.column > 0 && (!errors.As(err, &wrong) || wrong.Line != 7 || wrong.Column != c.column):
			t.Errorf("%s: %v, want column %d", c.line, err, c.column)
		}
	}
}
