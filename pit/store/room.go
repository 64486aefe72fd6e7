package store

import (
	"context"
	"database/sql"
	"fmt"
)

// Spot is where a table's tile lies in the room, column and row from 1.
type Spot struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// Room is where tiles were put, by the names of their tables as topic.Table writes them.
func (s *Store) Room(ctx context.Context) (map[string]Spot, error) {
	room := map[string]Spot{}
	err := eachRow(ctx, s.read, `SELECT tile, x, y FROM spot`, nil, func(scan func(...any) error) error {
		var tile string
		var at Spot
		err := scan(&tile, &at.X, &at.Y)
		room[tile] = at
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read where the tables are in the room: %w", err)
	}
	return room, nil
}

// PutRoom keeps where tiles were put, in the place of what was kept before.
func (s *Store) PutRoom(ctx context.Context, room map[string]Spot) error {
	err := s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM spot`); err != nil {
			return err
		}
		for tile, at := range room {
			if _, err := tx.ExecContext(ctx, `INSERT INTO spot (tile, x, y) VALUES ($1, $2, $3)`, tile, at.X,
				at.Y); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("keep where the tables are in the room: %w", err)
	}
	return nil
}
