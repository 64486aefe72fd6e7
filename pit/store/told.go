package store

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// Told is what a table's health says of its journal, and what the pit heard meanwhile.
type Told struct {
	// Head is the end of the journal.
	Head topic.Head
	// Boot is the start of the table's program.
	Boot uint64
	// Acknowledged is the last event that the broker has, by the table's word, and Heard the last one that the pit has
	// heard itself, without one missing since what was told before.
	Acknowledged, Heard uint64
	// Away is the record after which the journal's folder begins.
	Away uint64
	// Began is what the journal said when the program started, nil where it does not tell.
	Began *topic.Began
	At    time.Time
	// Watched says that the pit has been connected since the table told something before.
	Watched bool
}

// UnseenError is a change of a journal that no start of the table's program told of: it was made while none ran, or
// right before one ended.
type UnseenError struct {
	Table   topic.Table
	Journal string
	// Boot is the start that found it, and Kind one of the Unseen kinds.
	Boot uint64
	Kind string
	// Was is what was told and heard before, and Is what the journal said.
	Was, Is uint64
}

// The kinds of findings of what nobody saw happen.
const (
	// UnseenCursor are events that the broker has by the journal's word, and that the pit did not hear.
	UnseenCursor = "unseen-cursor"
	// UnseenAway are records that are not in the folder any more.
	UnseenAway = "unseen-away"
)

var unseenTexts = map[string]string{
	UnseenCursor: "says that the broker has the events %d to %d, and they were not sent: " +
		"have them sent again with sabot journal republish",
	UnseenAway: "lacks the records %d to %d, and no start of the table said that it moves them away: " +
		"look for them in the archive",
}

func (e *UnseenError) Error() string {
	return fmt.Sprintf("at start %d the journal %s of table %s "+unseenTexts[e.Kind]+
		"; find out who had the table's disk, and run sabot journal audit --witness", e.Boot, e.Journal, e.Table,
		e.Was+1, e.Is)
}

// Told keeps what a start of a table's program said last. A *UnseenError says that the journal was changed between
// what one start said last and the next one, while the pit could see it. It is a finding, too.
func (s *Store) Told(ctx context.Context, table topic.Table, t Told) error {
	return s.do(ctx, func(w *writer) error { return w.told(table, &t) })
}

// said is what a start said last; began is negative where it did not tell what is away.
type said struct {
	boot, acknowledged, heard, away uint64
	began, at                       int64
}

func (w *writer) told(table topic.Table, t *Told) error {
	k, err := w.keeper(table)
	if err != nil {
		return err
	}
	last, err := w.saidBefore(k, t.Head.ID)
	switch {
	case err != nil:
		return err
	case last != nil && (t.Boot < last.boot || t.Boot == last.boot && t.At.UnixNano() < last.at):
		return nil // brokers repeat messages
	case last != nil && t.Boot > last.boot:
		if err := w.saidLast(k, t, last); err != nil {
			return err
		}
	}
	if last != nil && t.Boot == last.boot { // a publisher may go back, and send events again
		t.Acknowledged, t.Heard = max(t.Acknowledged, last.acknowledged), max(t.Heard, last.heard)
		t.Away = max(t.Away, last.away)
	}
	if err := w.say(k, t, last); err != nil || last == nil || t.Boot == last.boot || !t.Watched || t.Began == nil {
		return err
	}
	err = w.unseen(k, t, UnseenCursor, max(last.acknowledged, last.heard, t.Heard), t.Began.Acknowledged)
	if last.began < 0 {
		return err
	}
	return cmp.Or(w.unseen(k, t, UnseenAway, last.away, t.Began.Away), err)
}

// saidBefore is what the last start said last of a journal, nil if none did.
func (w *writer) saidBefore(k *keeper, journal string) (*said, error) {
	if j := k.journals[journal]; j != nil && j.said != nil {
		return j.said, nil
	}
	var last said
	known, err := w.row(`SELECT boot, acknowledged, heard, away, began_away, at FROM told
		WHERE place = $1 AND journal = $2 ORDER BY boot DESC LIMIT 1`, []any{k.place, journal},
		[]any{&last.boot, &last.acknowledged, &last.heard, &last.away, &last.began, &last.at})
	if !known {
		return nil, err
	}
	return &last, err
}

// saidLast ends what a start said: the next one was heard.
func (w *writer) saidLast(k *keeper, t *Told, last *said) error {
	heard := last.heard
	if t.Watched {
		heard = max(heard, t.Heard)
	}
	return w.exec(`UPDATE told SET watched = $1, heard = $2 WHERE place = $3 AND journal = $4 AND boot = $5`,
		t.Watched, heard, k.place, t.Head.ID, last.boot)
}

// say keeps what a start says now, after what was said last.
func (w *writer) say(k *keeper, t *Told, last *said) error {
	began := [2]int64{-1, -1}
	if b := t.Began; b != nil {
		began = [2]int64{int64(b.Acknowledged), int64(b.Away)}
	}
	if j := k.journals[t.Head.ID]; j != nil {
		now := said{t.Boot, t.Acknowledged, t.Heard, t.Away, began[1], t.At.UnixNano()}
		if last != nil && t.Boot == last.boot {
			now.began = last.began // it began once
		}
		j.said = &now
	}
	return w.exec(`INSERT INTO told
		(place, journal, boot, record, acknowledged, heard, away, began_acknowledged, began_away, at, watched)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (place, journal, boot) DO UPDATE SET
			record = excluded.record, acknowledged = excluded.acknowledged, heard = excluded.heard,
			away = excluded.away, at = excluded.at`,
		k.place, t.Head.ID, t.Boot, t.Head.Record, t.Acknowledged, t.Heard, t.Away, began[0], began[1],
		t.At.UnixNano(), false)
}

func (w *writer) unseen(k *keeper, t *Told, kind string, was, is uint64) error {
	if is <= was {
		return nil
	}
	return w.finds(k, t.Head.ID, kind, is, &UnseenError{
		Table: k.table, Journal: t.Head.ID, Boot: t.Boot, Kind: kind, Was: was, Is: is,
	})
}
