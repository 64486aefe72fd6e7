package sqlitejournal

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/journal"
)

// fixture copies a journal, with its log if it has one, into a folder of its own.
func fixture(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(tabletest.FastDir(t), name)
	for _, part := range []string{"", "-wal"} {
		content, err := os.ReadFile(filepath.Join("testdata", name+part))
		if os.IsNotExist(err) && part != "" {
			continue
		}
		must(t, err)
		must(t, os.WriteFile(path+part, content, 0o600))
	}
	return path
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T, path string) *Journal {
	t.Helper()
	j, err := Open(t.Context(), path)
	must(t, err)
	t.Cleanup(func() { must(t, j.Close()) })
	return j
}

// TestRead compares all that is read with what SQL alone found in the files.
func TestRead(t *testing.T) {
	for _, name := range []string{"sealed", "unsealed", "open"} {
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
			must(t, err)
			got := dump(t, opened(t, fixture(t, name+".journal")))
			if got != string(want) {
				t.Errorf("read\n%s\nnot\n%s", got, want)
			}
		})
	}
}

// dump writes a journal as the files *.jsonl are written.
func dump(t *testing.T, j *Journal) string {
	t.Helper()
	var d dumper
	d.row("meta", "key", "id", "value", j.ID())
	for b := range rows(t, j.Boots(t.Context())) {
		d.row("boot", "number", b.Number, "program", b.Program, "first_record", b.FirstRecord)
	}
	for r := range rows(t, j.Records(t.Context())) {
		var carry any
		if r.Carry != nil {
			carry = hex.EncodeToString(r.Carry)
		}
		d.row("record", "seq", r.Seq, "boot", r.Boot, "at", r.At, "round", r.Round, "shoe_boot", r.ShoeBoot, "shoe_seq", r.ShoeSeq,
			"first_event", r.FirstEvent, "setup", r.Setup, "shoe", r.Shoe, "checkpoint", r.Checkpoint, "rules", hex.EncodeToString(r.Rules),
			"input", string(r.Input), "outputs", string(r.Outputs), "carry", carry, "hash", hex.EncodeToString(r.Hash[:]))
	}
	for s := range rows(t, j.Seals(t.Context())) {
		d.row("seal", "seq", s.Seq, "hash", hex.EncodeToString(s.Hash[:]), "at", s.At, "key", hex.EncodeToString(s.Key),
			"signature", hex.EncodeToString(s.Signature))
	}
	for c := range rows(t, j.Cursors(t.Context())) {
		d.row("cursor", "name", c.Name, "event", c.Event)
	}
	return d.String()
}

// rows yields what is read without an error.
func rows[T any](t *testing.T, all iter.Seq2[T, error]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for row, err := range all {
			must(t, err)
			if !yield(row) {
				return
			}
		}
	}
}

type dumper struct{ bytes.Buffer }

// row writes a row of names and values.
func (d *dumper) row(table string, fields ...any) {
	fmt.Fprintf(d, `{"table":%q`, table)
	enc := json.NewEncoder(d)
	enc.SetEscapeHTML(false)
	for i := 0; i < len(fields); i += 2 {
		fmt.Fprintf(d, `,%q:`, fields[i])
		if err := enc.Encode(fields[i+1]); err != nil {
			panic(err) // plain values
		}
		d.Truncate(d.Len() - 1)
	}
	d.WriteString("}\n")
}

// TestVerify finds nothing wrong with journals that are as they were written.
func TestVerify(t *testing.T) {
	key, err := journal.ReadPublicFile(filepath.Join("testdata", "key.pub"))
	must(t, err)
	for _, c := range []struct {
		name                 string
		records, seals, last uint64
	}{{"sealed", 68, 6, 68}, {"unsealed", 68, 0, 0}, {"open", 68, 5, 59}} {
		j := opened(t, fixture(t, c.name+".journal"))
		if c.seals == 0 {
			key = nil
		}
		done := uint64(0)
		got, err := j.Verify(t.Context(), key, func(n, _ uint64) { done = n })
		must(t, err)
		if got.Records != c.records || got.Seals != c.seals || got.Sealed != c.last || got.Boots != 3 || got.Events != 105 || done != c.records {
			t.Errorf("%s: %+v, and told %d", c.name, got, done)
		}
		if seq, hash, err := j.Head(t.Context()); err != nil || seq != got.Records || hash != got.Hash {
			t.Errorf("%s ends with %d, %x, %v", c.name, seq, hash, err)
		}
	}
}

