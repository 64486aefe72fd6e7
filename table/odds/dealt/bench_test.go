package dealt

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/profile"
)

// BenchmarkRounds deals each house's rounds under best play on one core, one box alone. Beside it, and in turn with it,
// "bare" draws as many cards by the same chance and adds them up: what the machine needs at the least.
func BenchmarkRounds(b *testing.B) {
	houses := profile.Built()
	for _, name := range slices.Sorted(maps.Keys(houses)) {
		report, err := odds.Work(context.Background(),
			odds.Query{Rules: houses[name].Rules, Shoe: odds.Full(houses[name].Rules)})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) { benchmarkRounds(b, report) })
	}
}

func benchmarkRounds(b *testing.B, report *odds.Report) {
	g, err := newGame(report, 1)
	if err != nil {
		b.Fatal(err)
	}
	s := g.shard()
	taken := roundsTake(b, s)
	to := sums{sides: make([]Side, len(g.bets))}
	var batches uint64
	var other time.Duration
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if err := s.batch(batches, &to); err != nil {
			b.Fatal(err)
		}
		batches++
		b.StopTimer()
		begin := time.Now()
		bare(s, taken)
		other += time.Since(begin)
		b.StartTimer()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(to.rounds)/b.Elapsed().Seconds(), "rounds/s")
	b.ReportMetric(b.Elapsed().Seconds()/other.Seconds(), "times-bare")
}

// roundsTake is how many cards each round of a batch takes.
func roundsTake(b *testing.B, s *shard) (taken []int) {
	for range perBatch {
		if err := s.Deal(s.stakes, nil); err != nil {
			b.Fatal(err)
		}
		taken = append(taken, s.next)
	}
	return taken
}

// drawn keeps what bare adds up.
var drawn int

func bare(s *shard, taken []int) {
	for _, n := range taken {
		s.Shuffle()
		var v hand.Value
		for range n {
			if c := s.Draw(); c != card.Joker {
				v = v.Add(c)
			}
		}
		drawn += v.Total()
	}
}
