package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/table/journal"
)

// dealt makes a journal in a folder, with these inputs.
func dealt(t *testing.T, folder string, inputs ...string) {
	t.Helper()
	j, err := journal.Open(folder, journal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, in := range inputs {
		e := journal.Entry{
			At:    time.Date(2026, 11, 28, 20, 0, i, 0, time.UTC).UnixNano(),
			Input: fmt.Appendf(nil, `{"in":%q}`, in),
		}
		if in == "setup" {
			e.Carry = []byte("{}")
		} else {
			e.Round = uint64(i)
		}
		if err := j.Append([]journal.Entry{e}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestLeftOf: a first start is ruled out by what a table has left, and by nothing that a first start leaves whose
// answers were taken back.
func TestLeftOf(t *testing.T) {
	const named = "site: test\ntable: bj-1\nhouse: wiesbaden\njournal: {path: %s}\n"
	for name, c := range map[string]struct {
		has  func(t *testing.T, folder string)
		file string
		says string // of what is left; "" for nothing
		mend string
	}{
		"nothing": {func(*testing.T, string) {}, "journal: {path: %s}\n", "", ""},
		"only set up": {
			func(t *testing.T, f string) { dealt(t, filepath.Join(f, "journal"), "setup") },
			"journal: {path: %s}\n", "", "",
		},
		"set up twice": {func(t *testing.T, f string) {
			dealt(t, filepath.Join(f, "journal"), "setup",
				"setup")
		}, "journal: {path: %s}\n", "", ""},
		"a journal's own key": {func(t *testing.T, f string) {
			put(t, filepath.Join(f, "journal"+journal.CodesEnd),
				"{}")
		}, "journal: {path: %s}\n", "", ""},
		"has dealt": {
			func(t *testing.T, f string) { dealt(t, filepath.Join(f, "journal"), "setup", "open", "close") },
			"journal: {path: %s}\n",
			"journal, up to round 2, last written 2026-11-28 20:00:02 UTC", "sabot restore",
		},
		"cannot be read": {func(t *testing.T, f string) {
			dealt(t, filepath.Join(f, "journal"), "setup")
			parts, err := filepath.Glob(filepath.Join(f, "journal", "*"))
			if err != nil || len(parts) == 0 {
				t.Fatalf("%v, %v", parts, err)
			}
			put(t, parts[0], "no journal")
		}, "journal: {path: %s}\n", "journal", "sabot restore"},
		"lock-outs": {
			func(t *testing.T, f string) { put(t, filepath.Join(f, "journal.people"), "{}") },
			"journal: {path: %s}\n", "journal.people, last written", "sabot restore",
		},
		"an empty side file": {
			func(t *testing.T, f string) { put(t, filepath.Join(f, "journal.people"), "") },
			"journal: {path: %s}\n", "", "",
		},
		"a snapshot names it": {func(t *testing.T, f string) {
			snapshot(t, f, named)
			dealt(t, filepath.Join(f, "journal"), "setup", "open")
		}, "", "journal, up to round 1", "sabot config restore --config"},
		"a snapshot of a first start that was taken back": {
			func(t *testing.T, f string) { snapshot(t, f, named) },
			"", "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			c.has(t, folder)
			text := strings.Replace(c.file, "%s", filepath.Join(folder, "journal"), 1)
			if text == "" {
				text = "journal: {path: " + filepath.Join(folder, "elsewhere") + "}\n"
			}
			path := filepath.Join(folder, "sabot.yaml")
			left, err := LeftOf(path, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if (left != nil) != (c.says != "") {
				t.Fatalf("left is %v", left)
			}
			if left != nil && (!strings.Contains(left.String(), c.says) ||
				!strings.HasPrefix(left.Mend(path), c.mend)) {
				t.Errorf("it says %s; %s", left, left.Mend(path))
			}
		})
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// snapshot has the configuration in a folder changed once from a text with %s for the journal's path.
func snapshot(t *testing.T, folder, text string) {
	t.Helper()
	s := At(filepath.Join(folder, "sabot.yaml"))
	for _, text := range []string{strings.Replace(text, "%s", filepath.Join(folder, "journal"), 1), "# gone\n"} {
		if err := s.Replace([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
}
