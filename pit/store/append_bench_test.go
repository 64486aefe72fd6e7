package store_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/journal"
)

// BenchmarkAppend keeps what 200 tables send at once, some five records each time, durably. It
// reports how many events are kept in a second, and how long one Append takes then.
//
//	go test ./pit/store -run '^$' -bench Append -benchtime 20000x
func BenchmarkAppend(b *testing.B) {
	const tables = 200
	folder := filepath.Join(tabletest.FastDir(b), "journal")
	n := journaltest.NewNight(b, folder, "wiesbaden", 1)
	n.Flushed = 4096
	n.Deal(20_000)
	stretches := inPieces(b, folder)
	for name, source := range map[string]func() string{
		"sqlite":   func() string { return filepath.Join(b.TempDir(), "pit.db") },
		"postgres": func() string { return journaltest.NewPostgres(b, "fsync=on").Source() },
	} {
		b.Run(name, func(b *testing.B) {
			s := open(b, source())
			names := make([]string, tables)
			for i := range names {
				names[i] = fmt.Sprintf("bj-%d", i)
			}
			each := max(1, b.N/tables)
			if each > len(stretches) {
				b.Fatalf("there are %d pieces for each table: -benchtime %dx at the most", len(stretches),
					len(stretches)*tables)
			}
			var mu sync.Mutex
			var took []time.Duration
			events := 0
			b.ResetTimer()
			var all sync.WaitGroup
			for _, name := range names {
				all.Go(func() {
					of := table(b, name)
					for _, one := range stretches[:each] {
						began := time.Now()
						if err := s.Append(b.Context(),
							&store.Batch{Table: of, Journal: name, Stretch: one.Stretch}); err != nil {
							b.Error(err)
							return
						}
						mu.Lock()
						took, events = append(took, time.Since(began)), events+one.events
						mu.Unlock()
					}
				})
			}
			all.Wait()
			b.StopTimer()
			slices.Sort(took)
			b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
		})
	}
}

type piece struct {
	journal.Stretch
	events int
}

// inPieces is a journal as a table sends it that has something new all the time.
func inPieces(b *testing.B, folder string) (pieces []piece) {
	b.Helper()
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	for after := uint64(0); ; {
		stretch, err := r.Stretch(after, 2000)
		if err != nil {
			b.Fatal(err)
		}
		if len(stretch.Frames) == 0 {
			return pieces
		}
		one := piece{Stretch: stretch}
		for _, frame := range stretch.Frames {
			rec, err := journal.ParseRecord(frame)
			if err != nil {
				b.Fatal(err)
			}
			after = rec.Seq
			for range rec.Lines() {
				one.events++
			}
		}
		pieces = append(pieces, one)
	}
}
