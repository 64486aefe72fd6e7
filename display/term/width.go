package term

import (
	"strings"

	"github.com/sabot-table/sabot/display"
	text "github.com/sabot-table/sabot/table/plaintext"
)

// safe keeps a text from controlling the terminal.
func safe(s string) string { return text.Visible(s) }

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
