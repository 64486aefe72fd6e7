package journal

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// newPath is where a test's journal goes.
func newPath(t testing.TB) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "journal")
}

// mustOpen opens a journal to write, and closes it when the test ends.
func mustOpen(t testing.TB, path string) *Journal {
	t.Helper()
	j, err := Open(path, Options{Program: "sabotd test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return j
}

func mustAppend(t testing.TB, j *Journal, entries ...Entry) {
	t.Helper()
	if err := j.Append(entries); err != nil {
		t.Fatal(err)
	}
}

func mustClose(t testing.TB, c interface{ Close() error }) {
	t.Helper()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
}

// someRules stands for the fingerprint of a house's rules.
var someRules = bytes.Repeat([]byte{0xa5}, 32)

// cardEntry is the n-th card from a shoe, answered by three outputs.
func cardEntry(n int) Entry {
	return Entry{
		At:    1_760_000_000_000_000_000 + int64(n)*1_000_000_000,
		Input: []byte(`{"in":"card","card":"TH","t":"2026-11-21T20:15:04.123Z"}`),
		Outputs: []byte(`{"out":"dealt","card":"TH","to":"box","box":3,"hand":1,"total":17,"soft":false}` + "\n" +
			`{"out":"done","box":3,"hand":1,"why":"rest"}` + "\n" +
			`{"out":"due","to":"call","box":4,"hand":1,"allowed":["card","rest","double"]}` + "\n"),
		ShoeBoot: 7, ShoeSeq: uint32(n),
		Round: uint64(n/40 + 1),
		Rules: someRules,
	}
}

// keyEntry is a key press with the given outputs.
func keyEntry(input string, outputs ...string) Entry {
	e := Entry{At: 1, Input: []byte(input), Round: 1}
	for _, line := range outputs {
		e.Outputs = append(e.Outputs, line+"\n"...)
	}
	return e
}

func carrying(e Entry, carry string) Entry {
	e.Carry = []byte(carry)
	return e
}

// fill appends n records.
func fill(t testing.TB, j *Journal, n int) {
	t.Helper()
	const batch = 1000
	for i := 0; i < n; i += batch {
		entries := make([]Entry, min(batch, n-i))
		for k := range entries {
			entries[k] = cardEntry(i + k + 1)
		}
		mustAppend(t, j, entries...)
	}
}

// records collects all records from number from on.
func records(t testing.TB, r *Reader, from uint64) []Record {
	t.Helper()
	var all []Record
	for rec, err := range r.Records(from) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rec)
	}
	return all
}

// lines collects the journal's events after a number as text.
func lines(t testing.TB, r *Reader, after uint64, limit int) string {
	t.Helper()
	events, err := r.Events(after, limit)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "%d:%d:%s ", e.Number, e.RecordSeq, e.Line)
	}
	return strings.TrimSpace(b.String())
}

// sameEntry compares what was appended with what is read; nil and empty are equal.
func sameEntry(a, b *Entry) bool {
	return a.At == b.At && a.ShoeBoot == b.ShoeBoot && a.ShoeSeq == b.ShoeSeq && a.Round == b.Round &&
		bytes.Equal(a.Rules, b.Rules) && bytes.Equal(a.Input, b.Input) && bytes.Equal(a.Outputs, b.Outputs) &&
		bytes.Equal(a.Carry, b.Carry)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
