package host_test

import (
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// BenchmarkKey times single presses through the whole table, from the moment in which
// the contact closes until the display's view shows what followed: a hand rests, and
// that is taken back, over and over. One operation is one press. What goes beyond the
// debounce time, for which every press waits, is told apart.
func BenchmarkKey(b *testing.B) {
	p := startPanelled(b, 0, false)
	defer p.stop()
	for _, in := range []vocab.Input{
		{Kind: vocab.InOpen},
		{Kind: vocab.InStake, Box: 1, Bettor: "a", Wager: vocab.WagerMain},
		{Kind: vocab.InClose},
	} {
		if answer, err := p.d.Submit(b.Context(), in); err != nil || answer.Rejected != 0 {
			b.Fatalf("%s: %s, %v", in.Kind, answer.Rejected, err)
		}
	}
	for _, c := range []string{"TS", "7D", "6H"} {
		dealt, err := card.Parse(c)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.d.Submit(b.Context(), vocab.Input{Kind: vocab.InCard, Card: dealt}); err != nil {
			b.Fatal(err)
		}
	}
	var times []time.Duration
	b.ResetTimer()
	for i := range b.N {
		times = append(times, p.timePress(b, []string{"rest", "undo"}[i%2]))
	}
	b.StopTimer()
	slices.Sort(times)
	for name, at := range map[string]int{"p50": len(times) / 2, "p99": len(times) * 99 / 100, "max": len(times) - 1} {
		b.ReportMetric(float64((times[at] - 5*time.Millisecond).Microseconds()), "beyond-debounce-"+name+"-µs")
	}
	b.ReportMetric(0, "ns/op") // the pace of the hand
}

// timePress presses a key and returns how long the view took to show it.
func (p *panelled) timePress(b *testing.B, name string) time.Duration {
	before, _ := p.d.Board.Look()
	began := time.Now()
	p.bank.Press(slices.Index(p.keys, name), 30*time.Millisecond)
	v := p.await("what follows from the key "+name, func(v display.View) bool { return v.Seq > before.Seq })
	took := time.Since(began)
	if v.Rejected != 0 {
		b.Fatalf("the key %s was refused: %s", name, v.Rejected)
	}
	time.Sleep(60 * time.Millisecond) // until the hand may press again
	return took
}
