package figures

import (
	"context"
	"strconv"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/store"
)

// wagerModel is the page of one wager.
type wagerModel struct {
	headModel
	// None: nothing was played; Unknown: nobody knows the odds.
	None, Unknown bool
	Name          string
	Row           luckModel
	// Since is when the course begins, at zero.
	Since  string
	Points []pointModel
	// Made says where the odds come from, and Lines what they are.
	Made []string
	// OddsWhere leads to the odds of these rules.
	OddsWhere string
	// Main: of the main game these odds and those are not the same.
	Main  bool
	Lines []lineModel
}

// pointModel is one point of the course: what is read, and in units of the currency what is drawn.
type pointModel struct {
	Until, Won, Expected, Band, P string
	At                            struct{ Won, Expected, Low, High float64 }
}

type lineModel struct{ Name, Pays, P string }

func (d drawing) wager(ctx context.Context) (any, error) {
	name := d.named("wager", d.query.Wager)
	head, err := d.head(ctx, "/wager", name)
	if err != nil {
		return nil, err
	}
	head.Hidden = append(head.Hidden, asking(hidden{"rules", d.rules})...)
	m := &wagerModel{headModel: head, Name: display.HouseName(d.query.House) + " · " + name}
	points, since, last, err := d.course(ctx, d.query, d.rules)
	if err != nil {
		return nil, err
	}
	if m.None = last == nil; m.None {
		return m, nil
	}
	if m.Unknown = last.odds == nil; m.Unknown {
		return m, nil
	}
	m.Row, d.currency = d.luck(last, 1), last.Currency
	m.Since = d.hourName(since)
	for i := range points {
		p := &points[i]
		one := pointModel{
			Until: d.hourName(p.until), Won: d.signed(p.Won), Expected: d.signed(p.Band.Expected),
			Band: spanned(d.signed(p.Band.Low), d.signed(p.Band.High)), P: d.likely(p.Likely),
		}
		one.At.Won, one.At.Expected, one.At.Low, one.At.High = d.major(p.Won), d.major(p.Band.Expected),
			d.major(p.Band.Low), d.major(p.Band.High)
		m.Points = append(m.Points, one)
	}
	d.made(m, last)
	m.Main = place(d.query.Wager) == 0
	m.OddsWhere = d.to("/odds", "site", "", "table", "", "dealer", "", "house", "", "wager", "", "code", "", "rules",
		last.Rules)
	return m, nil
}

// made says where the odds come from.
func (d drawing) made(m *wagerModel, l *lucky) {
	m.Made = append(m.Made, d.with("pit.figures-edge-is", "edge", d.decimal(100*l.odds.Edge(), 2)+"\u202f%",
		"deviation", d.decimal(l.odds.Deviation(), 2)))
	if l.odds.Error > 0 {
		m.Made = append(m.Made, d.with("pit.figures-dealt", "error", d.decimal(100*l.odds.Error, 2)+"\u202f%"))
	} else {
		m.Made = append(m.Made, d.say("pit.figures-exact"))
	}
	if l.odds.Weak > 0 {
		m.Made = append(m.Made, d.with("pit.figures-weak", "edge", d.percent(l.odds.Weak)))
	}
	m.Made = append(m.Made, d.with("pit.figures-bets", "n", d.whole(l.Band.Bets)))
	for _, c := range l.odds.Chances {
		if c.Line == "" {
			continue
		}
		pays, _ := c.House.Float64()
		p, _ := c.P.Float64()
		m.Lines = append(m.Lines, lineModel{d.named("why", c.Line), d.decimal(-pays, 1) + ":1", d.likely(p)})
	}
}

// roundsModel lists the rounds behind a number.
type roundsModel struct {
	headModel
	None bool
	// Gone says that there were rounds, of which none is kept any more; "" where some are.
	Gone string
	// BackTo is what Back leads to.
	BackTo string
	About  []string
	Count  string
	Rows   []roundModel
}

type roundModel struct {
	Round, Where, Table, Time, Dealer, Boxes string
	Staked, Won, Due, Class                  string
	State                                    string
	Codes                                    []string
}

// mostRounds is how many a list shows.
const mostRounds = 200

