package alike

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tier"
)

var rewrite = flag.Bool("rewrite", false, "write forms.txt anew")

// codes writes characters as forms.txt does.
func codes(text string) string {
	var all []string
	for _, r := range text {
		all = append(all, fmt.Sprintf("%X", r))
	}
	return strings.Join(all, " ")
}

// assigned yields all characters: in make test those of the planes in which Unicode has any that become others.
func assigned(yield func(rune) bool) {
	for r := rune(0); r <= rune(tier.Times[int](0x2ffff, unicode.MaxRune)); r++ {
		if (r < 0xd800 || r > 0xdfff) && !yield(r) {
			return
		}
	}
}

// TestForms keeps forms.txt, which says what golang.org/x/text does: the tests alone need that, so that no table does.
func TestForms(t *testing.T) {
	var apart, classes, folds strings.Builder
	var open marks
	fold := cases.Fold()
	for r := range assigned {
		if to := norm.NFKD.String(string(r)); to != string(r) && !isSyllable(r) {
			fmt.Fprintf(&apart, "%X %s\n", r, codes(to))
		}
		class := uint64(norm.NFD.PropertiesString(string(r)).CCC())
		if open.class != 0 && class != open.class {
			fmt.Fprintf(&classes, "%X %X %d\n", open.from, r-1, open.class)
		}
		if class != open.class {
			open = marks{from: r, class: class}
		}
		if to := fold.String(string(r)); to != string(unicode.ToLower(r)) {
			fmt.Fprintf(&folds, "%X %s\n", r, codes(to))
		}
	}
	head, _, _ := strings.Cut(formsText, "\n\n")
	want := head + "\n\n" + apart.String() + "\n" + classes.String() + "\n" + folds.String()
	if *rewrite {
		if err := os.WriteFile("forms.txt", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		formsText = want
	}
	if formsText != want {
		t.Error("forms.txt is not what golang.org/x/text does: run go test ./internal/alike -rewrite")
	}
}

// TestFormsOfAll: a character alone is taken apart and folded as golang.org/x/text does it.
func TestFormsOfAll(t *testing.T) {
	fold := cases.Fold()
	for r := range assigned {
		one := string(r)
		if got, want := takenApart(one), norm.NFKD.String(one); got != want {
			t.Fatalf("%U is taken apart as %+q, not %+q", r, got, want)
		}
		if got, want := withoutCapitals(one), fold.String(one); got != want {
			t.Fatalf("%U without capitals is %+q, not %+q", r, got, want)
		}
	}
}

// TestFormsInNames: marks come in the order of Unicode's form, whatever they follow.
func TestFormsInNames(t *testing.T) {
	letters := []rune("aAzßIıſÅ각가ﬁａ①ǅЖ王" +
		"\u0300\u0301\u0316\u0327\u0338\u0345\u05b0\u093c\u3099\u1d165\U0001d165\u0f71\u0f72")
	rapid.Check(t, func(r *rapid.T) {
		name := string(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(letters), rapid.Rune()), 0, 8).Draw(r, "name"))
		if got, want := takenApart(name), norm.NFKD.String(name); got != want {
			r.Errorf("%+q is taken apart as %+q, not %+q", name, got, want)
		}
	})
}
