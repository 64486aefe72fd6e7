package store

import (
	"context"
	"database/sql"
	"sync"
)

// fixed asks queries whose text is always the same, such as where a journal ends, which are asked for each message of a
// table. SQLite takes longer to compile such a query than to answer it, so each is compiled once for each connection;
// the driver of PostgreSQL does that by itself.
type fixed struct {
	db       *sql.DB
	postgres bool
	prepared *sync.Map // *sql.Stmt by their text; each lasts as long as the database is open
}

// QueryContext asks for rows.
func (f fixed) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if s := f.statement(ctx, query); s != nil {
		return s.QueryContext(ctx, args...)
	}
	return f.db.QueryContext(ctx, query, args...)
}

// statement is a query that is prepared; nil for one that is not, whose error the query itself has, too.
func (f fixed) statement(ctx context.Context, query string) *sql.Stmt {
	if f.postgres {
		return nil
	}
	if s, ok := f.prepared.Load(query); ok {
		return s.(*sql.Stmt)
	}
	s, err := f.db.PrepareContext(ctx, unnumbered(query))
	if err != nil {
		return nil
	}
	if had, ok := f.prepared.LoadOrStore(query, s); ok {
		s.Close() //nolint:errcheck // the other one is as good
		return had.(*sql.Stmt)
	}
	return s
}
