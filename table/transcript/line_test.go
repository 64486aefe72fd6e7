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
