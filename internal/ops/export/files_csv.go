package export

import (
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// csvFolder is a folder with a file for each table, as in RFC 4180.
type csvFolder struct {
	tables  []Table
	files   []*os.File
	writers []*csv.Writer
	values  []any
	cells   []string
}

func beginCSV(folder string, o *Files) (format, error) {
	f := &csvFolder{tables: o.Tables}
	for i := range o.Tables {
		if err := f.begin(filepath.Join(folder, o.Tables[i].Name+".csv"), o.Tables[i].Columns); err != nil {
			return nil, errors.Join(err, f.close())
		}
	}
	return f, nil
}

// begin makes a table's file, with the columns' names in its first line.
func (f *csvFolder) begin(path string, columns []Column) error {
	file, err := create(path)
	if err != nil {
		return err
	}
	w := csv.NewWriter(file)
	w.UseCRLF = true
	f.files, f.writers = append(f.files, file), append(f.writers, w)
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].Name
	}
	return w.Write(names)
}

func (f *csvFolder) write(table int, row any) error {
	f.values, f.cells = f.tables[table].Values(row, f.values), f.cells[:0]
	for _, v := range f.values {
		f.cells = append(f.cells, cellOf(v))
	}
	return f.writers[table].Write(f.cells)
}

// cellOf writes a value. A missing one is empty. A text that a spreadsheet would take for a formula, and carry out,
// begins with an apostrophe: names are what somebody has typed.
func cellOf(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])) {
			return "'" + v
		}
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	default:
		return fmt.Sprint(v)
	}
}

func (f *csvFolder) close() (err error) {
	for i, w := range f.writers {
		w.Flush()
		err = errors.Join(err, w.Error(), f.files[i].Close())
	}
	return err
}
