package store_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/figure"
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
						if _, err := s.Append(b.Context(),
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

// BenchmarkAppendBeside keeps what 60 tables send at once, and takes turns with the least that any store must do: as
// many bytes as a plain row for each table, in one transaction of a SQLite that is as durable.
//
//	go test ./pit/store -run '^$' -bench AppendBeside -benchtime 200x
func BenchmarkAppendBeside(b *testing.B) {
	const tables = 60
	folder := tabletest.FastDir(b)
	n := journaltest.NewNight(b, filepath.Join(folder, "journal"), "wiesbaden", 1)
	n.Flushed = 4096
	n.Deal(20_000)
	pieces, s := inPieces(b, filepath.Join(folder, "journal")), open(b, filepath.Join(folder, "pit.db"))
	plain := plainSQLite(b, filepath.Join(folder, "plain.db"))
	kept, written := 0, 0
	figure.Beside(b, func() {
		if kept == len(pieces) {
			b.Fatalf("there are %d pieces for each table: a lower -benchtime", kept)
		}
		one := pieces[kept].Stretch
		kept++
		var all sync.WaitGroup
		for i := range tables {
			name := fmt.Sprintf("bj-%d", i)
			all.Go(func() {
				if _, err := s.Append(b.Context(),
					&store.Batch{Table: table(b, name), Journal: name, Stretch: one}); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
	}, func() {
		tx, err := plain.Begin()
		if err != nil {
			b.Fatal(err)
		}
		bytes := slices.Concat(pieces[written].Frames...)
		written++
		for range tables {
			if _, err := tx.Exec(`INSERT INTO plain (bytes) VALUES ($1)`, bytes); err != nil {
				b.Fatal(err)
			}
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
	})
}

// plainSQLite is one table in a file, as durable as a store.
func plainSQLite(b *testing.B, file string) *sql.DB {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	if err == nil {
		_, err = db.Exec(`CREATE TABLE plain (id INTEGER PRIMARY KEY, bytes BLOB)`)
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	return db
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
