package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// TestMain sets the same time zone everywhere, and has odds worked out once that many tests ask for.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	workedOut = remember(workedOut)
	processes.Main(m)
}

// binary returns the built command.
func binary(t *testing.T) string {
	t.Helper()
	return processes.Binary(t, "sabot")
}

// sabot runs a command within the test.
func sabot(t *testing.T, in string, args ...string) processes.Ended {
	t.Helper()
	var out, errOut bytes.Buffer
	status := run(t.Context(), args, env{strings.NewReader(in), &out, &errOut})
	return processes.Ended{Status: status, Out: out.String(), Err: errOut.String()}
}

// wantFailure wants nothing on standard output, the status, and these words in the error.
func wantFailure(t *testing.T, got processes.Ended, status int, words ...string) {
	t.Helper()
	if got.Status != status || got.Out != "" {
		t.Errorf("ended with status %d, not %d, and printed %q", got.Status, status, got.Out)
	}
	for _, word := range words {
		if !strings.Contains(got.Err, word) {
			t.Errorf("the message does not say %q:\n%s", word, got.Err)
		}
	}
}

// write puts text into a file of the test.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestUsage: a wrong command line ends with status 2 and says why; help is not an error.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "which command?"},
		{[]string{"journal"}, "journal: which command?"},
		{[]string{"journal", "eat"}, `journal: "eat" is not a command`},
		{[]string{"play"}, `"play" is not a command`},
		{[]string{""}, `"" is not a command`},
		{[]string{"replay"}, "replay: it takes one transcript"},
		{[]string{"replay", "a", "b"}, "replay: it takes one transcript"},
		{[]string{"replay", "--hose", "wiesbaden", "-"}, "-hose"},
		{[]string{"replay", "--house", "macao", "-"}, `house "macao" is not known; known are `},
		{[]string{"config", "check"}, "config check: it takes one file"},
		{[]string{"key", "pin"}, "key pin: it takes one supervisor's name"},
		{[]string{"key", "pin", "anna", "2580"}, "key pin: it takes one supervisor's name"},
		{[]string{"key", "pin", ""}, "cannot be written into the record"},
		{[]string{"journal", "transcript"}, "journal transcript: it takes one journal"},
		{[]string{"journal", "events", "a", "b"}, "journal events: it takes one journal"},
		{[]string{"journal", "verify"}, "journal verify: it takes one journal"},
		{[]string{"backup"}, "backup: it takes one target"},
		{[]string{"backup", "--keep", "0", "x"}, "backup: --keep takes 1 to"},
		{[]string{"backup", "--without-keys", "--recipients", "x", "x"}, "exclude each other"},
		{[]string{"bundle"}, "bundle: it takes one path"},
		{[]string{"bundle", "--rounds", "-1", "x"}, "bundle: --rounds takes 0 to"},
		{[]string{"doctor", "x"}, `doctor: "x" is too much`},
		{[]string{"restore", "a", "b"}, "restore: it takes one backup"},
		{[]string{"restore", "--noted", "x", "a"}, "--noted takes"},
		{[]string{"journal", "recall"}, "journal recall: it takes a journal and at most one round"},
		{[]string{"journal", "recall", "a", "1", "2"}, "options come before them"},
		{[]string{"journal", "recall", "a", "seven"}, `"seven" is not a round`},
		{[]string{"journal", "recall", "a", "0"}, `"0" is not a round`},
		{[]string{"journal", "state"}, "journal state: it takes a journal"},
		{[]string{"journal", "state", "a", "0"}, `"0" is not a record`},
		{[]string{"journal", "recall", "--proof", "a"}, "--proof takes a round"},
		{[]string{"journal", "recall", "--last", "0", "a"}, "--last takes a number from 1"},
		{[]string{"journal", "recall", "--box", "-1", "a"}, "--box takes a number from 1"},
		{[]string{"journal", "recall", "--hand", "1", "a"}, "-hand"},
		{[]string{"journal", "audit"}, "journal audit: it takes one journal"},
		{[]string{"journal", "audit", "--round", "x", "a"}, "-round"},
		{[]string{"key", "journal"}, "key journal: it takes one file"},
		{[]string{"journal", "export", "a"}, "journal export: it takes a journal, and the file or folder to make"},
		{[]string{"watch", "a", "b"}, "watch: it takes at most one URL"},
		{[]string{"watch", "--token", "x", "a"}, "-token"},
		{[]string{"key", "command", "anna"}, "key command: it takes the key's name and its file"},
		{[]string{"key", "command", "Anna", "a"}, `"Anna" cannot name a key`},
		{[]string{"key", "command", "--person", "an\tna", "anna", "a"}, `an\x09na has hidden characters`},
		{[]string{"shoe", "key"}, "shoe key: it takes one file"},
		{[]string{"key", "screen", "touch"}, "key screen: it takes a screen's name and its role"},
		{[]string{"key", "screen", "Touch 1", "view"}, "cannot name a screen"},
		{
			[]string{"key", "screen", "touch", "nobody"},
			`"nobody" is not a role: write guest, view, dealer or supervisor`,
		},
		{[]string{"key", "screen", "--url", "http://table-1", "touch", "view"}, "write it as https://"},
		{[]string{"key", "certificate", "/tmp"}, "key certificate: it takes a folder"},
		{[]string{"key", "certificate", "--days", "9999", "/tmp", "a"}, "--days takes a number from 1 to 397"},
	} {
		wantFailure(t, sabot(t, "", c.args...), exitUsage, "sabot: ", c.want)
	}
	for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}} {
		got := sabot(t, "", args...)
		if got.Status != exitOK || got.Err != "" || !strings.Contains(got.Out, "sabot replay ") {
			t.Errorf("sabot %v ended with %+v", args, got)
		}
	}
	if got := sabot(t, "", "replay", "-h"); got.Status != exitOK || got.Err != "" ||
		!strings.Contains(got.Out, "-house house") {
		t.Errorf("sabot replay -h ended with %+v", got)
	}
	if got := sabot(t, "", "version"); got.Status != exitOK || !strings.HasPrefix(got.Out, "sabot ") || got.Err != "" {
		t.Errorf("sabot version ended with %+v", got)
	}
}

