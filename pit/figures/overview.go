package figures

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/tally"
)

// overviewModel is the page of figures.
type overviewModel struct {
	headModel
	None  bool
	Tiles []tile
	// Sum says in a sentence what to make of all wagers together.
	Sum, SumClass string
	Lucks         []luckModel
	Unknown       string
	Hours         *hoursModel
	Occupied      []occupiedModel
	OccupiedHours []string
	ByTable       pacesModel
	ByDealer      pacesModel
	Codes         []codeModel
	Money         moneyModel
	// Rate is that of all irregularities.
	Rate string
}

// tile is one number that is read first.
type tile struct{ Name, Value, Note, Where string }

// luckModel is a wager against its luck.
type luckModel struct {
	House, Wager, Where, Rounds, RoundsWhere   string
	Class, Sign, Verdict                       string
	Picture                                    template.HTML
	Staked, Won, Expected, Band, Hold, Edge, P string
	Currency                                   string
}

type hoursModel struct {
	Columns []tally.Rate
	Rows    []paceModel
}

// pacesModel are tables or dealers, with what they are compared by.
type pacesModel struct {
	Columns []tally.Rate
	Rows    []paceModel
}

// paceModel is a table, a dealer or an hour.
type paceModel struct {
	Name, Where, Rounds string
	Cells               []paceCell
	Class, Sign         string
	// At is the rounds an hour as they are drawn over time.
	At float64
}

// paceCell is one of its rates, with a picture where it is compared by that.
type paceCell struct {
	*tally.Rate
	Value, Remark string
	Picture       template.HTML
}

type occupiedModel struct {
	Table, Where string
	Cells        []cell
}

type cell struct{ Text, Where, Class, Title string }

type codeModel struct {
	Name, Where, Count, Rate, Bounds string
	Picture                          template.HTML
}

func (d drawing) overview(ctx context.Context) (any, error) {
	p, err := d.look(ctx, d.query)
	if err != nil {
		return nil, err
	}
	head, err := d.head(ctx, "", d.say("pit.figures"))
	if err != nil {
		return nil, err
	}
	m := overviewModel{headModel: head, None: p.all.Rounds == 0, Tiles: d.tiles(p)}
	m.Money = d.money(p, "")
	return d.fill(&m, p), nil
}

// fill draws the picture into the page's model.
func (d drawing) fill(m *overviewModel, p *picture) *overviewModel {
	m.Sum, m.SumClass = d.sum(p)
	for i := range p.lucks {
		m.Lucks = append(m.Lucks, d.luck(&p.lucks[i], len(p.lucks)))
	}
	if p.unknown > 0 {
		m.Unknown = d.with("pit.figures-unknown", "n", d.whole(p.unknown))
	}
	m.Hours = d.hours(p)
	m.Occupied, m.OccupiedHours = d.occupied(p)
	m.ByTable = d.paces(p, p.tables, func(o *pace) (string, []string) {
		return d.tableName(o.Table), []string{"table", o.Table.Name(), "site", o.Table.Site()}
	})
	m.ByDealer = d.paces(p, p.dealers, func(o *pace) (string, []string) {
		if o.Dealer == "" {
			return d.say("pit.figures-nobody"), nil
		}
		return o.Dealer, []string{"dealer", o.Dealer}
	})
	m.Codes = d.codes(p)
	m.Rate = d.decimal(1000*share(p.all.Irregularities, p.all.Rounds), 1)
	return m
}

// tiles are the numbers that are read first.
func (d drawing) tiles(p *picture) []tile {
	var list []tile
	for i := range tally.Rates {
		r := &tally.Rates[i]
		one := tile{
			Name: d.say(r.Name), Value: d.rate(r, &p.all.Sum.Sum),
			Note: d.with(r.Note, "n", d.counted(r, &p.all.Sum.Sum)),
		}
		if r.Form == tally.Seconds {
			one.Value += "\u202fs"
		}
		if i == 0 {
			one.Where = d.to("/rounds")
		}
		list = append(list, one)
	}
	for _, one := range p.money {
		d.currency = one.currency
		won := float64(one.staked - one.returned)
		note := d.with("pit.figures-hold-is", "hold", d.hold(won, float64(one.staked)))
		if one.known {
			note += " · " + d.with("pit.figures-expected-is", "amount", d.signed(one.expected))
		}
		if n := p.void[one.currency]; n > 0 {
			note += " · " + d.with("pit.figures-void", "n", d.whole(n), "amount", d.signed(float64(one.kept)))
		}
		if one.over != 0 {
			note += " · " + d.with("pit.figures-due", "amount", d.signed(won+float64(one.over)))
		}
		list = append(list, tile{
			d.with("pit.figures-won-in", "currency", one.currency), d.signed(won),
			d.with("pit.figures-of-staked", "amount", d.amount(float64(one.staked))) + " · " + note, "",
		})
	}
	return list
}

