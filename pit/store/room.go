package store

import (
	"context"
	"database/sql"
)

// Spot is where a table's tile lies in the room, column and row from 1.
type Spot struct {
	X int `json:"x"`
	Y int `json:"y"`
}

// Room is where tiles were put, by the names of their tables as topic.Table writes them.
func (s *Store) Room(ctx context.Context) (room map[string]Spot, err error) {
	defer about(&err, "read where the tables are in the room")
	room = map[string]Spot{}
	err = eachRow(ctx, s.read, `SELECT tile, x, y FROM spot`, nil, func(s scan) error {
		var tile string
		var at Spot
		err := s(&tile, &at.X, &at.Y)
		room[tile] = at
		return err
	})
	return room, err
}

// PutRoom keeps where tiles were put, in the place of what was kept before.
func (s *Store) PutRoom(ctx context.Context, room map[string]Spot) (err error) {
	defer about(&err, "keep where the tables are in the room")
	return s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
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
}
