package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/export"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/audit/witness"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// TestUpkeep: the commands that look after the database, as a technician types them.
func TestUpkeep(t *testing.T) {
	for name, source := range map[string]func() string{
		"sqlite":   func() string { return filepath.Join(processes.FastDir(t), "pit.db") },
		"postgres": func() string { return journaltest.NewPostgres(t).Source() },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "postgres" {
				tier.Soak(t, "a PostgreSQL server of its own")
			}
			upkept(t, source())
		})
	}
}

func upkept(t *testing.T, source string) {
	config := pitConfig(t, "127.0.0.1:1", source)
	typed := func(status int, says string, args ...string) {
		t.Helper()
		typedOn(t, config, status, says, args...)
	}
	folder := processes.FastDir(t)
	mine := filepath.Join(folder, "mine")
	n := journaltest.NewNight(t, mine, "wiesbaden", 1)
	n.Mistakes = 1
	n.Deal(400)
	theirs := filepath.Join(folder, "theirs")
	if err := os.CopyFS(theirs, os.DirFS(mine)); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(folder, "old")
	if err := os.CopyFS(old, os.DirFS(mine)); err != nil {
		t.Fatal(err)
	}
	n.Deal(300)
	journaltest.NewNight(t, theirs, "wiesbaden", 2).Deal(500)

	typed(exitOK, "records of journal", "refill", "--table", "bj-1", "--journal", mine)
	typed(exitOK, "all figures of 1 tables follow", "compare")
	for _, format := range export.Formats() {
		path := filepath.Join(folder, format)
		typed(exitOK, " irregularities\n", "export", "--to", format, "--table", "bj-1", path)
		typed(exitFailed, "nothing was exported", "export", "--to", format, path)
		typed(exitOK, " irregularities\n", "export", "--to", format, "--first", "2026-03-28", "--last", "2026-03-29",
			"--force", path)
	}

	typed(exitFailed, "unless this is an older copy, its end was cut off", "compare", "--table", "bj-1",
		"--journal", old)
	known := filepath.Join(folder, "bj-1.witness")
	typed(exitOK, "1 journals, 0 heads, 0 starts", "witness", "--table", "bj-1", known)
	typed(exitFailed, "file exists", "witness", "--table", "bj-1", known)
	typed(exitFailed, "does not have it", "witness", "--table", "bj-9", filepath.Join(folder, "bj-9.witness"))
	typed(exitUsage, "witness takes --config, --table and the file", "witness", known)
	both(t, known, old)

	spoil(t, source)
	typed(exitFailed, "recompute them with sabot-pit rebuild", "compare")
	typed(exitOK, "the figures of 1 tables are made anew", "rebuild")
	typed(exitOK, "all figures of 1 tables follow", "compare")

	accept := []string{"accept", "--table", "bj-1", "--journal", theirs, "--why", "restored after the fire", "--by"}
	typed(exitFailed, "sabot-pit accept follows the folder", "compare", "--table", "bj-1", "--journal", theirs)
	typed(exitFailed, `"nobody" may not accept`, append(accept, "nobody")...)
	typed(exitOK, "starting password", "person", "add", "wall", "viewer")
	typed(exitFailed, `"wall" may not accept`, append(accept, "wall")...)
	typed(exitOK, "starting password", "person", "add", "anna", "technician")
	typed(exitOK, "of its former branch are kept as journal", append(accept, "anna")...)
	typed(exitOK, "byte for byte", "compare", "--table", "bj-1", "--journal", theirs)
	typed(exitOK, "all figures of 1 tables follow", "compare")
	typed(exitOK, "restored after the fire", "person", "log", "anna")
	typed(exitFailed, "nothing is in doubt", append(accept, "anna")...)

	backup := filepath.Join(folder, "pit.backup")
	typed(exitOK, "people, their log, alerts", "backup", backup)
	typed(exitFailed, "file exists", "backup", backup)
	typed(exitUsage, "restore takes --config and the file", "restore")
	typed(exitFailed, "name a new database in store.source", "restore", backup)
	config = pitConfig(t, "127.0.0.1:1", filepath.Join(folder, "new.db"))
	typed(exitOK, "rows are restored", "restore", backup)
	typed(exitOK, "restored after the fire", "person", "log", "anna")
}

