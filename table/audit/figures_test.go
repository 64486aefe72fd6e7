package audit_test

import (
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// TestFigures: what an audit allocates that checks the code of every line.
func TestFigures(t *testing.T) {
	const rounds = 1000
	path := filepath.Join(tabletest.FastDir(t), "journal")
	journaltest.NewTable(t, path, profile.Built(), journaltest.Key).Year("wiesbaden", rounds)
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	o := withCodes(t, path)
	allocations := testing.AllocsPerRun(3, func() {
		if report, err := audit.Run(t.Context(), j, o); err != nil || !report.Well() {
			t.Fatalf("%v, %+v", err, report)
		}
	})
	figure.Check(t, "audit.round.allocations", allocations/rounds, "allocations a round, audited with the codes")
}
