package transcript

import (
	"slices"

	"github.com/sabot-table/sabot/table/vocab"
)

// codec writes and reads the lines of one vocabulary. It is made of the vocabulary's
// rows, once.
type codec[L any] struct {
	vocabulary
	what    string // such as "input"
	done    string // what is done with it, such as "put in"
	such    string // one that needs no other field
	setKind func(*L, uint8)
	kinds   *named
	lines   []line[L]
}

// line is one kind of line.
type line[L any] struct {
	*vocab.Line[L]
	begins piece // `{"in":"open"`
	// decides is the field that decides on the form of the line, where that has to be read
	// first.
	decides *reading[L]
	// layouts are by the form.
	layouts []layout[L]
	// readings are the fields, and by says which of them a field is: its number from 1 on, 0 for none.
	readings []reading[L]
	by       [mostFields]uint8
	fields   fields // of all forms
	common   []common[L]
}

// reading is how a field is read, nil for one that the line does not have.
func (l *line[L]) reading(f field) *reading[L] {
	if at := l.by[f]; at > 0 {
		return &l.readings[at-1]
	}
	return nil
}

// common are fields that lines of every kind may have.
type common[L any] struct {
	*vocab.Line[L]
	fields fields
}

// layout is the fields of one form of one kind of line.
type layout[L any] struct {
	shape
	steps []step[L]
}

// reading is a field as it is read.
type reading[L any] struct {
	*vocab.Field[L]
	field field
	names *named
}

var (
	// said and tables are what the fields of all vocabularies share.
	said   = allSaid{}
	tables = allTables{}

	inputs = compile("input", "put in", "in", vocab.InOpen.String(), vocab.Inputs[:], vocab.InEvery[:],
		func(in *vocab.Input, k uint8) { in.Kind = vocab.InputKind(k) })
	outputs = compile("output", "answered", "out", vocab.ClosedBets.String(), vocab.Outputs[:], nil,
		func(out *vocab.Output, k uint8) { out.Kind = vocab.Kind(k) })
	dues = compile("", "", "", "", vocab.Dues[:], nil, nil)
)

// compile makes a codec of the rows of a vocabulary.
func compile[L any](what, done, key, such string, rows, every []vocab.Line[L], setKind func(*L, uint8)) *codec[L] {
	c := &codec[L]{
		what: what, done: done, such: such, setKind: setKind, lines: make([]line[L], len(rows)),
	}
	c.learn(key)
	commons := c.compileCommon(every)
	var names []string
	for i := range rows {
		row := &rows[i]
		names = append(names, row.Name)
		if row.Name != "" {
			c.lines[i] = c.compileLine(key, row, commons)
		}
	}
	c.kinds, c.find = namedBy(names), namedBy(c.names)
	return c
}

// compileCommon learns the fields that lines of every kind may have.
func (c *codec[L]) compileCommon(every []vocab.Line[L]) (all []common[L]) {
	for i := range every {
		one := common[L]{Line: &every[i]}
		for _, f := range one.Fields {
			one.fields = one.fields.with(c.learn(f.Name))
		}
		all = append(all, one)
	}
	return all
}

func (c *codec[L]) compileLine(key string, row *vocab.Line[L], commons []common[L]) line[L] {
	l := line[L]{Line: row, common: commons}
	if key != "" {
		l.begins = pieceOf(`{"` + key + `":"` + row.Name + `"`)
	}
	var all []*vocab.Field[L]
	for _, one := range commons {
		all = append(all, one.Fields...)
	}
	all = append(all, row.Fields...)
	l.readings = make([]reading[L], len(all))
	for i, f := range all {
		r := &l.readings[i]
		*r = reading[L]{Field: f, field: c.learn(f.Name), names: tables.of(f.Names)}
		l.by[r.field] = uint8(i) + 1
		l.fields = l.fields.with(r.field)
		if f.Name == row.By {
			l.decides = r
		}
	}
	one := new(L)
	if row.Room != nil {
		row.Room(one)
	}
	for form := range max(1, len(row.Forms)) {
		l.layouts = append(l.layouts, c.layOut(all, form, one))
	}
	return l
}

// layOut picks the fields of a form.
func (c *codec[L]) layOut(all []*vocab.Field[L], form int, line *L) (lay layout[L]) {
	all = slices.DeleteFunc(slices.Clone(all), func(f *vocab.Field[L]) bool {
		return f.Only != 0 && f.Only>>form&1 == 0
	})
	lay.steps = make([]step[L], 0, len(all))
	for _, f := range all {
		at := c.learn(f.Name)
		lay.steps = append(lay.steps, stepOf(f, at, f.NullIn>>form&1 == 1, line))
		if f.Need == vocab.Required {
			lay.required = lay.required.with(at)
		} else {
			lay.optional = lay.optional.with(at)
		}
	}
	return lay
}

// layout is that of the line's form.
func (l *line[L]) layout(v *L) *layout[L] {
	if l.Form == nil {
		return &l.layouts[0]
	}
	if form := l.Form(v); int(form) < len(l.layouts) {
		return &l.layouts[form]
	}
	return &l.layouts[0] // of what has no name
}
