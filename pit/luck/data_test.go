package luck

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"os"
	"testing"

	"github.com/sabot-table/sabot/table/profile"
)

var (
	// deal writes dealt.json anew, which takes some minutes.
	deal = flag.Bool("deal", false, "deal every house anew, and write dealt.json")
	// rounds is how many it deals then.
	rounds = flag.Int("rounds", 4_000_000, "rounds of each house with -deal")
)

// TestDealt deals every house again, fewer rounds and other cards, and finds the same within four standard errors.
// With -deal it writes what it dealt.
func TestDealt(t *testing.T) {
	if *deal {
		write(t)
	}
	kept, err := builtIn()
	if err != nil {
		t.Fatal(err)
	}
	for name, house := range profile.Built() {
		t.Run(name, func(t *testing.T) {
			was, ok := kept[house.Fingerprint]
			if !ok {
				t.Fatal("dealt.json does not have this house: go test ./pit/luck -run TestDealt -deal")
			}
			is, err := Deal(house.Rules, 60_000, 99)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []struct {
				how     string
				was, is Play
			}{{"basic", was.Basic, is.Basic}, {"weak", was.Weak, is.Weak}} {
				a, b := c.was.main(), c.is.main()
				t.Logf("%s: edge %.4f ± %.4f, deviation %.3f, pair %.3f, turnover %.3f; again %.4f ± %.4f", c.how,
					a.Edge(), a.Error, a.Deviation(), a.Pair(), a.turnover, b.Edge(), b.Error)
				if d := math.Abs(a.Edge() - b.Edge()); d > 4*math.Hypot(a.Error, b.Error) {
					t.Errorf("%s: the edge was %.4f and is %.4f ± %.4f", c.how, a.Edge(), b.Edge(), b.Error)
				}
				if d := math.Abs(a.variance/b.variance - 1); d > .06 {
					t.Errorf("%s: the variance was %.4f and is %.4f", c.how, a.variance, b.variance)
				}
				if d := math.Abs(a.Pair() - b.Pair()); d > .04 {
					t.Errorf("%s: the correlation of two boxes was %.3f and is %.3f", c.how, a.Pair(), b.Pair())
				}
			}
		})
	}
}

func write(t *testing.T) {
	houses := map[string]House{}
	for name, house := range profile.Built() {
		h, err := Deal(house.Rules, *rounds, 15)
		if err != nil {
			t.Fatal(err)
		}
		houses[house.Fingerprint] = h
		t.Log(name)
	}
	var text bytes.Buffer
	data, err := json.Marshal(houses)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Indent(&text, data, "", " "); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("dealt.json", text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Skip("written: run the tests again without -deal, so that what is embedded is what was written")
}
