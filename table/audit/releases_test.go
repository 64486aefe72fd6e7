package audit_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/table/audit"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/transcript"
)

// release is the name of a release for which a journal is to be added. Those that are there stay as they are: they are
// what tables have.
var release = flag.String("release", "", "add the journal of a release of this `name` to testdata/releases")

// releases is where a journal of each release is kept.
const releases = "testdata/releases"

// TestReleases opens, audits and replays a journal of each earlier release, and goes on with it.
func TestReleases(t *testing.T) {
	if *release != "" {
		addRelease(t, filepath.Join(releases, *release))
	}
	folders, err := filepath.Glob(releases + "/*")
	if err != nil || len(folders) == 0 {
		t.Fatalf("there is no journal of any release: %v", err)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			if err := os.CopyFS(path, os.DirFS(folder)); err != nil {
				t.Fatal(err)
			}
			audited(t, path)
			replayed(t, path)
			goesOn(t, path)
			audited(t, path)
		})
	}
}

// addRelease writes what the program of today writes.
func addRelease(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); err == nil {
		t.Fatalf("%s is there already, and is not written again", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	table := journaltest.NewTable(t, path, profile.Built(), journaltest.Key)
	table.Year("wiesbaden", 2)
	if err := os.RemoveAll(path + ".lock"); err != nil {
		t.Fatal(err)
	}
}

// audited wants nothing wrong with a journal.
func audited(t *testing.T, path string) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	report, err := audit.Run(t.Context(), j, audit.Options{Book: profile.Built(), Key: journaltest.Public})
	if err != nil {
		t.Fatal(err)
	}
	if !report.Well() || report.Rounds == 0 {
		var text strings.Builder
		_ = report.WriteText(&text, path, false)
		t.Errorf("the audit says\n%s", text.String())
	}
}

// replayed wants the inputs of a journal, as a transcript, to give its outputs byte for byte.
func replayed(t *testing.T, path string) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	var inputs, outputs, again bytes.Buffer
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		inputs.Write(append(r.Input, '\n'))
		outputs.Write(r.Outputs)
	}
	if err := transcript.Replay(&inputs, transcript.NewParser(profile.Built()), &again); err != nil {
		t.Fatal(err)
	}
	if again.String() != outputs.String() {
		t.Error("its inputs do not give its outputs")
	}
}

// goesOn opens a journal for writing: it is not set aside.
func goesOn(t *testing.T, path string) {
	t.Helper()
	j, err := journal.Open(path, journal.Options{Program: "sabotd of today", Key: journaltest.Key})
	if err != nil {
		t.Fatal(err)
	}
	if o := j.Opening(); o.New || o.Former != nil || o.Dropped > 0 || o.Behind != "" {
		t.Errorf("the next start says %+v", o)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}
