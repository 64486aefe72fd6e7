package export

import (
	"reflect"
	"strings"
)

// table is one of the exported tables.
type table struct {
	name    string
	row     any // the zero row
	columns []column
}

// The tables, in the order in which formats write them.
var tables = []table{
	newTable("record", recordRow{}),
	newTable("event", eventRow{}),
	newTable("round", roundRow{}),
	newTable("irregularity", irregularityRow{}),
}

// tableOf is the index of a row's table.
func tableOf(row any) int {
	switch row.(type) {
	case recordRow:
		return 0
	case eventRow:
		return 1
	case roundRow:
		return 2
	default:
		return 3
	}
}

// column is one column of a table.
type column struct {
	name     string
	kind     reflect.Type // int64, string, bool or instant
	optional bool
}

func newTable(name string, row any) table {
	of := reflect.TypeOf(row)
	columns := make([]column, of.NumField())
	for i := range columns {
		field := of.Field(i)
		called, options, _ := strings.Cut(field.Tag.Get("parquet"), ",")
		columns[i] = column{name: called, kind: field.Type, optional: strings.HasPrefix(options, "optional")}
		if field.Type.Kind() == reflect.Pointer {
			columns[i].kind, columns[i].optional = field.Type.Elem(), true
		}
	}
	return table{name, row, columns}
}

// values are a row's values: int64, string, bool or nil; times are texts.
func values(row any, into []any) []any {
	of := reflect.ValueOf(row)
	into = into[:0]
	for i, c := range tables[tableOf(row)].columns {
		into = append(into, c.value(of.Field(i)))
	}
	return into
}

func (c *column) value(field reflect.Value) any {
	if field.Kind() == reflect.Pointer {
		if field.IsNil() {
			return nil
		}
		field = field.Elem()
	}
	at, ok := field.Interface().(instant)
	switch {
	case !ok:
		return field.Interface()
	case at == 0 && c.optional:
		return nil
	default:
		return at.String()
	}
}
