package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
)

// queryer is a database, or a transaction on it.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// keptRecord is a record as it is kept.
type keptRecord struct {
	journal.Record
	text []byte
}

// stretchOf finds the stretch that holds a record, or the next one after it. While records are
// yielded, more may come into the stretch that they were read from.
const stretchOf = `SELECT last, frames FROM stretch WHERE journal = $1 AND last >= $2
	AND first >= (SELECT coalesce(max(first), 0) FROM stretch WHERE journal = $1 AND first <= $2) ORDER BY first LIMIT 1`

// records yields the records of a journal from a number on, in order, one stretch at a time.
// Missing records are skipped.
func (s *Store) records(ctx context.Context, from queryer, id int64, first uint64) iter.Seq2[keptRecord, error] {
	return func(yield func(keptRecord, error) bool) {
		boots, err := boots(ctx, from, id)
		for next := first; err == nil; {
			var last uint64
			var frames []byte
			err = oneRow(ctx, from, stretchOf, []any{id, next}, &last, &frames)
			if errors.Is(err, sql.ErrNoRows) {
				return
			}
			if err != nil {
				break
			}
			var more bool
			if next, more, err = each(frames, next, last, boots, yield); !more {
				return
			}
		}
		yield(keptRecord{}, fmt.Errorf("read the pit's records: %w", err))
	}
}

// each yields the records of a stretch from a number on, up to its last one. Each of its pieces may be sound, and some
// missing.
func each(frames []byte, first, last uint64, boots []bootRow, yield func(keptRecord, error) bool) (next uint64,
	more bool, err error,
) {
	texts, err := unpack(frames)
	if err != nil {
		return 0, true, err
	}
	for _, text := range texts {
		rec, err := journal.ParseRecord(text)
		if err != nil {
			return 0, true, err
		}
		next = rec.Seq + 1
		if rec.Seq < first {
			continue
		}
		rec.Boot = bootOf(boots, rec.Seq)
		if !yield(keptRecord{rec, text}, nil) {
			return next, false, nil
		}
	}
	if next != last+1 {
		return 0, true, fmt.Errorf("a stretch of records cannot be read: it does not end with record %d", last)
	}
	return next, true, nil
}

// RulesText is the text of rules that were played, by their fingerprint; nil if no table has sent it.
func (s *Store) RulesText(ctx context.Context, fingerprint string) (text []byte, err error) {
	defer about(&err, "read the rules %s", fingerprint)
	return rulesText(ctx, s.fixed, fingerprint)
}

func rulesText(ctx context.Context, from queryer, fingerprint string) (text []byte, err error) {
	err = oneRow(ctx, from, `SELECT content FROM rules WHERE fingerprint = $1`, []any{fingerprint}, &text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return text, err
}

type bootRow struct{ first, boot uint64 }

func boots(ctx context.Context, from queryer, id int64) ([]bootRow, error) {
	return rowsAs(ctx, from, func(s scan) (b bootRow, err error) {
		err = s(&b.first, &b.boot)
		return b, err
	}, `SELECT first, boot FROM boot WHERE journal = $1 ORDER BY first`, id)
}

func bootOf(boots []bootRow, seq uint64) (boot uint64) {
	for _, b := range boots {
		if b.first <= seq {
			boot = b.boot
		}
	}
	return boot
}

// scan reads the columns of a row.
type scan = func(into ...any) error

// eachRow calls visit for each row of a query.
func eachRow(ctx context.Context, from queryer, query string, args []any, visit func(scan) error) error {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := visit(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// oneRow reads the first row of a query. The error for none is sql.ErrNoRows.
func oneRow(ctx context.Context, from queryer, query string, args []any, into ...any) error {
	found := false
	err := eachRow(ctx, from, query, args, func(s scan) error {
		if found {
			return nil
		}
		found = true
		return s(into...)
	})
	if err == nil && !found {
		return sql.ErrNoRows
	}
	return err
}

// rowsAs are the rows of a query, each as read has it.
func rowsAs[T any](ctx context.Context, from queryer, read func(scan) (T, error), query string, args ...any) (list []T,
	err error,
) {
	err = eachRow(ctx, from, query, args, func(s scan) error {
		one, err := read(s)
		list = append(list, one)
		return err
	})
	return list, err
}

// column are the rows of a query that asks for one column.
func column[T any](ctx context.Context, from queryer, query string, args ...any) ([]T, error) {
	return rowsAs(ctx, from, func(s scan) (one T, err error) {
		err = s(&one)
		return one, err
	}, query, args...)
}

// about says in an error what could not be done.
func about(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), *err)
	}
}

// Position is the last record that is kept of the journal which a table writes now, and its
// hash; "" and zeros if nothing is kept of it.
func (s *Store) Position(ctx context.Context, table topic.Table) (journal string, record uint64, hash [32]byte,
	err error,
) {
	var sum []byte
	err = oneRow(ctx, s.fixed,
		`SELECT j.name, j.head, j.hash FROM place p JOIN journal j ON j.id = p.journal WHERE p.site = $1 AND p.name = $2`,
		[]any{table.Site(), table.Name()}, &journal, &record, &sum)
	if errors.Is(err, sql.ErrNoRows) {
		return "", 0, hash, nil
	}
	copy(hash[:], sum)
	return journal, record, hash, err
}

