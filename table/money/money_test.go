package money_test

import (
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/table/money"
)

func TestShare(t *testing.T) {
	one, threeTwo, sixFive, half := money.Ratio{Num: 1, Den: 1}, money.Ratio{Num: 3, Den: 2},
		money.Ratio{Num: 6, Den: 5}, money.Ratio{Num: 1, Den: 2}
	for _, c := range []struct {
		stake             int64
		odds              money.Ratio
		unit              int64
		down, up, nearest int64
		rounded           bool
	}{
		{0, threeTwo, 50, 0, 0, 0, false},
		{2000, one, 50, 2000, 2000, 2000, false},
		{2000, threeTwo, 50, 3000, 3000, 3000, false},
		{1050, threeTwo, 50, 1550, 1600, 1600, true}, // 15.75: half a unit goes up
		{1050, threeTwo, 25, 1575, 1575, 1575, false},
		{1000, sixFive, 500, 1000, 1500, 1000, true}, // 12.00
		{1500, sixFive, 500, 1500, 2000, 2000, true}, // 18.00
		{50, half, 50, 0, 50, 50, true},
		{1, half, 1, 0, 1, 1, true},
		{49, half, 50, 0, 50, 0, true},
		{500, money.Ratio{Num: 400, Den: 1}, 50, 200000, 200000, 200000, false},
		{money.Max, money.Ratio{Num: 400, Den: 1}, 1, 400 * money.Max, 400 * money.Max, 400 * money.Max, false},
	} {
		for how, want := range map[money.Rounding]int64{money.Down: c.down, money.Up: c.up, money.Nearest: c.nearest} {
			got, rounded := money.Share(c.stake, c.odds, c.unit, how)
			if got != want || rounded != c.rounded {
				t.Errorf("%s of %d in units of %d, %s: got %d (rounded %t), want %d (%t)", c.odds, c.stake, c.unit, how,
					got, rounded, want, c.rounded)
			}
		}
	}
}

// TestShareIsExact compares with sums that have no bounds.
func TestShareIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stake := rapid.Int64Range(0, 2*money.Max).Draw(t, "stake")
		odds := money.Ratio{
			Num: rapid.Int64Range(1, 1000).Draw(t, "num"),
			Den: rapid.Int64Range(1, 1000).Draw(t, "den"),
		}
		unit := rapid.Int64Range(1, 100_000).Draw(t, "unit")
		exact := new(big.Rat).SetFrac(big.NewInt(odds.Num), big.NewInt(odds.Den))
		exact.Mul(exact, new(big.Rat).SetInt64(stake))
		down, rounded := money.Share(stake, odds, unit, money.Down)
		up, _ := money.Share(stake, odds, unit, money.Up)
		nearest, _ := money.Share(stake, odds, unit, money.Nearest)
		below, above := new(big.Rat).SetInt64(down), new(big.Rat).SetInt64(up)
		switch {
		case down%unit != 0 || up%unit != 0 || nearest%unit != 0:
			t.Fatalf("%d, %d, %d are no units of %d", down, up, nearest, unit)
		case below.Cmp(exact) > 0 || above.Cmp(exact) < 0:
			t.Fatalf("%v is not from %d to %d", exact, down, up)
		case rounded != (up != down) || rounded != (below.Cmp(exact) != 0) || rounded && up-down != unit:
			t.Fatalf("%v between %d and %d: rounded %t", exact, down, up, rounded)
		}
		want := down
		if toBelow, toAbove := new(big.Rat).Sub(exact, below),
			new(big.Rat).Sub(above, exact); toAbove.Cmp(toBelow) <= 0 {
			want = up
		}
		if nearest != want {
			t.Fatalf("nearest to %v of %d and %d is %d, got %d", exact, down, up, want, nearest)
		}
	})
}

func TestParseAndFormat(t *testing.T) {
	for _, c := range []struct {
		text   string
		amount int64
		back   string
	}{
		{"0", 0, "0.00"},
		{"20", 2000, "20.00"},
		{"20.5", 2050, "20.50"},
		{"20.50", 2050, "20.50"},
		{"0.05", 5, "0.05"},
		{"007", 700, "7.00"},
		{"1000000000", money.Max, "1000000000.00"},
	} {
		got, err := money.Parse(c.text, 2)
		if err != nil || got != c.amount {
			t.Errorf("%q: got %d, %v, want %d", c.text, got, err, c.amount)
		}
		if back := money.Format(c.amount, 2); back != c.back {
			t.Errorf("%d: got %q, want %q", c.amount, back, c.back)
		}
	}
}

