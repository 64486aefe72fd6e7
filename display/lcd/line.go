package lcd

import (
	"strings"

	"github.com/sabot-table/sabot/display"
)

// onLine is what is done with the chips on the boxes' lines, in one row: the boxes by what is done there, by its sign
// where there is too little room for words.
func (d *drawing) onLine(moves ...display.LineMove) string {
	var words, signs []string
	for _, move := range moves {
		if boxes := display.BoxesOnLine(d.view, move); boxes != "" {
			words = append(words, d.word(lineMoves[move].word)+" "+boxes)
			signs = append(signs, lineMoves[move].sign+boxes)
		}
	}
	if row := strings.Join(words, " "); width(plain(row)) <= Columns {
		return row
	}
	return d.word("line") + " " + strings.Join(signs, " ")
}

// lineMoves are what is done with the chip on a line, in a word and as a sign.
var lineMoves = map[display.LineMove]struct{ word, sign string }{
	display.FromLine: {"line-from", "="}, display.TakeFromLine: {"line-take", "-"},
	display.LayOnLine: {"line-lay", "+"}, display.LiesOnLine: {"line-lies", ""},
}
