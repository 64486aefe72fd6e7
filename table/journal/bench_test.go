package journal

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// BenchmarkAppend compares an Append with the bare write and sync of the same bytes, in turn
// in the same run, on the disk of the folder for temporary files; set TMPDIR to measure
// another one. It reports medians.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{1, 8} {
		b.Run(fmt.Sprint(n), func(b *testing.B) { appendBesideBare(b, n, Options{}, false) })
		b.Run(fmt.Sprintf("%d-coded", n), func(b *testing.B) { appendBesideBare(b, n, Options{Key: testKey}, false) })
		b.Run(fmt.Sprintf("%d-sealed", n), func(b *testing.B) { appendBesideBare(b, n, Options{Key: testKey}, true) })
	}
}

func appendBesideBare(b *testing.B, n int, o Options, sealed bool) {
	j, err := Open(newPath(b), o)
	must(b, err)
	defer mustClose(b, j)
	bare, err := disk.Folder(b.TempDir()).Create("bare")
	must(b, err)
	defer mustClose(b, bare)

	batch := make([]Entry, n)
	var ours, theirs []time.Duration
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for k := range batch {
			batch[k] = cardEntry(i*n + k)
		}
		if sealed {
			batch[n-1].Carry = []byte(`{"round":1}`)
		}
		start := time.Now()
		must(b, j.Append(batch))
		between := time.Now()
		must(b, bare.Append(j.batch.text))
		must(b, bare.Sync())
		theirs = append(theirs, time.Since(between))
		ours = append(ours, between.Sub(start))
	}
	mine, other := median(ours), median(theirs)
	b.ReportMetric(float64(mine.Nanoseconds()), "append-ns")
	b.ReportMetric(float64(other.Nanoseconds()), "bare-ns")
	b.ReportMetric(float64(mine)/float64(other), "ratio")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// BenchmarkAppendNoDisk is what an Append costs besides the disk, without and with codes and a seal.
func BenchmarkAppendNoDisk(b *testing.B) {
	b.Run("plain", func(b *testing.B) { appendNoDisk(b, Options{PartMost: 1 << 40}, false) })
	b.Run("coded", func(b *testing.B) { appendNoDisk(b, Options{PartMost: 1 << 40, Key: testKey}, false) })
	b.Run("sealed", func(b *testing.B) { appendNoDisk(b, Options{PartMost: 1 << 40, Key: testKey}, true) })
}

func appendNoDisk(b *testing.B, o Options, sealed bool) {
	j, err := OpenOn(&calm{Disk: folderDisk(b, newPath(b))}, "calm", o)
	must(b, err)
	defer mustClose(b, j)
	batch := []Entry{cardEntry(1)}
	if sealed {
		batch[0].Carry = []byte(`{"round":1}`)
	}
	b.ReportAllocs()
	for b.Loop() {
		must(b, j.Append(batch))
	}
}

// calm is a folder whose files say at once that they are durable.
type calm struct{ disk.Disk }

func (d *calm) Create(name string) (disk.File, error) {
	f, err := d.Disk.Create(name)
	return &calmFile{f}, err
}

type calmFile struct{ disk.File }

func (*calmFile) Sync() error { return nil }

func BenchmarkOpen(b *testing.B) {
	path := newPath(b)
	j := mustOpen(b, path)
	fill(b, j, 20_000)
	text := content(path + "/" + partName(1))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r, err := OpenReadOnly(path)
		must(b, err)
		_, _, err = r.Head()
		must(b, err)
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
		must(b, j.Verify(b.Context(), nil))
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
