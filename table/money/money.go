// Package money counts stakes and payouts exactly. It is a leaf of the round
// engine.
//
// Amounts are whole minor units (cents, rappen) in an int64; odds are ratios of integers; what is not even is rounded
// by the house's rule, and the caller is told so.
package money

import (
	"errors"
	"strconv"

	"github.com/sabot-table/sabot/table/plaintext"
)

// Amount is a sum of money in minor units of its currency: 2000 is 20.00 EUR, 2000 JPY or 2.000 KWD.
type Amount = int64

// Max bounds every amount that is entered, so that no payout can overflow: a billion francs.
const Max Amount = 100_000_000_000

// Ratio is odds or a fraction: 3:2 is Ratio{3, 2}.
type Ratio struct{ Num, Den int64 }

// String writes the ratio as it is printed on a sheet.
func (r Ratio) String() string {
	return strconv.FormatInt(r.Num, 10) + ":" + strconv.FormatInt(r.Den, 10)
}

// MarshalText writes the ratio as it is printed on a sheet.
func (r Ratio) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads "3:2". Both numbers are from 1 to 100,000.
func (r *Ratio) UnmarshalText(b []byte) error {
	num, den, found := plaintext.Cut(string(b), ':')
	n, errNum := strconv.ParseInt(num, 10, 64)
	d, errDen := strconv.ParseInt(den, 10, 64)
	if !found || errNum != nil || errDen != nil || n < 1 || d < 1 || n > 100_000 || d > 100_000 {
		return errors.New(strconv.Quote(string(b)) + " is not a ratio: write odds as 3:2")
	}
	*r = Ratio{n, d}
	return nil
}

// Rounding is what a house does with a payout that is not a whole number of its smallest payable units.
type Rounding uint8

// The roundings.
const (
	Down Rounding = iota
	Up
	Nearest // half a unit is rounded up
	Carried // half a unit plays on in the next round; anything else is rounded down
)

// RoundingNames are the names of the roundings in a house profile.
var RoundingNames = plaintext.Enum[Rounding]{Down: "down", Up: "up", Nearest: "nearest", Carried: "carried"}

// String returns the rounding's name in a house profile.
func (r Rounding) String() string { return RoundingNames.Name(r) }

// MarshalText writes the rounding's name.
func (r Rounding) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads the rounding's name.
func (r *Rounding) UnmarshalText(b []byte) error { return RoundingNames.Read(r, b, "rounding") }

// Share is the fraction r of stake in whole units, rounded by the house's rule. The second result says whether it had
// to be rounded. unit must be at least 1 and stake not negative.
func Share(stake Amount, r Ratio, unit Amount, how Rounding) (Amount, bool) {
	step := r.Den * unit
	product := stake * r.Num
	units, rest := product/step, product%step
	if rest == 0 {
		return units * unit, false
	}
	if how == Up || how == Nearest && rest*2 >= step {
		units++
	}
	return units * unit, true
}

// HalfLeft says whether the fraction r of stake is half a unit more than whole units.
func HalfLeft(stake Amount, r Ratio, unit Amount) bool {
	step := r.Den * unit
	return stake*r.Num%step*2 == step
}

// Format writes an amount with a point and the given number of decimals.
func Format(a Amount, digits int) string {
	sign := ""
	if a < 0 {
		sign, a = "-", -a
	}
	s := strconv.FormatInt(a, 10)
	if digits == 0 {
		return sign + s
	}
	for len(s) <= digits {
		s = "0" + s
	}
	return sign + s[:len(s)-digits] + "." + s[len(s)-digits:]
}

// Parse reads an amount such as "20", "20.5" or "20.50" into minor units of a currency with so many decimals. It
// refuses signs, more decimals, and amounts over Max.
func Parse(s string, digits int) (Amount, error) {
	whole, part, point := plaintext.Cut(s, '.')
	if len(part) > digits || point && part == "" || !digitsOnly(whole) || part != "" && !digitsOnly(part) {
		return 0, errors.New(strconv.Quote(s) + " is not an amount: write it as " + examples[digits])
	}
	n, err := strconv.ParseInt(whole+(part + "000")[:digits], 10, 64)
	if err != nil || n > Max {
		return 0, errors.New(s + " is too large an amount: at most " + Format(Max, digits))
	}
	return n, nil
}

// examples are amounts by their decimals.
var examples = [...]string{"20", "20 or 20.5", "20 or 20.50", "20 or 20.500"}

func digitsOnly(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
