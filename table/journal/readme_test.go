package journal

import (
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/table/journal/disk"
)

// block is what README.md has between the fences of a language.
func block(t *testing.T, language string) string {
	t.Helper()
	_, rest, found := strings.Cut(string(content("README.md")), "```"+language+"\n")
	text, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatalf("README.md has no block in %s", language)
	}
	return text
}

// TestHash computes README.md's example: other programs compute it, too.
func TestHash(t *testing.T) {
	before := origin("00112233445566778899aabbccddeeff")
	e := Entry{
		At: 1000, Input: []byte(`{"in":"open"}`), Outputs: []byte(`{"out":"opened","round":1}` + "\n"),
		ShoeBoot: 2, ShoeSeq: 3, Round: 1,
	}
	b := batch{open: -1, state: state{hash: before, cursors: map[string]uint64{}}}
	b.record(&e)
	b.end()
	sum := hex.EncodeToString(b.state.hash[:])
	readme := string(content("README.md"))
	for _, want := range []string{
		"hash before   " + hex.EncodeToString(before[:]), "hash          " + sum,
		strings.TrimSuffix("    "+strings.ReplaceAll(string(b.text), "\n", "\n    "), "    "),
	} {
		if !strings.Contains(readme, want) {
			t.Errorf("README.md has no\n%s", want)
		}
	}
}

// aRealNight makes a journal on the real disk: two starts, several parts, one of which was
// given up, and a round with an irregularity.
func aRealNight(t *testing.T) string {
	t.Helper()
	path := newPath(t)
	d := &failing{Disk: folderDisk(t, path)}
	now := time.Now()
	for start := range 2 {
		j, err := OpenOn(d, path, Options{
			Program: "sabotd test", Key: testKey, PartMost: 3000, Now: func() time.Time { return now },
			Beside: disk.Folder(filepath.Dir(path)),
		})
		must(t, err)
		mustAppend(t, j, carrying(keyEntry(`{"in":"setup"}`), "{}"))
		for n := range 20 {
			d.fail.Store(n == 7)
			e := cardEntry(n)
			if n%5 == 4 {
				e = carrying(keyEntry(`{"in":"paid"}`, `{"out":"settled","wager":"main","stake":10,"won":15}`), "{}")
				e.Rules = someRules
			}
			mustAppend(t, j, e)
			must(t, j.SetCursor("mqtt", uint64(n)))
		}
		if start == 1 {
			now = now.Add(72 * time.Hour)
			must(t, j.Tidy(t.Context(), Keep{NoPublisher: true, PackDays: 1}))
		}
		mustClose(t, j)
	}
	return path
}

// TestScript runs the README's check in Python, which shares nothing with this program: on
// good journals, on ones that were changed, and with another key.
func TestScript(t *testing.T) {
	for _, program := range []string{"python3", "openssl", "zstd"} { // the check in Python unpacks parts by zstd
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("there is no %s: install the package %s", program, program)
		}
	}
	script := filepath.Join(t.TempDir(), "check.py")
	if text := block(t, "python"); strings.Count(text, "\n") > 60 {
		t.Error("the check has more than 60 lines")
	} else {
		must(t, os.WriteFile(script, []byte(text), 0o600))
	}
	night := aRealNight(t)
	r, err := OpenReadOnly(night)
	must(t, err)
	seq, hash, err := r.Head()
	must(t, err)
	key := PublicLine(testKey.Public().(ed25519.PublicKey))
	keys, err := AuditKeys(night)
	must(t, err)
	audit := keys[0].Line()
	numbers, err := r.numbers()
	must(t, err)
	newest := numbers[len(numbers)-1]
	at := func(path string, number uint64) string { return filepath.Join(path, partName(number)) }
	edit := func(number uint64, from, to string) func(string) {
		return func(path string) {
			text := string(content(at(path, number)))
			if !strings.Contains(text, from) {
				t.Fatalf("part %d has no %s", number, from)
			}
			must(t, os.WriteFile(at(path, number), []byte(strings.Replace(text, from, to, 1)), 0o600))
		}
	}
	for _, c := range []struct {
		name   string
		key    string
		tamper func(path string)
		good   bool
		want   string
	}{
		{
			"chain", "", nil, true,
			fmt.Sprintf("%d records up to %d, 104 events, all in order; the last record's hash is %x\n", seq,
				seq, hash),
		},
		{"seal", key, nil, true, fmt.Sprintf("sealed by the auditor's key up to record %d of %d\n", seq, seq)},
		{"other key", key[:len(key)-2] + "00", nil, false, "CalledProcessError"},
		{"codes", key + " " + audit, nil, true, " lines have the table's code\nSignature Verified"},
		{"codes of another key", key + " " + AuditKey{1}.Line(), nil, false, "no code of the table after record 0"},
		{
			"a code", key + " " + audit, func(p string) { recoded(t, at(p, newest)) }, false,
			"no code of the table after record 42",
		},
		{
			"cut off", "", func(p string) {
				must(t, os.Truncate(at(p, newest), int64(len(content(at(p, newest)))-10)))
			},
			true, "all in order",
		},
		{"a seal", key, edit(newest, `{"seal":42,"at":1`, `{"seal":42,"at":2`), false, " is broken after record"},
		{"a card", "", edit(newest, `"card":"TH"`, `"card":"2H"`), false, " is broken after record"},
		{"a header", "", edit(newest, `sabotd test`, `sabotd best`), false, " is broken after record"},
		{"a part gone", "", func(p string) { must(t, os.Remove(at(p, newest-1))) }, false, "is missing"},
		{"the first parts gone", "", func(p string) { removeAll(t, p, "part-00000[1-4]*") }, true, "are not here"},
	} {
		path := filepath.Join(t.TempDir(), "copy")
		must(t, os.CopyFS(path, os.DirFS(night)))
		if c.tamper != nil {
			c.tamper(path)
		}
		args := append([]string{script, path}, strings.Fields(c.key)...)
		out, err := exec.Command("python3", args...).CombinedOutput()
		if (err == nil) != c.good || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v\n%s", c.name, err, out)
		}
	}
}

// recoded gives the last line of a part another code, with the hash that fits it.
func recoded(t *testing.T, name string) {
	t.Helper()
	text := content(name)
	var before, last frame
	for rest := text; len(rest) > 0; rest = rest[len(last.text):] {
		var err error
		before = last
		last, err = cutFrame(rest)
		must(t, err)
	}
	covered := last.covered()
	covered[len(covered)-2] ^= 1
	sum := new(linker).sum(&before.hash, covered)
	copy(last.close[len(last.close)-hashEnd+len(beforeHash):], hex.EncodeToString(sum[:]))
	must(t, os.WriteFile(name, text, 0o600))
}

func removeAll(t *testing.T, path, pattern string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(path, pattern))
	must(t, err)
	for _, name := range found {
		must(t, os.Remove(name))
	}
}

// TestCommands runs the README's commands.
func TestCommands(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Fatal("there is no jq: install the package jq")
	}
	night := aRealNight(t)
	for line := range strings.Lines(block(t, "sh")) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = night
		out, err := cmd.CombinedOutput()
		if err != nil || len(out) < 5 || strings.Contains(string(out), "jq: error") {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}
