package nights

import (
	"context"
	"crypto/ed25519"
	"errors"
	"time"

	"github.com/sabot-table/sabot/table/journal"
)

// Writing says how a table's nights are written.
type Writing struct {
	// Program writes the journal, as its parts say.
	Program string
	// Key seals it; nil for none. There is a seal with each write, which has many rounds.
	Key ed25519.PrivateKey
	// DayBegins is when a gaming day begins.
	DayBegins time.Duration
	// Published is the publisher that has sent all events, as in those nights it did; "" for none.
	Published string
}

// Write deals a table's nights into a new journal in the folder at path, which a table then continues. It writes many
// rounds at once, so that it takes no night.
func (p Plan) Write(ctx context.Context, at int, path string, w Writing) (dealt Dealt, err error) {
	clock := p.hours(at, 0).opens.Add(-time.Hour)
	j, err := journal.Open(path, journal.Options{
		Program: w.Program, Key: w.Key, DayBegins: w.DayBegins, Now: func() time.Time { return clock },
	})
	if err != nil {
		return dealt, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	dealt, err = p.Deal(ctx, at, &clocked{j, &clock})
	if err != nil || w.Published == "" {
		return dealt, err
	}
	_, next := j.Next()
	return dealt, j.SetCursor(w.Published, next-1)
}

// clocked is a journal whose clock is that of the last entry.
type clocked struct {
	*journal.Journal
	clock *time.Time
}

func (c *clocked) Append(entries []journal.Entry) error {
	*c.clock = time.Unix(0, entries[len(entries)-1].At)
	return c.Journal.Append(entries)
}