// rate writes a rate of a sum, and counted what it is made of.
func (d drawing) rate(r *tally.Rate, s *tally.Sum) string {
	if r.Known != nil && !r.Known(s) {
		return unknown
	}
	if r.Form == tally.Percent {
		return d.percent(r.Of(s))
	}
	return d.decimal(r.Of(s), r.Digits)
}

func (d drawing) counted(r *tally.Rate, s *tally.Sum) string {
	if r.NDigits == 0 {
		return d.whole(int64(r.N(s)))
	}
	return d.decimal(r.N(s), r.NDigits)
}

// columns are the rates in the order of a table's columns.
func columns(hours bool) []tally.Rate {
	list := slices.DeleteFunc(slices.Clone(tally.Rates), func(r tally.Rate) bool { return hours && !r.Hours })
	slices.SortFunc(list, func(a, b tally.Rate) int { return cmp.Compare(a.Column, b.Column) })
	return list
}

// sum says what to make of all wagers: luck alone leaves one of twenty outside its band.
func (d drawing) sum(p *picture) (text, class string) {
	judged, out, bad := int64(0), int64(0), int64(0)
	for i := range p.lucks {
		one := &p.lucks[i]
		if one.odds == nil || one.Band.Few {
			continue
		}
		judged++
		switch one.off(len(p.lucks)) {
		case hardly:
			bad++
		case beyond:
			out++
		}
	}
	switch {
	case bad > 0:
		return d.with("pit.figures-sum-hardly", "n", d.whole(bad)), "hardly"
	case out > 0:
		return d.with("pit.figures-sum-out", "n", d.whole(out), "all", d.whole(judged)), "beyond"
	case judged > 0:
		return d.with("pit.figures-sum-within", "n", d.whole(judged)), "within"
	}
	return "", ""
}

// luck is a wager's row.
func (d drawing) luck(l *lucky, wagers int) luckModel {
	d.currency = l.Currency
	m := luckModel{
		House: display.HouseName(l.House), Wager: d.named("wager", l.Wager), Currency: l.Currency,
		Where:       d.to("/wager", "house", l.House, "wager", l.Wager, "rules", l.Rules),
		RoundsWhere: d.to("/rounds", "house", l.House, "wager", l.Wager, "rules", ""),
		Rounds:      d.whole(l.Rounds), Staked: d.amount(float64(l.Staked)), Won: d.signed(float64(l.Sum.Won())),
		Hold: d.hold(float64(l.Sum.Won()), float64(l.Staked)),
	}
	if l.odds == nil {
		m.Class, m.Sign, m.Verdict = "unknown", "?", d.say("pit.figures-no-odds")
		return m
	}
	m.Expected, m.Band = d.signed(l.Band.Expected), spanned(d.signed(l.Band.Low), d.signed(l.Band.High))
	m.Edge, m.P = d.percent(l.odds.Edge()), d.likely(l.Likely)
	m.Class, m.Sign, m.Verdict = d.verdict(l, wagers)
	if l.Band.Few {
		m.P = unknown
		return m
	}
	m.Picture = bandPicture(l, m.Class)
	return m
}

func (d drawing) verdict(l *lucky, wagers int) (class, sign, text string) {
	side := "below"
	if l.Above {
		side = "above"
	}
	switch off := l.off(wagers); {
	case l.Band.Few:
		return "few", "…", d.say("pit.figures-few")
	case off == within:
		return "within", "✓", d.say("pit.figures-within")
	case l.Play:
		return "play", "▲", d.say("pit.figures-play")
	case off == hardly:
		return "hardly", "✕", d.say("pit.figures-hardly-" + side)
	}
	return "beyond", "!", d.say("pit.figures-" + side)
}

// hours are the pace over time.
func (d drawing) hours(p *picture) *hoursModel {
	if len(p.hours) == 0 {
		return nil
	}
	m := &hoursModel{Columns: columns(true)}
	for i := range p.hours {
		one := &p.hours[i]
		row := d.pace(one, m.Columns)
		row.Name, row.Where, row.At = d.hourName(one.Hour),
			d.to("/rounds", "hour", one.Hour.UTC().Format(time.RFC3339)), one.PerHour(one.Rounds)
		m.Rows = append(m.Rows, row)
	}
	return m
}

