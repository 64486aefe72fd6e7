// A LogRing keeps the last lines of a daemon's own log in memory, for whoever looks at its page: systemd's
// journal may be closed to the daemon, or away with the power.

package doctor

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/sabot-table/sabot/internal/terminal"
)

const (
	// mostLines is how many lines are kept.
	mostLines = 2000
	// longestLine is how long one may be, in bytes, and mostAll how long all are together.
	longestLine = 4 << 10
	mostAll     = 1 << 20
)

// LogLine is one line of a log. What is hidden in its text is written as Go writes it, so that it is one line.
type LogLine struct {
	At    time.Time
	Level slog.Level
	Text  string
}

// String is the line as a log file has it.
func (l LogLine) String() string {
	return l.At.UTC().Format("2006-01-02T15:04:05.000Z") + " " + l.Level.String() + " " + l.Text
}

// Has reports whether the line contains a text, whatever its capitals.
func (l LogLine) Has(text string) bool {
	return strings.Contains(strings.ToLower(l.Text), strings.ToLower(text))
}

// LogRing keeps the last lines that were logged. Its methods may be called from any goroutine.
type LogRing struct {
	mu    sync.Mutex
	lines []LogLine // the oldest first
	size  int       // of their texts, in bytes
	text  bytes.Buffer
}

// Keep is a handler that also keeps what another handles.
func (r *LogRing) Keep(h slog.Handler) slog.Handler {
	text := slog.NewTextHandler(&r.text, &slog.HandlerOptions{Level: slog.Level(-1 << 10), ReplaceAttr: bare})
	return keeper{h, text, r}
}

// bare leaves out what a LogLine has of its own.
func bare(groups []string, a slog.Attr) slog.Attr {
	if len(groups) == 0 && (a.Key == slog.TimeKey || a.Key == slog.LevelKey) {
		return slog.Attr{}
	}
	return a
}

// keeper hands a record on, and keeps it.
type keeper struct {
	slog.Handler
	text slog.Handler
	ring *LogRing
}

// Handle implements slog.Handler.
func (k keeper) Handle(ctx context.Context, r slog.Record) error {
	k.ring.add(ctx, k.text, r)
	return k.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (k keeper) WithAttrs(attrs []slog.Attr) slog.Handler {
	return keeper{k.Handler.WithAttrs(attrs), k.text.WithAttrs(attrs), k.ring}
}

// WithGroup implements slog.Handler.
func (k keeper) WithGroup(name string) slog.Handler {
	return keeper{k.Handler.WithGroup(name), k.text.WithGroup(name), k.ring}
}

func (r *LogRing) add(ctx context.Context, write slog.Handler, record slog.Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.text.Reset()
	if err := write.Handle(ctx, record); err != nil {
		return // a buffer takes everything
	}
	line := LogLine{record.Time, record.Level, cut(terminal.Visible(strings.TrimSuffix(r.text.String(), "\n")))}
	if r.text.Cap() > 4*longestLine {
		// one long line is no reason to keep its room; the handlers have the address, which stays
		r.text = bytes.Buffer{}
	}
	r.lines, r.size = append(r.lines, line), r.size+len(line.Text)
	gone := 0
	for len(r.lines)-gone > mostLines || r.size > mostAll {
		r.size -= len(r.lines[gone].Text)
		gone++
	}
	r.lines = slices.Delete(r.lines, 0, gone)
}

// cut shortens what is too long, between two characters.
func cut(text string) string {
	if len(text) <= longestLine {
		return text
	}
	const more = " …"
	end := longestLine - len(more)
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + more
}

// Lines are those of a level and above, the latest first.
func (r *LogRing) Lines(level slog.Level) (lines []LogLine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range slices.Backward(r.lines) {
		if line.Level >= level {
			lines = append(lines, line)
		}
	}
	return lines
}

// Write writes all lines, the oldest first.
func (r *LogRing) Write(to io.Writer) error {
	r.mu.Lock()
	all := slices.Clone(r.lines)
	r.mu.Unlock()
	for _, line := range all {
		if _, err := fmt.Fprintln(to, line); err != nil {
			return err
		}
	}
	return nil
}
