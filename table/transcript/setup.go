package transcript

import (
	"errors"
	"math"
	"strings"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// setup reads a setup line and makes the table's rules of it.
func (p *Parser) setup(given fields, in *vocab.Input) error {
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
			if p.AnyHouse && err == nil && n > math.MaxInt16 {
				err = p.wrong(f, "%d is too large", n)
			}
			*numbers[f] = int(min(n, math.MaxInt16))
		default:
			*texts[f], err = p.text(f)
		}
		if err != nil {
			return err
		}
	}
	in.Setup = s
	if err := p.rule(in); err != nil {
		return p.wrong(blamed(err, given), "%v", err)
	}
	return nil
}

// apart reads milliseconds, or -1 for never.
func (p *Parser) apart(f field) (int, error) {
	n, err := p.amount(f)
	if err == nil && (n < -1 || n == 0 || n > rules.MaxKeysApart) {
		return 0, p.wrong(f, "%d are no milliseconds between two calls: write 1 to %d, or -1 for never", n, rules.MaxKeysApart)
	}
	return int(n), err
}

// rule makes the table's rules of a setup.
func (p *Parser) rule(in *vocab.Input) (err error) {
	if p.AnyHouse {
		return nil
	}
	if p.House != "" {
		in.Setup.House = p.House
	}
	in.Rules, err = p.Book.Set(*in.Setup)
	return err
}

// blamed is the field of a setup line that a refusal is about, the house
// where it is about none that was given.
func blamed(err error, given fields) field {
	var all rules.Complaints
	if errors.As(err, &all) && len(all) > 0 {
		path := all[0].Path
		last := path[strings.LastIndexByte(path, '.')+1:]
		if f, ok := findField(last); ok && given.has(f) {
			return f
		}
	}
	return fHouse
}