// hourName names an hour, with its day where several nights are looked at.
func (d drawing) hourName(t time.Time) string {
	if d.nights > 1 {
		return d.day(t.In(d.options.Day.Zone)) + " " + d.hour(t, d.options.Day.Zone)
	}
	return d.hour(t, d.options.Day.Zone)
}

// shades are how dark a cell may be.
const shades = 5

// occupied is the table of tables and hours; only one night has it.
func (d drawing) occupied(p *picture) (rows []occupiedModel, hours []string) {
	if d.nights > 1 {
		return nil, nil
	}
	for _, h := range p.hours {
		hours = append(hours, d.hour(h.Hour, d.options.Day.Zone))
	}
	for _, t := range p.occupied {
		m := occupiedModel{Table: d.tableName(t.table)}
		m.Where = d.to("", "site", t.table.Site(), "table", t.table.Name())
		for i := range t.hours {
			one := &t.hours[i]
			c := cell{Class: "none", Text: unknown}
			if one.Rounds > 0 {
				c.Where = d.to("/rounds", "site", t.table.Site(), "table", t.table.Name(), "hour",
					one.Hour.UTC().Format(time.RFC3339))
			}
			if one.Places > 0 {
				o := one.Occupancy()
				c.Text, c.Class = d.decimal(100*o, 0), fmt.Sprintf("shade%d", min(int(o*shades), shades-1))
			}
			m.Cells = append(m.Cells, c)
		}
		rows = append(rows, m)
	}
	return rows, hours
}

// paces are tables or dealers, compared with the most of them and with all together.
func (d drawing) paces(p *picture, list []pace, named func(*pace) (name string, with []string)) pacesModel {
	all := pacesModel{Columns: columns(false)}
	for i := range list {
		one := &list[i]
		m := d.pace(one, all.Columns)
		name, with := named(one)
		m.Name = name
		if with != nil {
			m.Where = d.to("/rounds", with...)
		}
		remark := ""
		switch {
		case one.Irregularities > 0 && one.Rounds < fewestRounds:
			m.Class, m.Sign, remark = "few", "…", d.say("pit.figures-few")
		case one.chance < outside/float64(len(list)):
			m.Class, m.Sign, remark = "often", "?", d.with("pit.figures-often", "n", d.whole(one.Irregularities),
				"rounds", d.whole(one.Rounds))
		}
		for j := range m.Cells {
			d.bar(&m.Cells[j], &m, remark, &one.Sum.Sum, p, list)
		}
		all.Rows = append(all.Rows, m)
	}
	return all
}

// bar compares a rate of a sum with the most of a list, and with all together.
func (d drawing) bar(c *paceCell, m *paceModel, remark string, is *tally.Sum, p *picture, list []pace) {
	class := c.Bar
	switch class {
	case "":
		return
	case "plain":
		class = ""
	case "wrong":
		class, c.Remark = "wrong "+m.Class, remark
	}
	most := 0.0
	for i := range list {
		most = max(most, c.Of(&list[i].Sum.Sum))
	}
	c.Picture = barPicture(c.Of(is), most, c.Of(&p.all.Sum.Sum), class)
}

func (d drawing) pace(one *pace, columns []tally.Rate) paceModel {
	m := paceModel{Rounds: d.whole(one.Rounds)}
	for i := range columns {
		m.Cells = append(m.Cells, paceCell{Rate: &columns[i], Value: d.rate(&columns[i], &one.Sum.Sum)})
	}
	return m
}

// codes are the irregularities.
func (d drawing) codes(p *picture) []codeModel {
	per := func(n float64) float64 {
		if p.all.Rounds == 0 {
			return 0
		}
		return 1000 * n / float64(p.all.Rounds)
	}
	most := 0.0
	for _, one := range p.codes {
		most = max(most, per(one.high))
	}
	var rows []codeModel
	for _, one := range p.codes {
		rows = append(rows, codeModel{
			Name: display.Capital(d.named("irregularity", one.code)), Where: d.to("/rounds", "code", one.code),
			Count: d.whole(one.count),
			Rate:  d.decimal(per(float64(one.count)), 2), Bounds: d.decimal(per(one.low), 2) + " – " +
				d.decimal(per(one.high), 2),
			Picture: spanPicture(per(float64(one.count)), per(one.low), per(one.high), most),
		})
	}
	return rows
}
