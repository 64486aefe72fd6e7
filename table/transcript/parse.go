package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

// blank is what may stand between the parts of a JSON text.
const blank = " \t\r\n"

// maxText bounds every text of a line, in bytes.
const maxText = 100

// Error is a line that is no valid input. Line and Column count from 1.
type Error struct {
	Line   uint64
	Column int
	What   string
}

// Error writes the place and what is wrong there.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.What)
}

// Parser reads input lines. A Parser is used by one goroutine at a time.
type Parser struct {
	// Book is the houses that a setup line may name.
	Book rules.Book
	// House, if set, is played whatever house a setup line names.
	House string

	reader bytes.Reader
	dec    *jsontext.Decoder
	values [fieldCount]value
	texts  map[string]string
}

// value is one field of the line being read.
type value struct {
	raw    []byte // as it stands in the line
	column int
}

// NewParser returns a parser for tables of the houses in book.
func NewParser(book rules.Book) *Parser {
	return &Parser{Book: book, dec: jsontext.NewDecoder(new(bytes.Reader)), texts: map[string]string{}}
}

// Parse reads one line; number is its number, for errors and for the engine's
// rejections. The error is an *Error.
func (p *Parser) Parse(line []byte, number uint64) (table.Input, error) {
	in := table.Input{Line: number}
	err := p.parse(line, &in)
	if err == nil {
		return in, nil
	}
	var placed *Error
	if !errors.As(err, &placed) {
		placed = &Error{Column: 1, What: err.Error()}
	}
	placed.Line = number
	return table.Input{}, placed
}

func (p *Parser) parse(line []byte, in *table.Input) error {
	given, err := p.read(line)
	if err != nil {
		return err
	}
	if !given.has(fIn) {
		return wrong(1, `there is no field "in": write what is put in, such as {"in":"open"}`)
	}
	name, err := p.text(fIn)
	if err != nil {
		return err
	}
	kind, ok := table.ParseInputKind(name)
	if !ok {
		return p.wrong(fIn, "%q is no input", name)
	}
	in.Kind = kind
	if err := p.shaped(kind, given, in); err != nil {
		return err
	}
	return p.fill(given, in)
}

// read takes the line apart into its fields.
func (p *Parser) read(line []byte) (fields, error) {
	p.reader.Reset(line)
	p.dec.Reset(&p.reader)
	token, err := p.dec.ReadToken()
	if err != nil {
		return 0, syntax(err, line)
	}
	if token.Kind() != '{' {
		return 0, wrong(1, "the line is no JSON object")
	}
	var given fields
	for p.dec.PeekKind() != '}' {
		f, err := p.readField(line)
		if err != nil {
			return 0, err
		}
		given |= 1 << f
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return 0, syntax(err, line)
	}
	if rest := bytes.TrimLeft(line[p.dec.InputOffset():], blank); len(rest) > 0 {
		return 0, wrong(len(line)-len(rest)+1, "something follows the object: write one object a line")
	}
	return given, nil
}

func (p *Parser) readField(line []byte) (field, error) {
	name, err := p.dec.ReadValue()
	if err != nil {
		return 0, syntax(err, line)
	}
	end := int(p.dec.InputOffset())
	f, ok := parseField(key(name))
	if !ok {
		return 0, wrong(end-len(name)+1, "%s is no field of a transcript", clip(string(name)))
	}
	raw, err := p.dec.ReadValue()
	if err != nil {
		return 0, syntax(err, line)
	}
	end = int(p.dec.InputOffset())
	start := end - len(raw) // the decoder's own copy does not last
	p.values[f] = value{raw: line[start:end], column: start + 1}
	return f, nil
}

// key takes a field's name out of its quotation marks.
func key(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	name, _ := jsontext.AppendUnquote(nil, raw) // the decoder has found it sound
	return name
}

// shaped checks that the line has the fields of its kind.
func (p *Parser) shaped(kind table.InputKind, given fields, in *table.Input) error {
	want, err := p.shape(kind, given, in)
	if err != nil {
		return err
	}
	for f := range fieldCount {
		switch {
		case given.has(f) && !want.all().has(f):
			return p.wrong(f, "%s lines have no field %q; they have %s", kind, f, want.all())
		case want.required.has(f) && !given.has(f):
			return wrong(1, "%s lines need the field %q", kind, f)
		}
	}
	return nil
}

