package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/table/authority"
)

// changedTwice changes a configuration, and changes it back, and then once more.
func changedTwice(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	store := settings.At(path)
	for _, next := range []string{string(text) + "min: 20\n", string(text) + "min: 30 # since the refit\n"} {
		if err := store.Replace([]byte(next)); err != nil {
			t.Fatal(err)
		}
	}
}

// changedTo is a copy of a configuration that was changed to what another file has.
func changedTo(t *testing.T, from, to string) string {
	t.Helper()
	store, path := (*settings.Store)(nil), filepath.Join(t.TempDir(), "sabot.yaml")
	store = settings.At(path)
	for _, file := range []string{from, to} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Replace(text); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// TestConfig lists the changes of a configuration, shows them, and takes one back; what cannot be used is not put back.
func TestConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sabot.yaml")
	good := "site: demo\ntable: bj-1\nhouse: wiesbaden # kept\nshoe: {port: /dev/ttyUSB0}\nsupervisors: {proof: none}\n"
	if err := os.WriteFile(file, []byte(good), 0o640); err != nil {
		t.Fatal(err)
	}
	at := []string{"--config", file}
	run := func(command string, args ...string) processes.Ended {
		t.Helper()
		return sabot(t, "", append(append([]string{"config", command}, at...), args...)...)
	}
	wantFailure(t, sabot(t, "", "config", "history", "--config", file+".elsewhere"), exitFailed,
		"there is no configuration, nor what it was before a change")
	if got := run("history"); got.Status != exitOK || !strings.Contains(got.Out, "has no history") {
		t.Errorf("a new file: %+v", got)
	}
	wantFailure(t, run("diff"), exitFailed, "nothing to compare with")
	changedTwice(t, file)
	if got := run("history"); got.Status != exitOK || strings.Count(got.Out, "\n") != 2 ||
		!strings.HasPrefix(got.Out, "   2  before the change of ") {
		t.Errorf("after two changes: %+v", got)
	}
	if got := run("diff"); got.Status != exitOK ||
		!strings.Contains(got.Out, "-min: 20\n+min: 30 # since the refit\n") {
		t.Errorf("the last change: %+v", got)
	}
	if got := run("diff", "1", "2"); got.Status != exitOK || !strings.Contains(got.Out, "+min: 20\n") {
		t.Errorf("the first change: %+v", got)
	}
	if got := run("restore", "1"); got.Status != exitOK ||
		!strings.Contains(got.Out, "sabotd reads it at its next start") {
		t.Errorf("restoring: %+v", got)
	}
	if text, err := os.ReadFile(file); string(text) != good || err != nil {
		t.Errorf("restored was %s, %v", text, err)
	}
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	if got := run("history"); got.Status != exitOK || strings.Count(got.Out, "\n") != 3 {
		t.Errorf("of a file that is gone: %+v", got)
	}
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	if got := run("diff", "3"); !strings.Contains(got.Out, "-min: 30 # since the refit\n") {
		t.Errorf("what was replaced is not kept: %+v", got)
	}
	if err := settings.At(file).Replace([]byte("site: demo\n")); err != nil {
		t.Fatal(err)
	}
	if err := settings.At(file).Replace([]byte(good)); err != nil {
		t.Fatal(err)
	}
	wantFailure(t, run("restore", "5"), exitFailed, "stays as it is", file+":", "table: is missing")
	if text, err := os.ReadFile(file); string(text) != good || err != nil {
		t.Errorf("a refused one changed the file to %s, %v", text, err)
	}
	wantFailure(t, run("restore", "99"), exitFailed, "there is no snapshot 99")
	wantFailure(t, run("restore", "all"), exitUsage, `"all" is not a number`)
	wantFailure(t, run("restore"), exitUsage, "takes one number")
	wantFailure(t, run("diff", "1", "2", "3"), exitUsage, "see sabot config diff -h")
	wantFailure(t, sabot(t, "", "config", "edit"), exitUsage, `config: "edit" is not a command`)
}

// TestConfigHidesHashes: a difference shows that a PIN is another one, and not what it could be found from.
func TestConfigHidesHashes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sabot.yaml")
	store, hashes := settings.At(file), []string{
		authority.NewHash("58219").String(),
		authority.NewHash("71924").String(),
	}
	for _, hash := range hashes {
		if err := store.Replace([]byte("supervisors: {names: [{name: anna, pin: " + hash + "}]}\n")); err != nil {
			t.Fatal(err)
		}
	}
	got := sabot(t, "", "config", "diff", "--config", file)
	for _, hash := range hashes {
		if strings.Contains(got.Out, hash[:40]) || !strings.Contains(got.Out, "$argon2id$…"+hash[len(hash)-6:]+"}") {
			t.Errorf("the difference is\n%s", got.Out)
		}
	}
}
