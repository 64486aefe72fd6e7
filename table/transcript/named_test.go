package transcript

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestNamed: the tables of names know all names, and no others.
func TestNamed(t *testing.T) {
	names := namesOfAll(&inputs.vocabulary, inputs.lines)
	names = append(names, namesOfAll(&outputs.vocabulary, outputs.lines)...)
	if len(names) < 20 {
		t.Fatalf("there are %d tables of names", len(names))
	}
	for _, list := range names {
		n := namedBy(list)
		for v, name := range list {
			if first := slices.Index(list, name); name != "" {
				if got, ok := n.find([]byte(name)); !ok || int(got) != first {
					t.Errorf("%q is found as %d, %t, want %d", name, got, ok, v)
				}
			}
			for _, other := range []string{name + "x", "x" + name} {
				if _, ok := n.find([]byte(other)); ok != slices.Contains(list, other) {
					t.Errorf("%q is found: %t", other, ok)
				}
			}
		}
	}
}

func namesOfAll[L any](v *vocabulary, lines []line[L]) [][]string {
	all := [][]string{v.names}
	for i := range lines {
		for _, r := range lines[i].readings {
			if r.Names != nil {
				all = append(all, r.Names)
			}
		}
	}
	return all
}

// TestTimesAreReadTheSameWay: the quicker reader of times takes nothing that
// time.Parse does not, and as the same moment.
func TestTimesAreReadTheSameWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(
			`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9]{1,2}:[0-5][0-9]:[0-6][0-9]([.,][0-9]{1,10})?(Z|z|[+-][0-2][0-9]:?[0-5][0-9])?`).Draw(t, "time")
		var quick time.Time
		if quick.UnmarshalText([]byte(text)) != nil {
			return
		}
		if want, err := time.Parse(time.RFC3339Nano, text); err != nil || !quick.Equal(want) {
			t.Fatalf("%s: got %v, want %v, %v", text, quick, want, err)
		}
	})
}
