package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// writer is the one connection that writes records. All of it waits for the disk:
// when a transaction returns without error, it is durable.
type writer struct {
	db   *sql.DB
	conn *sql.Conn

	begin, commit, rollback *sql.Stmt
	record, boot, seal      *sql.Stmt
}

// openWriter connects to the journal at path and brings its schema up to date.
func openWriter(path string) (*writer, error) {
	db, err := connect(path, "rw", 1, writing)
	if err != nil {
		return nil, err
	}
	w := &writer{db: db}
	if err := w.prepare(); err != nil {
		return nil, errors.Join(err, w.close())
	}
	return w, nil
}

func (w *writer) prepare() error {
	version, err := schemaVersion(w.db)
	if err != nil {
		return err
	}
	if err := durable(w.db); err != nil {
		return err
	}
	if err := migrate(w.db, version); err != nil {
		return err
	}
	ctx := context.Background()
	if w.conn, err = w.db.Conn(ctx); err != nil {
		return err
	}
	for _, s := range []struct {
		stmt **sql.Stmt
		text string
	}{
		{&w.begin, `BEGIN IMMEDIATE`},
		{&w.commit, `COMMIT`},
		{&w.rollback, `ROLLBACK`},
		{&w.record, `INSERT INTO record (` + columns + `) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&w.seal, `INSERT INTO seal (seq, hash, at, key, signature) VALUES (?, ?, ?, ?, ?)`},
		{&w.boot, `INSERT INTO boot (number, program, first_record) VALUES (?, ?, ?)`},
	} {
		if *s.stmt, err = w.conn.PrepareContext(ctx, s.text); err != nil {
			return err
		}
	}
	return nil
}

// durable turns the write-ahead log on, and makes sure that SQLite took what
// durability rests on: it passes over a pragma that it cannot follow.
func durable(db *sql.DB) error {
	var mode string
	if err := db.QueryRow(`PRAGMA journal_mode = WAL`).Scan(&mode); err != nil {
		return err
	}
	var synchronous int
	if err := db.QueryRow(`PRAGMA synchronous`).Scan(&synchronous); err != nil {
		return err
	}
	if mode != "wal" || synchronous != 2 {
		return fmt.Errorf("SQLite works with journal mode %s, synchronous %d in place of wal, 2: the file system is not fit for a journal",
			mode, synchronous)
	}
	return nil
}

// transaction runs do in a transaction: all of it is durable, or nothing of it
// is in.
func (w *writer) transaction(do func() error) error {
	_, err := w.begin.Exec()
	if err == nil {
		err = do()
	}
	if err == nil {
		_, err = w.commit.Exec()
	}
	if err != nil {
		// After some errors SQLite has rolled back by itself and finds nothing
		// left to do. If ever a transaction stayed open, the next BEGIN says so.
		_, _ = w.rollback.Exec()
	}
	return err
}

func (w *writer) insert(r *Record) error {
	rules, carry := r.Rules, r.Carry
	if len(rules) == 0 {
		rules = []byte{} // an empty blob: nil would be NULL
	}
	if len(carry) == 0 {
		carry = nil
	}
	_, err := w.record.Exec(
		int64(r.Seq), int64(r.Boot), r.At, int64(r.Round), int64(r.ShoeBoot), int64(r.ShoeSeq),
		int64(r.FirstEvent), int64(r.Setup), int64(r.Shoe), int64(r.Checkpoint),
		rules, string(r.Input), string(r.Outputs), carry, r.Hash[:])
	return err
}

// close closes the statements first: SQLite keeps a connection, and its locks,
// for as long as it has one, and database/sql leaves those of a Conn alone.
func (w *writer) close() error {
	var errs []error
	for _, s := range []*sql.Stmt{w.begin, w.commit, w.rollback, w.record, w.boot, w.seal} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	if w.conn != nil {
		errs = append(errs, w.conn.Close())
	}
	return errors.Join(append(errs, w.db.Close())...)
}
