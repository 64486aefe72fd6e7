package transcript

import (
	"slices"
	"testing"
)

// A set holds every field that a vocabulary may have, on both sides of the 64th.
func TestFields(t *testing.T) {
	all := []field{0, 1, 62, 63, 64, 65, mostFields - 1}
	var s fields
	for i, f := range all {
		if s.has(f) {
			t.Errorf("the set %v has %d before it was put in", s, f)
		}
		if s = s.with(f); !s.has(f) || !only(f).has(f) {
			t.Errorf("the set %v does not have %d", s, f)
		}
		if got := slices.Collect(s.all); !slices.Equal(got, all[:i+1]) {
			t.Errorf("the set yields %v, want %v", got, all[:i+1])
		}
	}
	for _, f := range all {
		rest := s.without(only(f))
		if rest.has(f) || rest.or(only(f)) != s || rest.and(only(f)) != (fields{}) || s.and(only(f)) != only(f) {
			t.Errorf("without %d the set is %v", f, rest)
		}
	}
	if !(fields{}).empty() || only(63).empty() || only(64).empty() {
		t.Error("only the set of no field is empty")
	}
	if got := s.rest().first(); got != all[1] {
		t.Errorf("the first of the rest is %d, want %d", got, all[1])
	}
}

// No vocabulary has more fields than a set of them holds.
func TestVocabulariesFitTheirSets(t *testing.T) {
	for _, v := range []*vocabulary{&inputs.vocabulary, &outputs.vocabulary, &dues.vocabulary} {
		if len(v.names) > mostFields {
			t.Errorf("%d fields begin with %q: sets hold %d", len(v.names), v.names[0], mostFields)
		}
	}
}
