package figures

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	amounts "github.com/sabot-table/sabot/table/money"
)

// speaker writes figures in one language.
type speaker struct {
	language display.Language
	menu     site.Menu
	chosen   int
	// currency is that of the amounts that are told.
	currency string
}

func (s speaker) say(key string) string { return s.language.With(key) }

// with says a text with values in it, by their names.
func (s speaker) with(key string, pairs ...string) string { return s.language.With(key, pairs...) }

// named says what a language calls something, or its name where the language does not know it.
func (s speaker) named(kind, name string) string {
	if text, ok := s.language.Lookup(kind + "." + name); ok {
		return text
	}
	return name
}

// whole writes a count, thousands apart.
func (s speaker) whole(n int64) string { return s.language.Money(n, 0) }

// notEntered says how many wagers have an amount that nobody entered.
func (s speaker) notEntered(n int64) string { return s.say("word.not-entered") + " ×" + s.whole(n) }

// in speaks of amounts in a currency.
func (s speaker) in(currency string) speaker {
	s.currency = currency
	return s
}

// major is an amount in whole units of its currency, with a part.
func (s speaker) major(minor float64) float64 { return minor / math.Pow10(amounts.Digits(s.currency)) }

// unknown stands for what nobody knows: an amount in a currency that is not known has none, since its decimals are not.
const unknown = "–"

// plus puts its sign before an amount above zero.
func plus(amount string) string {
	if amount == unknown {
		return amount
	}
	return "+" + amount
}

// amount writes minor units as whole units of the currency.
func (s speaker) amount(minor float64) string {
	if s.currency == "" {
		return unknown
	}
	return s.language.Money(int64(math.Round(s.major(minor))), 0)
}

// signed writes an amount with its sign.
func (s speaker) signed(minor float64) string {
	if math.Round(s.major(minor)) > 0 {
		return plus(s.amount(minor))
	}
	return s.amount(minor)
}

// exact writes an amount with all its digits: what is counted is told to the cent.
func (s speaker) exact(minor int64) string {
	if s.currency == "" {
		return unknown
	}
	return s.language.Money(minor, amounts.Digits(s.currency))
}

// price writes it with its currency.
func (s speaker) price(minor int64) string {
	if s.currency == "" {
		return unknown
	}
	return s.language.Price(minor, amounts.Digits(s.currency), s.currency)
}

// decimal writes a number with so many digits after the point.
func (s speaker) decimal(x float64, digits int) string {
	return s.language.Money(int64(math.Round(x*math.Pow10(digits))), digits)
}

// percent writes a share with one digit.
func (s speaker) percent(x float64) string { return s.decimal(100*x, 1) + "\u202f%" }

// likely writes how likely something is: in percent while it is not rare, else as one time in so many.
func (s speaker) likely(p float64) string {
	switch {
	case p >= .095:
		return s.decimal(100*p, 0) + "\u202f%"
	case p < 1e-6:
		return s.with("pit.figures-rarer", "n", s.whole(1_000_000))
	}
	n := 1 / p
	round := math.Pow10(max(int(math.Floor(math.Log10(n)))-1, 0))
	return s.with("pit.figures-one-in", "n", s.whole(int64(math.Round(n/round)*round)))
}

// date writes a day.
func (s speaker) date(t time.Time) string { return t.Format(s.say("time.date")) }

// day writes a day of this year.
func (s speaker) day(t time.Time) string {
	return t.Format(strings.NewReplacer("2006-", "", " 2006", "", "/2006", "", "2006", "").Replace(s.say("time.date")))
}

// hour writes when an hour begins.
func (s speaker) hour(t time.Time, zone *time.Location) string { return t.In(zone).Format("15:04") }

// hold is the result of stakes, as a share of them.
func (s speaker) hold(won, staked float64) string {
	if staked == 0 {
		return unknown
	}
	return s.percent(won / staked)
}

func spanned(a, b string) string { return fmt.Sprintf("%s … %s", a, b) }
