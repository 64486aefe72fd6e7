package tier

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestPropertiesDrawTheSame: two runs with one seed draw the same, and with another seed something else.
func TestPropertiesDrawTheSame(t *testing.T) {
	draw := func(seed string) string {
		cmd := exec.Command(os.Args[0], "-test.run=^TestDrawn$", "-test.v")
		cmd.Env = append(os.Environ(), SeedVariable+"="+seed)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		_, drawn, found := strings.Cut(string(out), "drawn:")
		drawn, _, _ = strings.Cut(drawn, "\n")
		if !found {
			t.Fatalf("nothing was drawn:\n%s", out)
		}
		return drawn
	}
	first := draw("7")
	if again := draw("7"); again != first {
		t.Errorf("seed 7 drew %s, then %s", first, again)
	}
	if other := draw("8"); other == first {
		t.Errorf("seeds 7 and 8 both drew %s", first)
	}
}

// TestDrawn shows what a property draws.
func TestDrawn(t *testing.T) {
	var all []int
	rapid.Check(t, func(rt *rapid.T) { all = append(all, rapid.IntRange(0, 1<<40).Draw(rt, "n")) })
	if len(all) < 10 {
		t.Fatalf("rapid drew %d times", len(all))
	}
	t.Logf("drawn:%v", all[:10])
}

// TestTiers: what each tier passes over.
func TestTiers(t *testing.T) {
	for _, c := range []struct {
		tier          string
		soak, landing bool // run
	}{{"", false, true}, {"check", false, false}, {"test", false, true}, {"soak", true, true}} {
		t.Setenv(Variable, c.tier)
		ran := func(by func(testing.TB, string)) (ran bool) {
			t.Run(c.tier, func(t *testing.T) { by(t, "a test of skipping"); ran = true })
			return ran
		}
		if ran(Soak) != c.soak || ran(Landing) != c.landing {
			t.Errorf("tier %q: a test of make soak or of make test is run, or passed over, where it should not be",
				c.tier)
		}
	}
}

// TestFlags: the seed is the run's.
func TestFlags(t *testing.T) {
	if f := flag.Lookup("rapid.seed"); f == nil || f.Value.String() == "0" {
		t.Errorf("the seed of properties is %v", f)
	}
}
