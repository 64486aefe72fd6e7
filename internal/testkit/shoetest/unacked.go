package shoetest

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe"
)

// UnackedBench feeds a decoder and records what it reports.
type UnackedBench struct {
	Decoder shoe.Decoder
	at      time.Duration
	out     strings.Builder
	before  shoe.DecoderCounts
	dues    int64
}

// Pass lets time pass in which nothing arrives.
func (b *UnackedBench) Pass(d time.Duration) { b.at += d }

// Feed gives the decoder bytes.
func (b *UnackedBench) Feed(p []byte) { b.Decoder.Feed(b.at, p, b.note) }

// Quiet lets a pause pass, and tells the decoder.
func (b *UnackedBench) Quiet() {
	b.Pass(shoe.DecoderPause)
	b.Decoder.Quiet(b.note)
}

func (b *UnackedBench) note(e shoe.Event) { b.out.WriteString(Describe(e) + "\n") }

// Told returns what was reported since the last call: each event, what is to be logged, and what was counted besides
// plain messages.
func (b *UnackedBench) Told() string {
	b.dues++
	for _, s := range b.Decoder.Remarks().Due(time.Unix(math.MaxInt32*b.dues, 0)) {
		fmt.Fprintf(&b.out, "log: %s", s.Text)
		if s.Last != nil {
			fmt.Fprintf(&b.out, ": %v", s.Last)
		}
		b.out.WriteByte('\n')
	}
	now := b.Decoder.Counts()
	for _, c := range []struct {
		what        string
		before, now uint64
	}{
		{"repeated", b.before.Repeated, now.Repeated},
		{"passed over", b.before.PassedOver, now.PassedOver},
		{"unknown", b.before.Unknown, now.Unknown},
		{"damaged", b.before.Damaged, now.Damaged},
		{"dropped", b.before.Dropped, now.Dropped},
	} {
		if c.now != c.before {
			fmt.Fprintf(&b.out, "%s: %d\n", c.what, c.now-c.before)
		}
	}
	b.before = now
	out := b.out.String()
	b.out.Reset()
	return out
}

// Describe writes an event in one line.
func Describe(e shoe.Event) string {
	line := e.Kind.String()
	switch e.Kind {
	case shoe.Drawn:
		line += " " + e.Card.String()
	case shoe.Gap:
		if line = fmt.Sprintf("gap missing=%d", e.Missing); e.Unsure {
			line = "gap unsure"
		}
	}
	if name := cmp.Or(e.Code, e.Shoe.Serial, e.Shoe.Maker); name != "" {
		line += " " + name
	}
	if e.Detail != "" {
		line += " " + e.Detail
	}
	if e.Err != nil {
		line += fmt.Sprintf(" (%v)", e.Err)
	}
	return line
}
