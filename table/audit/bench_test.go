package audit_test

import (
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

const (
	// benchRounds is a fortnight at a busy table.
	benchRounds = 20_000
	// tableYear is how many rounds a table deals in a year without a night off.
	tableYear = 470_000
)

// BenchmarkAudit checks a journal with everything that `sabot journal audit --key --audit-key` does, the code of each
// line among it, says how long a year would take, and compares with the yardstick: the SHA-256 of the same bytes in one
// go, which no audit can be faster than on one core.
//
//	go test ./table/audit -run '^$' -bench Audit -cpu 1,2
func BenchmarkAudit(b *testing.B) {
	path := filepath.Join(tabletest.FastDir(b), "journal")
	journaltest.NewTable(b, path, profile.Built(), journaltest.Key).Year("wiesbaden", benchRounds)
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	o := withCodes(b, path)
	var audited, hashed, spent, spentHashing time.Duration
	var bytes int64
	var report *audit.Report
	b.ReportAllocs()
	for b.Loop() {
		began, used := time.Now(), processorTime(b)
		if report, err = audit.Run(b.Context(), j, o); err != nil || !report.Well() {
			b.Fatalf("%v, %+v", err, report)
		}
		audited, spent = audited+time.Since(began), spent+processorTime(b)-used
		began, used = time.Now(), processorTime(b)
		bytes = yardstick(b, path)
		hashed, spentHashing = hashed+time.Since(began), spentHashing+processorTime(b)-used
	}
	year := func(d time.Duration) float64 { return d.Seconds() / float64(b.N) / benchRounds * tableYear }
	b.ReportMetric(float64(report.Records)*float64(b.N)/audited.Seconds(), "records/s")
	b.ReportMetric(float64(bytes)/float64(report.Records), "bytes/record")
	b.ReportMetric(year(audited), "s/table-year")
	b.ReportMetric(year(spent), "cpu-s/table-year")
	b.ReportMetric(year(hashed), "sha256-s/table-year")
	b.ReportMetric(audited.Seconds()/hashed.Seconds(), "x-sha256")
	b.ReportMetric(spent.Seconds()/spentHashing.Seconds(), "cpu-x-sha256")
	b.ReportMetric(0, "ns/op")
}

// yardstick hashes all parts, and says how many bytes they have.
func yardstick(b *testing.B, path string) (n int64) {
	names, err := filepath.Glob(filepath.Join(path, "part-*"))
	if err != nil {
		b.Fatal(err)
	}
	sum, buf := sha256.New(), make([]byte, 128<<10)
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			b.Fatal(err)
		}
		read, err := io.CopyBuffer(sum, struct{ io.Reader }{f}, buf)
		if err != nil {
			b.Fatal(err)
		}
		n += read
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	return n
}

// processorTime is what this process has used so far. On a machine with other work it
// says more than the time that went by.
func processorTime(b *testing.B) time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
