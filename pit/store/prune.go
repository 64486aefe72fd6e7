package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// mostPruned is how many stretches one transaction removes, so that new records do not wait long.
const mostPruned = 1000

// prune removes the records, rounds, irregularities and seals of gaming days before a site's date, and the
// alerts that were over by then. The sums of those days stay, and so does where each journal is:
// nothing is asked for again. The tables' journals still have the records.
// The site "" is what is of the pit itself; the date 0 removes nothing.
func (s *Store) prune(ctx context.Context, before func(site string) Date) error {
	tables, err := s.Tables(ctx)
	if err != nil {
		return err
	}
	for _, table := range tables {
		for more := true; more; {
			err := s.do(ctx, func(w *writer) (err error) {
				more, err = w.prune(table, before(table.Site()))
				return err
			})
			if errors.Is(err, ErrElsewhere) {
				break // its own node does
			}
			if err != nil {
				return err
			}
		}
	}
	return s.do(ctx, func(w *writer) error {
		if err := w.alone(); err != nil {
			return err
		}
		return w.pruneAlerts(before)
	})
}

// pruneAlerts removes the alerts that were over before a site's date.
func (w *writer) pruneAlerts(before func(site string) Date) error {
	var gone []string
	const ended = `SELECT id, tile, over FROM alert WHERE over > 0`
	err := eachRow(w.ctx, w.after(), ended, nil, func(scan scan) error {
		var id, tile string
		var over int64
		if err := scan(&id, &tile, &over); err != nil {
			return err
		}
		site, _, _ := strings.Cut(tile, "/")
		if date := before(site); date > 0 && over < w.store.day.Start(date).UnixNano() {
			gone = append(gone, id)
		}
		return nil
	})
	for _, id := range gone {
		if err == nil {
			err = w.exec(`DELETE FROM alert WHERE id = $1`, id)
		}
	}
	return err
}

// prune removes a few stretches of a table, and reports whether there are more.
func (w *writer) prune(table topic.Table, before Date) (more bool, err error) {
	k, err := w.keeper(table)
	if err != nil {
		return false, err
	}
	if err := w.exec(`UPDATE place SET pruned = $1 WHERE id = $2 AND pruned < $1`, int64(before),
		k.place); err != nil {
		return false, err
	}
	names, err := column[string](w.ctx, w.after(), `SELECT name FROM journal WHERE place = $1 ORDER BY id`, k.place)
	for _, name := range names {
		if err == nil && !more {
			more, err = w.pruneJournal(k, name, before)
		}
	}
	return more, err
}

// Of a tray, the last count in the journal that the table writes now stays with what came after it, and so does what
// was sold since the box was put there, and a slip that is under way: what must be in it and in its box. What was sold
// into a box that went with a tray stays as long as that tray's day. A count behind which records are missing goes with
// the note that they are.
const (
	countKept = `coalesce((SELECT max(c.record) FROM tray_event c JOIN place p ON p.journal = c.journal
		WHERE c.journal = $1 AND c.kind = 'count' AND NOT EXISTS (SELECT 1 FROM gap g
			WHERE g.journal = $1 AND g.last > c.record AND g.last <= $2 AND g.why <> 'unused')), $2 + 1)`
	stays = `(EXISTS (SELECT 1 FROM place p WHERE p.journal = $1
		AND (e.kind = 'buy-in' AND ` + inBox + ` OR ` + underWay + `)) OR ` + soldToGone + `)`
	soldToGone = `(e.kind = 'buy-in' AND e.record > coalesce((SELECT max(d.record) FROM tray_event d
		WHERE d.journal = $1 AND d.kind = 'drop' AND d.record <= $2), 0)
		AND EXISTS (SELECT 1 FROM tray_gone o WHERE o.journal = $1 AND o.record > $2))`
	pruneEvents = `DELETE FROM tray_event AS e WHERE journal = $1 AND record <= $2 AND record < ` + countKept +
		` AND NOT ` + stays
	pruneGone       = `DELETE FROM tray_gone WHERE journal = $1 AND record <= $2 AND record < ` + countKept
	pruneTrayRounds = `DELETE FROM tray_round WHERE journal = $1 AND last <= $2 AND last < ` + countKept
)

