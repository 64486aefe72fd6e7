package web

import (
	"bytes"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/displaytest"
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
	had, err := r.sections(before)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	sent := 0
	for b.Loop() {
		now, err := r.sections(after)
		if err != nil {
			b.Fatal(err)
		}
		sent = 0
		diff, _ := changed(had, now)
		for _, s := range diff {
			sent += len(s.html)
		}
	}
	b.ReportMetric(float64(sent), "sent-bytes")
}

// BenchmarkWhole draws everything that a new client gets, without the deck.
func BenchmarkWhole(b *testing.B) {
	v := displaytest.Named("payment-full")
	r := renderer{language: display.English}
	b.ReportAllocs()
	var all bytes.Buffer
	for b.Loop() {
		now, err := r.sections(v)
		if err != nil {
			b.Fatal(err)
		}
		all.Reset()
		r.table(&all, now)
	}
	b.ReportMetric(float64(all.Len()), "sent-bytes")
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
	had, err := r.sections(before)
	if err != nil {
		t.Fatal(err)
	}
	now, err := r.sections(after)
	if err != nil {
		t.Fatal(err)
	}
	diff, whole := changed(had, now)
	var sent []string
	size := 0
	for _, one := range diff {
		sent = append(sent, one.id)
		size += len(one.html)
	}
	if want := []string{"keys", "box-5"}; whole || !slices.Equal(sent, want) || size > 4096 {
		t.Errorf("a card to the fullest box sends %q, %d bytes, whole %v; want %q", sent, size, whole, want)
	}
}
