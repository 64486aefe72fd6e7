package main

import (
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/backed"
	"github.com/sabot-table/sabot/internal/testkit/audittest"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// TestBackupIsRemembered: what came of each backup is beside the journal, for the table's health: when and where to, or why not.
func TestBackupIsRemembered(t *testing.T) {
	journal := filepath.Join(t.TempDir(), "journal")
	table := audittest.NewTable(t, journal, profile.Built(), nil)
	table.SetUp(rules.Setup{House: "wiesbaden"})
	table.Night(audittest.Busy(0), 1)
	table.Close()
	config, target := configOf(t, journal), t.TempDir()
	look := func() backed.State { return backed.Look(journal, "/nowhere") }

	missing := filepath.Join(target, "not-mounted")
	if got := sabot(t, "", "backup", "--config", config, "--without-keys", missing); got.Status != exitFailed {
		t.Fatalf("it ended with %+v", got)
	}
	if s := look(); s.Good != nil || s.Failed == nil || !strings.Contains(s.Failed.Why, "is the stick mounted?") {
		t.Errorf("of a stick that is not there it remembers %+v", s.Mark)
	}
	if got := sabot(t, "", "backup", "--config", config, target); got.Status != exitFailed {
		t.Fatalf("it ended with %+v", got)
	}
	if s := look(); s.Failed == nil || !strings.Contains(s.Failed.Why, "nobody is named who may read the keys") {
		t.Errorf("without recipients it remembers %+v", s.Mark)
	}
	got := sabot(t, "", "backup", "--config", config, "--without-keys", "--same-disk", target)
	if got.Status != exitOK {
		t.Fatalf("it ended with %+v", got)
	}
	checkCounts(t, got.Out)
	if s := look(); s.Failed != nil || !s.Fresh(time.Now()) || s.Good.Generation != 1 || s.Good.To != target+"/sabot-demo.bj-1" {
		t.Errorf("of a backup it remembers %+v", s.Mark)
	}
	if got := sabot(t, "", "backup", "--config", config, "--without-keys", missing); got.Status != exitFailed {
		t.Fatalf("it ended with %+v", got)
	}
	if s := look(); s.Good == nil || s.Failed == nil {
		t.Errorf("after both it remembers %+v", s.Mark)
	}
}

// checkCounts: of a first backup all files are written, and with them the list that names them.
func checkCounts(t *testing.T, out string) {
	t.Helper()
	found := regexp.MustCompile(`(\d+) files in it; (\d+) files were written for it, with its list,`).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("it does not count its files:\n%s", out)
	}
	in, _ := strconv.Atoi(found[1])
	written, _ := strconv.Atoi(found[2])
	if in == 0 || written != in+1 {
		t.Errorf("%d files are in it, and %d were written with its list", in, written)
	}
}

// TestFaultsAreNoGoodBackup: a copy of a journal with faults is not taken for the table's last good one.
func TestFaultsAreNoGoodBackup(t *testing.T) {
	journal := recorded(t, evilTranscript([]string{"anna"})) // its rounds name no rules
	got := sabot(t, "", "backup", "--config", configOf(t, journal), "--without-keys", "--same-disk", t.TempDir())
	s := backed.Look(journal, "/nowhere")
	if got.Status != exitFailed || s.Good != nil || s.Failed == nil || !strings.Contains(s.Failed.Why, "the audit finds faults in the journal: generation 1 in ") {
		t.Errorf("it ended with %+v, and remembers %+v", got, s.Mark)
	}
}
