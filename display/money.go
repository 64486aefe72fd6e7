package display

import (
	"math"
	"strconv"
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
	return string(l.appendMoney(make([]byte, 0, 64), minor, digits))
}

func (l Language) appendMoney(b []byte, minor int64, digits int) []byte {
	digits = max(digits, 0)
	size := uint64(minor)
	if minor < 0 {
		b = append(b, minus...)
		size = -size // right for the smallest amount too, which has no positive twin
	}
	number := strconv.AppendUint(make([]byte, 0, 20), size, 10)
	for place := max(len(number), digits+1) - 1; place >= 0; place-- {
		digit := byte('0')
		if place < len(number) {
			digit = number[len(number)-1-place]
		}
		b = append(b, digit)
		switch {
		case place == digits && digits > 0:
			b = append(b, l.text(numberPoint)...)
		case place > digits && (place-digits)%3 == 0:
			b = append(b, l.text(numberGroup)...)
		}
	}
	return b
}

// Short writes an amount without decimals that say nothing, as chips and announcements do.
func (l Language) Short(minor int64, digits int) string {
	if unit := int64(math.Pow10(digits)); minor%unit == 0 {
		return l.Money(minor/unit, 0)
	}
	return l.Money(minor, digits)
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
	return l.Say(say(numberPrice, text("amount", amount), keyed("currency", LabelCurrency, currency)))
}
