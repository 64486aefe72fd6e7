package transcript

import (
	"bytes"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// maxText bounds every text of a line, in bytes.
const maxText = 100

// maxTime is the last moment that an input may have, in nanoseconds since 1970: the
// end of the year 2200.
var maxTime = time.Date(2201, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano() - 1

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
	if n, few := fewDigits(raw); few {
		return n, nil
	}
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
	raw := p.values[f].raw
	if n, few := fewDigits(raw); few {
		return int(n), nil
	}
	n, err := strconv.ParseInt(string(raw), 10, 32)
	if err != nil || n < 0 {
		return 0, p.wrong(f, "%s of %q is no whole number from 0", clip(string(raw)), f)
	}
	return int(n), nil
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
func (p *Parser) word(f field) ([]byte, error) {
	v := p.values[f]
	if len(v.raw) == 0 || v.raw[0] != '"' {
		return nil, p.wrong(f, "%s of %q is no text: write it in quotation marks", clip(string(v.raw)), f)
	}
	return p.unquote(v.raw, v.column)
}

func (p *Parser) unquote(raw []byte, column int) ([]byte, error) {
	if len(raw) > maxText {
		return nil, wrong(column, "a text of %d bytes is too long: at most %d", len(raw), maxText)
	}
	if !p.plain && bytes.IndexByte(raw, '\\') >= 0 {
		return jsontext.AppendUnquote(nil, raw)
	}
	return raw[1 : len(raw)-1], nil
}

// text is a word that may be kept.
func (p *Parser) text(f field) (string, error) {
	word, err := p.word(f)
	if err != nil {
		return "", err
	}
	return p.texts.keep(word), nil
}

func (p *Parser) name(f field) (string, error) {
	s, err := p.text(f)
	if err == nil && s == "" {
		return "", p.wrong(f, "%q is empty: name who it is", f)
	}
	return s, err
}

// list reads a list of texts.
func (p *Parser) list(f field) ([]string, error) {
	v := p.values[f]
	p.reader.Reset(v.raw)
	p.dec.Reset(&p.reader)
	if token, err := p.dec.ReadToken(); err != nil || token.Kind() != '[' {
		return nil, p.wrong(f, `%q is no list: write it as ["a","b"]`, f)
	}
	p.names = p.names[:0]
	for p.dec.PeekKind() != ']' {
		raw, err := p.dec.ReadValue()
		if err != nil || raw.Kind() != '"' {
			return nil, p.wrong(f, `%q holds something that is no text: write it as ["a","b"]`, f)
		}
		one, err := p.unquote(raw, v.column+int(p.dec.InputOffset())-len(raw))
		if err != nil {
			return nil, err
		}
		p.names = append(p.names, p.texts.keep(one))
	}
	return p.texts.keepList(p.names), nil
}

func (p *Parser) card(f field) (card.Card, error) {
	name, err := p.word(f)
	if err != nil {
		return card.None, err
	}
	if c, ok := namedCards.find(name); ok {
		return c, nil
	}
	_, err = card.Parse(string(name)) // says what is wrong
	return card.None, p.wrong(f, "%v", err)
}

func (p *Parser) seat(f field) (vocab.Seat, error) {
	switch string(p.values[f].raw) {
	case "true":
		return vocab.Seated, nil
	case "false":
		return vocab.Standing, nil
	}
	return 0, p.wrong(f, "%q is neither true nor false", f)
}

// time reads a moment into nanoseconds since 1970.
func (p *Parser) time(f field) (int64, error) {
	text, err := p.word(f)
	if err != nil {
		return 0, err
	}
	var t time.Time
	if t.UnmarshalText(text) != nil { // takes almost all that Parse does, and allocates nothing
		t, err = time.Parse(time.RFC3339Nano, string(text))
	}
	if err != nil || t.Before(time.Unix(0, 0)) || t.After(time.Unix(0, maxTime)) {
		return 0, p.wrong(f, "%q is no time: write it as 2026-01-31T20:15:00.5Z", text)
	}
	return t.UnixNano(), nil
}