func (d drawing) rounds(ctx context.Context) (any, error) {
	head, err := d.head(ctx, "/rounds", d.say("pit.figures-rounds"))
	if err != nil {
		return nil, err
	}
	list, all, err := d.findRounds(ctx, d.query, mostRounds)
	if err != nil {
		return nil, err
	}
	m := &roundsModel{headModel: head, None: all == 0, BackTo: d.say("pit.figures")}
	if !d.person.May(dashboard.Manager) {
		m.BackTo = d.say("pit.figures-report")
	}
	if len(list) == 0 {
		m.Gone = d.with("pit.figures-gone", "all", d.whole(all))
	}
	m.Count = d.with("pit.figures-latest", "n", d.whole(int64(len(list))), "all", d.whole(all))
	m.About = d.about()
	for i := range list {
		m.Rows = append(m.Rows, d.round(&list[i]))
	}
	return m, nil
}

// about says which rounds are looked at.
func (d drawing) about() (said []string) {
	q := d.query
	if q.To.Sub(q.From) <= time.Hour {
		said = append(said, d.hour(q.From, d.options.Day.Zone)+" – "+d.hour(q.To, d.options.Day.Zone))
	}
	for _, one := range []string{
		display.HouseName(q.House), d.maybe("wager", q.Wager),
		display.Capital(d.maybe("irregularity", q.Code)),
	} {
		if one != "" {
			said = append(said, one)
		}
	}
	return said
}

func (d drawing) maybe(kind, name string) string {
	if name == "" {
		return ""
	}
	return d.named(kind, name)
}

func (d drawing) round(r *store.Round) roundModel {
	d.currency = r.Currency
	var staked, returned, due, missing int64 // of the wager that was asked for, or of all
	for _, w := range r.Wagers {
		if d.query.Wager == "" || d.query.Wager == w.Wager {
			staked, returned, due, missing = staked+w.Staked, returned+w.Returned, due+w.Due, missing+w.Unknown
		}
	}
	m := roundModel{
		Round: strconv.FormatUint(r.Number, 10), Table: d.tableName(r.Table), Dealer: r.Dealer,
		Boxes:  d.whole(int64(r.Boxes)),
		Time:   r.Opened.In(d.options.Day.Zone).Format("15:04:05"),
		Staked: d.price(staked), Won: d.exact(staked - returned),
	}
	if d.nights > 1 {
		m.Time = d.day(r.Opened.In(d.options.Day.Zone)) + " " + m.Time
	}
	switch {
	case staked < returned:
		m.Class = "lost"
	case staked > returned:
		m.Won = plus(m.Won)
	}
	switch {
	case r.Void:
		m.State = d.say("outcome.void")
	case missing > 0:
		m.State = d.notEntered(missing)
	}
	if returned != due {
		m.Due = d.with("pit.due", "amount", d.exact(staked-due))
	}
	if d.options.Past != nil {
		m.Where = d.options.Past(r)
	}
	for _, one := range r.Irregularities {
		m.Codes = append(m.Codes, display.Capital(d.named("irregularity", one.Code.String())))
	}
	return m
}

// reportModel is the shift's report on paper.
type reportModel struct {
	overviewModel
	Printed string
	Asked   string
	// Signatures are those under it, and Sign is what signing sends; nil for a report that nobody signs, as that of one
	// table.
	Signatures []signatureModel
	Sign       *signModel
}

func (d drawing) report(ctx context.Context) (any, error) {
	p, err := d.look(ctx, d.query)
	if err != nil {
		return nil, err
	}
	head, err := d.head(ctx, "/report", d.say("pit.figures-report"))
	if err != nil {
		return nil, err
	}
	m := &reportModel{overviewModel: overviewModel{headModel: head, None: p.all.Rounds == 0, Tiles: d.tiles(p)}}
	d.fill(&m.overviewModel, p)
	m.Money = d.money(p, "/report")
	if err := d.signatures(ctx, m, p); err != nil {
		return nil, err
	}
	if !d.person.May(dashboard.Manager) {
		m.closeWays()
	}
	m.Printed = d.moment(d.options.Now())
	for _, one := range []string{d.shiftName(), d.tableSaid(), d.query.Dealer} {
		if one != "" {
			m.Asked += " · " + one
		}
	}
	return m, nil
}

// closeWays leaves out the links to pages that only who sees all may see.
func (m *reportModel) closeWays() {
	m.Back, m.Odds = "", ""
	for i := range m.Lucks {
		m.Lucks[i].Where = ""
	}
}
