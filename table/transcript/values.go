package transcript

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// maxText bounds every text of a line in bytes, as it stands there: more than the longest that
// a table takes, whatever its characters.
const maxText = 1024

// maxTime is the last moment that an input may have, in nanoseconds since 1970: the
// end of the year 2200.
var maxTime = time.Date(2201, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano() - 1

// set reads the value of a field.
func (r *reading[L]) set(s *scanner, v *L) error {
	err := r.setValue(s, v)
	if err == nil && r.Given != nil {
		*r.Given(v) = true
	}
	if s.loose {
		return nil // the value is as good as missing
	}
	return err
}

func (r *reading[L]) setValue(s *scanner, v *L) (err error) {
	switch r.Type {
	case vocab.TypeNamed:
		return r.setNamed(s, v)
	case vocab.TypeWord:
		return r.setWord(s, v)
	case vocab.TypeText:
		if *r.Text(v), err = s.text(r.field); err == nil {
			err = r.allowed(s, *r.Text(v))
		}
	case vocab.TypeName:
		if *r.Text(v), err = s.name(r.field); err == nil {
			err = r.allowed(s, *r.Text(v))
		}
	case vocab.TypeRatio:
		*r.Ratio(v), err = s.ratio(r.field)
	case vocab.TypeDue:
		return s.due(r.field, r.Due(v))
	case vocab.TypeTexts, vocab.TypeCalls, vocab.TypeChoices, vocab.TypeCards, vocab.TypeChips:
		return r.setList(s, v)
	default:
		if r.Null != nil && s.null(r.field) {
			*r.Null(v) = true
			return nil
		}
		var n int64
		if n, err = r.number(s); err == nil {
			r.SetNumber(v, n)
		}
	}
	return err
}

// allowed refuses a text that may not come in from outside.
func (r *reading[L]) allowed(s *scanner, texts ...string) error {
	if !s.outside || r.Wrong == nil {
		return nil
	}
	for _, text := range texts {
		if what := r.Wrong(text); what != "" {
			return s.wrongField(r.field, "%q: %s", r.Name, what)
		}
	}
	return nil
}

// setNamed reads the name of a value.
func (r *reading[L]) setNamed(s *scanner, v *L) error {
	name, err := s.word(r.field)
	if err != nil {
		return err
	}
	n, ok := r.names.find(name)
	if !ok {
		return s.wrongField(r.field, "%q is no %s", name, r.Noun)
	}
	r.SetNumber(v, int64(n))
	return nil
}

// setWord reads a name that a house may have given.
func (r *reading[L]) setWord(s *scanner, v *L) error {
	name, err := s.word(r.field)
	if err != nil {
		return err
	}
	n, known := r.names.find(name)
	switch {
	case known:
		*r.Text(v) = r.Names[n]
	case sidebet.WrongName(string(name)) == "":
		*r.Text(v) = s.kept.keep(name)
	case r.Else != "":
		*r.Text(v) = r.Else
	default:
		return s.wrongField(r.field, "%q is no %s", name, r.Noun)
	}
	return nil
}

// number reads a value that is kept as a number.
func (r *reading[L]) number(s *scanner) (int64, error) {
	switch f := r.field; r.Type {
	case vocab.TypeCard:
		return s.card(f, r.names)
	case vocab.TypeTruth:
		return s.truth(f)
	case vocab.TypeMoment:
		return s.moment(f)
	case vocab.TypeCount:
		return s.count(f, r.Most)
	case vocab.TypePositive:
		n, err := s.positive(f)
		return min(n, r.Most), err // what is far too much is for the house to refuse
	case vocab.TypeApart:
		return s.apart(f)
	default:
		return s.amount(f, r.Most)
	}
}

// setList reads a list of names.
func (r *reading[L]) setList(s *scanner, v *L) error {
	list, err := s.list(r.field)
	if err != nil {
		return err
	}
	if r.Type == vocab.TypeTexts {
		*r.Texts(v) = s.kept.keepList(list)
		return r.allowed(s, list...)
	}
	if r.Type == vocab.TypeChips {
		return r.setChips(s, v, list)
	}
	values := make([]uint8, len(list))
	for i, name := range list {
		ok := false
		if values[i], ok = r.names.find([]byte(name)); !ok {
			return s.wrongField(r.field, "%q holds %q, which it cannot", r.Name, name)
		}
	}
	r.setValues(v, values)
	return nil
}

// setChips reads chips, by their value.
func (r *reading[L]) setChips(s *scanner, v *L, list []string) error {
	var chips []vocab.Chips
	for _, text := range list {
		var one vocab.Chips
		if err := one.UnmarshalText([]byte(text)); err != nil {
			return s.wrongField(r.field, "%q: %v", r.Name, err)
		}
		chips = append(chips, one)
	}
	*r.Chips(v) = chips
	return nil
}

func (r *reading[L]) setValues(v *L, values []uint8) {
	switch r.Type {
	case vocab.TypeCalls:
		var calls vocab.Calls
		for _, c := range values {
			calls = calls.With(vocab.Call(c))
		}
		r.SetNumber(v, int64(calls))
	case vocab.TypeChoices:
		var choices []irregularity.Choice
		for _, c := range values {
			choices = append(choices, irregularity.Choice(c))
		}
		*r.Choices(v) = irregularity.Of(choices...)
	case vocab.TypeCards:
		for _, c := range values {
			*r.Cards(v) = append(*r.Cards(v), card.Card(c))
		}
	}
}

// due reads what is due, where that is an object of its own.
func (s *scanner) due(f field, d *vocab.Due) error {
	v := s.values[f]
	if len(v.raw) == 0 || v.raw[0] != '{' {
		return s.wrongField(f, "%s of %q is no object: write what is due, such as {%q:%q}", clip(string(v.raw)),
			s.names[f],
			"to", "bank")
	}
	l := &dues.lines[0]
	given, err := s.dues.takeApart(v.raw)
	given = given.with(fKind) // which the object needs not say
	if s.loose && err == nil {
		return l.fill(s.dues, given.and(l.fields.with(fKind)), d)
	}
	if err == nil {
		err = l.shaped(s.dues, given, d)
	}
	if err == nil {
		err = l.fill(s.dues, given, d)
	}
	if err == nil {
		err = l.exact(s.dues, given, d)
	}
	var e *Error
	if errors.As(err, &e) {
		e.Column += v.column - 1
	}
	return err
}

// positive reads a whole number from 1.
func (s *scanner) positive(f field) (int64, error) {
	n, err := s.amount(f, money.Max)
	if err == nil && n < 1 {
		return 0, s.wrongField(f, "%d is not a positive number", n)
	}
	return n, err
}

// amount reads a whole number that is no larger than most, and no smaller than -most.
func (s *scanner) amount(f field, most int64) (int64, error) {
	raw := s.values[f].raw
	if n, few := fewDigits(raw); few {
		return n, nil
	}
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return 0, s.wrongField(f, "%s of %q is no whole number; amounts are in minor units, 2000 is 20.00",
			clip(string(raw)), s.names[f])
	}
	if n > most || n < -most {
		return 0, s.wrongField(f, "%d is too large: at most %d", n, most)
	}
	return n, nil
}

