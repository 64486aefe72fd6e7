package display

import (
	"strconv"
	"strings"
)

// thin separates the thousands: narrow, and never at the end of a line.
const thin = "\u202f"

// minus is as wide as a plus and a digit, so that columns of amounts line up.
const minus = "\u2212"

// Money writes an amount in minor units with the currency's decimals: 2000 with
// two digits is "20.00", and thousands are set apart by a thin space. Digits
// below zero count as zero.
func Money(minor int64, digits int) string {
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
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(thin)
		}
		b.WriteByte(whole[i])
	}
	if digits > 0 {
		b.WriteByte('.')
		b.WriteString(fraction)
	}
	return b.String()
}

// digitsOf works for the smallest amount too, which has no positive twin.
func digitsOf(n int64) (digits string, negative bool) {
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	return strconv.FormatUint(u, 10), n < 0
}
