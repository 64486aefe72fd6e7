package journal_test

import (
	"io/fs"
	"maps"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// TestStartCalls: a start and what a table reads after it open as many files and list the folder as often with
// thousands of parts as with ten, and read as often. Only one more look at each part tells whether it has its size, and
// no second name, and none where somebody has just looked at all of them.
func TestStartCalls(t *testing.T) {
	for _, o := range []journal.Options{{}, {Key: journaltest.Key}, {Looked: map[string]fs.FileInfo{}}} {
		few, fewParts := startCalls(t, o, 10)
		many, manyParts := startCalls(t, o, 2000)
		more := few.Of[disktest.Stat] + manyParts - fewParts
		if o.Looked != nil {
			more = few.Of[disktest.Stat]
		}
		if many.Of[disktest.Stat] != more {
			t.Errorf("%d looks at files, want %d", many.Of[disktest.Stat], more)
		}
		if lists := many.Of[disktest.List]; lists > 3 {
			t.Errorf("the folder is listed %d times", lists)
		}
		few.Of[disktest.Stat], many.Of[disktest.Stat] = 0, 0
		if !maps.Equal(few.Of, many.Of) {
			t.Errorf("with %d parts %v, and with %d parts %v", fewParts, few.Of, manyParts, many.Of)
		}
		if digits := 2000; many.Bytes-few.Bytes > digits+len(" part-000001.jsonl 1234567")*manyParts {
			t.Errorf("with %d parts %d bytes are read, and with %d parts %d", fewParts, few.Bytes, manyParts,
				many.Bytes)
		}
	}
}

// startCalls counts what a start needs that begins in mid-round, after a look at all parts in the session before.
func startCalls(t *testing.T, o journal.Options, parts int) (counted journal.DiskCalls, there int) {
	t.Helper()
	o.Program, o.PartMost = "test", 1 // each append has a part of its own
	dir := tabletest.FastDir(t)
	o.Beside = disk.Private{Folder: disk.Folder(tabletest.FastDir(t))}
	j, err := journal.OpenOn(disk.Folder(dir), "/journal", o)
	if err != nil {
		t.Fatal(err)
	}
	entry := recordsOf(1)[0]
	for range parts {
		entry.Carry = []byte("{}")
		if err := j.Append([]journal.Entry{entry}); err != nil {
			t.Fatal(err)
		}
	}
	entry.Carry = nil
	for range 3 {
		if err := j.Append([]journal.Entry{entry}); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Inspect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if o.Looked != nil {
		_, files, err := journal.Own(dir)
		if err != nil {
			t.Fatal(err)
		}
		o.Looked = map[string]fs.FileInfo{}
		for _, file := range files {
			o.Looked[filepath.Join("/journal", filepath.Base(file.Path))] = file.FileInfo
		}
	}
	on, calls := journal.CountedDisk(disk.Folder(dir))
	beside, aside := journal.CountedDisk(o.Beside)
	o.Beside = beside
	if j, err = journal.OpenOn(on, "/journal", o); err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if found := j.Found(); len(found) > 0 || j.Opening().Former != nil {
		t.Fatalf("%q, %+v", found, j.Opening())
	}
	seq, _, _, err := j.Checkpoint()
	for _, failed := range j.Records(seq + 1) {
		if failed != nil {
			err = failed
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	counted = calls.Since()
	beside2 := aside.Since()
	for op, n := range beside2.Of {
		counted.Of[op] += n
	}
	counted.Bytes += beside2.Bytes
	return counted, parts + 3
}
