package journal

import "testing"

// The appends wait for the disk of the directory for temporary files; set TMPDIR
// to measure another one.
func BenchmarkAppend(b *testing.B) {
	for _, c := range []struct {
		name    string
		entries int
	}{{"1", 1}, {"8", 8}} {
		b.Run(c.name, func(b *testing.B) {
			j := mustOpen(b, newPath(b))
			batch := make([]Entry, c.entries)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				for i := range batch {
					n++
					batch[i] = cardEntry(n)
				}
				mustAppend(b, j, batch...)
			}
		})
	}
}

func BenchmarkRecords(b *testing.B) {
	const n = 20_000
	j := mustOpen(b, newPath(b))
	fill(b, j, n)
	b.ReportAllocs()
	for b.Loop() {
		if got := len(records(b, j.Reader, 1)); got != n {
			b.Fatalf("%d records, want %d", got, n)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkVerify(b *testing.B) {
	const n = 20_000
	j := mustOpen(b, newPath(b))
	fill(b, j, n)
	for b.Loop() {
		if err := j.Verify(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkEventsAtTheEnd(b *testing.B) {
	const n = 20_000
	j := mustOpen(b, newPath(b))
	fill(b, j, n)
	_, next := j.Next()
	for b.Loop() {
		events, err := j.Events(next-4, 100)
		if err != nil || len(events) != 3 {
			b.Fatalf("%d events, %v", len(events), err)
		}
	}
}
