package dashboard

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/money"
)

// dayModel is what a table has come to in its gaming day. Amounts, and what each dealer has come to, are for those who
// may know.
type dayModel struct {
	// Periods are the day, and the present dealer's shift.
	Periods []periodModel
	// Wagers are the day by kind of wager, and Unknown says how many of them are left out.
	Wagers  []periodModel
	Unknown string
	// Dealers are the day by dealer, the latest first.
	Dealers []periodModel
}

// periodModel is a row: what it is, and what it has come to.
type periodModel struct {
	Name, Since, Value, Won, More string
	// Due is what the house would have won if everything had been paid as it was due, "" where it was, and Void how
	// many rounds were void, and what they came to.
	Due, Void string
}

// taken is what a period's wagers in one currency came to.
type taken struct {
	currency       string
	staked, result int64
	// over is how much more was paid than was due, and kept what void rounds came to.
	over, kept int64
	unknown    uint64
}

// takenIn adds a period's wagers up, by currency.
func takenIn(p *topic.Period) (sums []taken) {
	for _, w := range p.Wagers {
		i := slices.IndexFunc(sums, func(have taken) bool { return have.currency == w.Currency })
		if i < 0 {
			i, sums = len(sums), append(sums, taken{currency: w.Currency})
		}
		sums[i].staked += w.Staked
		sums[i].result += w.Result
		sums[i].over += w.Over
		sums[i].kept += w.VoidKept
		sums[i].unknown += w.Unknown
	}
	return slices.DeleteFunc(sums, func(one taken) bool {
		return one.staked == 0 && one.result == 0 && one.unknown == 0
	})
}

// won writes what the house has won: the currency where it is not the table's, and nothing where no amount is known.
func won(l display.Language, sums []taken, t *floor.Tile) string {
	return signed(l, sums, t, func(one *taken) (int64, bool) { return one.result, one.staked != 0 || one.result != 0 })
}

// due writes what it would have won if everything had been paid as it was due, nothing where it was.
func due(l display.Language, sums []taken, t *floor.Tile) string {
	return signed(l, sums, t, func(one *taken) (int64, bool) { return one.result + one.over, one.over != 0 })
}

// kept writes what void rounds came to.
func kept(l display.Language, sums []taken, t *floor.Tile) string {
	return signed(l, sums, t, func(one *taken) (int64, bool) { return one.kept, one.kept != 0 })
}

// signed writes an amount of each currency in which there is one.
func signed(l display.Language, sums []taken, t *floor.Tile, of func(*taken) (int64, bool)) string {
	var all []string
	for i := range sums {
		one := &sums[i]
		amount, is := of(one)
		if !is {
			continue
		}
		text := exact(l, amount, money.Digits(one.currency))
		if amount > 0 {
			text = "+" + text
		}
		all = append(all, inCurrency(l, text, one.currency, t))
	}
	return strings.Join(all, " · ")
}

// inCurrency adds its currency to an amount where that is not the table's.
func inCurrency(l display.Language, text, currency string, t *floor.Tile) string {
	if currency == t.Currency {
		return text
	}
	return l.Priced(text, currency)
}

// exact writes minor units, without decimals where those say nothing.
func exact(l display.Language, minor int64, digits int) string {
	whole, left := minor, digits
	for ; left > 0 && whole%10 == 0; left-- {
		whole /= 10
	}
	if left > 0 {
		return l.Money(minor, digits)
	}
	return l.Money(whole, 0)
}

// day draws a table's gaming day.
func (r renderer) day(totals *topic.Totals, t *floor.Tile, sees bool) (m dayModel) {
	l := r.language.In(t.House)
	house := func(p *topic.Period) string {
		text := won(l, takenIn(p), t)
		if text != "" {
			text = r.say("pit.house-won") + " " + text
		}
		return text
	}
	row := func(name string, p *topic.Period) periodModel {
		one := periodModel{
			Name: name, Since: r.with("pit.since", "time", r.minute(p.Since)),
			Value: r.language.Count("pit-rounds", int(p.Rounds)),
		}
		if p.Void > 0 {
			one.Void = r.with("pit.void", "n", r.language.Count("pit-rounds", int(p.Void)))
		}
		if sees {
			sums := takenIn(p)
			one.Won = house(p)
			if text := due(l, sums, t); text != "" {
				one.Due = r.with("pit.due", "amount", text)
			}
			if text := kept(l, sums, t); text != "" {
				one.Void += " " + text
			}
			if n := wrongs(p); n > 0 {
				one.More = r.language.Count("pit-wrong", n)
			}
		}
		return one
	}
	m.Periods = append(m.Periods, row(r.say("pit.day"), &totals.Day))
	if totals.Shift != nil {
		m.Periods = append(m.Periods, row(r.say("pit.shift")+": "+dealt(totals.Shift), totals.Shift))
	}
	if !sees {
		return m
	}
	unknown := uint64(0)
	for _, w := range totals.Day.Wagers {
		unknown += w.Unknown
		kind := topic.Period{Wagers: []topic.Takings{w}}
		one := periodModel{Name: display.Capital(l.Label(display.LabelWager, w.Wager)), Won: house(&kind)}
		if one.Won != "" {
			staked := exact(l, w.Staked, money.Digits(w.Currency))
			one.Value = r.with("pit.figures-of-staked", "amount", inCurrency(l, staked, w.Currency, t))
		}
		if text := due(l, takenIn(&kind), t); text != "" {
			one.Due = r.with("pit.due", "amount", text)
		}
		m.Wagers = append(m.Wagers, one)
	}
	if unknown > 0 {
		m.Unknown = r.with("pit.figures-unknown", "n", r.language.Money(int64(unknown), 0))
	}
	for _, p := range slices.Backward(totals.Dealers) {
		m.Dealers = append(m.Dealers, row(cmp.Or(dealt(&p), r.say("pit.figures-nobody")), &p))
	}
	return m
}

// dealt names a dealer and the shift.
func dealt(p *topic.Period) string {
	if p.Shift == "" {
		return p.Dealer
	}
	return p.Dealer + " (" + p.Shift + ")"
}

// wrongs counts a period's irregularities.
func wrongs(p *topic.Period) (n int) {
	for _, times := range p.Irregularities {
		n += int(times)
	}
	return n
}
