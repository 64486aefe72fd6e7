package transcript

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// Parser reads input lines. A Parser is used by one goroutine at a time.
type Parser struct {
	// Book is the houses that a setup line may name.
	Book profile.Book
	// House, if set, is played whatever house a setup line names.
	House string
	// AnyHouse takes setup lines as they stand and leaves Input.Rules nil, for those
	// who pass transcripts on and do not play them.
	AnyHouse bool

	reader bytes.Reader
	dec    *jsontext.Decoder
	values [fieldCount]value
	// follows is which field followed each field when it came last.
	follows [fieldCount + 1]field
	plain   bool // no text of the line has an escape in it
	texts   texts
	names   []string // of the list being read
}

// value is one field of the line being read.
type value struct {
	raw    []byte // as it stands in the line
	column int
}

// NewParser returns a parser for tables of the houses in book.
func NewParser(book profile.Book) *Parser {
	return &Parser{Book: book, dec: jsontext.NewDecoder(new(bytes.Reader))}
}

// Parse reads one line; number is its number, for errors and for the engine's
// rejections. The error is an *Error. Texts and lists of the input are shared with
// inputs that were read before, and nobody may change them.
func (p *Parser) Parse(line []byte, number uint64) (vocab.Input, error) {
	var in vocab.Input
	if err := p.parseInto(&in, line, number); err != nil {
		return vocab.Input{}, err
	}
	return in, nil
}

func (p *Parser) parseInto(in *vocab.Input, line []byte, number uint64) error {
	*in = vocab.Input{Line: number}
	err := p.parse(line, in)
	if err == nil {
		return nil
	}
	var placed *Error
	if !errors.As(err, &placed) {
		placed = &Error{Column: 1, What: err.Error()}
	}
	placed.Line = number
	return placed
}

func (p *Parser) parse(line []byte, in *vocab.Input) error {
	given, err := p.takeApart(line)
	if err != nil {
		return err
	}
	if !given.has(fIn) {
		return wrong(1, `there is no field "in": write what is put in, such as {"in":"open"}`)
	}
	name, err := p.word(fIn)
	if err != nil {
		return err
	}
	kind, ok := namedInputs.find(name)
	if !ok {
		return p.wrong(fIn, "%q is no input", name)
	}
	in.Kind = kind
	if err := p.shaped(kind, given, in); err != nil {
		return err
	}
	return p.fill(given, in)
}

// takeApart finds the fields of a line.
func (p *Parser) takeApart(line []byte) (given fields, err error) {
	if given, p.plain = p.scan(line); p.plain {
		return given, nil
	}
	return p.read(line)
}

// shaped checks that the line has the fields of its kind.
func (p *Parser) shaped(kind vocab.InputKind, given fields, in *vocab.Input) error {
	want, err := p.shape(kind, given, in)
	if err != nil {
		return err
	}
	for f := range ((given &^ want.all()) | (want.required &^ given)).all {
		if given.has(f) {
			return p.wrong(f, "%s lines have no field %q; they have %s", kind, f, want.all())
		}
		return wrong(1, "%s lines need the field %q", kind, f)
	}
	return nil
}

// shape says which fields the line must have, and reads the call or event on which
// that depends.
func (p *Parser) shape(kind vocab.InputKind, given fields, in *vocab.Input) (shape, error) {
	switch {
	case kind == vocab.InCall && given.has(fCall):
		name, err := p.word(fCall)
		if err != nil {
			return shape{}, err
		}
		call, ok := namedCalls.find(name)
		if !ok {
			return shape{}, p.wrong(fCall, "%q is no call", name)
		}
		in.Call = call
	case kind == vocab.InShoe && given.has(fEvent):
		name, err := p.word(fEvent)
		if err != nil {
			return shape{}, err
		}
		event, ok := namedEvents.find(name)
		if !ok {
			return shape{}, p.wrong(fEvent, "%q is no event", name)
		}
		in.Shoe = event
	case kind == vocab.InStorage && given.has(fEvent):
		name, err := p.word(fEvent)
		if err != nil {
			return shape{}, err
		}
		event, ok := namedStorage.find(name)
		if !ok {
			return shape{}, p.wrong(fEvent, "%q is no event", name)
		}
		in.Storage = event
	}
	return shapeOf(in), nil
}

// fill reads the fields' values.
func (p *Parser) fill(given fields, in *vocab.Input) error {
	for rest := given &^ (1 << fIn); rest != 0; rest &= rest - 1 {
		if err := p.set(rest.first(), in); err != nil {
			return err
		}
	}
	if in.Kind == vocab.InSetup {
		return p.setup(given, in)
	}
	return nil
}

func (p *Parser) set(f field, in *vocab.Input) (err error) {
	switch f {
	case fT:
		in.Time, err = p.time(f)
	case fBox:
		in.Box, err = p.small(f)
	case fMissing:
		in.Missing, err = p.small(f)
	case fAmount:
		in.Stated = true
		in.Amount, err = p.amount(f)
	case fBettor:
		in.Bettor, err = p.name(f)
	case fPlayer:
		in.Player, err = p.name(f)
	case fBy:
		in.By, err = p.by(f, in.Kind)
	case fName:
		in.By, err = p.text(f)
	case fShift:
		in.Shift, err = p.text(f)
	case fReason:
		in.Because, err = p.text(f)
	case fCode:
		err = p.code(f, in)
	case fBettors:
		in.Bettors, err = p.list(f)
	case fCard:
		in.Card, err = p.card(f)
	case fSeated:
		in.Seat, err = p.seat(f)
	default:
		return p.setNamed(f, in)
	}
	return err
}

// setNamed reads the fields whose values are names of a fixed set.
func (p *Parser) setNamed(f field, in *vocab.Input) error {
	if in.Kind == vocab.InSetup || f == fCall || f == fEvent {
		return nil
	}
	name, err := p.word(f)
	if err != nil {
		return err
	}
	ok := true
	switch f {
	case fWager:
		if in.Wager, ok = namedWagers.find(name); !ok {
			in.Wager, ok = vocab.WagerUnknown, true
		}
	case fWith:
		in.With, ok = namedChoices.find(name)
	case fRole:
		in.Role, ok = namedRoles.find(name)
	}
	if !ok {
		return p.wrong(f, "%q is no %s", name, f)
	}
	return nil
}

// by reads who it was. An alert is acknowledged by somebody.
func (p *Parser) by(f field, kind vocab.InputKind) (string, error) {
	if kind == vocab.InAcknowledge {
		return p.name(f)
	}
	return p.text(f)
}

// code reads an irregularity's name, or a name of the shoe's or the note's own.
func (p *Parser) code(f field, in *vocab.Input) (err error) {
	if in.Kind != vocab.InAcknowledge {
		in.Code, err = p.text(f)
		return err
	}
	name, err := p.word(f)
	if err != nil {
		return err
	}
	ok := false
	if in.Irregularity, ok = namedCodes.find(name); !ok {
		return p.wrong(f, "%q is no irregularity", name)
	}
	return nil
}

func parseRole(name string) (vocab.Role, bool) {
	for _, role := range [...]vocab.Role{vocab.Supervisor, vocab.Dealer} {
		if role.String() == name {
			return role, true
		}
	}
	return 0, false
}