// typedOn types a command that looks after the database of a configuration.
func typedOn(t *testing.T, config string, status int, says string, args ...string) {
	t.Helper()
	var out, errOut bytes.Buffer
	args = append(args[:1:1], append([]string{"--config", config}, args[1:]...)...)
	if got := run(t.Context(), args, &out, &errOut); got != status ||
		!strings.Contains(out.String()+errOut.String(), says) {
		t.Fatalf("sabot-pit %q ends with %d and says\n%s%swant %d, %q", args, got, out.String(), errOut.String(),
			status, says)
	}
}

// TestTheTableOfAHouse: at a hub, --table names that of a house, or the hub's own, and nothing is kept of a house that
// the hub does not hear.
func TestTheTableOfAHouse(t *testing.T) {
	folder := processes.FastDir(t)
	config, mine := filepath.Join(folder, "pit.yaml"), filepath.Join(folder, "mine")
	text := fmt.Sprintf(`site: group
broker: {listen: "127.0.0.1:0"}
sites: {listen: "127.0.0.1:0", list: [{name: north}, {name: south}]}
store: {source: %q, time_zone: Europe/Berlin}
web: {listen: "127.0.0.1:0"}
`, filepath.Join(folder, "pit.db"))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	journaltest.NewNight(t, mine, "wiesbaden", 1).Deal(200)
	file := func(name string) string { return filepath.Join(folder, name) }

	typedOn(t, config, exitFailed, `does not hear site "nroth"`, "refill", "--table", "nroth/bj-1", "--journal", mine)
	typedOn(t, config, exitFailed, "holds", "refill", "--table", "north/of/bj-1", "--journal", mine)
	typedOn(t, config, exitOK, "north/bj-1: ", "refill", "--table", "north/bj-1", "--journal", mine)
	typedOn(t, config, exitOK, " irregularities\n", "export", "--to", "csv", "--table", "north/bj-1", file("north"))
	typedOn(t, config, exitOK, "north/bj-1, 1 journals", "witness", "--table", "north/bj-1", file("north.witness"))
	typedOn(t, config, exitOK, "byte for byte", "compare", "--table", "north/bj-1", "--journal", mine)
	typedOn(t, config, exitOK, "figures of 1 tables are made anew", "rebuild", "--table", "north/bj-1")
	typedOn(t, config, exitFailed, `nothing of table "bj-1" of site south`, "rebuild", "--table", "south/bj-1")
	typedOn(t, config, exitFailed, `nothing of table "bj-1" of site group`, "rebuild", "--table", "bj-1")
}

// TestCompareCounts: compare says how many records are missing, however many they are.
func TestCompareCounts(t *testing.T) {
	folder := processes.FastDir(t)
	config := pitConfig(t, "127.0.0.1:1", filepath.Join(folder, "pit.db"))
	mine := filepath.Join(folder, "mine")
	n := journaltest.NewNight(t, mine, "wiesbaden", 1)
	n.Deal(50)
	before, _, err := n.Journal.Head()
	if err != nil {
		t.Fatal(err)
	}
	typedOn(t, config, exitOK, "records of journal", "refill", "--table", "bj-1", "--journal", mine)
	n.Deal(300)
	after, _, err := n.Journal.Head()
	if err != nil || after-before < 300 {
		t.Fatal(before, after, err)
	}
	says := fmt.Sprintf("%d records are missing and 0 are others, the first of them %d;", after-before, before+1)
	typedOn(t, config, exitFailed, says, "compare", "--table", "bj-1", "--journal", mine)
}

// both audits yesterday's journal with what the pit knows.
func both(t *testing.T, known, old string) {
	t.Helper()
	pit, err := witness.ReadFile(known)
	if err != nil {
		t.Fatal(err)
	}
	r, err := journal.OpenReadOnly(old)
	if err != nil {
		t.Fatal(err)
	}
	report, err := audit.Run(t.Context(), r, audit.Options{Book: profile.Built(), Witness: pit})
	if err = errors.Join(err, r.Close()); err != nil {
		t.Fatal(err)
	}
	behind := func(f *audit.Finding) bool { return f.Kind == audit.Behind }
	if !slices.ContainsFunc(report.Faults, behind) {
		t.Errorf("yesterday's journal is well beside what the pit knows: %+v", report.Faults)
	}
}

// spoil changes a figure.
func spoil(t *testing.T, source string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Source: source, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Change(t.Context(), func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE wager_sum SET staked = staked + 100`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