// shape says which fields the line must have, and reads the call or event on which
// that depends.
func (p *Parser) shape(kind table.InputKind, given fields, in *table.Input) (shape, error) {
	switch {
	case kind == table.InCall && given.has(fCall):
		name, err := p.text(fCall)
		if err != nil {
			return shape{}, err
		}
		call, ok := table.ParseCall(name)
		if !ok {
			return shape{}, p.wrong(fCall, "%q is no call", name)
		}
		in.Call = call
		return callShape(call), nil
	case kind == table.InShoe && given.has(fEvent):
		name, err := p.text(fEvent)
		if err != nil {
			return shape{}, err
		}
		event, ok := table.ParseShoeEvent(name)
		if !ok {
			return shape{}, p.wrong(fEvent, "%q is no event", name)
		}
		in.Shoe = event
		return eventShape(event), nil
	}
	return shapes[kind], nil
}

// fill reads the fields' values.
func (p *Parser) fill(given fields, in *table.Input) error {
	for f := fT; f < fieldCount; f++ {
		if !given.has(f) {
			continue
		}
		if err := p.set(f, in); err != nil {
			return err
		}
	}
	if in.Kind == table.InSetup {
		return p.setup(given, in)
	}
	return nil
}

func (p *Parser) set(f field, in *table.Input) (err error) {
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
		in.Bettors, err = p.names(f)
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
func (p *Parser) setNamed(f field, in *table.Input) error {
	if in.Kind == table.InSetup || f == fCall || f == fEvent && in.Kind == table.InShoe {
		return nil
	}
	name, err := p.text(f)
	if err != nil {
		return err
	}
	ok := true
	switch f {
	case fWager:
		in.Wager = table.ParseWager(name)
	case fWith:
		in.With, ok = table.ParseChoice(name)
	case fEvent:
		in.Storage, ok = table.ParseStorageEvent(name)
	case fRole:
		ok = name == table.Supervisor.String() || name == table.Dealer.String()
		if name == table.Dealer.String() {
			in.Role = table.Dealer
		}
	}
	if !ok {
		return p.wrong(f, "%q is no %s", name, f)
	}
	return nil
}

// by reads who it was. An alert is acknowledged by somebody.
func (p *Parser) by(f field, kind table.InputKind) (string, error) {
	if kind == table.InAcknowledge {
		return p.name(f)
	}
	return p.text(f)
}

// code reads an irregularity's name, or a name of the shoe's or the note's own.
func (p *Parser) code(f field, in *table.Input) (err error) {
	if in.Kind != table.InAcknowledge {
		in.Code, err = p.text(f)
		return err
	}
	name, err := p.text(f)
	if err != nil {
		return err
	}
	ok := false
	if in.Irregularity, ok = table.ParseCode(name); !ok {
		return p.wrong(f, "%q is no irregularity", name)
	}
	return nil
}

// setup reads a setup line and makes the table's rules of it.
func (p *Parser) setup(given fields, in *table.Input) error {
	s := &rules.Setup{}
	amounts := map[field]*money.Amount{fMin: &s.Min, fBoxMax: &s.BoxMax, fUnit: &s.Unit, fJackpot: &s.Jackpot}
	numbers := map[field]*int{fDecks: &s.Decks, fBoxes: &s.Boxes}
	texts := map[field]*string{fHouse: &s.House, fCurrency: &s.Currency, fCall: &s.Calls, fProfile: &s.Profile}
	for f := fHouse; f <= fProfile; f++ {
		if !given.has(f) {
			continue
		}
		var err error
		switch {
		case amounts[f] != nil:
			*amounts[f], err = p.positive(f)
		case f == fKeysApart:
			s.KeysApart, err = p.apart(f)
		case numbers[f] != nil:
			var n int64
			n, err = p.positive(f)
			*numbers[f] = int(min(n, math.MaxInt16))
		default:
			*texts[f], err = p.text(f)
		}
		if err != nil {
			return err
		}
	}
	if p.House != "" {
		s.House = p.House
	}
	set, err := p.Book.Set(*s)
	if err != nil {
		return p.wrong(blamed(err, given), "%v", err)
	}
	in.Setup, in.Rules = s, set
	return nil
}

// blamed is the field of a setup line that a refusal is about, the house
// where it is about none that was given.
func blamed(err error, given fields) field {
	var all rules.Complaints
	if errors.As(err, &all) && len(all) > 0 {
		path := all[0].Path
		last := path[strings.LastIndexByte(path, '.')+1:]
		if f, ok := parseField([]byte(last)); ok && given.has(f) {
			return f
		}
	}
	return fHouse
}

// apart reads milliseconds, or -1 for never.
func (p *Parser) apart(f field) (int, error) {
	n, err := p.amount(f)
	if err == nil && (n < -1 || n == 0 || n > rules.MaxKeysApart) {
		return 0, p.wrong(f, "%d are no milliseconds between two calls: write 1 to %d, or -1 for never", n, rules.MaxKeysApart)
	}
	return int(n), err
}

func (p *Parser) positive(f field) (int64, error) {
	n, err := p.amount(f)
	if err == nil && n < 1 {
		return 0, p.wrong(f, "%d is not a positive number", n)
	}
	return n, err
}

// amount reads a whole number that is no larger than any stake can be.
func (p *Parser) amount(f field) (int64, error) {
	raw := p.values[f].raw
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return 0, p.wrong(f, "%s of %q is no whole number; amounts are in minor units, 2000 is 20.00", clip(string(raw)), f)
	}
	if n > money.Max || n < -money.Max {
		return 0, p.wrong(f, "%d is too large: at most %d", n, money.Max)
	}
	return n, nil
}

