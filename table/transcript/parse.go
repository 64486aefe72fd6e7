package transcript

import (
	"errors"
	"strings"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Parser reads lines. A Parser is used by one goroutine at a time.
type Parser struct {
	// Book is the houses that a setup line may name.
	Book profile.Book
	// House, if set, is played whatever house a setup line names.
	House string
	// AnyHouse takes setup lines as they stand and leaves Input.Rules nil, for those
	// who pass transcripts on and do not play them.
	AnyHouse bool
	// Outside refuses inputs with texts that may not come in from outside. Without it they
	// are read as they stand: a record of before may have them.
	Outside bool

	in                    vocab.Input // the last one: made anew for each line it would have to be allocated
	memory                *memory     // nil until it remembers
	texts                 texts
	inputs, outputs, dues scanner
}

// NewParser returns a parser for tables of the houses in book.
func NewParser(book profile.Book) *Parser {
	p := &Parser{Book: book}
	p.inputs = scanner{vocabulary: &inputs.vocabulary, kept: &p.texts, dues: &p.dues}
	p.outputs = scanner{vocabulary: &outputs.vocabulary, kept: &p.texts, dues: &p.dues}
	p.dues = scanner{vocabulary: &dues.vocabulary, kept: &p.texts}
	return p
}

// Parse reads one line; number is its number, for errors and for the engine's
// rejections. The error is an *Error. Texts and lists of the input are shared with
// inputs that were read before, and nobody may change them.
func (p *Parser) Parse(line []byte, number uint64) (vocab.Input, error) {
	in := &p.in
	if err := p.parseInto(in, line, number); err != nil {
		return vocab.Input{}, err
	}
	return *in, nil
}

func (p *Parser) parseInto(in *vocab.Input, line []byte, number uint64) error {
	if p.memory != nil {
		return p.memory.parse(p, in, line, number)
	}
	return p.read(in, line, number)
}

func (p *Parser) read(in *vocab.Input, line []byte, number uint64) error {
	*in = vocab.Input{Line: number}
	p.inputs.outside = p.Outside
	given, err := inputs.parse(&p.inputs, line, in)
	if err == nil && in.Kind == vocab.InSetup {
		err = p.rule(in, given)
	}
	return placed(err, number)
}

// ParseOutput reads one line of an answer, as strictly as Parse an input: what it takes
// has the fields that AppendOutput writes, no more and no fewer, in any order. number is
// for errors, which are each an *Error. Texts are shared as Parse's are.
func (p *Parser) ParseOutput(line []byte, number uint64) (vocab.Output, error) {
	var out vocab.Output
	given, err := outputs.parse(&p.outputs, line, &out)
	if err == nil {
		err = outputs.lines[out.Kind].exact(&p.outputs, given, &out)
	}
	if err != nil {
		return vocab.Output{}, placed(err, number)
	}
	return out, nil
}

// ReadInput reads an input that some version of the program has recorded: what this one
// does not know it passes over, and what is missing is zero. It is false for a line that
// says no input.
func (p *Parser) ReadInput(line []byte) (in vocab.Input, ok bool) {
	ok = inputs.readLoosely(&p.inputs, line, &in)
	return in, ok
}

// ReadOutput reads an output that some version of the program has recorded, as ReadInput
// does an input.
func (p *Parser) ReadOutput(line []byte) (out vocab.Output, ok bool) {
	ok = outputs.readLoosely(&p.outputs, line, &out)
	return out, ok
}

func (c *codec[L]) readLoosely(s *scanner, text []byte, v *L) bool {
	s.loose, s.dues.loose = true, true
	defer func() { s.loose, s.dues.loose = false, false }()
	given, err := s.takeApart(text)
	if err != nil || !given.has(fKind) {
		return false
	}
	name, err := s.word(fKind)
	kind, ok := c.kinds.find(name)
	if err != nil || !ok {
		return false
	}
	c.setKind(v, kind)
	l := &c.lines[kind]
	if l.decides != nil && given.has(l.decides.field) {
		_ = l.decides.set(s, v) // has no error in loose reading
	}
	return l.fill(s, given.and(l.fields.with(fKind)), v) == nil
}

// placed says in which line an error is.
func placed(err error, number uint64) error {
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) {
		e = &Error{Column: 1, What: err.Error()}
	}
	e.Line = number
	return e
}

