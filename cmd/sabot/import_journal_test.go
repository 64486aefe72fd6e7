package main

import (
	"bytes"
	"crypto/ed25519"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/sqlitejournal"
	"github.com/sabot-table/sabot/internal/testkit/rig"
	"github.com/sabot-table/sabot/table/journal"
)

const oldJournals = "../internal/sqlitejournal/testdata/"

// taken is a journal in memory, which names rules only where they take effect.
type taken struct {
	former  journal.Former
	boots   []sqlitejournal.Boot
	records []journal.Record
	seals   []journal.Seal
	cursors []sqlitejournal.Cursor
	key     ed25519.PrivateKey
	// full is the record that cannot be written; spoil changes what is read back.
	full  uint64
	spoil func(*journal.Record)
	// short is the last record that is read back, 0 for all of them.
	short uint64
}

var errFull = errors.New("no space left")

// begin writes a file, so that something could remain.
func (k *taken) begin(folder string, former journal.Former, key ed25519.PrivateKey) (importSink, error) {
	k.former, k.key = former, key
	if err := os.Mkdir(folder, 0o750); err != nil {
		return nil, err
	}
	return k, os.WriteFile(filepath.Join(folder, "part-000001.jsonl"), []byte("{}\n"), 0o600)
}

func (k *taken) Boot(number uint64, program string) error {
	k.boots = append(k.boots, sqlitejournal.Boot{Number: number, Program: program, FirstRecord: uint64(len(k.records) + 1)})
	return nil
}

func (k *taken) Append(entries []journal.Entry, seals []journal.Seal) error {
	event := uint64(1)
	if last := len(k.records) - 1; last >= 0 {
		event = k.records[last].FirstEvent + uint64(bytes.Count(k.records[last].Outputs, []byte("\n")))
	}
	for _, e := range entries {
		r := journal.Record{Entry: e, Seq: uint64(len(k.records) + 1), Boot: k.boots[len(k.boots)-1].Number, FirstEvent: event}
		if r.Seq == k.full {
			return errFull
		}
		event += uint64(bytes.Count(e.Outputs, []byte("\n")))
		k.records = append(k.records, r)
	}
	k.seals = append(k.seals, seals...)
	return nil
}

func (k *taken) Cursor(name string, event uint64) error {
	k.cursors = append(k.cursors, sqlitejournal.Cursor{Name: name, Event: event})
	return nil
}

func (k *taken) Close() error { return nil }

func (k *taken) Records() iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		var rules []byte
		for _, r := range k.records {
			if bytes.Equal(r.Rules, rules) {
				r.Rules = nil
			} else {
				rules = r.Rules
			}
			if k.spoil != nil {
				k.spoil(&r)
			}
			if !yield(r, nil) || r.Seq == k.short {
				return
			}
		}
	}
}

