package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// packed is what zstd makes of a text.
func packed(t *testing.T, text []byte) string {
	t.Helper()
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(enc.EncodeAll(text, nil))
}

// TestReplayPacked: a packed transcript replays as the one that it holds, and one that was cut off is not mistaken for
// a whole one.
func TestReplayPacked(t *testing.T) {
	short := packed(t, []byte(round))
	if got, want := sabot(t, short, "replay", "-"), sabot(t, round, "replay", "-"); got != want {
		t.Errorf("the packed form replays to\n%+v\nwant\n%+v", got, want)
	}
	got := sabot(t, short[:len(short)-1], "replay", "-")
	if got.Status != exitFailed || !strings.Contains(got.Err, "unexpected EOF") {
		t.Errorf("without the last byte: %+v", got)
	}
}

// TestAttackPacked: a few packed bytes that come to anything end at the longest line that there may be.
func TestAttackPacked(t *testing.T) {
	through := 0
	bomb := packed(t, bytes.Repeat([]byte("0"), 64<<20))
	if got := sabot(t, bomb, "replay", "-"); got.Status != exitFailed || got.Out != "" ||
		!strings.Contains(got.Err, "line 1") {
		through++
		t.Errorf("%d bytes: status %d, %d bytes came of it, %s", len(bomb), got.Status, len(got.Out), got.Err)
	}
	attack.Report(t, "packed transcripts that come to anything", 1, through)
}