// parse reads a line of the vocabulary, and says which fields it has.
func (c *codec[L]) parse(s *scanner, text []byte, v *L) (fields, error) {
	given, err := s.takeApart(text)
	if err != nil {
		return fields{}, err
	}
	if !given.has(fKind) {
		return fields{}, wrongAt(1, "there is no field %q: write what is %s, such as {%q:%q}", c.names[fKind], c.done,
			c.names[fKind], c.such)
	}
	name, err := s.word(fKind)
	if err != nil {
		return fields{}, err
	}
	kind, ok := c.kinds.find(name)
	if !ok {
		return fields{}, s.wrongField(fKind, "%q is no %s", name, c.what)
	}
	c.setKind(v, kind)
	l := &c.lines[kind]
	if err := l.shaped(s, given, v); err != nil {
		return fields{}, err
	}
	return given, l.fill(s, given, v)
}

// shaped checks that the line has the fields of its form, and reads the one on which that
// depends. Where it depends on more, the line may have all fields of its kind, until they
// are read.
func (l *line[L]) shaped(s *scanner, given fields, v *L) error {
	switch {
	case l.Form != nil && l.decides == nil:
		return l.fits(s, given, shape{optional: l.fields})
	case l.decides != nil && given.has(l.decides.field):
		if err := l.decides.setNamed(s, v); err != nil {
			return err
		}
	}
	return l.fits(s, given, l.layout(v).shape)
}

func (l *line[L]) fits(s *scanner, given fields, want shape) error {
	for f := range given.without(want.all()).or(want.required.without(given)).all {
		if given.has(f) {
			return s.wrongField(f, "%s lines have no field %q; they have %s", l.Name, s.names[f], s.these(want.all()))
		}
		return wrongAt(1, "%s lines need the field %q", l.Name, s.names[f])
	}
	return nil
}

// fill reads the fields' values.
func (l *line[L]) fill(s *scanner, given fields, v *L) error {
	if l.Room != nil {
		l.Room(v)
	}
	for i := range l.common {
		if one := &l.common[i]; one.Room != nil && !given.and(one.fields).empty() {
			one.Room(v)
		}
	}
	for rest := given.without(only(fKind)); !rest.empty(); rest = rest.rest() {
		if r := l.reading(rest.first()); r != l.decides {
			if err := r.set(s, v); err != nil {
				return err
			}
		}
	}
	if l.Infer != nil {
		l.Infer(v)
	}
	for i := range l.common {
		if one := &l.common[i]; one.Infer != nil && !given.and(one.fields).empty() {
			one.Infer(v)
		}
	}
	return nil
}

// exact checks that the line has the fields that are written of what it says.
func (l *line[L]) exact(s *scanner, given fields, v *L) error {
	want := shape{required: only(fKind)}
	lay := l.layout(v)
	for i := range lay.steps {
		step := lay.steps[i : i+1]
		if s.written = appendFields(s.written[:0], step, v); len(s.written) > 0 {
			want.required = want.required.with(step[0].field)
		}
	}
	for f := range given.all {
		if r := l.reading(f); r != nil && r.Null != nil && s.null(f) != *r.Null(v) {
			return s.wrongField(f, "%q is null where the other amounts are, and only there", r.Name)
		}
	}
	return l.fits(s, given, want)
}

// rule makes the table's rules of a setup.
func (p *Parser) rule(in *vocab.Input, given fields) (err error) {
	if p.AnyHouse {
		return nil
	}
	if p.House != "" {
		in.Setup.House = p.House
	}
	if in.Rules, err = p.Book.Set(*in.Setup); err != nil {
		return p.inputs.wrongField(blamed(err, given), "%v", err)
	}
	return nil
}

// blamed is the field of a setup line that a refusal is about, the house where it is
// about none that was given.
func blamed(err error, given fields) field {
	var all rules.Complaints
	if errors.As(err, &all) && len(all) > 0 {
		path := all[0].Path
		last := path[strings.LastIndexByte(path, '.')+1:]
		if f, ok := inputs.find.find([]byte(last)); ok && given.has(field(f)) {
			return field(f)
		}
	}
	house, _ := inputs.find.find([]byte("house"))
	return field(house)
}
