package export

import (
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"
)

// Table is a table, whose rows are structs. Their fields are its columns, named by their parquet
// tags; the first is the row's number. Fields are int64, string, bool or Instant; a pointer, or
// one whose tag says optional, may be missing.
type Table struct {
	Name    string
	Columns []Column

	row     reflect.Type
	parquet func(io.Writer) parquetTable
}

// Column is one column of a table.
type Column struct {
	Name     string
	Kind     reflect.Type // int64, string, bool or Instant
	Optional bool
}

// TableOf makes the table of rows of a type.
func TableOf[R any](name string) Table {
	of := reflect.TypeFor[R]()
	columns := make([]Column, of.NumField())
	for i := range columns {
		field := of.Field(i)
		called, options, _ := strings.Cut(field.Tag.Get("parquet"), ",")
		columns[i] = Column{Name: called, Kind: field.Type, Optional: strings.HasPrefix(options, "optional")}
		if field.Type.Kind() == reflect.Pointer {
			columns[i].Kind, columns[i].Optional = field.Type.Elem(), true
		}
	}
	return Table{Name: name, Columns: columns, row: of, parquet: func(to io.Writer) parquetTable {
		return newParquetRows[R](to)
	}}
}

// Has says whether a row is of the table.
func (t *Table) Has(row any) bool { return t.row == reflect.TypeOf(row) }

// tableOfType is the index of a row's table.
func tableOfType(tables []Table, row any) (int, error) {
	for i := range tables {
		if tables[i].Has(row) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("no table has rows of %T", row)
}

// Values are a row's values: int64, string, bool or nil; times are texts.
func (t *Table) Values(row any, into []any) []any {
	of := reflect.ValueOf(row)
	into = into[:0]
	for i := range t.Columns {
		into = append(into, t.Columns[i].value(of.Field(i)))
	}
	return into
}

func (c *Column) value(field reflect.Value) any {
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			return nil
		}
		field = field.Elem()
	}
	at, ok := field.Interface().(Instant)
	switch {
	case !ok:
		return field.Interface()
	case at == 0 && c.Optional:
		return nil
	default:
		return at.String()
	}
}

// Instant is a time in Unix nanoseconds, which is what Parquet stores. If it is optional, 0
// is none.
type Instant int64

// Stamp writes times so that they sort as texts: RFC 3339, in UTC, with nine digits.
const Stamp = "2006-01-02T15:04:05.000000000Z"

func (i Instant) String() string { return time.Unix(0, int64(i)).UTC().Format(Stamp) }

// InstantOf is a time as an Instant, 0 for none.
func InstantOf(at time.Time) Instant {
	if at.IsZero() {
		return 0
	}
	return Instant(at.UnixNano())
}
