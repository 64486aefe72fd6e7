package main

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/rig"
)

// TestCompactAndExpand: packing and unpacking changes nothing, and both forms replay to the
// same outputs.
func TestCompactAndExpand(t *testing.T) {
	short := sabot(t, "", "compact", write(t, round))
	if short.Status != exitOK || short.Err != "" || len(short.Out) > len(round)*2/3 {
		t.Fatalf("compact: status %d, %d bytes of %d, %s", short.Status, len(short.Out), len(round), short.Err)
	}
	if long := sabot(t, short.Out, "expand", "-"); long != (rig.Ended{Out: round}) {
		t.Errorf("expand: %+v", long)
	}
	if got, want := sabot(t, "", "replay", write(t, short.Out)), sabot(t, round, "replay", "-"); got != want {
		t.Errorf("the packed form replays to\n%+v\nwant\n%+v", got, want)
	}
	if again := sabot(t, short.Out, "compact", "-"); again != short {
		t.Errorf("what is packed already becomes %q, want %q", again.Out, short.Out)
	}
}

// TestCompactOfAnyHouse: a transcript of an unknown house can be packed, too.
func TestCompactOfAnyHouse(t *testing.T) {
	macao := strings.Replace(round, "wiesbaden", "macao", 1)
	short := sabot(t, macao, "compact", "-")
	if long := sabot(t, short.Out, "expand", "-"); long != (rig.Ended{Out: macao}) {
		t.Errorf("there and back is %+v", long)
	}
	wantFailure(t, sabot(t, short.Out, "replay", "-"), exitFailed, "sabot: -: line 1, column 23: ", `house "macao" is not known`)
	if got := sabot(t, short.Out, "replay", "--house", "wiesbaden", "-"); got != sabot(t, round, "replay", "-") {
		t.Errorf("by another house: %+v", got)
	}
}

// TestCompactFailures: errors name the place, and a packed file that was cut off is not
// mistaken for a whole one.
func TestCompactFailures(t *testing.T) {
	got := sabot(t, round+`{"in":"call","call":"fold"}`, "compact", "-")
	if got.Status != exitFailed || !strings.Contains(got.Err, "sabot: -: line 12, column 21") {
		t.Errorf("an unknown call: %d %s", got.Status, got.Err)
	}
	again := sabot(t, got.Out, "replay", "-")
	again.Out = "" // of the lines before
	wantFailure(t, again, exitFailed, "sabot: -: line 12, column 21")
	short := sabot(t, round, "compact", "-").Out
	got = sabot(t, short[:len(short)-1], "expand", "-")
	if got.Status != exitFailed || !strings.Contains(got.Err, "unexpected EOF") {
		t.Errorf("without the last byte: %+v", got)
	}
	for _, command := range []string{"expand", "replay", "compact"} {
		wantFailure(t, sabot(t, "\x89SABOT\n\x01", command, "-"), exitFailed, "compact form of release 1", "`sabot expand` of that release")
	}
	for _, command := range []string{"compact", "expand"} {
		wantFailure(t, sabot(t, "", command, "/nowhere/a.jsonl"), exitFailed, "/nowhere/a.jsonl")
		wantFailure(t, sabot(t, "", command), exitUsage, command+" takes one transcript")
		wantFailure(t, sabot(t, "", command, "--fast", "-"), exitUsage, "-fast")
	}
}

// TestCompactToATerminal: bytes that would garble a terminal are not printed on it.
func TestCompactToATerminal(t *testing.T) {
	mine, theirs, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()
	defer theirs.Close()
	var errOut bytes.Buffer
	if status := run(t.Context(), []string{"compact", write(t, round)}, env{nil, theirs, &errOut}); status != exitUsage {
		t.Errorf("ended with %d", status)
	}
	if !strings.Contains(errOut.String(), "send them to a file, with > FILE") {
		t.Errorf("said %q", errOut.String())
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if status := run(t.Context(), []string{"compact", write(t, round)}, env{nil, null, &errOut}); status != exitOK {
		t.Errorf("to %s: ended with %d", os.DevNull, status)
	}
}

// TestAttackExpand: a few packed bytes do not fill a disk.
func TestAttackExpand(t *testing.T) {
	var packed bytes.Buffer
	w, err := zstd.NewWriter(&packed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(w, io.LimitReader(zeros{}, 64<<20)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	const most = 1 << 20
	through := 0
	got := sabot(t, packed.String(), "expand", "--raw", "--most", strconv.Itoa(most), "-")
	if got.Status != exitFailed || len(got.Out) > most+1 || !strings.Contains(got.Err, "more than a transcript of a table does") {
		through++
		t.Errorf("%d bytes came to %d: status %d, %s", packed.Len(), len(got.Out), got.Status, got.Err)
	}
	attack.Report(t, "packed transcripts that come to anything", 1, through)
	if long := sabot(t, sabot(t, "", "compact", write(t, round)).Out, "expand", "--most", strconv.Itoa(len(round)), "-"); long != (rig.Ended{Out: round}) {
		t.Errorf("one that comes to just as much: %+v", long)
	}
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}
