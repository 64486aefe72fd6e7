package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUse: what is typed wrong, and what a command says of itself.
func TestUse(t *testing.T) {
	sound := filepath.Join(t.TempDir(), "pit.yaml")
	text := "site: wiesbaden\nmqtt:\n  broker: tcp://127.0.0.1:1\nstore:\n  source: " +
		filepath.Join(t.TempDir(), "pit.db") + "\n  time_zone: Europe/Berlin\n"
	if err := os.WriteFile(sound, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"", exitUsage, "give --config FILE"},
		{"-h", exitOK, "usage: sabot-pit --config FILE"},
		{"--version", exitOK, "sabot-pit"},
		{"--colour", exitUsage, "see sabot-pit -h"},
		{"deal", exitUsage, `"deal" is not a command`},
		{"--config /nowhere/pit.yaml", exitConfig, "write one, with pit.example.yaml as a model"},
		{"check-config", exitUsage, "check-config takes one file; see sabot-pit check-config -h"},
		{"check-config " + sound, exitOK, "is good: the pit of site wiesbaden"},
		{"refill -h", exitOK, "Fill in what the database lacks"},
		{"refill --config " + sound + " --table bj-1", exitUsage, "--table and --journal together"},
		{"refill --config " + sound + " --table bj-1 --journal /nowhere", exitFailed, "/nowhere"},
		{"compare --config " + sound + " --table bj-1", exitUsage, "--table and --journal together"},
		{"compare --config " + sound, exitOK, "all figures of 0 tables follow from their records"},
		{"export -h", exitOK, "Write rounds, wagers, irregularities and money"},
		{"export --config " + sound + " --to csv", exitUsage, "export takes the file or folder to write"},
		{"export --config " + sound + " --to excel out", exitUsage, "export --to takes a format: "},
		{"export --config " + sound + " --to csv --first March out", exitUsage, "write it as 2026-03-29"},
		{
			"export --config " + sound + " --to csv --first 2026-03-02 --last 2026-03-01 out", exitUsage,
			"is after the last",
		},
		{"export --config " + sound + " --to csv --table bj-9 out", exitFailed, `nothing of table "bj-9"`},
		{"rebuild -h", exitOK, "Make the figures anew"},
		{"rebuild --config " + sound + " all", exitUsage, "rebuild takes --config and --table"},
		{"rebuild --config " + sound + " --table bj-9", exitFailed, `nothing of table "bj-9"`},
		{"accept -h", exitOK, "nothing is removed"},
		{"accept --config " + sound + " --table bj-1 --journal /nowhere --by anna", exitUsage, "--by and --why"},
		{"person -h", exitOK, "Look after the people"},
		{"person --config " + sound, exitUsage, "person takes one of these"},
		{"person --config " + sound + " add anna king", exitFailed, "king"},
		{"person --config " + sound + " add anna manager", exitOK, "starting password"},
	} {
		var out, errOut bytes.Buffer
		if got := run(t.Context(), strings.Fields(c.args), &out, &errOut); got != c.status ||
			!strings.Contains(out.String()+errOut.String(), c.says) {
			t.Errorf("sabot-pit %s ends with %d and says\n%s%swant %d, %q", c.args, got, out.String(), errOut.String(),
				c.status, c.says)
		}
	}
}
