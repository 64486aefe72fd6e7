package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// exec runs a statement whose answer nobody needs. With PostgreSQL, send says what is wrong with it.
func (w *writer) exec(query string, args ...any) error { return w.expect(query, nil, args...) }

// expect runs a statement that is to change one row: wrong is the error where it does not, nil if that does not matter.
func (w *writer) expect(query string, wrong error, args ...any) error {
	if w.store.postgres {
		if err := sayable(args); err != nil {
			return err
		}
		w.batch.Queue(query, args...).Exec(func(done pgconn.CommandTag) error {
			return unless(done.RowsAffected() == 1, wrong)
		})
		return nil
	}
	s, err := w.prepared(query)
	if err != nil {
		return err
	}
	done, err := s.ExecContext(w.ctx, args...)
	if err != nil || wrong == nil {
		return err
	}
	n, err := done.RowsAffected()
	return errors.Join(err, unless(n == 1, wrong))
}

// sayable refuses values that the driver cannot write. It would find out while it sends, and break off the connection,
// which all tables share.
func sayable(args []any) error {
	for i, arg := range args {
		if _, err := driver.DefaultParameterConverter.ConvertValue(arg); err != nil {
			return fmt.Errorf("argument %d of a statement: %w", i+1, err)
		}
	}
	return nil
}

func unless(right bool, wrong error) error {
	if right {
		return nil
	}
	return wrong
}

// send runs the statements that wait.
func (w *writer) send() error {
	if w.batch.Len() == 0 {
		return nil
	}
	batch := w.batch
	w.batch = pgx.Batch{}
	return w.conn.Raw(func(conn any) error {
		return conn.(*stdlib.Conn).Conn().SendBatch(w.ctx, &batch).Close()
	})
}

// row reads one row, by a statement that is prepared once, and reports whether there is one.
func (w *writer) row(query string, args, into []any) (bool, error) {
	if err := w.send(); err != nil {
		return false, err
	}
	s, err := w.prepared(query)
	if err != nil {
		return false, err
	}
	err = s.QueryRowContext(w.ctx, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// after answers questions in the transaction, each after all statements before it.
func (w *writer) after() queryer { return answering{w} }

type answering struct{ w *writer }

func (a answering) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := a.w.send(); err != nil {
		return nil, err
	}
	return a.w.tx.QueryContext(ctx, query, args...)
}

func (w *writer) prepared(query string) (*sql.Stmt, error) {
	if s := w.statements[query]; s != nil {
		return s, nil
	}
	text := query
	if !w.store.postgres {
		text = unnumbered(query)
	}
	s, err := w.conn.PrepareContext(w.ctx, text)
	if err == nil {
		w.statements[query] = s
	}
	return s, err
}

var numberedMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\d+`) })

// unnumbered is a statement without the numbers of its marks, where they stand in order: for SQLite $1 is a name, and
// for each argument of each row it would go through all names before it.
func unnumbered(query string) string {
	marks := numberedMark().FindAllString(query, -1)
	for i, mark := range marks {
		if mark != "$"+strconv.Itoa(i+1) {
			return query
		}
	}
	return numberedMark().ReplaceAllString(query, "?")
}
