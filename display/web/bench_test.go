package web

import (
	"bytes"
	"html"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// oneCard is a full table before and after a card to the box that is due.
func oneCard() (before, after display.View) {
	before, after = displaytest.Named("full"), displaytest.Named("full")
	h := &after.Boxes[4].Hands[2]
	h.Cards = append(h.Cards, displaytest.Cards("7C")...)
	h.Total = 17
	before.Moment, after.Moment = "b5f1c0de", "b5f1c0df"
	return before, after
}

// BenchmarkCard draws a full table after one card and takes what a client lacks, its keys
// among it.
func BenchmarkCard(b *testing.B) {
	before, after := oneCard()
	r := renderer{language: display.English, hands: true}
	had := r.sections(before)
	b.ReportAllocs()
	sent := 0
	for b.Loop() {
		now := r.sections(after)
		sent = 0
		diff := site.Changed(had, now)
		for _, s := range diff {
			sent += len(s)
		}
	}
	b.ReportMetric(float64(sent), "sent-bytes")
}

// BenchmarkCardBeside takes turns at drawing that table and at what is the least of it:
// escaping as many bytes.
func BenchmarkCardBeside(b *testing.B) {
	_, after := oneCard()
	r := renderer{language: display.English, hands: true}
	drawn := string(bytes.Join(r.sections(after), nil))
	var ours, bare []time.Duration
	for b.Loop() {
		start := time.Now()
		r.sections(after)
		between := time.Now()
		html.EscapeString(drawn)
		bare = append(bare, time.Since(between))
		ours = append(ours, between.Sub(start))
	}
	slices.Sort(ours)
	slices.Sort(bare)
	mine, other := ours[len(ours)/2], bare[len(bare)/2]
	b.ReportMetric(float64(len(drawn)), "drawn-bytes")
	b.ReportMetric(float64(mine.Microseconds()), "draw-µs")
	b.ReportMetric(float64(mine)/float64(other), "ratio")
}

// BenchmarkWhole draws everything that a new client gets, without the deck.
func BenchmarkWhole(b *testing.B) {
	v := displaytest.Named("payment-full")
	r := renderer{language: display.English}
	b.ReportAllocs()
	var all []byte
	for b.Loop() {
		all = bytes.Join(r.sections(v), nil)
	}
	b.ReportMetric(float64(len(all)), "sent-bytes")
}

// BenchmarkShow is what the table itself waits for.
func BenchmarkShow(b *testing.B) {
	s := New(Options{})
	v := displaytest.Named("payment-full")
	b.ReportAllocs()
	for b.Loop() {
		s.Show(v)
	}
}

// A card must stay small on the wire: the screen may hang on a slow line.
func TestCardIsSmallOnTheWire(t *testing.T) {
	before, after := oneCard()
	r := renderer{language: display.English, hands: true}
	had := r.sections(before)
	now := r.sections(after)
	var sent []string
	size := 0
	for _, section := range site.Changed(had, now) {
		_, id, _ := strings.Cut(string(section), `id="`)
		id, _, _ = strings.Cut(id, `"`)
		sent = append(sent, id)
		size += len(section)
	}
	if want := []string{"keys", "box-5"}; !slices.Equal(sent, want) || size > 4096 {
		t.Errorf("a card to the fullest box sends %q, %d bytes; want %q", sent, size, want)
	}
}
