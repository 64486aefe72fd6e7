package journal

import (
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed schema.sql
var firstSchema string

// migrations bring a journal from each schema version to the next; the first
// makes an empty file a journal. SQLite's user_version counts those done.
var migrations = []string{firstSchema}

// applicationID marks the file as a Sabot journal in SQLite's header: "Sabo".
const applicationID = 0x5361626f

// ensure creates the journal file if there is none. It is built beside its place
// and moved there when it is whole: a file without content is never a journal
// that was being created, but one that has lost its content.
func ensure(path string) error {
	info, err := os.Stat(path)
	if err == nil {
		if info.Size() == 0 {
			return fmt.Errorf("%w: the file is empty", ErrDamaged)
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		return fmt.Errorf("%w: the file is missing, but its write-ahead log %s-wal is there", ErrDamaged, path)
	}
	draft := path + ".new"
	for _, leftover := range []string{draft, draft + "-journal"} {
		if err := os.Remove(leftover); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if err := build(draft); err != nil {
		return fmt.Errorf("creating it: %w", err)
	}
	if err := os.Rename(draft, path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// build makes a new journal without records.
func build(path string) (err error) {
	db, err := connect(path, "rwc", 1, []string{"synchronous(FULL)"})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := migrate(db, 0); err != nil {
		return err
	}
	var id [16]byte
	rand.Read(id[:]) // never fails: crypto/rand ends the program instead
	_, err = db.Exec(`INSERT INTO meta (key, value) VALUES ('id', ?)`, hex.EncodeToString(id[:]))
	return err
}

// migrate brings a journal from a schema version to this program's.
func migrate(db *sql.DB, version int) error {
	for _, step := range migrations[version:] {
		version++
		stamp := fmt.Sprintf("\nPRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, version)
		tx, err := db.BeginTx(context.Background(), nil)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(step + stamp); err != nil {
			return errors.Join(fmt.Errorf("schema version %d: %w", version, err), tx.Rollback())
		}
		if err := tx.Commit(); err != nil {
			return fmt.Errorf("schema version %d: %w", version, err)
		}
	}
	return nil
}

// schemaVersion reads the version of the journal's schema. It refuses what is no
// journal, and what a newer program has written.
func schemaVersion(db *sql.DB) (int, error) {
	var application, version int
	err := db.QueryRow(`SELECT application_id, user_version FROM pragma_application_id, pragma_user_version`).
		Scan(&application, &version)
	switch {
	case err != nil:
		return 0, err
	case application != applicationID || version < 1:
		return 0, fmt.Errorf("%w: its header says application %#x, version %d", ErrForeign, application, version)
	case version > len(migrations):
		return 0, fmt.Errorf("%w: schema version %d, this program knows %d", ErrNewer, version, len(migrations))
	}
	return version, nil
}

// syncDir makes a new name in a directory durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
