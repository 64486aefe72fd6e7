// Package tablefiles writes tables for other programs: as one SQLite file, or as a folder of CSV or
// Parquet files. They come into being completely or not at all.
package tablefiles

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Options say what is written.
type Options struct {
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
	begin func(folder string, o *Options) (format, error)
	// single says that the format has one file, not a folder of them.
	single bool
}{
	"sqlite":  {beginSQLite, true},
	"csv":     {beginCSV, false},
	"parquet": {beginParquet, false},
}

// Formats are the formats' names.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Write writes tables to path: a file for SQLite, a folder for the others. fill emits their rows;
// with an error of its own nothing is left at path.
func Write(path string, o Options, fill func(emit func(row any) error) error) error {
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
		table, err := tableOf(o.Tables, row)
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
