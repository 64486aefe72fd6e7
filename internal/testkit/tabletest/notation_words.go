package tabletest

import (
	"fmt"
	"strconv"
	"strings"
)

// NotationError is the place at which a text cannot be read. Column counts bytes from 1.
type NotationError struct {
	Column int
	What   string
}

// NotationError writes the place and what is wrong there.
func (e *NotationError) Error() string { return fmt.Sprintf("column %d: %s", e.Column, e.What) }

// word is one word of a text, without its quotation marks. An end separates inputs or
// parts of a position: its text is ";" or "|".
type word struct {
	text   string
	column int
	end    bool
}

func (w word) wrongWord(format string, args ...any) error {
	return &NotationError{w.column, fmt.Sprintf(format, args...)}
}

// split splits a text into words. A line end separates as a semicolon does.
func split(text string) ([]word, error) {
	var words []word
	for at := 0; at < len(text); {
		switch text[at] {
		case ' ', '\t', '\r':
			at++
		case ';', '|':
			words = append(words, word{text[at : at+1], at + 1, true})
			at++
		case '\n':
			words = append(words, word{";", at + 1, true})
			at++
		default:
			w, end, err := cutWord(text, at)
			if err != nil {
				return nil, err
			}
			words, at = append(words, w), end
		}
	}
	return words, nil
}

// cutWord reads the word that begins at start, and returns where it ends. Text in
// quotation marks, as Go writes them, belongs entirely to the word.
func cutWord(text string, start int) (w word, end int, err error) {
	var b strings.Builder
	at := start
	for at < len(text) && !strings.ContainsRune(" \t\r\n;|", rune(text[at])) {
		if text[at] != '"' {
			b.WriteByte(text[at])
			at++
			continue
		}
		quoted, err := strconv.QuotedPrefix(text[at:])
		if err != nil {
			return w, at, &NotationError{at + 1, "the quotation mark is not closed"}
		}
		plain, _ := strconv.Unquote(quoted) // QuotedPrefix has found it valid
		b.WriteString(plain)
		at += len(quoted)
	}
	return word{text: b.String(), column: start + 1}, at, nil
}
