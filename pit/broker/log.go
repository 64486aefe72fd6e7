package broker

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"time"
)

const (
	// oftenTold is how many lines of a kind are logged in quietFor; the others are counted, and the next one says how
	// many there were. A client that is refused again and again must not fill the disk.
	oftenTold = 10
	quietFor  = time.Minute
	// mostKinds is how many kinds are told apart. Beyond them all are one.
	mostKinds = 100
)

// logger hands on what NATS logs. It never ends the program: a listener that fails shows at the start, and its error is
// returned there.
type logger struct {
	*slog.Logger
	mu   sync.Mutex
	told map[string]*told
	// trial is the mark of what is tried now: that it is refused is no news.
	trial string
}

// told is what was logged of a kind since a time.
type told struct {
	since         time.Time
	lines, unsaid int
}

func newLogger(log *slog.Logger) *logger { return &logger{Logger: log, told: map[string]*told{}} }

func (l *logger) Noticef(format string, v ...any) { l.Debug(fmt.Sprintf(format, v...)) }
func (l *logger) Warnf(format string, v ...any)   { l.tell(slog.LevelWarn, format, v) }
func (l *logger) Errorf(format string, v ...any)  { l.tell(slog.LevelError, format, v) }
func (l *logger) Fatalf(format string, v ...any)  { l.Error(fmt.Sprintf(format, v...)) }
func (l *logger) Debugf(format string, v ...any)  { l.Debug(fmt.Sprintf(format, v...)) }
func (l *logger) Tracef(format string, v ...any)  { l.Debug(fmt.Sprintf(format, v...)) }

// said are the parts of a line that a client chooses, and the connection from which it comes.
var said = regexp.MustCompile(`^\S+ - [a-z]+:\d+|"(?:[^"\\]|\\.)*"|\d+`)

// tell logs a line, if there were not too many of its kind. What clients choose makes no other kind.
func (l *logger) tell(level slog.Level, format string, v []any) {
	text := fmt.Sprintf(format, v...)
	if l.isTrial(text) {
		l.Debug(text)
		return
	}
	more, tells := l.heed(said.ReplaceAllString(text, ""), time.Now())
	switch {
	case !tells:
	case more > 0:
		l.Log(context.Background(), level, text, "more_like_it", more)
	default:
		l.Log(context.Background(), level, text)
	}
}

// tries has what is refused to clients with a mark be no news, until it is called with "".
func (l *logger) tries(mark string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trial = mark
}

func (l *logger) isTrial(text string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.trial != "" && strings.Contains(text, l.trial)
}

// heed says whether a line of a kind is logged, and how many were not since the last one.
func (l *logger) heed(kind string, now time.Time) (more int, tells bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.told[kind]
	if t == nil {
		if len(l.told) >= mostKinds {
			kind = ""
		}
		if t = l.told[kind]; t == nil {
			t = &told{since: now}
			l.told[kind] = t
		}
	}
	if now.Sub(t.since) >= quietFor {
		more = t.unsaid
		*t = told{since: now}
	}
	if t.lines == oftenTold {
		t.unsaid++
		return 0, false
	}
	t.lines++
	return more, true
}
