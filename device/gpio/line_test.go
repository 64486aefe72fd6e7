package gpio

import (
	"embed"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/datatest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
)

//go:embed testdata/lines.txt
var testdata embed.FS

// TestParse reads testdata/lines.txt: each line of a case is a line's text, and the output is how it is understood.
func TestParse(t *testing.T) {
	read := map[string]func(string) (Line, error){"input": ParseInput, "output": ParseOutput}
	datatest.Run(t, testdata, "testdata/lines.txt", func(t *testing.T, d *datadriven.TestData) string {
		var out strings.Builder
		for text := range strings.Lines(d.Input) {
			l, err := read[d.Cmd](strings.Trim(text, "\n|"))
			if err != nil {
				said, forms := strings.CutSuffix(err.Error(), ": "+lineForms)
				if !forms {
					t.Errorf("the error does not say what to write: %v", err)
				}
				out.WriteString(said + "\n")
				continue
			}
			out.WriteString(l.String() + "\n")
		}
		return out.String()
	})
}

// A line reads back what it writes.
func TestLineReadsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		address := rapid.StringMatching(`[A-Za-z][A-Za-z0-9_-]{0,6}|[a-z][a-z0-9.:-]{0,6}:(0|[1-9][0-9]{0,3})`).Draw(t,
			"address")
		read, options := ParseInput, []string{
			"", " active-low", " active-high", " pull-up", " active-low pull-none",
			" pull-down active-high",
		}
		if rapid.Bool().Draw(t, "output") {
			read, options = ParseOutput, options[:3]
		}
		first, err := read(address + rapid.SampledFrom(options).Draw(t, "options"))
		if err != nil {
			t.Fatal(err)
		}
		again, err := read(first.String())
		if err != nil || again != first || again.Address() != address {
			t.Fatalf("%q became %q, %v", first, again, err)
		}
	})
}

func FuzzParseInput(f *testing.F) {
	f.Add("GPIO17")
	f.Add("gpiochip0:17 active-high pull-none")
	f.Add("a:b:03")
	f.Fuzz(func(t *testing.T, s string) {
		l, err := ParseInput(s)
		if (err == nil) == (l == Line{}) {
			t.Fatalf("%q gives %v and %v", s, l, err)
		}
		if err != nil {
			return
		}
		if again, err := ParseInput(l.String()); err != nil || again != l {
			t.Fatalf("%q is written as %q, which is %v, %v", s, l, again, err)
		}
	})
}
