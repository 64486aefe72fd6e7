package web

import (
	"bytes"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// TestFelt: a felt is drawn in the same words and shapes as the table's page, and nothing on it can be touched.
func TestFelt(t *testing.T) {
	shapes := Shapes()
	for _, l := range display.BuiltIn().Languages(false) {
		for _, s := range displaytest.Samples() {
			felt := Felt(l, s.View)
			if bytes.Contains(felt, []byte("<button")) || bytes.Contains(felt, []byte("data-put")) {
				t.Errorf("%s %s: something can be touched: %s", l.Code(), s.Name, felt)
			}
			for _, part := range strings.Split(string(felt), `href="#`)[1:] {
				shape, _, _ := strings.Cut(part, `"`)
				if !bytes.Contains(shapes, []byte(`id="`+shape+`"`)) {
					t.Errorf("%s %s: there is no shape %s", l.Code(), s.Name, shape)
				}
			}
			if len(s.View.Boxes) > 0 && !bytes.Contains(felt, []byte(`id="box-1"`)) {
				t.Errorf("%s %s: there is no box", l.Code(), s.Name)
			}
		}
	}
}
