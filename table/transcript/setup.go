package transcript

import (
	"errors"
	"math"
	"strings"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
)

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
		if f, ok := findField(last); ok && given.has(f) {
			return f
		}
	}
	return fHouse
}
