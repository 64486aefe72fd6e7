package export

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Files say what is written.
type Files struct {
	// Format is one of Formats.
	Format string
	// Tables are in the order in which formats write them.
	Tables []Table
	// Indexes are the statements that make a SQLite file's indexes.
	Indexes string
	// Force allows earlier files of the same tables to be replaced.
	Force bool
}

// format writes tables into a folder of its own.
type format interface {
	write(table int, row any) error
	// close ends the writing. The files are complete only after it.
	close() error
}

// formats are how each begins in a folder, which exists.
var formats = map[string]struct {
	begin func(folder string, o *Files) (format, error)
	// single says that the format has one file, not a folder of them.
	single bool
}{
	"sqlite":  {beginSQLite, true},
	"csv":     {beginCSV, false},
	"parquet": {beginParquet, false},
}

// Formats are the formats' names.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// WriteFiles writes tables for other programs to path, completely or not at all: a file for SQLite, a folder for the
// others. fill emits their rows; with an error of its own nothing is left at path.
func WriteFiles(path string, o Files, fill func(emit func(row any) error) error) error {
	f, ok := formats[o.Format]
	if !ok {
		return fmt.Errorf("%q is not a format: there are %v", o.Format, Formats())
	}
	draft, err := newDraft(path, f.single, &o)
	if err != nil {
		return err
	}
	to, err := f.begin(draft.folder, &o)
	if err != nil {
		return errors.Join(err, draft.drop())
	}
	err = fill(func(row any) error {
		table, err := tableOfType(o.Tables, row)
		if err != nil {
			return err
		}
		return to.write(table, row)
	})
	if err := errors.Join(err, to.close()); err != nil {
		return errors.Join(err, draft.drop())
	}
	return draft.place()
}
