package simtest

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestScript: a script is read as it was written, whatever the seed.
func TestScript(t *testing.T) {
	happened := map[string]bool{}
	plan := func(seed uint64) Script {
		s := Plan(seed, []string{"sabot", "bee-tek", "angel-eye"})
		if seed%2 > 0 {
			s = WithInsider(s)
		}
		return s
	}
	for seed := range uint64(500) {
		s := plan(seed)
		read, err := Parse(strings.NewReader(s.String()))
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, s)
		}
		if read.String() != s.String() || !reflect.DeepEqual(plan(seed), s) {
			t.Fatalf("seed %d makes\n%s which is read as\n%s", seed, s, read)
		}
		for _, f := range s.Faults {
			happened[f.What] = true
		}
	}
	for _, name := range Kinds() {
		if !happened[name] {
			t.Errorf("no seed of 500 plans %q", name)
		}
	}
}

// TestBadScript: what cannot happen is refused.
func TestBadScript(t *testing.T) {
	const head = "storm seed=1 make=sabot house=baden rounds=2 pace=1ms\n"
	for _, text := range []string{
		"", head + "card 3 hail", head + "message 3 swap to=1", head + "card x reboot",
		head + "card 3", "storm seed=x rounds=2 pace=1ms make=sabot",
	} {
		if s, err := Parse(strings.NewReader(text)); err == nil {
			t.Errorf("%q is read as %s", text, s)
		}
	}
}

// TestShrink: what is left is what the finding needs.
func TestShrink(t *testing.T) {
	whole := Plan(14, []string{"sabot"})
	needs := []Fault{whole.Faults[1], whole.Faults[len(whole.Faults)-2]}
	shrunk := Shrink(whole, func(s Script) bool {
		return s.Rounds >= 10 && !slices.ContainsFunc(needs, func(f Fault) bool {
			return !slices.ContainsFunc(s.Faults, func(g Fault) bool { return g.String() == f.String() })
		})
	})
	if shrunk.Rounds != 10 || !reflect.DeepEqual(shrunk.Faults, needs) {
		t.Errorf("it shrinks to\n%s and needs %v", shrunk, needs)
	}
}
