package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestBackupIsRemembered: what came of each backup is beside the journal, for the table's health: when and where to, or
// why not.
func TestBackupIsRemembered(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	table := journaltest.NewTable(t, journal, profile.Built(), nil)
	table.SetUp(rules.Setup{House: "wiesbaden"})
	table.Night(journaltest.Busy(0), 1)
	table.Close()
	config, target := configOf(t, journal), t.TempDir()
	look := func() health.Backups { return health.LookAtBackups(journal, "/nowhere") }

	missing := filepath.Join(target, "not-mounted")
	if got := sabot(t, "", "backup", "--config", config, "--without-keys", missing); got.Status != exitFailed {
		t.Fatalf("it ended with %+v", got)
	}
	if s := look(); s.Good != nil || s.Failed == nil || !strings.Contains(s.Failed.Why, "is the stick mounted?") {
		t.Errorf("of a stick that is not there it remembers %+v", s.BackupMark)
	}
	if got := sabot(t, "", "backup", "--config", config, target); got.Status != exitFailed {
		t.Fatalf("it ended with %+v", got)
	}
	if s := look(); s.Failed == nil || !strings.Contains(s.Failed.Why, "nobody is named who may read the keys") {
		t.Errorf("without recipients it remembers %+v", s.BackupMark)
	}
	got := sabot(t, "", "backup", "--config", config, "--without-keys", "--same-disk", target)
	if got.Status != exitOK {
		t.Fatalf("it ended with %+v", got)
	}
	checkCounts(t, got.Out, 2, 2) // a part, and the configuration
	if s := look(); s.Failed != nil || !s.Fresh(time.Now()) || s.Good.Generation != 1 ||
		s.Good.To != target+"/sabot-demo.bj-1" {
		t.Errorf("of a backup it remembers %+v", s.BackupMark)
	}
	if err := os.WriteFile(journal+".people", []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	got = sabot(t, "", "backup", "--config", config, "--recipients", recipientsOf(t), "--same-disk", target)
	if got.Status != exitOK {
		t.Fatalf("it ended with %+v", got)
	}
	checkCounts(t, got.Out, 3, 1) // what is secret, sealed, is new
	if got := sabot(t, "", "backup", "--config", config, "--without-keys", missing); got.Status != exitFailed {
		t.Fatalf("it ended with %+v", got)
	}
	if s := look(); s.Good == nil || s.Failed == nil {
		t.Errorf("after both it remembers %+v", s.BackupMark)
	}
}

// recipientsOf is a file with who may read the secrets of a backup.
func recipientsOf(t *testing.T) string {
	t.Helper()
	identity, err := age.GenerateX25519Identity()
	path := filepath.Join(t.TempDir(), "backup.recipients")
	if err == nil {
		err = os.WriteFile(path, []byte(identity.Recipient().String()+"\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// checkCounts: of so many files in a backup, so many were written now; the others were there.
func checkCounts(t *testing.T, out string, in, written int) {
	t.Helper()
	if want := fmt.Sprintf("\n%d files in it; %d of them were written now, ", in,
		written); !strings.Contains(out, want) {
		t.Errorf("it does not say %q:\n%s", want, out)
	}
}

// TestFaultsAreNoGoodBackup: a copy of a journal with faults is not taken for the table's last good one.
func TestFaultsAreNoGoodBackup(t *testing.T) {
	journal := recorded(t, evilTranscript([]string{"anna"})) // its rounds name no rules
	got := sabot(t, "", "backup", "--config", configOf(t, journal), "--without-keys", "--same-disk", t.TempDir())
	s := health.LookAtBackups(journal, "/nowhere")
	if got.Status != exitFailed || s.Good != nil || s.Failed == nil ||
		!strings.Contains(s.Failed.Why, "the audit finds faults in the journal: generation 1 in ") {
		t.Errorf("it ended with %+v, and remembers %+v", got, s.BackupMark)
	}
}
