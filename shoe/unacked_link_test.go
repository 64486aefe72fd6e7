package shoe

import (
	"embed"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/internal/testkit/datatest"
	"github.com/sabot-table/sabot/shoe/card"
)

//go:embed testdata/link
var testdata embed.FS

// TestLink plays testdata/link: what happens to a line and arrives on it, and what the table is told. One step per
// line:
//
//	open, close WHY   the port
//	card, gap         an event of the decoder; the gap is one of damage
//	heard N           after so many messages in all
//	junk N            so many bytes in all that belong to none
//	busy, idle        the table takes no events, or takes them again
func TestLink(t *testing.T) {
	datatest.Run(t, testdata, "testdata/link", func(t *testing.T, d *datadriven.TestData) string {
		l := link{language: "test", looksLike: func() string { return "" }}
		var c DecoderCounts
		var out strings.Builder
		busy := false
		for line := range strings.Lines(d.Input) {
			words := strings.Fields(line)
			step(t, &l, &c, words)
			if busy = words[0] == "busy" || busy && words[0] != "idle"; !busy {
				drain(&l, &out)
			}
		}
		return out.String()
	})
}

func step(t *testing.T, l *link, c *DecoderCounts, words []string) {
	t.Helper()
	now := time.Unix(1, 0)
	n := 0
	if len(words) > 1 {
		fmt.Sscan(words[1], &n)
	}
	switch words[0] {
	case "open":
		l.opened(now)
	case "close":
		l.closed(now, errors.New(strings.Join(words[1:], " ")))
	case "card":
		l.event(now, Event{Kind: Drawn, Card: card.Of(card.Ace, card.Spades)})
	case "gap":
		l.event(now, Event{Kind: Gap, Unsure: true})
	case "heard":
		c.Messages = uint64(n)
		l.judge(now, *c, 0)
	case "junk":
		c.Dropped = uint64(n)
		l.judge(now, *c, 0)
	case "busy", "idle":
	default:
		t.Fatalf("unknown step %v", words)
	}
}

func drain(l *link, out *strings.Builder) {
	for e, ok := l.queue.events.Pop(); ok; e, ok = l.queue.events.Pop() {
		out.WriteString(describe(e) + "\n")
	}
}

func describe(e Event) string {
	s := e.Kind.String()
	if e.Kind == Gap {
		s += fmt.Sprintf(" missing=%d unsure=%t", e.Missing, e.Unsure)
	}
	if name := e.Code + e.Shoe.Maker; name != "" {
		s += " " + name
	}
	if e.Err != nil {
		s += fmt.Sprintf(" (%v)", e.Err)
	}
	return s
}

// A table that takes no events for long neither loses a card unnoticed nor fills the memory, whatever happens to the
// line meanwhile.
func TestBusyTable(t *testing.T) {
	l := link{language: "test", looksLike: func() string { return "" }}
	cards := 0
	for i := range 3 * queueLimit {
		l.opened(time.Time{})
		l.event(time.Time{}, Event{Kind: Drawn})
		cards++
		l.closed(time.Time{}, fmt.Errorf("pull %d", i))
	}
	if n := len(l.queue.events); n > queueLimit+3 {
		t.Errorf("the queue grew to %d events", n)
	}
	for e, ok := l.queue.events.Pop(); ok; e, ok = l.queue.events.Pop() {
		switch {
		case e.Kind == Drawn:
			cards--
		case e.Kind == Gap && !e.Unsure:
			cards -= int(e.Missing)
		}
	}
	if cards != 0 || l.stats.Overflow == 0 {
		t.Errorf("%d cards are neither reported nor counted as lost; stats %+v", cards, l.stats)
	}
}

// Time in which this side stood still while it listened does not count.
func TestAwake(t *testing.T) {
	begun := time.Unix(100, 0)
	a := awake{last: begun.Add(-time.Hour)}
	a.wake(begun) // the port was closed, and that does count
	for _, c := range []struct{ at, want time.Duration }{
		{100 * time.Millisecond, time.Hour + 100*time.Millisecond},
		{10 * time.Second, time.Hour + 100*time.Millisecond + steady},
		{9 * time.Second, time.Hour + 100*time.Millisecond + steady}, // the clock was set back
		{9200 * time.Millisecond, time.Hour + 300*time.Millisecond + steady},
	} {
		if got := a.until(begun.Add(c.at)); got != c.want {
			t.Errorf("at %v it was awake for %v, want %v", c.at, got, c.want)
		}
	}
}
