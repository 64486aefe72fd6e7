package plaintext_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/table/plaintext"
)

// FuzzStrings compares with package strings.
func FuzzStrings(f *testing.F) {
	for _, s := range []string{
		"", ",", " ", "a", "a,b", " a  b ", "2 min", "\u00a0ä\u2003,", "\xff \xff", "x (dealer)",
		" (dealer)",
	} {
		f.Add(s, " (dealer)")
	}
	f.Fuzz(func(t *testing.T, s, suffix string) {
		before, after, found := plaintext.Cut(s, ',')
		if wantBefore, wantAfter, wantFound := strings.Cut(s, ","); before != wantBefore || after != wantAfter ||
			found != wantFound {
			t.Errorf("%q is cut into %q and %q, %t", s, before, after, found)
		}
		before, found = plaintext.CutSuffix(s, suffix)
		if want, wantFound := strings.CutSuffix(s, suffix); before != want || found != wantFound {
			t.Errorf("%q without %q is %q, %t", s, suffix, before, found)
		}
		if got, want := plaintext.Fields(s), strings.Fields(s); !slices.Equal(got, want) {
			t.Errorf("the words of %q are %q, want %q", s, got, want)
		}
		if got, want := plaintext.Trim(s), strings.TrimSpace(s); got != want {
			t.Errorf("%q is trimmed to %q, want %q", s, got, want)
		}
		parts := strings.SplitAfter(s, " ")
		if got, want := plaintext.Join(parts, suffix), strings.Join(parts, suffix); got != want {
			t.Errorf("%q are joined to %q, want %q", parts, got, want)
		}
	})
}

func TestNames(t *testing.T) {
	if got := plaintext.Names([]time.Month{1, 2}); got != "January, February" {
		t.Error(got)
	}
	if got := plaintext.Names[time.Month](nil); got != "" {
		t.Error(got)
	}
}
