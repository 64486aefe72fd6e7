package dashboard

import (
	"testing"

	"github.com/sabot-table/sabot/display"
)

// TestAmount: what people of all languages write is the same amount on every page.
func TestAmount(t *testing.T) {
	for text, want := range map[string]int64{
		"20": 2000, "20.5": 2050, "20,50": 2050, "20.50": 2050, "1.000,50": 100050, "1,000.50": 100050,
		"1’000.50": 100050,
		"1 000,5":  100050, "1\u202f000": 100000, "1.000": 100000, "1,000,000": 100000000,
	} {
		if got, ok := amount(display.English, text, 2); !ok || got != want {
			t.Errorf("%q is %d, %v, not %d", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "0", "-5", "abc", "1.00.0", "20.5.0", "1000.500", "1.000.50.5", ",", "+5",
		"99999999999999999999",
	} {
		if got, ok := amount(display.English, text, 2); ok {
			t.Errorf("%q is taken as %d", text, got)
		}
	}
	if got, ok := amount(display.English, "1.000", 0); !ok || got != 1000 {
		t.Errorf("without decimals 1.000 is %d, %v", got, ok)
	}
}

// TestAmountOfThreeDecimals: what the pages write in a language is read as it is meant there; what may be a thousand or
// one in none that the language writes is refused.
func TestAmountOfThreeDecimals(t *testing.T) {
	for _, c := range []struct {
		language, text string
		want           int64 // 0 where it is refused
	}{
		{"en", "1.234", 1234},
		{"en", "1,234", 1_234_000},
		{"en", "1,234.567", 1_234_567},
		{"en", "2.5", 2500},
		{"de", "1,234", 1234},
		{"de", "1.234", 1_234_000},
		{"de", "1.234,567", 1_234_567},
		{"de", "2,5", 2500},
		{"de", "1.000.000", 1_000_000_000},
		{"en", "1.000.000", 1_000_000_000},
		{"de", "1.000.000,500", 1_000_000_500},
		{"fr", "1,234", 1234},
		{"fr", "1.234", 0},
		{"de-CH", "1’234.500", 1_234_500},
		{"de-CH", "1,234", 0},
		{"de", "1234.000", 0},
		{"en", "1.2345", 0},
		{"en", "0.005", 5},
	} {
		l, _ := display.Speak(c.language)
		if got, ok := amount(l, c.text, 3); got != c.want || ok != (c.want != 0) {
			t.Errorf("%s %q: %d, %t, want %d", c.language, c.text, got, ok, c.want)
		}
		for _, minor := range []int64{5, 2500, 1_234_567, 1_000_000_000} {
			if got, ok := amount(l, l.Money(minor, 3), 3); got != minor || !ok {
				t.Errorf("%s: %q is read as %d", c.language, l.Money(minor, 3), got)
			}
		}
	}
}
