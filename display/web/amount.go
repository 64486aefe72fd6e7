package web

import (
	"strings"
	"unicode"
)

// amountModel is an amount as it is written: Before are the words before it, and Nil the
// decimals that say nothing, such as ".00". Both are drawn smaller, which leaves the digits
// that count the more room.
type amountModel struct {
	Before, Text, Nil string
	// Words says that there is no amount: the text is words alone.
	Words bool
}

const zeros = "0000"

// written splits a text that is an amount, or words that end with one.
func written(text string, digits int) amountModel {
	var m amountModel
	if at := strings.LastIndexByte(text, ' ') + 1; at > 1 && text[at:] != "" && strings.Trim(text[at:], "0123456789.,'’") == "" {
		m.Before, text = text[:at], text[at:]
	}
	m.Text = text
	if m.Words = strings.ContainsFunc(text, unicode.IsLetter) && !strings.ContainsAny(text, "0123456789"); m.Words {
		return m
	}
	if digits < 1 || digits > len(zeros) {
		return m
	}
	whole, nothing := strings.CutSuffix(text, zeros[:digits])
	if !nothing || whole == "" || !strings.Contains(".,", whole[len(whole)-1:]) {
		return m
	}
	m.Text, m.Nil = whole[:len(whole)-1], text[len(whole)-1:]
	return m
}
