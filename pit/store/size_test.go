package store_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
)

// BenchmarkDisk keeps the gaming day of a table, twelve hours of 80 rounds, and of some more, and says what one takes
// of the database, indexes included; what an empty one takes is not counted.
func BenchmarkDisk(b *testing.B) {
	const tables, rounds = 4, 12 * 80
	folder := tabletest.FastDir(b)
	for i, house := range []string{"wiesbaden", "baden", "st-moritz", "schaffhausen"} {
		n := journaltest.NewNight(b, filepath.Join(folder, house), house, uint64(i))
		n.Apart = 45 * time.Second / 26
		n.Rounds(rounds)
	}
	fill := func(b *testing.B, source string, size func() int64) {
		for b.Loop() {
			s := open(b, source)
			empty := size()
			var journals int64
			for i, house := range []string{"wiesbaden", "baden", "st-moritz", "schaffhausen"} {
				r := reader(b, filepath.Join(folder, house))
				if err := s.Refill(b.Context(), table(b, "bj-"+string(rune('1'+i))), r, nil); err != nil {
					b.Fatal(err)
				}
				journals += sizeOf(b, filepath.Join(folder, house))
			}
			b.ReportMetric(float64(size()-empty)/tables/1e6, "MB/table-day")
			b.ReportMetric(float64(journals)/tables/1e6, "MB-of-journal/table-day")
		}
	}
	b.Run("SQLite", func(b *testing.B) {
		file := filepath.Join(tabletest.FastDir(b), "pit.db")
		fill(b, file, func() int64 {
			db, err := sql.Open("sqlite", file)
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			var pages, long int64
			if err := db.QueryRow(`SELECT page_count, page_size FROM pragma_page_count, pragma_page_size`).Scan(&pages,
				&long); err != nil {
				b.Fatal(err)
			}
			return pages * long
		})
	})
	b.Run("PostgreSQL", func(b *testing.B) {
		source := journaltest.NewPostgres(b).Source()
		fill(b, source, func() (size int64) {
			db, err := sql.Open("pgx", source)
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			if err := db.QueryRow(`SELECT pg_database_size(current_database())`).Scan(&size); err != nil {
				b.Fatal(err)
			}
			return size
		})
	})
}

func sizeOf(b *testing.B, folder string) (size int64) {
	b.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			b.Fatal(err)
		}
		size += info.Size()
	}
	return size
}
