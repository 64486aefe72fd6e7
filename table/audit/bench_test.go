package audit_test

import (
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/audit/audittest"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
)

const (
	// benchRounds is a fortnight at a busy table.
	benchRounds = 20_000
	// tableYear is how many rounds a table deals in a year without a night off.
	tableYear = 470_000
)

// BenchmarkAudit checks a journal with everything that `sabot audit --key` does, on one
// core and on two, and says how long a year would take.
func BenchmarkAudit(b *testing.B) {
	path := filepath.Join(tabletest.FastDir(b), "journal")
	audittest.NewTable(b, path, rules.Built(), audittest.Key).Year("wiesbaden", benchRounds)
	for _, c := range []struct {
		name  string
		cores int
	}{{"one-core", 1}, {"two-cores", 2}} {
		b.Run(c.name, func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(c.cores))
			j, err := journal.OpenReadOnly(path)
			if err != nil {
				b.Fatal(err)
			}
			defer j.Close()
			var report *audit.Report
			spent := processorTime(b)
			for b.Loop() {
				if report, err = audit.Run(b.Context(), j, options()); err != nil || !report.Well() {
					b.Fatalf("%v, %+v", err, report)
				}
			}
			spent = processorTime(b) - spent
			each := b.Elapsed().Seconds() / float64(b.N)
			b.ReportMetric(benchRounds/each, "rounds/s")
			b.ReportMetric(float64(report.Records)/each, "records/s")
			b.ReportMetric(each/benchRounds*tableYear, "s/table-year")
			b.ReportMetric(spent.Seconds()/float64(b.N)/benchRounds*tableYear, "cpu-s/table-year")
			b.ReportMetric(0, "ns/op")
		})
	}
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
