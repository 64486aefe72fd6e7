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
	text := "site: wiesbaden\nmqtt:\n  broker: tcp://127.0.0.1:1\nstore:\n  source: " + filepath.Join(t.TempDir(), "pit.db") + "\n  time_zone: Europe/Berlin\n"
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
		{"--config /nowhere/pit.yaml", exitFailed, "write one, with pit.example.yaml as a model"},
		{"check-config", exitUsage, "check-config takes one file; see sabot-pit check-config -h"},
		{"check-config " + sound, exitOK, "is good: the pit of site wiesbaden"},
		{"refill -h", exitOK, "Fill in what the database lacks"},
		{"refill --config " + sound + " --table bj-1", exitUsage, "--table and --journal together"},
		{"refill --config " + sound + " --table bj-1 --journal /nowhere", exitFailed, "/nowhere"},
		{"compare --config " + sound, exitUsage, "compare takes --config, --table and --journal"},
		{"add-person -h", exitOK, "Let somebody enter"},
		{"add-person --config " + sound, exitUsage, "add-person takes"},
		{"add-person --config " + sound + " --name anna --role king", exitUsage, "king"},
		{"add-person --config " + sound + " --name anna --role supervisor", exitOK, "anna enters first with the password"},
		{"add-person --config " + sound + " --name anna", exitOK, "anna enters first with the password"},
	} {
		var out, errOut bytes.Buffer
		if got := run(t.Context(), strings.Fields(c.args), &out, &errOut); got != c.status || !strings.Contains(out.String()+errOut.String(), c.says) {
			t.Errorf("sabot-pit %s ends with %d and says\n%s%swant %d, %q", c.args, got, out.String(), errOut.String(), c.status, c.says)
		}
	}
}