func (p *Parser) small(f field) (int, error) {
	n, err := strconv.ParseInt(string(p.values[f].raw), 10, 32)
	if err != nil || n < 0 {
		return 0, p.wrong(f, "%s of %q is no whole number from 0", clip(string(p.values[f].raw)), f)
	}
	return int(n), nil
}

// text reads a string of bounded length.
func (p *Parser) text(f field) (string, error) {
	v := p.values[f]
	if len(v.raw) == 0 || v.raw[0] != '"' {
		return "", p.wrong(f, "%s of %q is no text: write it in quotation marks", clip(string(v.raw)), f)
	}
	return p.unquote(v.raw, v.column)
}

func (p *Parser) unquote(raw []byte, column int) (string, error) {
	if len(raw) > maxText {
		return "", wrong(column, "a text of %d bytes is too long: at most %d", len(raw), maxText)
	}
	if bytes.IndexByte(raw, '\\') >= 0 {
		unquoted, err := jsontext.AppendUnquote(nil, raw)
		return string(unquoted), err
	}
	return p.intern(raw[1 : len(raw)-1]), nil
}

// intern keeps one copy of each text, as bettors' names come over and over.
func (p *Parser) intern(raw []byte) string {
	if s, ok := p.texts[string(raw)]; ok {
		return s
	}
	if len(p.texts) >= 4096 {
		clear(p.texts)
	}
	s := string(raw)
	p.texts[s] = s
	return s
}

func (p *Parser) name(f field) (string, error) {
	s, err := p.text(f)
	if err == nil && s == "" {
		return "", p.wrong(f, "%q is empty: name who it is", f)
	}
	return s, err
}

// names reads a list of texts.
func (p *Parser) names(f field) ([]string, error) {
	v := p.values[f]
	names := []string{}
	dec := jsontext.NewDecoder(bytes.NewReader(v.raw))
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '[' {
		return nil, p.wrong(f, `%q is no list: write it as ["a","b"]`, f)
	}
	for dec.PeekKind() != ']' {
		raw, err := dec.ReadValue()
		if err != nil || raw.Kind() != '"' {
			return nil, p.wrong(f, `%q holds something that is no text: write it as ["a","b"]`, f)
		}
		one, err := p.unquote(raw, v.column+int(dec.InputOffset())-len(raw))
		if err != nil {
			return nil, err
		}
		names = append(names, one)
	}
	return names, nil
}

func (p *Parser) card(f field) (card.Card, error) {
	name, err := p.text(f)
	if err != nil {
		return card.None, err
	}
	c, err := card.Parse(name)
	if err != nil {
		return card.None, p.wrong(f, "%v", err)
	}
	return c, nil
}

func (p *Parser) seat(f field) (table.Seat, error) {
	switch string(p.values[f].raw) {
	case "true":
		return table.Seated, nil
	case "false":
		return table.Standing, nil
	}
	return 0, p.wrong(f, "%q is neither true nor false", f)
}

// time reads a moment into nanoseconds since 1970.
func (p *Parser) time(f field) (int64, error) {
	text, err := p.text(f)
	if err != nil {
		return 0, err
	}
	t, err := time.Parse(time.RFC3339Nano, text)
	if year := t.UTC().Year(); err != nil || year < 1970 || year > 2200 {
		return 0, p.wrong(f, "%q is no time: write it as 2026-01-31T20:15:00.5Z", text)
	}
	return t.UnixNano(), nil
}

func (p *Parser) wrong(f field, format string, args ...any) error {
	return wrong(p.values[f].column, format, args...)
}

func wrong(column int, format string, args ...any) error {
	return &Error{Column: column, What: fmt.Sprintf(format, args...)}
}

func syntax(err error, line []byte) error {
	column := len(line) + 1
	var s *jsontext.SyntacticError
	if errors.As(err, &s) {
		column = int(s.ByteOffset) + 1
		if errors.Is(s.Err, jsontext.ErrDuplicateName) {
			return wrong(column, "the field %q stands in the line twice", s.JSONPointer.LastToken())
		}
		return wrong(column, "no JSON: %v", s.Err)
	}
	return wrong(column, "the line ends before its object does")
}

// clip shortens what is quoted in an error.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	cut := most
	for !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
