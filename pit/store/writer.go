package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// One goroutine writes. It takes all changes that wait into one transaction, so that two
// hundred tables at once cost one sync of the disk.

// mostJobs is how many changes one transaction takes.
const mostJobs = 256

// job is a change that somebody waits for.
type job struct {
	ctx    context.Context
	change func(*writer) error
	answer chan error
	// outcome is what the change has found: it is told when the change is durable.
	outcome error
}

// refusal is an error by which a change declines to change anything more. What was changed by
// others in the same transaction stands.
type refusal struct{ error }

func (r refusal) Unwrap() error { return r.error }

// do has a change made, and waits until it is durable. Its error is the change's.
func (s *Store) do(ctx context.Context, change func(*writer) error) error {
	j := &job{ctx: ctx, change: change, answer: make(chan error, 1)}
	select {
	case s.jobs <- j:
		return <-j.answer // also after ctx ends: it is under way
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return ErrClosed
	}
}

// Change runs a change of a part of the pit in a transaction of the writer, together with
// others. It may run more than once, after a transaction that failed. With its error nothing of
// it is changed.
func (s *Store) Change(ctx context.Context, change func(context.Context, *sql.Tx) error) error {
	return s.do(ctx, func(w *writer) error {
		if err := w.send(); err != nil {
			return err
		}
		if _, err := w.tx.ExecContext(w.ctx, `SAVEPOINT one`); err != nil {
			return err
		}
		err := change(w.ctx, w.tx)
		if err == nil {
			_, err := w.tx.ExecContext(w.ctx, `RELEASE SAVEPOINT one`)
			return err
		}
		if _, failed := w.tx.ExecContext(w.ctx, `ROLLBACK TO SAVEPOINT one`); failed != nil {
			return err // the transaction is over, or its connection is lost
		}
		return refusal{err}
	})
}

// run makes changes until the store is closed.
func (s *Store) run() {
	defer close(s.done)
	w := newWriter(s)
	defer w.forget()
	defer w.optimize()
	day := time.NewTicker(24 * time.Hour)
	defer day.Stop()
	for {
		select {
		case first := <-s.jobs:
			_ = w.serve(s.waiting(first)) // who waits is told
		case <-day.C:
			w.optimize()
		case <-s.closing:
			return
		}
	}
}

// optimize has SQLite look at what its tables hold, where that has changed much, so that a search goes over as few rows
// as it can. It looks at a part of each index: of a month of 50 tables that takes less than a second, of all of it a
// minute. PostgreSQL does so by itself.
func (w *writer) optimize() {
	if w.store.postgres {
		return
	}
	w.ctx = context.Background()
	err := w.connect()
	if err == nil {
		_, err = w.conn.ExecContext(w.ctx, `PRAGMA analysis_limit = 400; PRAGMA optimize = 0x10002`) // of all tables
	}
	if err != nil {
		w.store.log.Warn("the pit's database could not look at its own tables; its searches may take longer, and it "+
			"tries again tomorrow", "err", err)
	}
}

// waiting are the changes that wait already, after a first one.
func (s *Store) waiting(first *job) []*job {
	jobs := []*job{first}
	for len(jobs) < mostJobs {
		select {
		case j := <-s.jobs:
			jobs = append(jobs, j)
		default:
			return jobs
		}
	}
	return jobs
}

// writer writes to the database.
type writer struct {
	store *Store
	ctx   context.Context
	conn  *sql.Conn // nil until it is needed
	tx    *sql.Tx
	// batch are statements that are to be run before the next question, or the end of the transaction. PostgreSQL gets
	// them together: to wait for the answer to each would take most of a transaction's time.
	batch pgx.Batch
	changes
	// isAlone and fences are of the transaction: what others cannot write before it ends.
	isAlone bool
	fences  map[int]int64
	metered bool  // something was done with a meter
	own     int64 // the epoch of a store that is no node
	// What follows is remembered from one transaction to the next, unless one fails.
	keepers    map[string]*keeper
	sheets     map[sheet]int64
	kinds      map[string]int64
	signers    map[string]int64 // by their public keys
	rules      map[string]bool  // of which the text is kept, by fingerprint
	statements map[string]*sql.Stmt
}

func newWriter(s *Store) *writer {
	return &writer{
		store: s, keepers: map[string]*keeper{}, sheets: map[sheet]int64{}, kinds: map[string]int64{},
		signers: map[string]int64{}, rules: map[string]bool{}, statements: map[string]*sql.Stmt{}, own: drawn(),
	}
}

// serve makes changes together. If that fails, each gets a transaction of its own, so that
// none fails because of another. Where none can be begun, all have failed: to try each would take as many times as
// long.
func (w *writer) serve(jobs []*job) (err error) {
	err = w.transact(jobs)
	for again := 0; inTheWay(err) && again < 3; again++ {
		err = w.transact(jobs)
	}
	if err != nil && len(jobs) > 1 {
		for len(jobs) > 0 && !unbegun(err) {
			err = w.serve(jobs[:1])
			jobs = jobs[1:]
		}
	}
	for _, j := range jobs {
		if err != nil {
			j.outcome = fmt.Errorf("the pit's store: %w", err)
		}
		j.answer <- j.outcome
	}
	return err
}

