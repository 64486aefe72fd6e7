package store

import (
	"context"
	"database/sql"
	"iter"
)

// What tests of this package ask a store for, and nobody else.

// Prune removes what is older than a date, at every site.
func (s *Store) Prune(ctx context.Context, before Date) error {
	return s.prune(ctx, func(string) Date { return before })
}

// DB is the database itself.
func (s *Store) DB() *sql.DB { return s.read }

// Frames yields the records as they are in the table's journal, byte for byte.
func (j *Journal) Frames(from uint64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for rec, err := range j.store.records(j.ctx, j.store.read, j.id, max(from, 1)) {
			if !yield(rec.text, err) || err != nil {
				return
			}
		}
	}
}
