package store

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// Records that a table did not have are a gap. When its journal has them later, as after a part
// came back from the archive, they are kept where they belong, and the table's figures are made
// anew: the rounds around the gap can be counted then.

// gapRow is a gap that is kept.
type gapRow struct {
	first, last uint64
	why, what   string
	// setUp and rules are those in force after it.
	setUp, rules string
}

func gapsOf(ctx context.Context, from queryer, id int64) (gaps []gapRow, err error) {
	err = eachRow(ctx, from, `SELECT first, last, why, what, setup, rules FROM gap WHERE journal = $1 ORDER BY first`,
		[]any{id}, func(scan scan) error {
			var g gapRow
			err := scan(&g.first, &g.last, &g.why, &g.what, &g.setUp, &g.rules)
			gaps = append(gaps, g)
			return err
		})
	return gaps, err
}

// refillGaps keeps what a folder has of records that are gaps.
func (s *Store) refillGaps(ctx context.Context, table topic.Table, r *journal.Reader) error {
	kept, err := s.Records(ctx, table, r.ID())
	if errors.Is(err, ErrUnknown) {
		return nil
	}
	if err != nil {
		return err
	}
	gaps, err := gapsOf(ctx, s.read, kept.id)
	for _, gap := range gaps {
		if err == nil && gap.why != journal.GapUnused {
			err = s.refillGap(ctx, table, r, gap)
		}
	}
	return err
}

// refillGap keeps what a folder has of one gap. Records of one start that follow each other are
// one batch, so that figures are recomputed once for them.
func (s *Store) refillGap(ctx context.Context, table topic.Table, r *journal.Reader, gap gapRow) error {
	var open *Batch
	keep := func() error {
		if open == nil {
			return nil
		}
		b := open
		open = nil
		_, err := s.Append(ctx, b)
		return err
	}
	for stretch, err := range stretches(r, gap.first-1) {
		if err != nil {
			return err
		}
		b := &Batch{Table: table, Journal: r.ID(), Stretch: stretch}
		records, err := b.records()
		if err != nil {
			return err
		}
		if len(records) == 0 || records[0].Seq > gap.last {
			break
		}
		beyond := slices.IndexFunc(records, func(rec journal.Record) bool { return rec.Seq > gap.last })
		if beyond >= 0 {
			b.Frames = b.Frames[:beyond]
		}
		if open != nil && b.Gap == nil && b.Boot == open.Boot {
			open.Frames, open.Seals = append(open.Frames, b.Frames...), append(open.Seals, b.Seals...)
			for fingerprint, text := range b.Rules {
				open.Rules[fingerprint] = text
			}
		} else {
			if err := keep(); err != nil {
				return err
			}
			open = b
		}
		if beyond >= 0 {
			break
		}
	}
	return keep()
}

// fill keeps those of the records that are gaps.
func (w *writer) fill(k *keeper, j *kept, b *Batch, records []journal.Record) error {
	gaps, err := gapsOf(w.ctx, w.after(), j.id)
	if err != nil {
		return err
	}
	filled := false
	for _, gap := range gaps {
		from := max(gap.first, records[0].Seq)
		to := min(gap.last, records[len(records)-1].Seq)
		if from > to {
			continue
		}
		at := from - records[0].Seq
		part := records[at : to-records[0].Seq+1]
		if err := w.fillGap(j, gap, b, part, b.Frames[at:]); err != nil {
			return err
		}
		filled = true
	}
	if !filled {
		return nil
	}
	if err := w.refold(j); err != nil {
		return err
	}
	return w.rebuild(k.table)
}

// fillGap keeps records of one gap, and leaves what is missing before and after them as gaps.
func (w *writer) fillGap(j *kept, gap gapRow, b *Batch, records []journal.Record, frames [][]byte) error {
	first, last := records[0].Seq, records[len(records)-1].Seq
	if err := w.exec(`DELETE FROM gap WHERE journal = $1 AND first = $2`, j.id, gap.first); err != nil {
		return err
	}
	insert := func(g gapRow) error {
		return w.exec(`INSERT INTO gap (journal, first, last, why, what, setup, rules) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			j.id, g.first, g.last, g.why, g.what, g.setUp, g.rules)
	}
	if first > gap.first {
		before := gapRow{first: gap.first, last: first - 1, why: gap.why, what: gap.what, rules: b.InForce}
		if b.SetUp != nil {
			before.setUp = string(b.SetUp.Input)
		}
		if err := insert(before); err != nil {
			return err
		}
	}
	if last < gap.last {
		after := gap
		after.first = last + 1
		if err := insert(after); err != nil {
			return err
		}
	}
	if err := w.fillBoots(j, b, first, last); err != nil {
		return err
	}
	return w.fillStretches(j, b, records, frames)
}

// fillBoots notes which start wrote the records.
func (w *writer) fillBoots(j *kept, b *Batch, first, last uint64) error {
	const note = `INSERT INTO boot (journal, first, boot, program) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`
	var boot uint64
	var program string
	known, err := w.row(`SELECT boot, program FROM boot WHERE journal = $1 AND first <= $2 ORDER BY first DESC LIMIT 1`,
		[]any{j.id, first}, []any{&boot, &program})
	if err != nil || known && boot == b.Boot {
		return err
	}
	if known { // the start that was taken for theirs continues after them
		if err := w.exec(note, j.id, last+1, boot, program); err != nil {
			return err
		}
	}
	return w.exec(note, j.id, first, b.Boot, b.Program)
}

// fillStretches writes the records, those of a round together.
func (w *writer) fillStretches(j *kept, b *Batch, records []journal.Record, frames [][]byte) error {
	c := counter{fold: tally.Resume(tally.Kept{}), houses: j.houses}
	var setUp []byte
	if b.SetUp != nil {
		setUp = b.SetUp.Input
	}
	if err := c.passOver(setUp, b.InForce); err != nil {
		return err
	}
	var open packing
	for i := range records {
		step, err := c.count(&records[i])
		if err != nil {
			return err
		}
		open.add(frames[i])
		if step.Ended == nil && !open.full() && i+1 < len(records) {
			continue
		}
		err = w.exec(`INSERT INTO stretch (journal, first, last, frames) VALUES ($1, $2, $3, $4)`,
			j.id, records[i].Seq+1-uint64(open.frames), records[i].Seq, open.closed())
		if err != nil {
			return err
		}
		open = packing{}
	}
	return nil
}

// refold has the tally of a journal know what it knows after all of its records.
func (w *writer) refold(j *kept) error {
	if j.open.frames > 0 { // the fold reads them from the database
		if err := w.stretch(j, j.open.open()); err != nil {
			return err
		}
	}
	f, err := w.forkBefore(j, j.head+1)
	if err != nil {
		return err
	}
	text, err := json.Marshal(f.state)
	if err != nil {
		return err
	}
	if err := w.exec(`UPDATE journal SET kept = $1, kept_at = $2, unread = $3 WHERE id = $4`, string(text), f.last,
		f.unread, j.id); err != nil {
		return err
	}
	again := *j
	again.state, again.stateAt, again.open, again.counter = string(text), f.last, packing{},
		counter{houses: j.houses, unread: f.unread}
	if err := w.resume(&again); err != nil {
		return err
	}
	*j = again
	w.touched[j] = true
	return nil
}
