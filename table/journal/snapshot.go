package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"github.com/sabot-table/sabot/internal/sqlitefile"
)

// snapshot is the journal at one moment: what is written later is not in it. Its
// pages do not change for as long as it is open, whoever writes.
type snapshot struct {
	conn  *sql.Conn
	pages func() sqlitefile.Pages // for a walk of its own
	close func() error

	size  int   // of a page
	count int64 // of pages
}

// snapshot begins to read.
//
// SQLite's transaction holds the moment, and has the last word on what belongs to it.
// The pages come straight from the file where there is no write-ahead log: while the
// transaction lasts, nobody may write the log back into the file. With a log, SQLite
// hands them out. So it does where this process may write the journal: closing a
// descriptor of its own would drop the locks of the process (README.md, Assumptions).
func (r *Reader) snapshot(ctx context.Context) (*snapshot, error) {
	conn, err := r.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	s := &snapshot{conn: conn, close: conn.Close}
	if err := s.begin(ctx, r); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *snapshot) begin(ctx context.Context, r *Reader) error {
	if _, err := s.conn.ExecContext(ctx, `BEGIN`); err != nil {
		return err
	}
	s.close = func() error {
		_, err := s.conn.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		return errors.Join(err, s.conn.Close())
	}
	// The first reading takes the moment.
	err := s.conn.QueryRowContext(ctx, `SELECT page_size, page_count FROM pragma_page_size, pragma_page_count`).Scan(&s.size, &s.count)
	if err != nil {
		return err
	}
	if r.writes || hasLog(r.path) {
		return s.throughSQL(ctx)
	}
	return s.fromFile(r.path)
}

// fromFile takes the pages from the file.
func (s *snapshot) fromFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	s.pages = func() sqlitefile.Pages { return sqlitefile.NewFile(file) }
	before := s.close
	s.close = func() error { return errors.Join(before(), file.Close()) }
	return nil
}

// throughSQL lets SQLite hand out the pages.
func (s *snapshot) throughSQL(ctx context.Context) error {
	stmt, err := s.conn.PrepareContext(ctx, `SELECT data FROM sqlite_dbpage WHERE pgno = ?`)
	if err != nil {
		return err
	}
	s.pages = func() sqlitefile.Pages { return sqlPages{stmt} }
	before := s.close
	s.close = func() error { return errors.Join(stmt.Close(), before()) }
	return nil
}

// sqlPages are pages as SQLite has them.
type sqlPages struct{ stmt *sql.Stmt }

// Page reads a page.
func (p sqlPages) Page(number uint32, into []byte) error {
	rows, err := p.stmt.Query(int64(number))
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return errors.Join(errors.New("damaged: there is no such page"), rows.Err())
	}
	var page sql.RawBytes
	if err := rows.Scan(&page); err != nil {
		return err
	}
	if len(page) != len(into) {
		return fmt.Errorf("damaged: it has %d bytes", len(page))
	}
	copy(into, page)
	return nil
}

// walk prepares to read a table, which must have the columns that it was made with.
func (s *snapshot) walk(ctx context.Context, table, columns string) (*sqlitefile.Walk, error) {
	var root uint32
	var has string
	err := s.conn.QueryRowContext(ctx, `SELECT rootpage, (SELECT group_concat(name, ', ') FROM pragma_table_xinfo(?1)) FROM sqlite_schema
		WHERE type = 'table' AND name = ?1`, table).Scan(&root, &has)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: it has no table %s", ErrDamaged, table)
	}
	if err != nil {
		return nil, err
	}
	if has != columns {
		return nil, fmt.Errorf("%w: the table %s has the columns %s in place of %s", ErrDamaged, table, has, columns)
	}
	walk, err := sqlitefile.NewWalk(s.pages(), s.size, s.count, root)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return walk, nil
}
