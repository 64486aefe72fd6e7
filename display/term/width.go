package term

import (
	"strings"
	"unicode"

	"github.com/sabot-table/sabot/display"
)

// safe keeps a name from controlling the terminal: it writes a dot for what is not printable.
func safe(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && r != '\u202f' {
			return '·'
		}
		return r
	}, s)
}

func columns(s string) int { return display.Columns(s) }

// cut shortens a text to a number of columns, and marks the cut.
func cut(s string, width int) string {
	if columns(s) <= width {
		return s
	}
	var b strings.Builder
	left := width - 1
	for _, r := range s {
		if left -= display.ColumnsOf(r); left < 0 {
			break
		}
		b.WriteRune(r)
	}
	return b.String() + "…"
}

// pad fills a text up to a number of columns.
func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-columns(s)))
}
