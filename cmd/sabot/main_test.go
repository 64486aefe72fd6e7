package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/rig"
)

// TestMain sets the same time zone everywhere, and has odds worked out once that many tests ask for.
func TestMain(m *testing.M) {
	time.Local = time.UTC
	workedOut = remember(workedOut)
	rig.Main(m)
}

// binary returns the built command.
func binary(t *testing.T) string {
	t.Helper()
	return rig.Binary(t, "sabot")
}

// sabot runs a command within the test.
func sabot(t *testing.T, in string, args ...string) rig.Ended {
	t.Helper()
	var out, errOut bytes.Buffer
	status := run(t.Context(), args, env{strings.NewReader(in), &out, &errOut})
	return rig.Ended{Status: status, Out: out.String(), Err: errOut.String()}
}

// wantFailure wants nothing on standard output, the status, and these words in the error.
func wantFailure(t *testing.T, got rig.Ended, status int, words ...string) {
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
		{[]string{"play"}, `"play" is not a command`},
		{[]string{"replay"}, "replay takes one transcript"},
		{[]string{"replay", "a", "b"}, "replay takes one transcript"},
		{[]string{"replay", "--hose", "wiesbaden", "-"}, "-hose"},
		{[]string{"replay", "--house", "macao", "-"}, `house "macao" is not known; known are `},
		{[]string{"check-config"}, "check-config takes one file"},
		{[]string{"pin"}, "pin takes one supervisor's name"},
		{[]string{"pin", "anna", "2580"}, "pin takes one supervisor's name"},
		{[]string{"pin", ""}, "cannot be written into the record"},
		{[]string{"transcript"}, "transcript takes one journal"},
		{[]string{"events", "a", "b"}, "events takes one journal"},
		{[]string{"verify"}, "verify takes one journal"},
		{[]string{"backup"}, "backup takes one target"},
		{[]string{"backup", "--keep", "0", "x"}, "--keep takes 1 to"},
		{[]string{"backup", "--without-keys", "--recipients", "x", "x"}, "exclude each other"},
		{[]string{"bundle"}, "bundle takes one path"},
		{[]string{"bundle", "--rounds", "-1", "x"}, "--rounds takes 0 to"},
		{[]string{"doctor", "x"}, `doctor: "x" is too much`},
		{[]string{"restore", "a", "b"}, "restore takes one backup"},
		{[]string{"restore", "--noted", "x", "a"}, "--noted takes"},
		{[]string{"recall"}, "recall takes a journal and at most one round"},
		{[]string{"recall", "a", "1", "2"}, "options come before them"},
		{[]string{"recall", "a", "seven"}, `"seven" is not a round`},
		{[]string{"recall", "a", "0"}, `"0" is not a round`},
		{[]string{"state"}, "state takes a journal"},
		{[]string{"state", "a", "0"}, `"0" is not a record`},
		{[]string{"recall", "--proof", "a"}, "recall --proof takes a round"},
		{[]string{"recall", "--last", "0", "a"}, "--last takes a number from 1"},
		{[]string{"recall", "--box", "-1", "a"}, "--box takes a number from 1"},
		{[]string{"recall", "--hand", "1", "a"}, "-hand"},
		{[]string{"audit"}, "audit takes one journal"},
		{[]string{"audit", "--round", "x", "a"}, "-round"},
		{[]string{"journal-key"}, "journal-key takes one file"},
		{[]string{"export", "a"}, "export takes a journal, and the file or folder to make"},
		{[]string{"watch", "a", "b"}, "watch takes at most one URL"},
		{[]string{"watch", "--token", "x", "a"}, "-token"},
		{[]string{"command-key", "anna"}, "command-key takes the key's name and its file"},
		{[]string{"command-key", "Anna", "a"}, `"Anna" cannot name a key`},
		{[]string{"command-key", "--person", "an\tna", "anna", "a"}, `an\x09na has hidden characters`},
		{[]string{"shoe-key"}, "shoe-key takes one file"},
		{[]string{"screen-key", "touch"}, "screen-key takes a screen's name and its role"},
		{[]string{"screen-key", "Touch 1", "view"}, "cannot name a screen"},
		{[]string{"screen-key", "touch", "nobody"}, `"nobody" is not a role: write guest, view, dealer or supervisor`},
		{[]string{"screen-key", "--url", "http://table-1", "touch", "view"}, "write it as https://"},
		{[]string{"certificate", "/tmp"}, "certificate takes a folder"},
		{[]string{"certificate", "--days", "9999", "/tmp", "a"}, "--days takes a number from 1 to 397"},
	} {
		wantFailure(t, sabot(t, "", c.args...), exitUsage, "sabot: ", c.want)
	}
	for _, args := range [][]string{{"help"}, {"-h"}, {"--help"}} {
		got := sabot(t, "", args...)
		if got.Status != exitOK || got.Err != "" || !strings.Contains(got.Out, "sabot replay ") {
			t.Errorf("sabot %v ended with %+v", args, got)
		}
	}
	if got := sabot(t, "", "replay", "-h"); got.Status != exitOK || got.Err != "" || !strings.Contains(got.Out, "-house house") {
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
		got := rig.Run(t, binary(t), c.args...)
		if got.Status != c.status || (got.Err == "") != (c.status == exitOK) {
			t.Errorf("sabot %v ended with %+v, want status %d", c.args, got, c.status)
		}
		if within := sabot(t, "", c.args...); got != within {
			t.Errorf("sabot %v ended with %+v, and within the test with %+v", c.args, got, within)
		}
	}
}
