package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// configOf writes the configuration of a table with a journal, which does not run.
func configOf(t *testing.T, journal string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sabot.yaml")
	text := fmt.Sprintf("site: demo\ntable: bj-1\nhouse: wiesbaden\nshoe: {port: /dev/ttyUSB0}\njournal: {path: "+
		"%s}\nweb: {listen: \"127.0.0.1:1\"}\nsupervisors: {proof: none}\n", journal)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestAttackBundledNames has doctor and bundle read a journal whose names nobody checked, and a log that somebody else
// wrote: nothing of either steers the terminal of whoever is given the bundle.
func TestAttackBundledNames(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	config := configOf(t, recorded(t, evilTranscript(evilNames)))
	log, path := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "bundle.tar.gz")
	var lines strings.Builder // whoever writes a log may write any line
	for _, name := range evilNames {
		lines.WriteString("by " + strings.ReplaceAll(name, "\n", " ") + "\n")
	}
	if err := os.WriteFile(log, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	tries, through := 0, 0
	look := func(where, text string) {
		tries++
		if what := steering(text); what != "" {
			through++
			t.Errorf("%s: %s", where, what)
		}
	}
	for _, args := range [][]string{
		{"doctor"},
		{"doctor", "--json"},
		{"bundle", "--log", log, "--rounds", "1000", path},
	} {
		got := sabot(t, "", append([]string{args[0], "--config", config}, args[1:]...)...)
		look(strings.Join(args, " "), got.Out+got.Err)
	}
	files := processes.Unpacked(t, path)
	for name, text := range files {
		look(name, text)
	}
	if files["rounds.txt"] == "" {
		t.Error("it has no rounds")
	}
	attack.Report(t, "names in a bundle that steer a terminal", tries, through)
}

// TestBundleIsNotWhole: a bundle counts what is in it, says last what is missing, and ends as what has found faults.
// What nobody asked for is not missing.
func TestBundleIsNotWhole(t *testing.T) {
	log, path := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "bundle.tar.gz")
	if err := os.WriteFile(log, []byte("a line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := sabot(t, "", "bundle", "--config", filepath.Join(t.TempDir(), "not-there.yaml"), "--log", log,
		"--rounds", "0", path)
	there := 0
	for name := range processes.Unpacked(t, path) {
		if name != "INDEX.txt" {
			there++
		}
	}
	last := "\nNOT WHOLE, OR NOT IN IT: configuration.yaml, changes.txt, files.txt, health.json, metrics.txt, " +
		"journal.txt\n"
	if got.Status != exitFailed || !strings.HasSuffix(got.Out, last) ||
		!strings.Contains(got.Out, fmt.Sprintf(": %d files, ", there)) || strings.Contains(got.Err, "rounds.txt") {
		t.Errorf("of %d files it says %+v", there, got)
	}
}

// TestBundleOfPipes: whoever runs the table can put pipes where its files are. A bundle does not wait for who writes to
// them.
func TestBundleOfPipes(t *testing.T) {
	config, log := configOf(t, recorded(t, evilTranscript([]string{"anna"}))), filepath.Join(t.TempDir(), "log")
	for _, pipe := range []string{config, log} {
		if err := os.RemoveAll(pipe); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(pipe, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "bundle.tar.gz")
	// a process that waits for ever can be ended
	got := processes.Run(t, binary(t), "bundle", "--config", config, "--log", log, path)
	if !strings.Contains(got.Err, "configuration.yaml") || !strings.Contains(got.Err, "log.txt") ||
		strings.Count(got.Err, "not a regular file") < 2 {
		t.Errorf("it ended with %+v", got)
	}
}
