package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Spot is a column and a row of a room, from 1.
type Spot struct{ X, Y int }

// Room is where the tiles of tables were put, by their names as topic.Table writes them.
func (s *Store) Room(ctx context.Context) (map[string]Spot, error) {
	room := map[string]Spot{}
	err := eachRow(ctx, s.read, `SELECT name, x, y FROM room`, nil, func(scan func(...any) error) error {
		var name string
		var at Spot
		err := scan(&name, &at.X, &at.Y)
		room[name] = at
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("how the room is arranged: %w", err)
	}
	return room, nil
}

// PutRoom keeps where they were put, instead of all that was kept before.
func (s *Store) PutRoom(ctx context.Context, room map[string]Spot) error {
	err := s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM room`); err != nil {
			return err
		}
		for name, at := range room {
			if _, err := tx.ExecContext(ctx, `INSERT INTO room (name, x, y) VALUES ($1, $2, $3)`, name, at.X, at.Y); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep how the room is arranged: %w", err)
	}
	return nil
}