// TestHash: the example of README.md.
func TestHash(t *testing.T) {
	page, err := os.ReadFile("README.md")
	must(t, err)
	before := origin("00112233445566778899aabbccddeeff")
	rules := sha256.Sum256([]byte("rules"))
	hash := (&Record{
		Entry: journal.Entry{
			At: 1000, Round: 1, ShoeBoot: 2, ShoeSeq: 3, Rules: rules[:], Carry: []byte{1, 2},
			Input: []byte(`{"in":"open"}`), Outputs: []byte(`{"out":"opened","round":1}` + "\n"),
		},
		Seq: 1, Boot: 1, FirstEvent: 1, Shoe: 1, Checkpoint: 1,
	}).sum(before)
	for _, want := range []string{fmt.Sprintf("hash before   %x\n", before), fmt.Sprintf("hash          %x\n", hash)} {
		if !strings.Contains(string(page), want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}

// TestLeavesNothing: reading makes no file beside a journal that was closed in order.
func TestLeavesNothing(t *testing.T) {
	path := fixture(t, "sealed.journal")
	j, err := Open(t.Context(), path)
	must(t, err)
	_, err = j.Verify(t.Context(), nil, nil)
	must(t, err)
	must(t, j.Close())
	files, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	if len(files) != 1 {
		t.Errorf("beside the journal there are %v", files)
	}
}

// rechain is what somebody does who has no key: it gives the records from a number on
// new hashes, and fits the seals to them.
func rechain(t *testing.T, path string) {
	t.Helper()
	j := opened(t, path)
	hashes := map[uint64][]byte{}
	hash := origin(j.ID())
	for r := range rows(t, j.Records(t.Context())) {
		hash = r.sum(hash)
		hashes[r.Seq] = bytes.Clone(hash[:])
	}
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	for seq, hash := range hashes {
		_, err := db.Exec(`UPDATE record SET hash = ?2 WHERE seq = ?1`, seq, hash)
		must(t, err)
		_, err = db.Exec(`UPDATE seal SET hash = ?2 WHERE seq = ?1`, seq, hash)
		must(t, err)
	}
}

// tamper runs SQL on a journal whose guards are down.
func tamper(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	for _, table := range []string{"record", "boot", "seal", "meta"} {
		for _, guard := range []string{"no_update", "no_delete", "in_order"} {
			_, err := db.Exec(`DROP TRIGGER IF EXISTS ` + table + "_" + guard)
			must(t, err)
		}
	}
	for _, s := range statements {
		_, err := db.Exec(s)
		must(t, err)
	}
}

// TestTampered: what was changed is found, and told.
func TestTampered(t *testing.T) {
	for _, c := range []struct{ do, want string }{
		{`UPDATE record SET input = replace(input, '2000', '9000') WHERE seq = 5`, "record 5 does not fit its hash"},
		{`UPDATE record SET at = at + 1 WHERE seq = 7`, "record 7 does not fit its hash"},
		{`UPDATE record SET rules = x'' WHERE seq = 68`, "record 68 does not fit its hash"},
		{`UPDATE record SET carry = NULL WHERE seq = 34`, "record 34 points to the checkpoint in record 34, which is in record 1"},
		{`UPDATE record SET setup = 1 WHERE seq = 40`, "record 40 points to the set-up in record 1, which is in record 36"},
		{`UPDATE record SET shoe = 1 WHERE seq = 40`, "record 40 points to the shoe's event in record 1"},
		{`UPDATE record SET first_event = 1 WHERE seq = 40`, "record 40 starts with event 1, but 56 is next"},
		{`UPDATE record SET boot = 1 WHERE seq = 60`, "record 60 says boot 1 after boot"},
		{`UPDATE record SET shoe_seq = -1 WHERE seq = 12`, "record 12 has an impossible"},
		{`DELETE FROM record WHERE seq = 1`, "record 1 is missing"},
		{`DELETE FROM record WHERE seq BETWEEN 20 AND 22`, "record 20 is missing"},
		{`DELETE FROM record WHERE seq = 68`, "record 68 is missing: a seal comes after record 68"},
		{`DELETE FROM record; DELETE FROM seal`, "boot 2 began with record 46"},
		{`DELETE FROM record WHERE seq > 60; DELETE FROM seal WHERE seq > 60; UPDATE cursor SET event = 105 WHERE name = 'mqtt'`, "the cursor mqtt has reached event 105"},
		{`UPDATE boot SET first_record = 47 WHERE number = 2`, "record 46 says boot 2, but was written in boot 1"},
		{`UPDATE boot SET number = 5 WHERE number = 3`, "boot 5, which began with record"},
		{`DELETE FROM boot`, "record 1 says boot 1, but was written in boot 0"},
		{`INSERT INTO boot VALUES (4, 'x', 90)`, "record 69 is missing: boot 4 began with record 90"},
		{`UPDATE seal SET hash = zeroblob(32) WHERE seq = 35`, "record 35 does not have the hash for which the seal"},
		{`UPDATE seal SET at = at + 1 WHERE seq = 36`, "the seal after record 36 is not valid"},
		{`UPDATE seal SET signature = zeroblob(64) WHERE seq = 68`, "the seal after record 68 is not valid"},
		{`UPDATE cursor SET event = 106`, "has reached event 106, but the last is 105"},
		{`UPDATE meta SET value = '00112233445566778899aabbccddeeff'`, "record 1 does not fit its hash"},
		{`DROP TABLE seal`, "no such table: seal"},
		{`UPDATE boot SET program = char(27) || '[2Jall is well' WHERE number = 2`, `the program of boot 2 has a name with characters that steer a terminal, "\x1b[2Jall is well"`},
		{`UPDATE boot SET program = 'sabotd' || char(8238) || '1' WHERE number = 1`, `the program of boot 1 has a name with characters that steer`},
		{`UPDATE boot SET program = printf('%.300c', 'x') WHERE number = 2`, "the program of boot 2 has a name of 300 bytes"},
		{`UPDATE boot SET program = CAST(x'ff' AS TEXT) WHERE number = 2`, "the program of boot 2 has a name that is no text"},
		{`UPDATE boot SET program = printf('%.20000000c', 'x') WHERE number = 2`, "the boots cannot be read: one has more than 8388608 bytes"},
		{`UPDATE cursor SET name = char(10) || 'all is well' WHERE name = 'mqtt'`, "a cursor has a name with characters that steer"},
		{`UPDATE record SET input = printf('%.20000000c', 'x') WHERE seq = 5`, "the records cannot be read: one has more than 8388608 bytes"},
		{`UPDATE record SET outputs = printf('%.20000000c', 'x') WHERE seq = 5`, "the records cannot be read: one has more than 8388608 bytes"},
		{`UPDATE record SET carry = zeroblob(20000000) WHERE seq = 34`, "the records cannot be read: one has more than 8388608 bytes"},
	} {
		path := fixture(t, "sealed.journal")
		tamper(t, path, c.do)
		_, err := opened(t, path).Verify(t.Context(), nil, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "journal "+path+": ") {
			t.Errorf("%s: %v\nshould say %q", c.do, err, c.want)
		}
	}
}

// TestRechained: who computes the chain anew without the key is found by the seals.
func TestRechained(t *testing.T) {
	path := fixture(t, "sealed.journal")
	tamper(t, path, `UPDATE record SET input = replace(input, '2000', '9000') WHERE seq = 5`)
	rechain(t, path)
	_, err := opened(t, path).Verify(t.Context(), nil, nil)
	if err == nil || !strings.Contains(err.Error(), "the seal after record 35 is not valid by its own key") {
		t.Error(err)
	}
}

// TestKey: the auditor's key must vouch for the journal.
func TestKey(t *testing.T) {
	key, err := journal.ReadPublicFile(filepath.Join("testdata", "key.pub"))
	must(t, err)
	other := bytes.Repeat([]byte{7}, len(key))
	for _, c := range []struct {
		file, do string
		key      []byte
		want     string
	}{
		{"unsealed.journal", `SELECT 1`, key, "has no seal, but should have some"},
		{"sealed.journal", `SELECT 1`, other, "not with ed25519:0707"},
		{"sealed.journal", `DELETE FROM seal WHERE seq > 45`, key, "its last seal comes after record 45, but a round ended in record 59 without one"},
	} {
		path := fixture(t, c.file)
		tamper(t, path, c.do)
		if _, err := opened(t, path).Verify(t.Context(), c.key, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nshould say %q", c.do, err, c.want)
		}
	}
}

// TestNoJournal: what is no journal of the first format is refused, in words that help.
func TestNoJournal(t *testing.T) {
	dir := t.TempDir()
	file := func(name, content string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	with := func(statement string) string {
		path := fixture(t, "sealed.journal")
		tamper(t, path, statement)
		return path
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "missing"): "check the path",
		dir:                           "it is a folder",
		file("empty", ""):             "the file is empty",
		file("garbage", strings.Repeat("no database\n", 99)): "file is not a database",
		with(`PRAGMA application_id = 1`):                    "SQLite file of another program",
		with(`PRAGMA user_version = 2`):                      "its schema has version 2",
		with(`DELETE FROM meta`):                             "its id cannot be read",
	} {
		j, err := Open(t.Context(), path)
		if err == nil {
			must(t, j.Close())
		}
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v\nshould say %q", err, want)
		}
	}
}

// TestInUse: a table that still writes the journal would lose what it writes next.
func TestInUse(t *testing.T) {
	path := fixture(t, "sealed.journal")
	held, err := os.Create(path + ".lock")
	must(t, err)
	must(t, unix.Flock(int(held.Fd()), unix.LOCK_EX|unix.LOCK_NB))
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "stop sabotd first") {
		t.Error(err)
	}
	must(t, held.Close())
	opened(t, path)
}

