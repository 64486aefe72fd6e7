package recall_test

import (
	"testing"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// BenchmarkRecall reads from the end of a journal of 20,000 rounds: the last hundred
// rounds, the last, and one far back.
func BenchmarkRecall(b *testing.B) {
	r := newRecorder(b)
	deal(r, 20_000)
	past := recall.New(r.journal, profile.Built())
	b.Run("last-100", func(b *testing.B) {
		for b.Loop() {
			if list, err := past.Last(recall.Reach); err != nil || len(list) != recall.Reach {
				b.Fatal(len(list), err)
			}
		}
	})
	for name, number := range map[string]uint64{"latest": 0, "middle": 10_000} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := past.Round(number); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
