package journal_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/runner"
)

// TestFigures: what a round takes on the disk, with its seal, and what an append allocates.
func TestFigures(t *testing.T) {
	const rounds = 200
	path := filepath.Join(tabletest.FastDir(t), "journal")
	journaltest.NewTable(t, path, profile.Built(), journaltest.Key).Year("wiesbaden", rounds)
	figure.Check(t, "journal.round.bytes", float64(onDisk(t, path))/rounds, "bytes a round of four or five boxes")

	records := recordsOf(50)
	j, err := journal.Open(filepath.Join(tabletest.FastDir(t), "journal"),
		journal.Options{Program: "test", Key: journaltest.Key})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	allocations := testing.AllocsPerRun(3, func() {
		for i := range records {
			if err := j.Append(records[i : i+1]); err != nil {
				t.Fatal(err)
			}
		}
	})
	figure.Check(t, "journal.append.allocations", allocations/float64(len(records)),
		"allocations an append of one record")
}

// recordsOf are the records of so many rounds of seven boxes.
func recordsOf(rounds int) (records []journal.Entry) {
	var tab table.Table
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), rounds, 7)
	for i := range inputs {
		records = append(records, runner.Record(&tab, &inputs[i], shoe.Position{}))
	}
	return records
}

// onDisk is how large the parts of a journal are.
func onDisk(tb testing.TB, path string) (bytes int) {
	tb.Helper()
	parts, err := filepath.Glob(filepath.Join(path, "part-*"))
	if err != nil || len(parts) == 0 {
		tb.Fatalf("the journal has no parts: %v", err)
	}
	for _, part := range parts {
		info, err := os.Stat(part)
		if err != nil {
			tb.Fatal(err)
		}
		bytes += int(info.Size())
	}
	return bytes
}

// BenchmarkVerifyBeside takes turns at verifying a journal of a thousand rounds and at the SHA-256 of its bytes.
func BenchmarkVerifyBeside(b *testing.B) {
	path := filepath.Join(tabletest.FastDir(b), "journal")
	journaltest.NewTable(b, path, profile.Built(), journaltest.Key).Year("wiesbaden", 1000)
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		b.Fatal(err)
	}
	defer j.Close()
	figure.Beside(b, func() {
		if err := j.Verify(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}, figure.Hash(onDisk(b, path)))
}