// TestReadmeScript: the check that owes nothing to this program finds a journal well, and
// a changed one broken.
func TestReadmeScript(t *testing.T) {
	for _, tool := range [][]string{{"python3", "-c", "import sqlite3"}, {"openssl", "version"}} {
		if out, err := exec.Command(tool[0], tool[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("this test needs Debian's packages python3 and openssl: %s: %v: %s", tool[0], err, out)
		}
	}
	page, err := os.ReadFile("README.md")
	must(t, err)
	_, script, _ := strings.Cut(string(page), "```python\n")
	script, _, _ = strings.Cut(script, "```")
	key, err := os.ReadFile(filepath.Join("testdata", "key.pub"))
	must(t, err)
	path := fixture(t, "sealed.journal")
	check := func() (string, error) {
		out, err := exec.Command("python3", "-c", script, path, strings.TrimSpace(string(key))).CombinedOutput()
		return string(out), err
	}
	if out, err := check(); err != nil || !strings.Contains(out, "68 records, 105 events") || !strings.Contains(out, "up to record 68 of 68") {
		t.Errorf("%v: %s", err, out)
	}
	tamper(t, path, `UPDATE record SET at = at + 1 WHERE seq = 7`)
	if out, err := check(); err == nil || !strings.Contains(out, "record 7 is broken") {
		t.Errorf("%v: %s", err, out)
	}
}