// apart reads milliseconds, or -1 for never.
func (s *scanner) apart(f field) (int64, error) {
	n, err := s.amount(f, money.Max)
	if err == nil && (n < -1 || n == 0 || n > rules.MaxKeysApart) {
		return 0, s.wrongField(f, "%d are no milliseconds between two calls: write 1 to %d, or -1 for never",
			n, rules.MaxKeysApart)
	}
	return n, err
}

// count reads a whole number from 0 to most.
func (s *scanner) count(f field, most int64) (int64, error) {
	raw := s.values[f].raw
	n, few := fewDigits(raw)
	var err error
	if !few {
		n, err = strconv.ParseInt(string(raw), 10, 64)
	}
	switch {
	case err != nil, n < 0, n > most && most >= math.MaxInt32:
		return 0, s.wrongField(f, "%s of %q is no whole number from 0", clip(string(raw)), s.names[f])
	case n > most:
		return 0, s.wrongField(f, "%d is too large: at most %d", n, most)
	}
	return n, nil
}

// fewDigits reads a number of one to nine digits, as almost all are.
func fewDigits(raw []byte) (n int64, few bool) {
	if len(raw) == 0 || len(raw) > 9 {
		return 0, false
	}
	for _, c := range raw {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// word reads a text of bounded length. What it returns may be part of the line.
func (s *scanner) word(f field) ([]byte, error) {
	v := s.values[f]
	if len(v.raw) == 0 || v.raw[0] != '"' {
		return nil, s.wrongField(f, "%s of %q is no text: write it in quotation marks", clip(string(v.raw)), s.names[f])
	}
	return s.unquote(v.raw, v.column)
}

func (s *scanner) unquote(raw []byte, column int) ([]byte, error) {
	if len(raw) > maxText {
		return nil, wrongAt(column, "a text of %d bytes is too long: at most %d", len(raw), maxText)
	}
	if bytes.IndexByte(raw, '\\') >= 0 {
		return jsontext.AppendUnquote(nil, raw)
	}
	return raw[1 : len(raw)-1], nil
}

// text is a word that may be kept.
func (s *scanner) text(f field) (string, error) {
	word, err := s.word(f)
	if err != nil {
		return "", err
	}
	return s.kept.keep(word), nil
}

func (s *scanner) name(f field) (string, error) {
	name, err := s.text(f)
	if err == nil && name == "" {
		return "", s.wrongField(f, "%q is empty: name who it is", s.names[f])
	}
	return name, err
}

// ratio reads odds, such as "3:2".
func (s *scanner) ratio(f field) (r money.Ratio, err error) {
	word, err := s.word(f)
	if err == nil && r.UnmarshalText(word) != nil {
		err = s.wrongField(f, "%q is not a ratio: write odds as 3:2", word)
	}
	return r, err
}

// list reads a list of texts, which is valid until the next.
func (s *scanner) list(f field) ([]string, error) {
	v := s.values[f]
	s.decode(v.raw)
	if token, err := s.dec.ReadToken(); err != nil || token.Kind() != '[' {
		return nil, s.wrongField(f, `%q is no list: write it as ["a","b"]`, s.names[f])
	}
	s.listed = s.listed[:0]
	for s.dec.PeekKind() != ']' {
		raw, err := s.dec.ReadValue()
		if err != nil || raw.Kind() != '"' {
			return nil, s.wrongField(f, `%q holds something that is no text: write it as ["a","b"]`, s.names[f])
		}
		one, err := s.unquote(raw, v.column+int(s.dec.InputOffset())-len(raw))
		if err != nil {
			return nil, err
		}
		s.listed = append(s.listed, s.kept.keep(one))
	}
	return s.listed, nil
}

func (s *scanner) card(f field, names *named) (int64, error) {
	name, err := s.word(f)
	if err != nil {
		return 0, err
	}
	if c, ok := names.find(name); ok {
		return int64(c), nil
	}
	_, err = card.Parse(string(name)) // says what is wrong
	return 0, s.wrongField(f, "%v", err)
}

func (s *scanner) truth(f field) (int64, error) {
	switch string(s.values[f].raw) {
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	return 0, s.wrongField(f, "%q is neither true nor false", s.names[f])
}

// moment reads a moment into nanoseconds since 1970.
func (s *scanner) moment(f field) (int64, error) {
	text, err := s.word(f)
	if err != nil {
		return 0, err
	}
	var t time.Time
	if t.UnmarshalText(text) != nil { // takes almost all that Parse does, and allocates nothing
		t, err = time.Parse(time.RFC3339Nano, string(text))
	}
	if err != nil || t.Before(time.Unix(0, 0)) || t.After(time.Unix(0, maxTime)) {
		return 0, s.wrongField(f, "%q is no time: write it as 2026-01-31T20:15:00.5Z", text)
	}
	return t.UnixNano(), nil
}
