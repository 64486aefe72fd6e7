package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
)

// Rebuild recomputes all figures of a table from its records: after the gaming day was set
// otherwise, or if Compare has found a difference. Sums of days whose records were removed stay
// as they are. The table's new records wait meanwhile.
func (s *Store) Rebuild(ctx context.Context, table topic.Table) error {
	return s.do(ctx, func(w *writer) error { return w.rebuild(table) })
}

func (w *writer) rebuild(table topic.Table) error {
	// What others have changed in this transaction must not be added to what is recomputed.
	if err := w.flush(); err != nil {
		return err
	}
	w.changes = newChanges()
	k, err := w.keeper(table)
	if err != nil {
		return err
	}
	if w.store.postgres { // another sabot-pit that writes to the table's journals waits
		if err := w.exec(`SELECT id FROM journal WHERE place = $1 FOR UPDATE`, k.place); err != nil {
			return err
		}
	}
	since, err := prunedBefore(w.ctx, w.after(), k.place)
	if err != nil {
		return err
	}
	c, err := w.store.derive(w.ctx, w.after(), k.place, since)
	if err != nil {
		return err
	}
	for i := range derived {
		if err := w.exec(`DELETE FROM `+derived[i].table+` WHERE place = $1 AND day >= $2`, k.place,
			int64(since)); err != nil {
			return err
		}
	}
	w.changes = *c
	if err := w.flush(); err != nil {
		return err
	}
	w.changes = newChanges()
	return nil
}

func prunedBefore(ctx context.Context, from queryer, place int64) (since Date, err error) {
	err = oneRow(ctx, from, `SELECT pruned FROM place WHERE id = $1`, []any{place}, &since)
	return since, err
}

// derive makes the figures of a table from its records, of the gaming days since one.
func (s *Store) derive(ctx context.Context, from queryer, place int64, since Date) (*changes, error) {
	c := newChanges()
	c.since = since
	journals, err := rowsAs(ctx, from, func(s scan) (j kept, err error) {
		err = s(&j.id, &j.stateAt, &j.state)
		return j, err
	}, `SELECT id, pruned, before FROM journal WHERE place = $1 ORDER BY id`, place)
	for i := range journals {
		if err == nil {
			err = s.deriveJournal(ctx, from, place, &journals[i], &c)
		}
	}
	if err == nil {
		err = c.leaveCounted(ctx, from, place)
	}
	c.adjustTheirs()
	c.adjustOthers()
	c.right()
	c.only(since)
	return &c, err
}

func (s *Store) deriveJournal(ctx context.Context, from queryer, place int64, j *kept, c *changes) (err error) {
	if j.fold, err = resumed(j.state); err != nil {
		return err
	}
	j.houses.text = func(fingerprint string) ([]byte, error) { return rulesText(ctx, from, fingerprint) }
	gaps, err := gapsOf(ctx, from, j.id)
	if err != nil {
		return err
	}
	for rec, err := range s.records(ctx, from, j.id, j.stateAt+1) {
		if err != nil {
			return err
		}
		if gaps, err = j.passGaps(gaps, j.stateAt, rec.Seq); err != nil {
			return err
		}
		step, err := j.count(&rec.Record)
		if err != nil {
			return err
		}
		c.step(s.day, place, j.id, &j.counter, &step)
	}
	return nil
}

// passGaps passes over the gaps before a record, but for those up to the record after, which is
// where the fold began. It returns the others.
func (c *counter) passGaps(gaps []gapRow, after, seq uint64) ([]gapRow, error) {
	for len(gaps) > 0 && gaps[0].last < seq {
		if gaps[0].first > after {
			if err := c.passOver([]byte(gaps[0].setUp), gaps[0].rules); err != nil {
				return nil, err
			}
		}
		gaps = gaps[1:]
	}
	return gaps, nil
}

// right notes in the irregularities how they were put right.
func (c *changes) right() {
	type name struct {
		journal int64
		record  uint64
		nth     int
	}
	at := map[name]int{}
	for i, r := range c.irregular {
		at[name{r.journal, r.Record, r.Nth}] = i
	}
	for _, r := range c.righted {
		if i, ok := at[name{r.journal, r.Record, r.Nth}]; ok {
			c.irregular[i].Irregularity = r.Irregularity
		}
	}
	c.righted = nil
}

// only drops what is of gaming days before one.
func (c *changes) only(since Date) {
	c.rounds = slices.DeleteFunc(c.rounds, func(r roundRow) bool { return r.day < since })
	c.irregular = slices.DeleteFunc(c.irregular, func(r irregularRow) bool { return r.day < since })
	c.trays = slices.DeleteFunc(c.trays, func(r trayRow) bool { return r.day < since })
	c.gone = slices.DeleteFunc(c.gone, func(r trayRow) bool { return r.day < since })
	maps.DeleteFunc(c.sums, func(key sumKey, _ tally.Sums) bool { return key.day < since })
}

