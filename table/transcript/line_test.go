package transcript

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

// TestQuoting: a text is written as the JSON library would write it.
func TestQuoting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~\x00-\x1f]*`)).Draw(t, "text")
		want, err := jsontext.AppendQuote([]byte("x"), s)
		if err != nil {
			t.Fatal(err)
		}
		if got := appendQuoted([]byte("x"), s); string(got) != string(want) {
			t.Fatalf("%q is written as %s, want %s", s, got, want)
		}
	})
}

// TestWithin: what ends where a line begins, and what begins where it ends, is not in it.
func TestWithin(t *testing.T) {
	type line struct{ first, last int64 }
	var around struct {
		before int64
		line   line
		after  int64
	}
	for _, c := range []struct {
		value  *int64
		at     uintptr
		inside bool
	}{
		{&around.before, 0, false},
		{&around.line.first, 0, true},
		{&around.line.last, 8, true},
		{&around.after, 0, false},
	} {
		if at, inside := within(&around.line, c.value); inside != c.inside || inside && at != c.at {
			t.Errorf("at %d, inside %t; want %d, %t", at, inside, c.at, c.inside)
		}
	}
}