func (w *writer) pruneJournal(k *keeper, name string, before Date) (more bool, err error) {
	j, err := w.journal(k, name)
	if err != nil || j == nil {
		return false, err
	}
	last, state, more, err := w.prunable(j, before)
	if err != nil || last == 0 {
		return false, err
	}
	for _, remove := range [...]string{
		pruneEvents, pruneTrayRounds, pruneGone,
		`DELETE FROM stretch WHERE journal = $1 AND last <= $2`, `DELETE FROM gap WHERE journal = $1 AND last <= $2`,
		`DELETE FROM seal WHERE journal = $1 AND record <= $2`, `DELETE FROM round WHERE journal = $1 AND last <= $2`,
		`DELETE FROM irregularity WHERE journal = $1 AND record <= $2`,
		`DELETE FROM adjusted WHERE journal = $1 AND record <= $2`,
	} {
		if err := w.exec(remove, j.id, last); err != nil {
			return false, err
		}
	}
	if err := w.pruneMeters(k, j, last); err != nil {
		return false, err
	}
	if j.stateAt < last { // what came after the last round is removed, too
		j.state, j.stateAt = state, last
		w.touched[j] = true
	}
	err = w.exec(`UPDATE journal SET pruned = $1, before = $2 WHERE id = $3`, last, state, j.id)
	return more, err
}

// prunable finds the last stretch that ends before a gaming day and between two rounds, what the
// tally knew after it, and whether there may be more. It is 0 for none.
func (w *writer) prunable(j *kept, before Date) (last uint64, state string, more bool, err error) {
	var pruned uint64
	var was string
	if _, err := w.row(`SELECT pruned, before FROM journal WHERE id = $1`, []any{j.id},
		[]any{&pruned, &was}); err != nil {
		return 0, "", false, err
	}
	c := counter{houses: j.houses}
	if c.fold, err = resumed(was); err != nil {
		return 0, "", false, err
	}
	gaps, err := gapsOf(w.ctx, w.after(), j.id)
	if err != nil {
		return 0, "", false, err
	}
	ends, err := w.ends(j, pruned)
	if err != nil {
		return 0, "", false, err
	}
	for rec, err := range w.store.records(w.ctx, w.after(), j.id, pruned+1) {
		if err != nil {
			return 0, "", false, err
		}
		if rec.Seq > j.closed || w.store.day.Of(time.Unix(0, rec.At)) >= before {
			return last, state, false, nil
		}
		if gaps, err = c.passGaps(gaps, pruned, rec.Seq); err != nil {
			return 0, "", false, err
		}
		if _, err := c.count(&rec.Record); err != nil {
			return 0, "", false, err
		}
		if kept, between := c.fold.Kept(); between && ends[rec.Seq] {
			text, err := json.Marshal(kept)
			if err != nil {
				return 0, "", false, err
			}
			last, state = rec.Seq, string(text)
		}
		if delete(ends, rec.Seq); len(ends) == 0 {
			return last, state, last != 0, nil
		}
	}
	return last, state, false, nil
}

// ends are the last records of the first stretches after a record.
func (w *writer) ends(j *kept, after uint64) (map[uint64]bool, error) {
	return w.setOf(`SELECT last FROM stretch WHERE journal = $1 AND first > $2 ORDER BY first LIMIT $3`, j.id, after,
		mostPruned)
}

// setOf is what a query finds, of one column.
func (w *writer) setOf(query string, args ...any) (map[uint64]bool, error) {
	list, err := column[uint64](w.ctx, w.after(), query, args...)
	set := map[uint64]bool{}
	for _, one := range list {
		set[one] = true
	}
	return set, err
}

// retain removes what is older than so many gaming days, now and once an hour; sites may have a number of their own.
func (s *Store) retain(days int, sites map[string]int) {
	defer s.retaining.Done()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-s.closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	for {
		today := s.day.Of(time.Now())
		before := func(site string) Date {
			if n := cmp.Or(sites[site], days); n > 0 {
				return today.Add(-n)
			}
			return 0
		}
		if err := s.prune(ctx, before); err != nil && ctx.Err() == nil {
			s.log.Error("old records were not removed from the pit's store; it tries again in an hour", "error", err)
		}
		select {
		case <-s.closing:
			return
		case <-time.After(time.Hour):
		}
	}
}