// moment is a look at the store as it is at one moment, whatever is written meanwhile.
func (s *Store) moment(ctx context.Context) (*sql.Tx, error) {
	options := &sql.TxOptions{ReadOnly: true}
	if s.postgres {
		options.Isolation = sql.LevelRepeatableRead // SQLite's are so anyway
	}
	return s.read.BeginTx(ctx, options)
}

// Compare recomputes all figures from the records, and returns where those that are kept differ:
// one text for each row that is missing or too many. The pit may go on meanwhile. Progress, if
// not nil, is called with how many tables are done.
func (s *Store) Compare(ctx context.Context, progress func(done, tables int)) (differ []string, err error) {
	tx, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was changed
	places, err := s.places(ctx)
	done := 0
	for place, table := range places {
		if err == nil {
			err = s.compareTable(ctx, tx, place, table, &differ)
		}
		if done++; progress != nil {
			progress(done, len(places))
		}
	}
	slices.Sort(differ)
	return differ, err
}

func (s *Store) compareTable(ctx context.Context, tx *sql.Tx, place int64, table topic.Table, differ *[]string) error {
	since, err := prunedBefore(ctx, tx, place)
	if err != nil {
		return err
	}
	c, err := s.derive(ctx, tx, place, since)
	if err != nil {
		return err
	}
	if err := c.leaveUnlaid(ctx, tx, place, table, differ); err != nil {
		return err
	}
	by := knownIDs(ctx, tx)
	for i := range derived {
		d := &derived[i]
		rows, err := d.rows(c, by)
		if err != nil {
			return err
		}
		want := map[string]int{}
		for _, row := range rows {
			want[rowText(row)]++
		}
		err = eachRow(ctx, tx, `SELECT `+d.columns()+` FROM `+d.table+` WHERE place = $1 AND day >= $2`,
			[]any{place, int64(since)}, func(scan scan) error {
				row, into := make([]any, strings.Count(d.columns(), ",")+1), []any(nil)
				for i := range row {
					into = append(into, &row[i])
				}
				if err := scan(into...); err != nil {
					return err
				}
				want[rowText(row)]--
				return nil
			})
		if err != nil {
			return err
		}
		for row, n := range want {
			switch {
			case n > 0:
				*differ = append(*differ, fmt.Sprintf("table %s: %s lacks %s (%s)", table, d.table, row, d.columns()))
			case n < 0:
				*differ = append(*differ,
					fmt.Sprintf("table %s: %s has %s (%s), which does not follow from the records", table, d.table, row,
						d.columns()))
			}
		}
	}
	return nil
}

// knownIDs find ids as they are kept; what has none has 0, so that its rows are missing, and said to be.
func knownIDs(ctx context.Context, tx *sql.Tx) ids {
	find := func(table, columns string, values ...any) (id int64, err error) {
		err = tx.QueryRowContext(ctx, idOf(table, columns), values...).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return 0, nil
		}
		return id, err
	}
	return idsBy(find, map[sheet]int64{}, map[string]int64{})
}

// idsBy finds ids by the values of a row's columns, and remembers them.
func idsBy(find func(table, columns string, values ...any) (int64, error), sheets map[sheet]int64,
	kinds map[string]int64,
) ids {
	return ids{
		remember(sheets, func(of sheet) (int64, error) {
			return find("sheet", "house, game, currency, rules", of.house, of.game, of.currency, of.rules)
		}),
		remember(kinds, func(name string) (int64, error) { return find("wager_kind", "name", name) }),
	}
}

func remember[K comparable, V any](known map[K]V, find func(K) (V, error)) func(K) (V, error) {
	return func(of K) (V, error) {
		if id, ok := known[of]; ok {
			return id, nil
		}
		id, err := find(of)
		if err == nil {
			if len(known) >= mostKnown {
				clear(known)
			}
			known[of] = id
		}
		return id, err
	}
}

// mostKnown is how many of a kind are remembered, such as signers: each table has one, and whoever may write to the
// broker names as many as they like.
const mostKnown = 10_000

func rowText(row []any) string {
	var b strings.Builder
	for i, v := range row {
		if i > 0 {
			b.WriteString(" | ")
		}
		switch value := v.(type) {
		case []byte:
			v = string(value)
		case float64: // sums of squares, whose last digit depends on what was added first
			v = strconv.FormatFloat(value, 'g', 12, 64)
		}
		fmt.Fprint(&b, v)
	}
	return b.String()
}
