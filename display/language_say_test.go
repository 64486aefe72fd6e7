package display_test

import (
	"math"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/plaintext"
	"pgregory.net/rapid"
)

// one says a text of a language of its own.
func one(text string, args ...display.Arg) string {
	return display.LanguageOf(map[string]string{"x": text}).Say(display.Message{Key: "x", Args: args})
}

func TestSayFillsInOnePass(t *testing.T) {
	bettor := func(name string) display.Arg { return display.Arg{Name: "bettor", Text: name} }
	amount := display.Arg{Name: "amount", Text: "20.00"}
	for _, tt := range []struct {
		text string
		args []display.Arg
		want string
	}{
		{"{bettor}: {amount}", []display.Arg{bettor("anna"), amount}, "anna: 20.00"},
		{"{bettor}: {amount}", []display.Arg{bettor("{amount}"), amount}, "{amount}: 20.00"},
		{"{bettor}: {amount}", []display.Arg{amount, bettor("{bettor}")}, "{bettor}: 20.00"},
		{"{amount} {amount}", []display.Arg{amount}, "20.00 20.00"},
		{"{nobody} {amount", []display.Arg{amount}, "{nobody} {amount"},
		{"{{amount}}", []display.Arg{amount}, "{20.00}"},
		{"}{", []display.Arg{amount}, "}{"},
		{"{amount}", nil, "{amount}"},
		{"", []display.Arg{amount}, ""},
	} {
		if got := one(tt.text, tt.args...); got != tt.want {
			t.Errorf("%q is said as %q, want %q", tt.text, got, tt.want)
		}
	}
}

// FuzzSay: whatever a guest is called stands in the text as it is, once; bytes that cannot be seen stand there as
// numbers.
func FuzzSay(f *testing.F) {
	f.Add("{amount}", "20.00")
	f.Add("{bettor} {amount}", "{bettor}")
	f.Add("{", "}")
	f.Fuzz(func(t *testing.T, bettor, amount string) {
		args := []display.Arg{{Name: "bettor", Text: bettor}, {Name: "amount", Text: amount}}
		want := "A " + string(plaintext.AppendVisible(nil, bettor)) + " B " +
			string(plaintext.AppendVisible(nil, amount)) + " C"
		if got := one("A {bettor} B {amount} C", args...); got != want {
			t.Errorf("%q and %q are said as %q", bettor, amount, got)
		}
	})
}

// TestNumbersByLanguage: how amounts are written, by the name of the language.
func TestNumbersByLanguage(t *testing.T) {
	const narrow = "\u202f"
	for name, want := range map[string][3]string{
		"en": {"1,234,567.50", "1,234,567.50 EUR", "10.00 – 500.00 CHF"},
		"de": {"1.234.567,50", "1.234.567,50 EUR", "10,00 – 500,00 CHF"},
		"it": {"1.234.567,50", "1.234.567,50 EUR", "10,00 – 500,00 CHF"},
		"fr": {
			"1" + narrow + "234" + narrow + "567,50", "1" + narrow + "234" + narrow + "567,50 EUR",
			"10,00 – 500,00 CHF",
		},
		"zh":    {"1,234,567.50", "1,234,567.50欧元", "10.00 – 500.00瑞士法郎"},
		"en-CH": {"1’234’567.50", "EUR 1’234’567.50", "CHF 10.00 – 500.00"},
		"de-CH": {"1’234’567.50", "EUR 1’234’567.50", "CHF 10.00 – 500.00"},
		"it-CH": {"1’234’567.50", "EUR 1’234’567.50", "CHF 10.00 – 500.00"},
		"fr-CH": {"1’234’567.50", "EUR 1’234’567.50", "CHF 10.00 – 500.00"},
		"zh-CH": {"1’234’567.50", "1’234’567.50欧元", "10.00 – 500.00瑞士法郎"},
	} {
		l, ok := display.Speak(name)
		if !ok {
			t.Fatalf("%s is not spoken", name)
		}
		got := [3]string{l.Money(123456750, 2), l.Price(123456750, 2, "EUR"), l.Limits(1000, 50000, 2, "CHF")}
		if got != want {
			t.Errorf("%s writes %q, want %q", name, got, want)
		}
	}
	if got := display.English.Price(100, 2, "GBP"); got != "1.00 GBP" {
		t.Errorf("a currency without a name is %q", got)
	}
}

// TestMoneyIsReadAsItWasWritten: whatever the language, the digits are all there, and
// each sign between them is the language's own.
func TestMoneyIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, _ := display.Speak(rapid.SampledFrom(display.Spoken()).Draw(t, "language"))
		minor := rapid.Int64Range(math.MinInt64+1, math.MaxInt64).Draw(t, "minor")
		got := l.Money(minor, 2)
		whole, cents, ok := strings.Cut(got, written(l, "number.point"))
		plain := strings.ReplaceAll(whole, written(l, "number.group"), "") + cents
		want := display.English.Money(minor, 0)
		want = strings.ReplaceAll(want, ",", "")
		sign := strings.HasPrefix(want, "−")
		digits := strings.TrimPrefix(want, "−")
		digits = strings.Repeat("0", max(0, 3-len(digits))) + digits
		if sign {
			digits = "−" + digits
		}
		if !ok || plain != digits {
			t.Fatalf("%d is written %q in %s", minor, got, l.Tag())
		}
	})
}

// written is a text with its {names}.
func written(l display.Language, key string) string {
	text, _ := l.Lookup(key)
	return text
}

func TestCount(t *testing.T) {
	for name, want := range map[string][3]string{
		"en": {"0 left", "1 left", "2 left"},
		"de": {"noch 0", "noch 1", "noch 2"},
		"it": {"0 carte", "1 carta", "2 carte"},
		"fr": {"0 carte", "1 carte", "2 cartes"},
		"zh": {"剩0张", "剩1张", "剩2张"},
	} {
		l, _ := display.Speak(name)
		if got := [3]string{l.Count("left", 0), l.Count("left", 1), l.Count("left", 2)}; got != want {
			t.Errorf("%s counts %q, want %q", name, got, want)
		}
	}
	if got := display.English.Count("guests", 1) + ", " +
		display.English.Count("guests", 21); got != "1 guest, 21 guests" {
		t.Error(got)
	}
}