// oldCopy copies an old journal into a folder of its own.
func oldCopy(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(rig.FastDir(t), name)
	for _, part := range []string{"", "-wal"} {
		content, err := os.ReadFile(oldJournals + name + part)
		if os.IsNotExist(err) && part != "" {
			continue
		}
		if err == nil {
			err = os.WriteFile(path+part, content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return path
}

// taking runs an import within the test.
func taking(t *testing.T, into *taken, args ...string) (rig.Ended, error) {
	t.Helper()
	var out, errOut bytes.Buffer
	err := importInto(t.Context(), args, env{strings.NewReader(""), &out, &errOut}, into.begin)
	return rig.Ended{Out: out.String(), Err: errOut.String()}, err
}

// golden are the rows of an old journal's table, as its dump has them.
func golden(t *testing.T, name, table string) (rows []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(oldJournals + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var row map[string]any
		dec := json.NewDecoder(bytes.NewReader(line))
		dec.UseNumber() // times are too large for float64
		if err := dec.Decode(&row); err != nil {
			t.Fatal(err)
		}
		if row["table"] == table {
			rows = append(rows, row)
		}
	}
	return rows
}

// dumped returns a value as the dump writes it.
func dumped(t *testing.T, v any) any {
	t.Helper()
	switch b := v.(type) {
	case []byte:
		if len(b) == 0 {
			return nil
		}
		return hex.EncodeToString(b)
	case [32]byte:
		return hex.EncodeToString(b[:])
	case string:
		return b
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return json.Number(text)
}

// wantRow compares a row of the dump with names and values.
func wantRow(t *testing.T, row map[string]any, fields ...any) {
	t.Helper()
	for i := 0; i < len(fields); i += 2 {
		if got, want := dumped(t, fields[i+1]), row[fields[i].(string)]; !reflect.DeepEqual(got, want) {
			t.Errorf("%v %v has as %v\n%v\nnot\n%v", row["table"], row["seq"], fields[i], got, want)
		}
	}
}

// TestImport: every field of every row of the old journal arrives.
func TestImport(t *testing.T) {
	for _, name := range []string{"sealed", "unsealed", "open"} {
		t.Run(name, func(t *testing.T) {
			path := oldCopy(t, name+".journal")
			to := filepath.Join(filepath.Dir(path), "new")
			var got taken
			ended, err := taking(t, &got, path, to)
			if err != nil || !strings.Contains(ended.Out, to+" holds all of "+path+": 68 records, 105 events, 3 boots, ") {
				t.Fatalf("%v, %+v", err, ended)
			}
			records := golden(t, name, "record")
			for i, r := range got.records {
				wantRow(t, records[i], "seq", r.Seq, "boot", r.Boot, "at", r.At, "round", r.Round, "shoe_boot", r.ShoeBoot, "shoe_seq", r.ShoeSeq,
					"first_event", r.FirstEvent, "rules", r.Rules, "input", string(r.Input), "outputs", string(r.Outputs), "carry", r.Carry)
			}
			boots, seals, cursors := golden(t, name, "boot"), golden(t, name, "seal"), golden(t, name, "cursor")
			for i, b := range got.boots {
				wantRow(t, boots[i], "number", b.Number, "program", b.Program, "first_record", b.FirstRecord)
			}
			for i, s := range got.seals {
				wantRow(t, seals[i], "seq", s.Seq, "hash", s.Hash, "at", s.At, "key", []byte(s.Key), "signature", s.Signature)
			}
			for i, c := range got.cursors {
				wantRow(t, cursors[i], "name", c.Name, "event", c.Event)
			}
			if len(got.records) != len(records) || len(got.boots) != len(boots) || len(got.seals) != len(seals) || len(got.cursors) != len(cursors) {
				t.Errorf("%d records, %d boots, %d seals and %d cursors arrived", len(got.records), len(got.boots), len(got.seals), len(got.cursors))
			}
			last := records[len(records)-1]
			wantRow(t, last, "seq", got.former.Record, "hash", got.former.Hash)
			wantRow(t, golden(t, name, "meta")[0], "value", got.former.Journal)
			if got.former.Event != 105 || !strings.Contains(got.former.Why, "the first format") {
				t.Errorf("the former journal is %+v", got.former)
			}
			if now := names(t, filepath.Dir(path)); !slices.Contains(now, "new") || slices.ContainsFunc(now, func(n string) bool { return strings.Contains(n, ".import-") }) {
				t.Errorf("there is %v", now)
			}
		})
	}
}

func names(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}

// TestImportLog writes the journal with which a table continues, and reads it back.
func TestImportLog(t *testing.T) {
	for _, name := range []string{"sealed", "unsealed", "open"} {
		path := oldCopy(t, name+".journal")
		to := filepath.Join(filepath.Dir(path), "new")
		if got := sabot(t, "", "import-journal", path, to); got.Status != exitOK || got.Err != "" {
			t.Fatalf("%+v", got)
		}
		if now := names(t, filepath.Dir(path)); slices.ContainsFunc(now, func(n string) bool { return strings.HasPrefix(n, ".") || strings.HasSuffix(n, ".lock") }) {
			t.Errorf("there is %v", now)
		}
		if got := sabot(t, "", "verify", to); got.Status != exitOK || !strings.Contains(got.Out, "last record 68, ") {
			t.Errorf("%+v", got)
		}
		wantLog(t, name, to)
		wantSeals(t, name, to)
		goOn(t, to)
	}
}

// goOn opens the journal as a table does.
func goOn(t *testing.T, path string) {
	t.Helper()
	j, err := journal.Open(path, journal.Options{Program: "sabotd 1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	shoes := j.Positions()
	record, event := j.Next()
	if o := j.Opening(); o.New || o.Behind != "" || j.Boot() != 4 || record != 69 || event != 106 || !slices.Equal(shoes, []journal.Position{{Boot: 7, Seq: 27}}) {
		t.Errorf("%+v; boot %d, record %d, event %d, the shoes are at %v", o, j.Boot(), record, event, shoes)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
}

// wantSeals: the old seals are in the new journal, complete.
func wantSeals(t *testing.T, name, path string) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	seals := golden(t, name, "seal")
	err = j.Walk(t.Context(), func(s *journal.Step) error {
		if s.Imported == nil {
			return nil
		}
		var line journal.ImportedSeal
		if err := json.Unmarshal(s.Imported, &line); err != nil || len(seals) == 0 {
			t.Errorf("%s has no seal to keep: %v", s.Imported, err)
			return nil
		}
		key, err := journal.ParsePublicLine(line.Key)
		wantRow(t, seals[0], "seq", line.Seal, "hash", line.Hash, "at", line.At, "signature", line.Signature, "key", []byte(key))
		seals = seals[1:]
		return err
	})
	if err != nil || len(seals) != 0 {
		t.Errorf("%d seals did not arrive: %v", len(seals), err)
	}
}

// wantLog compares a journal with an old one's dump.
func wantLog(t *testing.T, name, path string) {
	t.Helper()
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	records, next := golden(t, name, "record"), 0
	for r, err := range j.Records(1) {
		if err != nil {
			t.Fatal(err)
		}
		wantRow(t, records[next], "seq", r.Seq, "boot", r.Boot, "at", r.At, "round", r.Round, "shoe_boot", r.ShoeBoot, "shoe_seq", r.ShoeSeq,
			"first_event", r.FirstEvent, "setup", r.Setup, "checkpoint", r.Checkpoint, "input", string(r.Input), "outputs", string(r.Outputs), "carry", r.Carry)
		next++
	}
	boots, err := j.Boots(t.Context())
	if err != nil || next != len(records) || len(boots) != 3 {
		t.Fatalf("%d records and %d boots arrived: %v", next, len(boots), err)
	}
	for i, want := range golden(t, name, "boot") {
		wantRow(t, want, "number", boots[i].Number, "program", boots[i].Program, "first_record", boots[i].FirstRecord)
	}
	for _, want := range golden(t, name, "cursor") {
		event, err := j.Cursor(want["name"].(string))
		if err != nil {
			t.Error(err)
		}
		wantRow(t, want, "event", event)
	}
}

// TestImportKeys: the auditor's key must vouch for the old journal, and the table's seals
// the new one.
func TestImportKeys(t *testing.T) {
	path := oldCopy(t, "sealed.journal")
	private := filepath.Join(filepath.Dir(path), "key")
	if got := sabot(t, "", "journal-key", private); got.Status != exitOK {
		t.Fatalf("%+v", got)
	}
	var got taken
	if _, err := taking(t, &got, "--key", oldJournals+"key.pub", "--sealing-key", private, path, path+".new"); err != nil || got.key == nil {
		t.Errorf("%v, and the key is %v", err, got.key)
	}
	other := write(t, journal.PublicLine(got.key.Public().(ed25519.PublicKey)))
	sealed := path + ".sealed"
	if got := sabot(t, "", "import-journal", "--key", oldJournals+"key.pub", "--sealing-key", private, path, sealed); got.Status != exitOK {
		t.Errorf("%+v", got)
	}
	if got := sabot(t, "", "audit", "--key", other, sealed); got.Status != exitOK || !strings.Contains(got.Out, "sealed by the key that was given up to round 3 (record 68)") {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--key", other, path}, "it is another table's key"},
		{[]string{"--key", private, path}, "is the table's private key"},
		{[]string{"--key", other + ".missing", path}, "no such file"},
		{[]string{"--sealing-key", other, path}, "the key file"},
		{[]string{"--key", oldJournals + "key.pub", oldCopy(t, "unsealed.journal")}, "it has no seal"},
	} {
		refused(t, &taken{}, c.want, append(c.args, filepath.Join(filepath.Dir(path), "other"))...)
	}
}

// refused runs an import that must fail, say why, and leave nothing.
func refused(t *testing.T, into *taken, want string, args ...string) {
	t.Helper()
	to := args[len(args)-1]
	before := names(t, filepath.Dir(to))
	ended, err := taking(t, into, args...)
	if err == nil || ended.Out != "" || !strings.HasPrefix(err.Error(), "nothing was written: ") || !strings.Contains(err.Error(), want) {
		t.Errorf("%v: %v\nshould say %q", args, err, want)
	}
	if now := names(t, filepath.Dir(to)); !slices.Equal(now, before) {
		t.Errorf("%v: there was %v and is %v", args, before, now)
	}
}

// TestImportRefuses what is broken or missing, and what would overwrite something.
func TestImportRefuses(t *testing.T) {
	dir := rig.FastDir(t)
	to := filepath.Join(dir, "new")
	broken := oldCopy(t, "sealed.journal")
	db, err := sql.Open("sqlite", broken)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{`DROP TRIGGER record_no_update`, `UPDATE record SET at = at + 1 WHERE seq = 7`} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	good := oldCopy(t, "sealed.journal")
	refused(t, &taken{}, "record 7 does not fit its hash", broken, to)
	refused(t, &taken{}, "check the path", good+".missing", to)
	refused(t, &taken{}, "it is a folder", dir, to)
	refused(t, &taken{}, "already exists and was not touched", good, good)
	refused(t, &taken{full: 50}, "no space left", good, to)
	refused(t, &taken{spoil: func(r *journal.Record) {
		if r.Seq == 33 {
			r.Carry = nil
			r.At++
		}
	}}, "record 33 would not be the same in the new journal", good, to)
	refused(t, &taken{short: 60}, "would lack the last records", good, to)
	if _, err := taking(t, &taken{}, good); err == nil || !strings.Contains(err.Error(), "import-journal takes the old journal's file, and the folder to make") {
		t.Error(err)
	}
}