func TestFormatDigits(t *testing.T) {
	for _, c := range []struct {
		amount int64
		digits int
		want   string
	}{
		{2050, 0, "2050"},
		{2050, 1, "205.0"},
		{2050, 3, "2.050"},
		{5, 3, "0.005"},
		{-5, 2, "-0.05"},
		{-2050, 2, "-20.50"},
		{-7, 0, "-7"},
	} {
		if got := money.Format(c.amount, c.digits); got != c.want {
			t.Errorf("%d with %d decimals: got %q, want %q", c.amount, c.digits, got, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, what := range map[string]string{
		"": "is not an amount", " 20": "is not an amount", "20 ": "is not an amount", "-20": "is not an amount",
		"+20": "is not an amount",
		"20.": "is not an amount", ".5": "is not an amount", "20.505": "is not an amount", "20,50": "is not an amount",
		"1'000": "is not an amount",
		"1_000": "is not an amount", "2e3": "is not an amount", "0x10": "is not an amount", "20.-5": "is not an amount",
		"1.2.3": "is not an amount", "٢٠": "is not an amount",
		"1000000000.01": "too large", "99999999999999999999": "too large",
	} {
		if got, err := money.Parse(text, 2); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%q: got %d, %v, want %q", text, got, err, what)
		}
	}
}

func TestRatioAsText(t *testing.T) {
	for _, text := range []string{"3:2", "1:1", "400:1", "100000:100000"} {
		var r money.Ratio
		if err := r.UnmarshalText([]byte(text)); err != nil || r.String() != text {
			t.Errorf("%q: got %s, %v", text, r, err)
		}
	}
	for _, text := range []string{
		"", "3", "3:", ":2", "3/2", "3:0", "0:2", "-3:2", "3:-2", "1.5:1", "3:2:1",
		"100001:1", "1:100001", " 3:2",
	} {
		r := money.Ratio{Num: 7, Den: 8}
		if err := r.UnmarshalText([]byte(text)); err == nil || r != (money.Ratio{Num: 7, Den: 8}) {
			t.Errorf("%q: got %s, %v, want an error and nothing changed", text, r, err)
		}
	}
}

// TestHalfLeft: half a unit and nothing else is left to be carried over.
func TestHalfLeft(t *testing.T) {
	for _, c := range []struct {
		stake, unit int64
		odds        money.Ratio
		paid        int64
		left        bool
	}{
		{500, 100, money.Ratio{Num: 3, Den: 2}, 700, true},
		{600, 100, money.Ratio{Num: 3, Den: 2}, 900, false},
		{2500, 1000, money.Ratio{Num: 1, Den: 2}, 1000, false}, // a quarter
		{3000, 2000, money.Ratio{Num: 1, Den: 2}, 0, false},    // three quarters
		{1000, 1000, money.Ratio{Num: 1, Den: 2}, 0, true},
		{500, 100, money.Ratio{Num: 6, Den: 5}, 600, false},
		{400, 100, money.Ratio{Num: 6, Den: 5}, 400, false}, // four fifths
		{5, 1, money.Ratio{Num: 1, Den: 2}, 2, true},
	} {
		paid, _ := money.Share(c.stake, c.odds, c.unit, money.Carried)
		if left := money.HalfLeft(c.stake, c.odds, c.unit); paid != c.paid || left != c.left {
			t.Errorf("%s on %d in units of %d: %d and half a unit %t, want %d and %t", c.odds, c.stake, c.unit, paid,
				left, c.paid, c.left)
		}
	}
}

func TestRoundingAsText(t *testing.T) {
	for _, how := range []money.Rounding{money.Down, money.Up, money.Nearest, money.Carried} {
		text, err := how.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back money.Rounding
		if err := back.UnmarshalText(text); err != nil || back != how {
			t.Errorf("%s: got %s, %v", text, back, err)
		}
	}
	var r money.Rounding
	if err := r.UnmarshalText([]byte("even")); err == nil ||
		!strings.Contains(err.Error(), "down, up, nearest or carried") {
		t.Errorf("got %v", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"20", "20.50", "0.05", "-1", "1000000000", ".", "1.2.3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := money.Parse(text, 2)
		if err != nil {
			return
		}
		if n < 0 || n > money.Max {
			t.Fatalf("%q is read as %d", text, n)
		}
		if back, err := money.Parse(money.Format(n, 2), 2); err != nil || back != n {
			t.Fatalf("%q is read as %d, and its text as %d, %v", text, n, back, err)
		}
	})
}

// TestScaled: an amount stays as much of its currency's own unit, and what has no coin is rounded as is said.
func TestScaled(t *testing.T) {
	for _, c := range []struct {
		amount   int64
		from, to int
		down, up int64
	}{
		{500_050, 2, 2, 500_050, 500_050},
		{500_000, 2, 0, 5000, 5000},
		{500_050, 2, 0, 5000, 5001},
		{500_050, 2, 3, 5_000_500, 5_000_500},
		{7, 0, 3, 7000, 7000},
		{1001, 3, 2, 100, 101},
		{money.Max, 0, 3, 1000 * money.Max, 1000 * money.Max},
	} {
		down, up := money.Scaled(c.amount, c.from, c.to, money.Down), money.Scaled(c.amount, c.from, c.to, money.Up)
		if down != c.down || up != c.up {
			t.Errorf("%+v: %d and %d", c, down, up)
		}
	}
}

// TestDigits: every amount of every currency is read as it is written, and with no decimal more.
func TestDigits(t *testing.T) {
	for code, digits := range map[string]int{
		"EUR": 2, "JPY": 0, "KRW": 0, "CLP": 0, "KWD": 3, "TND": 3,
		"OMR": 3, "": 2,
	} {
		if got := money.Digits(code); got != digits || money.IsCurrency(code) != (code != "") {
			t.Errorf("%q has %d decimals, and is a currency: %t", code, got, money.IsCurrency(code))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(0, money.Max).Draw(t, "amount")
		digits := money.Digits(rapid.SampledFrom([]string{"JPY", "EUR", "KWD"}).Draw(t, "currency"))
		text := money.Format(amount, digits)
		if back, err := money.Parse(text, digits); err != nil || back != amount {
			t.Fatalf("%d is written as %q and read as %d, %v", amount, text, back, err)
		}
		if digits == 0 {
			text += "."
		}
		if _, err := money.Parse(text+"0", digits); err == nil {
			t.Fatalf("%q has a decimal too many, and is read", text+"0")
		}
	})
}
