package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// mostForHuge is how much memory a command may have, in kilobytes, whatever it reads: it
// ends badly if it wants more. A program of this size has a third of that mapped when it begins.
const mostForHuge = "393216"

// huge are records of 300 MB and more, and where they lie.
var huge = []struct {
	name string
	lay  func(t *testing.T, path string)
}{
	{"at the end of the newest part", func(t *testing.T, path string) { appendHuge(t, part(path, 3)) }},
	{"at the end of an earlier part", func(t *testing.T, path string) { appendHuge(t, part(path, 1)) }},
	{"in the place of a header", func(t *testing.T, path string) {
		if err := os.WriteFile(part(path, 2), []byte(`{"part":`), 0o600); err != nil {
			t.Fatal(err)
		}
		appendHuge(t, part(path, 2))
	}},
	{"a gigabyte in a small compressed part", func(t *testing.T, path string) {
		text, err := os.ReadFile(part(path, 1))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		enc, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		write := func(text []byte) {
			if _, err := enc.Write(text); err != nil {
				t.Fatal(err)
			}
		}
		write(text)
		block := make([]byte, 16<<20)
		for range 64 {
			write(block)
		}
		if err := enc.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(part(path, 1)+".zst", b.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(part(path, 1)); err != nil {
			t.Fatal(err)
		}
	}},
	{"a compressed part of 300 MB", func(t *testing.T, path string) {
		if err := os.Rename(part(path, 1), part(path, 1)+".zst"); err != nil {
			t.Fatal(err)
		}
		appendHuge(t, part(path, 1)+".zst")
	}},
}

func part(path string, number int) string {
	return filepath.Join(path, "part-00000"+string(rune('0'+number))+".jsonl")
}

// appendHuge adds a record of 300 MB to a file. Most of it is a hole, so that it fills no disk.
func appendHuge(t *testing.T, name string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte(`{"in":"`), info.Size()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("\"}\n"), info.Size()+300<<20); err != nil {
		t.Fatal(err)
	}
}

// within is a command that ends badly if it wants more memory.
func within(binary string, args ...string) *exec.Cmd {
	return exec.Command("sh", append([]string{"-c", `ulimit -d ` + mostForHuge + ` && exec "$0" "$@"`, binary},
		args...)...)
}

// bounded runs the built program with so much memory and no more, and returns how it ended and what
// it said.
func bounded(t *testing.T, program string, args ...string) (status int, said string) {
	t.Helper()
	cmd := within(program, args...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// TestAttackHugeRecords: no command takes a record of 300 MB into memory, whatever file it lies
// in, and none that needs it says that all is well.
func TestAttackHugeRecords(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	base := filepath.Join(tabletest.FastDir(t), "journal")
	tab := journaltest.NewTable(t, base, profile.Built(), nil)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	player := journaltest.Busy(1)
	for range 3 {
		tab.Night(player, 1)
		tab.Restart()
	}
	tab.Close()
	program := plain(t)
	tries, through := 0, 0
	for i, h := range huge {
		path := filepath.Join(tabletest.FastDir(t), "journal")
		if err := os.CopyFS(path, os.DirFS(base)); err != nil {
			t.Fatal(err)
		}
		h.lay(t, path)
		judges := [][]string{{"journal", "audit", path}, {"journal", "verify", path}}
		for j, command := range append(judges, [][]string{
			{"journal", "transcript", path},
			{"journal", "events", path},
			{"journal", "recall", path, "1"},
			{"journal", "recall", path},
			{"journal", "state", path},
			{"journal", "irregularities", path},
			{"journal", "export", "--to", "csv", path, filepath.Join(t.TempDir(), "tables")},
			{"doctor", "--config", configOf(t, path)},
			{"bundle", "--config", configOf(t, path), filepath.Join(t.TempDir(), "bundle.tar.gz")},
		}...) {
			judge := j < len(judges)
			if !judge && j%len(huge) != i && !tier.InSoak() {
				continue // make test has each command read one of them
			}
			tries++
			status, said := bounded(t, program, command...)
			if status != exitFailed && (judge || status != exitOK) {
				through++
				t.Errorf("%s, %s: status %d: %.500s", h.name, command[0], status, said)
			}
		}
	}
	attack.Report(t, "records of 300 MB in a journal", tries, through)
}
