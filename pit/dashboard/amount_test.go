package dashboard

import "testing"

// TestAmount: what people of all languages write is the same amount on every page.
func TestAmount(t *testing.T) {
	for text, want := range map[string]int64{
		"20": 2000, "20.5": 2050, "20,50": 2050, "20.50": 2050, "1.000,50": 100050, "1,000.50": 100050,
		"1’000.50": 100050,
		"1 000,5":  100050, "1\u202f000": 100000, "1.000": 100000, "1,000,000": 100000000,
	} {
		if got, ok := amount(text, 2); !ok || got != want {
			t.Errorf("%q is %d, %v, not %d", text, got, ok, want)
		}
	}
	for _, text := range []string{
		"", "0", "-5", "abc", "1.00.0", "20.5.0", "1000.500", "1.000.50.5", ",", "+5",
		"99999999999999999999",
	} {
		if got, ok := amount(text, 2); ok {
			t.Errorf("%q is taken as %d", text, got)
		}
	}
	if got, ok := amount("1.000", 0); !ok || got != 1000 {
		t.Errorf("without decimals 1.000 is %d, %v", got, ok)
	}
}
