package doctor

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/sabot-table/sabot/table/plaintext"
)

// TestFilter: lines are found by level and by text, the latest first, and the log below gets all that it got before.
func TestFilter(t *testing.T) {
	var out bytes.Buffer
	var ring LogRing
	log := slog.New(ring.Keep(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelInfo})))
	log.Debug("below the level")
	log.Info("the table is open", "table", "bj-1")
	log.With("shoe", "left").WithGroup("port").Warn("the link is down", "err", "no PORT")
	log.Error("it ends")
	for _, c := range []struct {
		level slog.Level
		text  string
		want  string
	}{
		{
			slog.LevelDebug, "",
			`msg="it ends"|msg="the link is down" shoe=left port.err="no PORT"|msg="the table is open" table=bj-1`,
		},
		{slog.LevelWarn, "", `msg="it ends"|msg="the link is down" shoe=left port.err="no PORT"`},
		{slog.LevelError, "", `msg="it ends"`},
		{slog.LevelInfo, "No Port", `msg="the link is down" shoe=left port.err="no PORT"`},
		{slog.LevelError, "port", ""},
	} {
		var got []string
		for _, line := range ring.Lines(c.level) {
			if line.Has(c.text) {
				got = append(got, line.Text)
			}
		}
		if text := strings.Join(got, "|"); text != c.want {
			t.Errorf("from %s with %q: %s, want %s", c.level, c.text, text, c.want)
		}
	}
	if got := strings.Count(out.String(), "\n"); got != 3 || !strings.Contains(out.String(), "port.err") {
		t.Errorf("the log below got %d lines: %s", got, out.String())
	}
	var file strings.Builder
	if err := ring.Write(&file); err != nil || strings.Count(file.String(), "\n") != 3 ||
		!strings.HasSuffix(file.String(), "ERROR msg=\"it ends\"\n") {
		t.Errorf("%v, the file is\n%s", err, file.String())
	}
}

// TestBounded: however much is logged, and by however many, so many lines are kept and so many bytes, the latest ones;
// and none has more than it may.
func TestBounded(t *testing.T) {
	var ring LogRing
	log := slog.New(ring.Keep(slog.NewTextHandler(io.Discard, nil)))
	var parts sync.WaitGroup
	for n := range 4 {
		parts.Go(func() {
			for i := range mostLines {
				log.Info(fmt.Sprint("line ", n, " ", i))
			}
		})
	}
	parts.Wait()
	if got := len(ring.Lines(slog.LevelDebug)); got != mostLines {
		t.Errorf("%d lines are kept, not %d", got, mostLines)
	}
	for i := range 300 { // more than there is room for
		log.Info(strings.Repeat("ü\u202e", 3_000), "n", i)
	}
	size, lines := 0, ring.Lines(slog.LevelDebug)
	for _, line := range lines {
		size += len(line.Text)
		if !utf8.ValidString(line.Text) || len(line.Text) > 4<<10 || strings.Contains(line.Text, "\u202e") {
			t.Fatalf("a line has %d bytes: %.80q", len(line.Text), line.Text)
		}
	}
	if size > 1<<20 || len(lines) < 200 {
		t.Errorf("%d lines are kept, of %d bytes", len(lines), size)
	}
	log.Info("after it")
	if got := ring.Lines(slog.LevelDebug); got[0].Text != `msg="after it"` {
		t.Errorf("the latest line is %.80q", got[0].Text)
	}
}

// FuzzKept: whatever is logged is one line, in which nothing is hidden.
func FuzzKept(f *testing.F) {
	f.Add("a\nb", "k", "\x1b[2J\u202e\u3164\xff")
	f.Fuzz(func(t *testing.T, message, key, value string) {
		var ring LogRing
		slog.New(ring.Keep(slog.NewTextHandler(io.Discard, nil))).Info(message, key, value)
		lines := ring.Lines(slog.LevelInfo)
		if len(lines) != 1 {
			t.Fatalf("%d lines", len(lines))
		}
		if text := lines[0].Text; !utf8.ValidString(text) || strings.ContainsFunc(text, plaintext.Hidden) {
			t.Errorf("%q", text)
		}
	})
}
