package lcd

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// fixed is a space that must not end a row.
const fixed = "\u00a0"

// wrap breaks a text at its spaces into at most this many rows. What is left over goes into
// the last one, cut; whole says that nothing had to be cut.
func wrap(text string, most int) (rows []string, whole bool) {
	for word := range strings.SplitSeq(plain(text), " ") {
		last := len(rows) - 1
		switch {
		case word == "":
		case last < 0, width(rows[last])+1+width(word) > Columns && len(rows) < most:
			rows = append(rows, word)
		default:
			rows[last] += " " + word
		}
	}
	whole = true
	for i, row := range rows {
		whole = whole && width(row) <= Columns
		rows[i] = cut(strings.ReplaceAll(row, fixed, " "), Columns)
	}
	return rows, whole
}

func width(s string) int { return utf8.RuneCountInString(s) }

// cut shortens a text to a number of characters, and marks the cut.
func cut(s string, most int) string {
	switch {
	case width(s) <= most:
		return s
	case most < 1:
		return ""
	}
	return string([]rune(s)[:most-1]) + "…"
}

// apart puts one text at the left end of a row and another, which is never cut, at the
// right.
func apart(left, right string, columns int) string {
	room := max(columns-width(right)-1, 0)
	return fmt.Sprintf("%-*s %s", room, cut(left, room), right)
}