// inTheWay says of an error that it may be over with the next try: two programs waited for each other, of which
// PostgreSQL has broken off one, or the connection was cut since it led to a server that is gone.
func inTheWay(err error) bool {
	const serialization, deadlock = "40001", "40P01"
	broken, is := errors.AsType[*pgconn.PgError](err)
	return is && (broken.Code == serialization || broken.Code == deadlock) || errors.Is(err, net.ErrClosed) ||
		pgconn.SafeToRetry(err)
}

// ofTheLine says of an error that it is one of the way to the database, and nothing that was said over it.
func ofTheLine(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || inTheWay(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, sql.ErrConnDone)
}

// unbegunError is why a transaction could not be begun: no change has to do with it.
type unbegunError struct{ error }

func (e unbegunError) Unwrap() error { return e.error }

func unbegun(err error) bool {
	_, is := errors.AsType[unbegunError](err)
	return is
}

// transact makes changes in one transaction. Its error means that nothing was changed, or that
// nobody knows: a change that is repeated finds out.
func (w *writer) transact(jobs []*job) (err error) {
	// Not that of a job, which others share.
	w.ctx = context.WithoutCancel(jobs[0].ctx)
	if err := w.begins(); err != nil {
		w.forget()
		return unbegunError{err}
	}
	w.changes = newChanges()
	for _, j := range jobs {
		j.outcome = nil
		err := j.change(w)
		if declined := (refusal{}); errors.As(err, &declined) {
			j.outcome = declined.error
			err = nil
		}
		if err != nil {
			return w.fail(err)
		}
	}
	if err = w.flush(); err == nil {
		err = w.send()
	}
	if err != nil {
		return w.fail(err)
	}
	if err = w.tx.Commit(); err != nil {
		w.forget()
	}
	if w.metered { // even if nobody knows whether it was committed
		w.store.tellMeters()
	}
	return err
}

// fail ends a transaction that failed.
func (w *writer) fail(err error) error {
	err = errors.Join(err, over(w.tx.Rollback()))
	w.forget()
	return err
}

// begins begins a transaction, on a connection that stays, so that its statements are prepared
// once.
func (w *writer) begins() (err error) {
	if err := w.connect(); err != nil {
		return err
	}
	w.isAlone, w.fences, w.metered, w.batch = false, map[int]int64{}, false, pgx.Batch{}
	w.tx, err = w.conn.BeginTx(w.ctx, nil)
	return err
}

func (w *writer) connect() (err error) {
	if w.conn == nil {
		w.conn, err = w.store.write.Conn(w.ctx)
	}
	return err
}

// over: a transaction whose connection was lost is over already.
func over(err error) error {
	if errors.Is(err, sql.ErrTxDone) || errors.Is(err, sql.ErrConnDone) {
		return nil
	}
	return err
}

// forget drops what may not be as the database has it.
func (w *writer) forget() {
	clear(w.keepers)
	clear(w.sheets)
	clear(w.kinds)
	clear(w.signers)
	clear(w.rules)
	for _, s := range w.statements {
		s.Close() //nolint:errcheck // its connection may be gone
	}
	clear(w.statements)
	if w.conn != nil {
		w.conn.Close() //nolint:errcheck // as above
		w.conn = nil
	}
}

// takeAlone has other programs that need it wait for the transaction's end.
const takeAlone = `SELECT pg_advisory_xact_lock(371463)`

// alone has other programs wait that number something, or change people. All of these take this one lock, so that no
// two wait for each other.
func (w *writer) alone() error {
	if !w.store.postgres || w.isAlone {
		return nil
	}
	w.isAlone = true
	return w.exec(takeAlone)
}

// next is the next free id of a table.
func (w *writer) next(table string) (id int64, err error) {
	if err := w.alone(); err != nil {
		return 0, err
	}
	_, err = w.row(`SELECT coalesce(max(id), 0) + 1 FROM `+table, nil, []any{&id})
	return id, err
}

// number finds or makes a row that is found by all of its columns, and returns its id. While it waits to be alone,
// another program may make it.
func (w *writer) number(table, columns string, values ...any) (id int64, err error) {
	known, err := w.row(idOf(table, columns), values, []any{&id})
	if err != nil || known {
		return id, err
	}
	if err := w.alone(); err != nil {
		return 0, err
	}
	if known, err = w.row(idOf(table, columns), values, []any{&id}); err != nil || known {
		return id, err
	}
	if id, err = w.next(table); err != nil {
		return 0, err
	}
	err = w.exec(insertion(table, "id, "+columns, "", 1), append([]any{id}, values...)...)
	return id, err
}

// idOf asks for the id of a row that is found by all of its columns.
func idOf(table, columns string) string {
	same := strings.Split(columns, ", ")
	for i, column := range same {
		same[i] = fmt.Sprintf("%s = $%d", column, i+1)
	}
	return `SELECT id FROM ` + table + ` WHERE ` + strings.Join(same, " AND ")
}
