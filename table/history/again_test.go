package history_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/table/history"
)

// TestNoteAgain: what is written is read again, and no other note is taken for one.
func TestNoteAgain(t *testing.T) {
	first := time.Date(2026, 11, 23, 8, 12, 1, 0, time.UTC)
	code := history.NoteAgain("screen-refused wrong-key 10.0.0.7", 384, first, first.Add(13*time.Second))
	if want := "screen-refused wrong-key 10.0.0.7 again 384 2026-11-23T08:12:01Z 2026-11-23T08:12:14Z"; code != want {
		t.Errorf("it is written %q, want %q", code, want)
	}
	for _, other := range []string{
		"", "again", "wrong-pin", "x again ", "x again 1", "x again 0 a b", "x again -1 a b",
		"x again many a b", "x again 1 a b c",
	} {
		if of, times := history.NotedAgain(other); of != other || times != 0 {
			t.Errorf("%q is read as %q, %d times", other, of, times)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		of, times := rapid.String().Draw(rt, "code"), rapid.IntRange(1, 1<<30).Draw(rt, "times")
		if got, n := history.NotedAgain(history.NoteAgain(of, times, first, first)); got != of || n != times {
			rt.Errorf("%q, %d times, is read as %q, %d times", of, times, got, n)
		}
	})
}
