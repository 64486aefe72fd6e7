package tabletest

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// inPlaceOf stands between the chips that go out in a change and those that come in.
const inPlaceOf = "for"

// readCount reads "count opening 5x20 100x4 dealer=d7 by=anna".
func readCount(a *args, in *vocab.Input) {
	t := vocab.Tray{Dealer: a.given(vocab.Dealer.String())}
	readWho(a, in)
	t.Count, t.Chips = named(a, "a count", vocab.ParseCountEvent), a.chips()
	in.Tray = &t
}

// readSlip reads "fill asked 5x20 by=d7", "credit approved 3 by=anna", "fill received 2 5x20 by=d7".
func readSlip(a *args, in *vocab.Input) {
	readWho(a, in)
	t := vocab.Tray{Step: named(a, "a step", vocab.ParseSlipStep)}
	if t.Step != vocab.SlipAsked {
		t.Slip = uint32(a.number("the number of a slip"))
	}
	t.Chips = a.chips()
	in.Tray = &t
}

// readSold reads "buy-in 100 by=d7", "tips -5 by=anna because=wrong".
func readSold(a *args, in *vocab.Input) {
	readWho(a, in)
	a.amount(in)
	in.Stated = false
}

// readChange reads "change 100x1 for 5x20 by=d7".
func readChange(a *args, in *vocab.Input) {
	readWho(a, in)
	t := vocab.Tray{Chips: a.chips()}
	if len(a.rest) > 0 && a.rest[0].text == inPlaceOf {
		a.rest = a.rest[1:]
		t.For = a.chips()
	}
	in.Tray = &t
}

// chips reads "5x20 100x4": values in units of the currency, and how many there are.
func (a *args) chips() (list []vocab.Chips) {
	for len(a.rest) > 0 && a.rest[0].text != inPlaceOf {
		w := a.next("chips")
		value, pieces, _ := strings.Cut(w.text, "x")
		minor, err := money.Parse(value, a.digits)
		n, errPieces := strconv.ParseInt(pieces, 10, 64)
		if err != nil || errPieces != nil {
			a.fail(w, "%q are no chips: write a value and how many there are, as 5x20", w.text)
			return nil
		}
		list = append(list, vocab.Chips{Value: minor, Pieces: n})
	}
	return list
}

// intervalCounts are what is counted of an interval.
func intervalCounts(s *vocab.Interval) []counted {
	return []counted{
		{"rounds", &s.Rounds},
		{"unknown", &s.Unknown},
		{"corrected", &s.Corrected},
		{"accepted", &s.Accepted},
		{"adjusted", &s.Adjusted},
		{"large", &s.Large},
	}
}

// counted is a number with its name.
type counted struct {
	name string
	n    *int
}

func (r *reading) tray(a *args) {
	y := &r.position.Tray
	y.Known, y.Must, y.Cash = a.flag("counted"), a.signed("must"), a.signed("cash")
	y.Since.Since, y.Slip = uint64(a.count("since")), uint32(a.count("slip"))
	for _, one := range intervalCounts(&y.Since) {
		*one.n = a.count(one.name)
	}
}

func (r *reading) turn(a *args) {
	r.position.Tray.Round = table.Turn{
		Unknown: a.flag("unknown"), Corrected: a.flag("corrected"), Won: a.signed("won"),
		Accepted: a.count("accepted"), Large: a.count("large"),
	}
}

func (r *reading) dealt(a *args) {
	for len(a.rest) > 0 {
		r.position.Tray.Since.Dealers = append(r.position.Tray.Since.Dealers, a.text("a dealer"))
	}
}

func (r *reading) slip(a *args) {
	s := vocab.Slip{By: a.given("by"), Currency: a.given("currency"), Credit: a.flag(vocab.InCredit.String())}
	s.Number, s.Step = uint32(a.number("the number of a slip")), named(a, "a step", vocab.ParseSlipStep)
	s.Chips = a.chips()
	r.position.Tray.Slips = append(r.position.Tray.Slips, s)
}
