package web

import (
	"strings"
	"unicode"
)

// amountModel is an amount as it is written: Before and After are the words around it, and Nil the
// decimals that say nothing, such as ".00". They are drawn smaller, which leaves the digits
// that count the more room.
type amountModel struct {
	Before, Text, Nil, After string
	// Words says that there is no amount: the text is words alone.
	Words bool
	// Quiet says that nothing is paid out.
	Quiet bool
}

const zeros = "0000"

// within splits a text around the amount in it that counts.
func within(text, amount string, digits int) amountModel {
	before, after, found := strings.Cut(text, amount)
	if !found {
		return written(text, digits)
	}
	m := written(amount, digits)
	m.Before, m.After = before, after
	return m
}

// written splits a text that is an amount, or words that end with one.
func written(text string, digits int) amountModel {
	var m amountModel
	if at := strings.LastIndexByte(text, ' ') + 1; at > 1 && text[at:] != "" &&
		strings.Trim(text[at:], "0123456789.,'’") == "" {
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

// whole is an amount as it was written.
func (m amountModel) whole() string { return m.Before + m.Text + m.Nil + m.After }

// amountPad is what a sheet needs on which an amount is entered in figures.
type amountPad struct {
	// Money is an example of how amounts are written, and Point what stands before decimals; Whole: there are none.
	Money, Point string
	Whole        bool
	Digits       []string
}

func (r renderer) amountPad(decimals int) amountPad {
	return amountPad{Money: r.example(decimals), Point: r.say("number.point"), Whole: decimals == 0, Digits: digits}
}

// example shows the pages' scripts how amounts are written: 1234567 units of the currency, and decimals.
func (r renderer) example(digits int) string {
	amount := int64(1_234_567)
	for n := range digits {
		amount = amount*10 + int64(n+8)%10
	}
	return r.language.Money(amount, digits)
}
