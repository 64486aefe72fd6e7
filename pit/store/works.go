package store

import (
	"context"
	"database/sql"
	"errors"
)

// Unfit says of an error of Append or Witness whether what the table sent is to blame: nobody else wrote to the
// database, and it takes a change of another kind. So no table can have the database taken for broken, which would keep
// all others waiting.
func (s *Store) Unfit(ctx context.Context, err error) bool {
	if err == nil || errors.Is(err, errMoved) || errors.Is(err, ErrElsewhere) || ofTheLine(err) ||
		errors.Is(err, ErrClosed) || ctx.Err() != nil {
		return false
	}
	return s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		// Written to the disk as any change is; of one row, since other nodes change the others.
		_, err := tx.ExecContext(ctx, `UPDATE place SET name = name WHERE id = (SELECT min(id) FROM place)`)
		return err
	}) == nil
}
