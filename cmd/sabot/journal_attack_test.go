package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/audittest"
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
	return exec.Command("sh", append([]string{"-c", `ulimit -d ` + mostForHuge + ` && exec "$0" "$@"`, binary}, args...)...)
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
	tab := audittest.NewTable(t, base, profile.Built(), nil)
	tab.SetUp(rules.Setup{House: "wiesbaden"})
	player := audittest.Busy(1)
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
		judges := [][]string{{"audit", path}, {"verify", path}}
		for j, command := range append(judges, [][]string{
			{"transcript", path},
			{"events", path},
			{"recall", path, "1"},
			{"recall", path},
			{"state", path},
			{"irregularities", path},
			{"export", "--to", "csv", path, filepath.Join(t.TempDir(), "tables")},
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

// TestAttackImport: what no hash of the first format covers can neither steer a terminal nor take
// the memory of an import, and an audit of what was taken over says what nobody vouches for.
func TestAttackImport(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	program := plain(t)
	tries, through := 0, 0
	for _, c := range []struct{ do, says string }{
		{`UPDATE boot SET program = char(27) || '[2J' || char(27) || '[Hall is well' WHERE number = 2`, "characters that steer a terminal"},
		{`UPDATE boot SET program = 'sabotd 1' || char(10) || 'all is well'`, "characters that steer a terminal"},
		{`UPDATE boot SET program = 'sabotd ' || char(8238) || '1'`, "characters that steer a terminal"},
		{`UPDATE cursor SET name = char(155) || '2J' WHERE name = 'mqtt'`, "characters that steer a terminal"},
		{`UPDATE meta SET value = '../../../tmp'`, "not 32 hexadecimal digits"},
		{`UPDATE boot SET program = ` + bytesOf(20_000_000) + ` WHERE number = 3`, "more than 8388608 bytes"},
		{`UPDATE record SET input = ` + bytesOf(300_000_000) + ` WHERE seq = 5`, "more than 8388608 bytes"},
		{`UPDATE record SET outputs = ` + bytesOf(20_000_000) + ` WHERE seq = 60`, "more than 8388608 bytes"},
	} {
		tries++
		old, to := oldJournal(t, c.do), filepath.Join(t.TempDir(), "journal")
		status, said := bounded(t, program, "import-journal", old, to)
		_, err := os.Stat(to)
		if status != exitFailed || !strings.Contains(said, c.says) || strings.ContainsAny(said, "\x1b\u009b\u202e") || err == nil {
			through++
			t.Errorf("%s: status %d, it exists: %t: %.500q", c.do, status, err == nil, said)
		}
	}
	// A plain name that somebody has written is taken over, as what it is.
	tries++
	old, to := oldJournal(t, `UPDATE boot SET program = 'another program 9.9'`), filepath.Join(t.TempDir(), "journal")
	if status, said := bounded(t, program, "import-journal", old, to); status != exitOK {
		t.Fatal(said)
	}
	if _, said := bounded(t, program, "audit", to); !strings.Contains(said, "no hash and no seal covered them") {
		through++
		t.Errorf("it says nothing of the programs: %s", said)
	}
	attack.Report(t, "what the first format did not protect", tries, through)
}

// bytesOf is a text of so many bytes, as SQLite makes it; in make test just too many, since it takes its time.
func bytesOf(many int) string {
	return fmt.Sprintf("printf('%%.%dc', 'x')", tier.Times(9_000_000, many))
}

// oldJournal is a journal of the first format in which somebody has changed something.
func oldJournal(t *testing.T, do string) string {
	t.Helper()
	file, err := os.ReadFile(oldJournals + "sealed.journal")
	if err != nil {
		t.Fatal(err)
	}
	path := write(t, string(file))
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, guard := range []string{"record_no_update", "boot_no_update", "meta_no_update"} {
		if _, err := db.Exec(`DROP TRIGGER ` + guard); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Exec(do); err != nil {
		t.Fatal(err)
	}
	return path
}
