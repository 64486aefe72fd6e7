package transcript

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/table/vocab"
)

// TestEveryKindHasALayout, with the fields that its lines have: whatever JSON says,
// the compact form says.
func TestEveryKindHasALayout(t *testing.T) {
	numbers := map[uint8]bool{emptyLines: true}
	for _, l := range layouts {
		if numbers[l.number] || l.number > kindBits {
			t.Errorf("%s has the number %d, which is another's or too large", l.kind, l.number)
		}
		numbers[l.number] = true
	}
	for kind := vocab.InSetup; !strings.HasPrefix(kind.String(), "unnamed"); kind++ {
		l := layoutByKind[kind]
		if l == nil {
			t.Errorf("%s has no layout", kind)
			continue
		}
		if carried, may := needs[kind]|fieldsOf(l.optional), mayHave(kind); carried != may {
			t.Errorf("%s carries the fields %v, and its lines have %v", kind, carried, may)
		}
		if needs[kind]&^shapes[kind].required != 0 {
			t.Errorf("%s must have %v, and its lines only %v", kind, needs[kind], shapes[kind].required)
		}
	}
}

// mayHave are the fields that some line of the kind has, beside those of all lines.
func mayHave(kind vocab.InputKind) fields {
	all := shapes[kind].all()
	switch kind {
	case vocab.InCall:
		for call := range vocab.EveryCall {
			all |= callShape(call).all()
		}
	case vocab.InShoe:
		for event := vocab.ShoeLoaded; !strings.HasPrefix(event.String(), "unnamed"); event++ {
			all |= eventShape(event).all()
		}
	case vocab.InStorage:
		for event := vocab.StorageFailed; !strings.HasPrefix(event.String(), "unnamed"); event++ {
			all |= storageShape(event).all()
		}
	}
	return all &^ setOf(fIn, fT)
}

// row is a row of the page's table of kinds.
var row = regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| ([0-9]+) \\|([^|]*)\\|([^|]*)\\|$")

// TestLayoutsAreOnTheirPage: other programs are written after docs/compact.md.
func TestLayoutsAreOnTheirPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/compact.md")
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, cells := range row.FindAllStringSubmatch(string(page), -1) {
		got = append(got, strings.Join([]string{cells[1], cells[2], names(cells[3]), names(cells[4])}, " | "))
	}
	for _, l := range layouts {
		want = append(want, strings.Join([]string{l.kind.String(), strconv.Itoa(int(l.number)), partNames(l.required), partNames(l.optional)}, " | "))
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("docs/compact.md has\n%s\nand the layouts are\n%s", a, b)
	}
}

// names takes the names of a cell out of their backquotes.
func names(cell string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("`", " ", ",", " ").Replace(cell)), " ")
}

func partNames(parts []part) string {
	var list []string
	for _, p := range parts {
		list = append(list, p.field.String())
	}
	return strings.Join(list, " ")
}
