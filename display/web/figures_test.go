package web

import (
	"net/http"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/table/authority"
)

// TestFigures: what a full table costs to draw after one card, and how much a screen is sent.
func TestFigures(t *testing.T) {
	before, after := oneCard()
	r := renderer{language: display.English, hands: true}
	had := r.sections(before)
	figure.Check(t, "page.redraw.allocations", testing.AllocsPerRun(100, func() {
		site.Changed(had, r.sections(after))
	}),
		"allocations a card, drawn for one language")

	s := New(Options{})
	figure.Check(t, "page.show.allocations", testing.AllocsPerRun(100, func() { s.Show(after) }),
		"allocations a card, while the table waits")

	var sent line
	c := client{Stream: site.NewStream(&sent, time.Second), render: r}
	for _, v := range []display.View{before, after} {
		sent = 0
		if err := c.markup(newFrame(v, 1)); err != nil {
			t.Fatal(err)
		}
	}
	figure.Check(t, "page.card.bytes", float64(sent), "bytes a card to each screen")
	figure.Check(t, "page.document.bytes", float64(len(r.page(after, r.sections(after), Dealer, authority.Own))),
		"bytes a page that opens")
}

// line counts what is sent to a screen.
type line int

func (l *line) Write(p []byte) (int, error) {
	*l += line(len(p))
	return len(p), nil
}

func (*line) Header() http.Header              { return http.Header{} }
func (*line) WriteHeader(int)                  {}
func (*line) SetWriteDeadline(time.Time) error { return nil }
func (*line) FlushError() error                { return nil }
