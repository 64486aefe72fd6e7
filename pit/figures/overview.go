package figures

import (
	"context"
	"fmt"
	"html/template"
	"time"

	"github.com/sabot-table/sabot/display"
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
	ByTable       []paceModel
	ByDealer      []paceModel
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
	Rows []paceModel
}

// paceModel is a table, a dealer or an hour.
type paceModel struct {
	Name, Where                       string
	Rounds, PerHour, Hands            string
	Thinking, Occupancy, Wrong, Often string
	Class, Sign, Remark               string
	Pace, Think, WrongBar             template.HTML
	// At is the rounds an hour as they are drawn over time.
	At float64
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
		return o.Table, []string{"table", o.Table, "site", o.Site}
	})
	m.ByDealer = d.paces(p, p.dealers, func(o *pace) (string, []string) {
		if o.Dealer == "" {
			return d.say("pit.figures-nobody"), nil
		}
		return o.Dealer, []string{"dealer", o.Dealer}
	})
	m.Codes = d.codes(p)
	m.Rate = d.decimal(1000*share(p.all.wrongs, p.all.Rounds), 1)
	return m
}

// tiles are the numbers that are read first.
func (d drawing) tiles(p *picture) []tile {
	list := []tile{
		{
			d.say("pit.figures-rounds-hour"), d.decimal(p.all.per(p.all.Rounds), 1),
			d.with("pit.figures-n-rounds", "n", d.whole(p.all.Rounds)), d.to("/rounds"),
		},
		{
			d.say("pit.figures-hands-hour"), d.decimal(p.all.per(p.all.Hands), 0),
			d.with("pit.figures-n-hands", "n", d.whole(p.all.Hands)), "",
		},
		{
			d.say("pit.figures-occupancy"), d.percent(p.all.occupancy()),
			d.with("pit.figures-a-round", "n", d.decimal(share(p.all.Boxes, p.all.Rounds), 1)), "",
		},
		{
			d.say("pit.figures-thinking"), d.decimal(p.all.thinking(), 1) + "\u202fs",
			d.with("pit.figures-n-decisions", "n", d.whole(p.all.Decisions)), "",
		},
		{
			d.say("pit.figures-wrong-1000"), d.decimal(1000*share(p.all.wrongs, p.all.Rounds), 1),
			d.with("pit.figures-n-wrong", "n", d.whole(p.all.wrongs)), "",
		},
	}
	for _, one := range p.money {
		won := float64(one.staked - one.returned)
		note := d.with("pit.figures-hold-is", "hold", d.hold(won, float64(one.staked)))
		if one.known {
			note += " · " + d.with("pit.figures-expected-is", "amount", d.signed(one.expected))
		}
		if n := p.void[one.currency]; n > 0 {
			note += " · " + d.say("pit.figures-void", arg("n", d.whole(n)), arg("amount", d.signed(float64(one.kept))))
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
		return d.say("pit.figures-sum-out", arg("n", d.whole(out)), arg("all", d.whole(judged))), "beyond"
	case judged > 0:
		return d.with("pit.figures-sum-within", "n", d.whole(judged)), "within"
	}
	return "", ""
}

// luck is a wager's row.
func (d drawing) luck(l *lucky, wagers int) luckModel {
	m := luckModel{
		House: display.HouseName(l.House), Wager: d.named("wager", l.Wager.Wager), Currency: l.Currency,
		Where:       d.to("/wager", "house", l.House, "wager", l.Wager.Wager),
		RoundsWhere: d.to("/rounds", "house", l.House, "wager", l.Wager.Wager),
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
		m.P = "–"
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
	m := &hoursModel{}
	for i := range p.hours {
		one := &p.hours[i]
		row := d.pace(one)
		row.Name, row.Where, row.At = d.hourName(one.Hour),
			d.to("/rounds", "hour", one.Hour.UTC().Format(time.RFC3339)), one.per(one.Rounds)
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
		m := occupiedModel{Table: t.table, Where: d.to("", "site", t.site, "table", t.table)}
		for i := range t.hours {
			one := &t.hours[i]
			c := cell{Class: "none", Text: "–"}
			if one.Rounds > 0 {
				o := one.occupancy()
				c = cell{
					Text:  d.decimal(100*o, 0),
					Class: fmt.Sprintf("shade%d", min(int(o*shades), shades-1)),
					Where: d.to("/rounds", "site", t.site, "table", t.table, "hour",
						one.Hour.UTC().Format(time.RFC3339)),
				}
			}
			m.Cells = append(m.Cells, c)
		}
		rows = append(rows, m)
	}
	return rows, hours
}

// paces are tables or dealers.
func (d drawing) paces(p *picture, list []pace, named func(*pace) (name string, with []string)) []paceModel {
	var fast, slow, wrong float64
	for i := range list {
		one := &list[i]
		fast, slow, wrong = max(fast, one.per(one.Rounds)), max(slow, one.thinking()),
			max(wrong, share(one.wrongs, one.Rounds))
	}
	var rows []paceModel
	for i := range list {
		one := &list[i]
		m := d.pace(one)
		name, with := named(one)
		m.Name = name
		if with != nil {
			m.Where = d.to("/rounds", with...)
		}
		switch {
		case one.wrongs > 0 && one.Rounds < fewestRounds:
			m.Class, m.Sign, m.Remark = "few", "…", d.say("pit.figures-few")
		case one.chance < outside/float64(len(list)):
			m.Class, m.Sign, m.Remark = "often", "?",
				d.say("pit.figures-often", arg("n", d.whole(one.wrongs)), arg("rounds", d.whole(one.Rounds)))
		}
		m.Pace = barPicture(one.per(one.Rounds), fast, p.all.per(p.all.Rounds), "")
		m.Think = barPicture(one.thinking(), slow, p.all.thinking(), "slow")
		m.WrongBar = barPicture(share(one.wrongs, one.Rounds), wrong, share(p.all.wrongs, p.all.Rounds),
			"wrong "+m.Class)
		rows = append(rows, m)
	}
	return rows
}

func (d drawing) pace(one *pace) paceModel {
	return paceModel{
		Rounds: d.whole(one.Rounds), PerHour: d.decimal(one.per(one.Rounds), 1),
		Hands:    d.decimal(one.per(one.Hands), 0),
		Thinking: d.decimal(one.thinking(), 1), Occupancy: d.percent(one.occupancy()),
		Wrong: d.whole(one.wrongs), Often: d.decimal(1000*share(one.wrongs, one.Rounds), 1),
	}
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