// TestBuiltBinary: the process ends with the exit statuses that scripts rely on, and prints what a run within a test
// does, where it does.
func TestBuiltBinary(t *testing.T) {
	good, bad := write(t, round), write(t, round+`{"in":"bet"}`+"\n")
	for _, c := range []struct {
		args   []string
		status int
	}{
		{[]string{"replay", good}, exitOK},
		{[]string{"replay", bad}, exitFailed},
		{[]string{"replay", good + ".missing"}, exitFailed},
		{[]string{"replay"}, exitUsage},
		{[]string{"bet"}, exitUsage},
		{[]string{"replay", evilNames[0]}, exitUsage},
	} {
		got := processes.Run(t, binary(t), c.args...)
		if got.Status != c.status || (got.Err == "") != (c.status == exitOK) {
			t.Errorf("sabot %v ended with %+v, want status %d", c.args, got, c.status)
		}
		if within := sabot(t, "", c.args...); got != within {
			t.Errorf("sabot %v ended with %+v, and within the test with %+v", c.args, got, within)
		}
	}
}

// TestOldNames: a command still answers by the name that it had, and says where it went.
func TestOldNames(t *testing.T) {
	for _, c := range commands() {
		if c.was == "" {
			continue
		}
		old, now := sabot(t, "", c.was, "-h"), sabot(t, "", append(strings.Fields(c.name), "-h")...)
		if want := "sabot " + c.was + " is sabot " + c.name + "\n"; old.Err != want || old.Out != now.Out ||
			old.Status != exitOK {
			t.Errorf("sabot %s -h ended with %+v", c.was, old)
		}
	}
}

// TestGroups: a group says which commands it has, and so does help.
func TestGroups(t *testing.T) {
	for _, group := range []string{"config", "journal", "key", "rules", "shoe"} {
		asked := sabot(t, "", "help", group)
		if got := sabot(t, "", group, "-h"); got != asked || got.Status != exitOK || got.Err != "" {
			t.Errorf("sabot %s -h ended with %+v, and sabot help %s with %+v", group, got, group, asked)
		}
		for line := range strings.Lines(asked.Out) {
			if !strings.HasPrefix(line, "  sabot "+group+" ") {
				t.Errorf("sabot help %s says %q", group, line)
			}
		}
		if strings.Count(asked.Out, "\n") < 2 {
			t.Errorf("sabot help %s says %q", group, asked.Out)
		}
	}
}
