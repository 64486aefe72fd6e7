package display

import (
	"strconv"
	"strings"
)

// minus is as wide as a plus and a digit, so that columns of amounts line up.
const minus = "\u2212"

// How a language writes numbers is among its texts.
const (
	numberGroup = "number.group" // between thousands
	numberPoint = "number.point" // before decimals
	numberPrice = "number.price" // an {amount} and its {currency}
	// The numbers that take the singular.
	numberSingular = "number.singular"
)

// Money writes an amount in minor units with the currency's decimals: 2000 with
// two digits is "20.00" in English and "20,00" in German, and thousands are set
// apart. Digits below zero count as zero.
func (l Language) Money(minor int64, digits int) string {
	digits = max(digits, 0)
	whole, negative := digitsOf(minor)
	if short := digits + 1 - len(whole); short > 0 {
		whole = strings.Repeat("0", short) + whole
	}
	whole, fraction := whole[:len(whole)-digits], whole[len(whole)-digits:]

	var b strings.Builder
	if negative {
		b.WriteString(minus)
	}
	l.grouped(&b, whole)
	if digits > 0 {
		b.WriteString(l.text(numberPoint))
		b.WriteString(fraction)
	}
	return b.String()
}

func (l Language) grouped(b *strings.Builder, whole string) {
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(l.text(numberGroup))
		}
		b.WriteByte(whole[i])
	}
}

// Price writes an amount with its currency, given by its code, such as "20.00 EUR"
// and, in Switzerland, "CHF 20.00".
func (l Language) Price(minor int64, digits int, currency string) string {
	return l.Priced(l.Money(minor, digits), currency)
}

// Limits writes the least and the most that may be staked.
func (l Language) Limits(least, most int64, digits int, currency string) string {
	return l.Priced(l.Money(least, digits)+" – "+l.Money(most, digits), currency)
}

// Priced sets the currency beside an amount that is written already.
func (l Language) Priced(amount, currency string) string {
	return l.Say(say(numberPrice, text("amount", amount), keys("currency", LabelCurrency, currency)))
}

// digitsOf works for the smallest amount too, which has no positive twin.
func digitsOf(n int64) (digits string, negative bool) {
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	return strconv.FormatUint(u, 10), n < 0
}