// Heads are the last records that are kept of the journals which the tables write now, without their hashes.
func (s *Store) Heads(ctx context.Context) (map[topic.Table]topic.Head, error) {
	heads := map[topic.Table]topic.Head{}
	err := eachRow(ctx, s.fixed,
		`SELECT j.name, j.head, p.site, p.name FROM place p JOIN journal j ON j.id = p.journal`, nil,
		func(s scan) error {
			var head topic.Head
			table, err := readTable(s, &head.ID, &head.Record)
			if err == nil {
				heads[table] = head
			}
			return err
		})
	return heads, err
}

// Doubted says whether the journal that a table writes now was found to be rewritten or rolled back, and nobody has
// accepted it since.
func (s *Store) Doubted(ctx context.Context, table topic.Table) (doubted bool, err error) {
	err = oneRow(ctx, s.fixed, `SELECT EXISTS (SELECT 1 FROM place p JOIN journal j ON j.id = p.journal
		JOIN finding f ON f.place = p.id AND f.journal = j.name AND f.kind IN ('rewritten', 'rolled-back')
		WHERE p.site = $1 AND p.name = $2 AND f.found > (SELECT coalesce(max(a.found), 0) FROM finding a
			WHERE a.place = p.id AND a.journal = j.name AND a.kind = 'accepted'))`,
		[]any{table.Site(), table.Name()}, &doubted)
	return doubted, err
}

// Journal is one journal of a table, as it is kept. It is what a recall.Recall reads.
type Journal struct {
	store *Store
	ctx   context.Context
	id    int64
	name  string
}

// Records opens what is kept of a journal, or for "" of the one that the table writes now. The
// error for one of which nothing is kept is ErrUnknown. The context is that of all reading.
func (s *Store) Records(ctx context.Context, table topic.Table, name string) (*Journal, error) {
	j := &Journal{store: s, ctx: ctx}
	err := oneRow(ctx, s.fixed, `SELECT j.id, j.name FROM place p JOIN journal j ON j.place = p.id
		WHERE p.site = $1 AND p.name = $2 AND (j.name = $3 OR $3 = '' AND j.id = p.journal)`,
		[]any{table.Site(), table.Name(), name}, &j.id, &j.name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("journal %q of table %s: %w", name, table, ErrUnknown)
	}
	return j, err
}

// ID names the journal.
func (j *Journal) ID() string { return j.name }

// Head is the last record that is kept, and its hash.
func (j *Journal) Head() (seq uint64, hash [32]byte, err error) {
	var sum []byte
	err = oneRow(j.ctx, j.store.fixed, `SELECT head, hash FROM journal WHERE id = $1`,
		[]any{j.id}, &seq, &sum)
	copy(hash[:], sum)
	return seq, hash, err
}

// Records yields the records from a number on, in order, up to the last that is kept. Where
// the first of them was removed, its error is a *journal.AwayError.
func (j *Journal) Records(from uint64) iter.Seq2[journal.Record, error] {
	return func(yield func(journal.Record, error) bool) {
		var pruned uint64
		err := oneRow(j.ctx, j.store.fixed, `SELECT pruned FROM journal WHERE id = $1`,
			[]any{j.id}, &pruned)
		if err == nil && max(from, 1) <= pruned {
			err = &journal.AwayError{Last: pruned}
		}
		if err != nil {
			yield(journal.Record{}, err)
			return
		}
		for rec, err := range j.store.records(j.ctx, j.store.fixed, j.id, max(from, 1)) {
			if !yield(rec.Record, err) || err != nil {
				return
			}
		}
	}
}

// Rules is the text of rules that were played, by their fingerprint; nil if no table has sent
// it.
func (j *Journal) Rules(fingerprint string) ([]byte, error) {
	return rulesText(j.ctx, j.store.fixed, fingerprint)
}

// SetUp is the input of a set-up, by the number of its record. The error for one that is not kept is ErrUnknown.
func (j *Journal) SetUp(seq uint64) ([]byte, error) {
	for rec, err := range j.store.records(j.ctx, j.store.fixed, j.id, max(seq, 1)) {
		if err != nil {
			return nil, err
		}
		if rec.Seq == seq {
			return rec.Input, nil
		}
		break
	}
	return nil, fmt.Errorf("the set-up in record %d of journal %s is not kept: %w", seq, j.name, ErrUnknown)
}

// SealOver is the first seal that confirms a record, nil if none does.
func (j *Journal) SealOver(seq uint64) (*journal.Seal, error) {
	seal := &journal.Seal{}
	var hash, key []byte
	err := oneRow(j.ctx, j.store.fixed,
		`SELECT s.record, s.signed, s.hash, s.signature, k.public_key FROM seal s JOIN signer k ON k.id = s.signer
		WHERE s.journal = $1 AND s.record >= $2 ORDER BY s.record, s.signed LIMIT 1`,
		[]any{j.id, seq}, &seal.Seq, &seal.At, &hash, &seal.Signature, &key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	seal.Key = key
	if copy(seal.Hash[:], hash); hash == nil {
		for rec, err := range j.store.records(j.ctx, j.store.fixed, j.id, seal.Seq) {
			seal.Hash = rec.Hash
			return seal, err
		}
	}
	return seal, nil
}
