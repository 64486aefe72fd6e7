package rules_test

import (
	"encoding"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

// valueText is a value that a profile writes as text.
type valueText interface {
	encoding.TextUnmarshaler
	encoding.TextMarshaler
}

// texts are text forms with the value they are read as, or the error.
var texts = []struct {
	into                func() valueText
	text, written, said string
}{
	{aMoney, "10", "10.00", ""},
	{aMoney, "10.5", "10.50", ""},
	{aMoney, "0.01", "0.01", ""},
	{aMoney, "1000000000", "1000000000.00", ""},
	{aMoney, "1000000000.01", "", "too large"},
	{aMoney, "0", "", "more than 0"},
	{aMoney, "0.00", "", "more than 0"},
	{aMoney, "-5", "", "not an amount"},
	{aMoney, "10.005", "", "not an amount"},
	{aMoney, "1e3", "", "not an amount"},
	{aMoney, "", "", "not an amount"},

	{aLimit, "10", "10.00", ""},
	{aLimit, "min", "min", ""},
	{aLimit, "box_max", "box_max", ""},
	{aLimit, "unit", "unit", ""},
	{aLimit, "2 min", "2 min", ""},
	{aLimit, " 2  min ", "2 min", ""},
	{aLimit, "1 min", "min", ""},
	{aLimit, "1/1 min", "min", ""},
	{aLimit, "1/10 box_max", "1/10 box_max", ""},
	{aLimit, "32767/32767 unit", "32767/32767 unit", ""},
	{aLimit, "32768 min", "", "not a part"},
	{aLimit, "0 min", "", "not a part"},
	{aLimit, "1/0 min", "", "not a part"},
	{aLimit, "-1 min", "", "not a part"},
	{aLimit, "2 3 min", "", "not a part"},
	{aLimit, "0.1 box_max", "", "not a part"},
	{aLimit, "min 2", "", "not a limit"},
	{aLimit, "2 max", "", "not a limit"},
	{aLimit, "0", "", "not a limit"},
	{aLimit, "", "", "not a limit"},

	{aPrize, "50:1", "50:1", ""},
	{aPrize, "5:2", "5:2", ""},
	{aPrize, "250", "250.00", ""},
	{aPrize, "jackpot", "jackpot", ""},
	{aPrize, "Jackpot", "", "not a prize"},
	{aPrize, "0", "", "not a prize"},
	{aPrize, "0:1", "", "not a ratio"},
	{aPrize, "1:0", "", "not a ratio"},
	{aPrize, "100001:1", "", "not a ratio"},
	{aPrize, "2.5:1", "", "not a ratio"},
	{aPrize, "", "", "not a prize"},

	{func() valueText { return new(rules.Game) }, "black-james", "black-james", ""},
	{func() valueText { return new(rules.Game) }, "poker", "", "not a game"},
	{func() valueText { return new(rules.Source) }, "shuffler", "shuffler", ""},
	{func() valueText { return new(rules.CallMode) }, "implied", "implied", ""},
	{func() valueText { return new(rules.BankDraws) }, "always", "always", ""},
	{func() valueText { return new(rules.Bettors) }, "holders", "holders", ""},
	{func() valueText { return new(rules.Bettors) }, "", "", "not a group of bettors"},
}

func written(v valueText) string {
	text, _ := v.MarshalText() // it never fails
	return string(text)
}

func aMoney() valueText { return new(rules.Money) }
func aLimit() valueText { return new(rules.Limit) }
func aPrize() valueText { return new(rules.Prize) }

func TestTexts(t *testing.T) {
	for _, c := range texts {
		v := c.into()
		before := written(v)
		err := v.UnmarshalText([]byte(c.text))
		switch {
		case c.said != "":
			if err == nil || !strings.Contains(err.Error(), c.said) || written(v) != before {
				t.Errorf("%T: %q gives %s, %v; want %q and no change", v, c.text, v, err, c.said)
			}
		case err != nil || written(v) != c.written:
			t.Errorf("%T: %q is read as %q, %v; want %q", v, c.text, v, err, c.written)
		}
	}
}

// Written values are read back unchanged.
func TestTextsComeBack(t *testing.T) {
	amount := rapid.Map(rapid.Int64Range(1, money.Max), func(n int64) string { return money.Format(n, 2) })
	part := rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("%d/%d %s", rapid.IntRange(1, 32767).Draw(t, "of"), rapid.IntRange(1, 32767).Draw(t, "in"),
			rapid.SampledFrom([]string{"min", "box_max", "unit"}).Draw(t, "base"))
	})
	odds := rapid.Custom(func(t *rapid.T) string {
		return fmt.Sprintf("%d:%d", rapid.IntRange(1, 100_000).Draw(t, "pays"),
			rapid.IntRange(1, 100_000).Draw(t, "on"))
	})
	for name, c := range map[string]struct {
		into func() valueText
		text *rapid.Generator[string]
	}{
		"money": {aMoney, amount}, "limit": {aLimit, rapid.OneOf(amount, part)},
		"prize": {aPrize, rapid.OneOf(amount, odds)},
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			first, again := c.into(), c.into()
			text := c.text.Draw(t, "text")
			if err := first.UnmarshalText([]byte(text)); err != nil {
				t.Fatal(err)
			}
			if err := again.UnmarshalText([]byte(written(first))); err != nil || written(again) != written(first) {
				t.Fatalf("%q is written as %s, and that as %s, %v", text, first, again, err)
			}
		}))
	}
}

func TestPrizeOfALineThatIsNotThere(t *testing.T) {
	if got := (rules.Prize{}).Text(2); got != "" {
		t.Errorf("no prize is written as %q", got)
	}
}
