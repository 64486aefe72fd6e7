package figures

import (
	"cmp"
	"context"
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/vocab"
)

// Trays keeps what was done to the tables' trays: a store.Store. It is asked by several requests at once.
type Trays interface {
	// TrayDay has all that the gaming days of the tables are worked out from.
	TrayDay(context.Context, store.Date) (map[topic.Table]*tray.Records, error)
	// CountDrop keeps what was in a drop box when it was opened.
	CountDrop(context.Context, topic.Table, store.Date, tray.Opened) error
}

// closed is a table's gaming day at one tray, in one currency.
type closed struct {
	table topic.Table
	// nth is which of the table's trays of the day it is, from 1.
	nth int
	// last is what was done last; where nothing was, it has the currency alone.
	last *tray.Event
	// numbers are the slips of all currencies, whose numbers are one row: at one of the table's currencies.
	numbers []tray.Slip
	tray.Day
}

// of is the event that says what was played, and in which currency: of a table that nobody has counted, the last one.
func (c *closed) of() tray.Event { return *cmp.Or(c.Closing, c.Opening, c.last) }

// closedDays are the days of the tables that are asked for, in the order of currencies, games and names.
func (d drawing) closedDays(ctx context.Context) (list []closed, err error) {
	all, err := d.options.Trays.TrayDay(ctx, store.DateOf(d.night))
	for table, records := range all {
		if d.query.Table != "" && d.query.Table != table.Name() || d.query.Site != "" && d.query.Site != table.Site() {
			continue
		}
		list = append(list, closedBy(table, records)...)
	}
	slices.SortStableFunc(list, func(a, b closed) int { // trays of one currency stay in their order
		x, y := a.of(), b.of()
		return cmp.Or(cmp.Compare(x.Currency, y.Currency), cmp.Compare(x.Game, y.Game),
			cmp.Compare(a.table.Site(), b.table.Site()), byNumber(a.table.Name(), b.table.Name()))
	})
	return list, err
}

// closedBy is a table's gaming day, by its trays.
func closedBy(table topic.Table, records *tray.Records) (list []closed) {
	for i, of := range records.Trays() {
		c := closed{table: table, nth: i + 1, Day: tray.DayOf(&of.Records), last: &tray.Event{}}
		c.last.Currency = of.Currency
		if n := len(of.Events); n > 0 {
			c.last = &of.Events[n-1]
		}
		list = append(list, c)
	}
	if len(list) > 0 {
		list[0].numbers = records.Slips()
	}
	return list
}

// closeModel is the close of a gaming day.
type closeModel struct {
	headModel
	Printed, Asked string
	// Day is the date, as what is sent names it.
	Day         string
	File, Slips string
	None        bool
	// Open says what is still to be done before the day can be closed: counts and boxes.
	Open []string
	Tips bool
	// Groups are the tables of a game, and All what those of a currency come to together.
	Groups []closeGroup
	// Differences are those of trays and of boxes.
	Differences []differenceModel
	Boxes       []boxModel
	Balanced    string
	AsksName    bool
}

type closeGroup struct {
	Name string
	Rows []closeRow
}

type closeRow struct {
	Name, Where, Currency                              string
	Opening, Fills, Credits, Tips, Drop, Closing       string
	Counted, Rounds, Difference, DifferenceClass, Sign string
	Remarks                                            []string
	// Sum says that it is all of a game, or of the currency.
	Sum bool
}

// differenceModel is a difference, and where to look.
type differenceModel struct {
	Table, Where, Amount, Class string
	// Said is what differs and as much as what, Between since when, and Dealers who dealt.
	Said, Between, Dealers string
	Rounds                 []lookModel
	More                   string
}

type lookModel struct {
	Round, Where, Time, Dealer string
	Why                        []string
	Fits                       bool
}

// boxModel is a drop box, and the form with which it is counted.
type boxModel struct {
	Name, Table, Site, Off, By, Must, Counted, Difference, Class string
	Currency                                                     string
	Journal                                                      string
	Record                                                       string
	// History are the entries, and Corrects says that another one corrects them.
	History  []string
	Corrects bool
}

// drawClose is the page of a gaming day's close.
func (d drawing) drawClose(ctx context.Context) (any, error) {
	d.asked = d.at(d.night, 1)
	list, err := d.closedDays(ctx)
	if err != nil {
		return nil, err
	}
	head, err := d.head(ctx, "/close", d.say("close.title"))
	if err != nil {
		return nil, err
	}
	head.Spans, head.Shifts, head.Dealers = nil, nil, nil
	m := &closeModel{
		headModel: head, None: len(list) == 0, File: d.to("/close.csv"), Slips: d.to("/slips"),
		AsksName: d.person.Name == "", Day: d.night.Format(time.DateOnly),
	}
	m.Printed = d.moment(d.options.Now())
	if said := d.tableSaid(); said != "" {
		m.Asked = " · " + said
	}
	if d.person.May(dashboard.Manager) {
		m.Back = d.to("", "site", "", "table", "")
	}
	m.Groups = d.closeGroups(list)
	for i := range list {
		c := &list[i]
		m.Tips = m.Tips || c.Tips != 0
		m.Open = append(m.Open, d.stillOpen(c)...)
		m.Differences = append(m.Differences, d.differences(c)...)
		m.Boxes = append(m.Boxes, d.boxes(c)...)
	}
	if len(m.Differences) == 0 && len(m.Open) == 0 && d.compared(list) {
		m.Balanced = d.say("close.balanced")
	}
	return m, nil
}

// compared says that the win by what was counted stands beside that of the rounds, at each table that was counted in
// the day, and at one at least.
func (d drawing) compared(list []closed) (some bool) {
	begins := d.options.Day.Start(store.DateOf(d.night))
	for i := range list {
		c := &list[i]
		switch {
		case c.Counted() && !c.Doubtful:
			some = true
		case c.Counted() || c.Opening != nil && !c.Opening.At.Before(begins):
			return false
		}
	}
	return some
}

// closeGroups are the tables by game, with what they come to together.
func (d drawing) closeGroups(list []closed) (groups []closeGroup) {
	var game, all tray.Sum
	var doubtful, allDoubtful bool
	begun := 0
	for i := range list {
		c := &list[i]
		of := c.of()
		if i == 0 || list[i-1].of().Game != of.Game || list[i-1].of().Currency != of.Currency {
			groups = append(groups, closeGroup{Name: d.game(of.Game)})
			game, doubtful = tray.Sum{}, false
		}
		if i == 0 || list[i-1].of().Currency != of.Currency {
			all, allDoubtful, begun = tray.Sum{}, false, len(groups)
		}
		g := &groups[len(groups)-1]
		g.Rows = append(g.Rows, d.closeRow(c))
		if c.Counted() {
			game.Add(&c.Sum)
			all.Add(&c.Sum)
			doubtful, allDoubtful = doubtful || c.Doubtful, allDoubtful || c.Doubtful
		}
		ends := i+1 == len(list) || list[i+1].of().Currency != of.Currency
		if ends || list[i+1].of().Game != of.Game {
			g.Rows = append(g.Rows, d.sumRow(d.game(of.Game), of.Currency, &game, doubtful))
		}
		if ends && len(groups) > begun {
			groups = append(groups, closeGroup{
				Name: d.say("close.floor"),
				Rows: []closeRow{d.sumRow(d.say("pit.figures-all-together"), of.Currency, &all, allDoubtful)},
			})
		}
	}
	return groups
}

func (d drawing) game(name string) string {
	if name == "" {
		return d.say("close.no-game")
	}
	if text, ok := d.language.Lookup("close.game-" + name); ok {
		return text
	}
	return name
}

// signedExact writes it with its sign.
func (d drawing) signedExact(minor int64) string {
	if minor > 0 {
		return plus(d.exact(minor))
	}
	return d.exact(minor)
}

// closeRow is a table's line.
func (d drawing) closeRow(c *closed) closeRow {
	d.currency = c.of().Currency
	r := closeRow{
		Name: d.tableName(c.table), Where: d.to("/close", "table", c.table.Name(), "site", c.table.Site()),
		Currency: c.of().Currency,
	}
	if c.Gone != nil {
		r.Remarks = append(r.Remarks, d.gone(c.Gone))
	}
	switch {
	case c.Opening == nil:
		r.Remarks = append(r.Remarks, d.say("close.never-counted"))
		return r
	case c.Closing == nil:
		r.Opening, r.Remarks = d.exact(c.Opening.Told.Amount), append(r.Remarks, d.say("close.counted-once"))
		return r
	}
	r.fill(d, &c.Sum, c.Doubtful)
	if !c.Closed {
		r.Remarks = append(r.Remarks, d.with("close.not-closed", "time", d.clock(c.Closing.At)))
	}
	if n := c.Uncounted(); n > 0 {
		r.Remarks = append(r.Remarks, d.say("close.drop-expected"))
	}
	if c.Unknown > 0 {
		r.Remarks = append(r.Remarks, d.with("close.unknown", "n", d.whole(int64(c.Unknown))))
	} else if c.Doubtful {
		r.Remarks = append(r.Remarks, d.say("close.doubtful"))
	}
	return r
}

// sumRow is what the tables of a game, or of a floor, come to.
func (d drawing) sumRow(name, currency string, sum *tray.Sum, doubtful bool) closeRow {
	d.currency = currency
	r := closeRow{Name: name, Currency: currency, Sum: true}
	r.fill(d, sum, doubtful)
	return r
}

func (r *closeRow) fill(d drawing, sum *tray.Sum, doubtful bool) {
	r.Opening, r.Fills, r.Credits, r.Tips, r.Drop, r.Closing = d.exact(sum.Opening), d.exact(sum.Fills),
		d.exact(sum.Credits), d.exact(sum.Tips), d.exact(sum.Drop), d.exact(sum.Closing)
	r.Counted = d.signedExact(sum.Win())
	if r.Rounds = d.signedExact(sum.Rounds); doubtful {
		r.Rounds, r.Difference = unknown, "?"
		return
	}
	r.Difference, r.Sign, r.DifferenceClass = d.signedExact(sum.Difference()), "✓", "even"
	if sum.Difference() != 0 {
		r.Sign, r.DifferenceClass = "✕", "lost"
	}
}

// clock writes a time of the day.
func (d drawing) clock(t time.Time) string { return t.In(d.options.Day.Zone).Format("15:04") }

// stillOpen is what has to be done before the day can be closed.
func (d drawing) stillOpen(c *closed) (list []string) {
	d.currency = c.of().Currency
	if c.Opening != nil && !c.Closed && c.Gone == nil &&
		(c.Counted() || c.Played > 0 || c.Opening.Told.Count != vocab.CountClosing) {
		list = append(list, d.with("close.open-count", "table", d.tableName(c.table)))
	}
	for i := range c.Boxes {
		if _, known := c.Boxes[i].Counted(); !known {
			list = append(list, d.with("close.open-box", "table", d.tableName(c.table),
				"amount", d.exact(c.Boxes[i].Must)))
		}
	}
	for i := range c.Slips {
		if one := &c.Slips[i]; !one.Over() {
			list = append(list, d.with("close.open-slip", "table", d.tableName(c.table), "slip", d.slipName(one)))
		}
	}
	return append(list, d.missingSlips(c)...)
}

// missingSlips says which numbers are missing among slips of one journal, which have no gaps: 3, or 5–9.
func (d drawing) missingSlips(c *closed) (list []string) {
	for i := 1; i < len(c.numbers); i++ {
		one, next := &c.numbers[i-1], &c.numbers[i]
		if next.Journal != one.Journal || next.Number <= one.Number || next.Number-one.Number == 1 {
			continue
		}
		first, last := strconv.FormatUint(uint64(one.Number)+1, 10), strconv.FormatUint(uint64(next.Number)-1, 10)
		if first != last {
			first += "–" + last
		}
		list = append(list, d.with("close.no-slip", "table", d.tableName(c.table), "n", first))
	}
	return list
}

// differences are those of a table's trays and boxes.
func (d drawing) differences(c *closed) (list []differenceModel) {
	d.currency = c.of().Currency
	for i := range c.Between {
		if n := &c.Between[i]; n.Differs() || n.Lacks != 0 {
			list = append(list, d.difference(c, n))
		}
	}
	for i := range c.Boxes {
		b := &c.Boxes[i]
		if amount, known := b.Counted(); known && amount != b.Must {
			m := differenceModel{
				Table: d.tableName(c.table), Amount: d.signedExact(amount - b.Must), Class: lostOr(amount - b.Must),
				Said: d.with("close.box-differs", "must", d.exact(b.Must), "amount", d.exact(amount)),
			}
			if m.Between = d.boxGone(b); m.Between == "" && b.Off != nil {
				m.Between = d.with("close.box-off", "time", d.clock(b.Off.At), "by", b.Off.By)
			}
			list = append(list, m)
		}
	}
	return list
}

// boxGone says that a box was gone with its tray, "" for one that was not.
func (d drawing) boxGone(b *tray.Box) string {
	if b.Off == nil || b.Off.Of != vocab.InSetup {
		return ""
	}
	return d.gone(b.Off)
}

// gone says when a tray and its box were gone.
func (d drawing) gone(e *tray.Event) string { return d.with("close.box-gone", "time", d.clock(e.At)) }

func lostOr(amount int64) string {
	if amount < 0 {
		return "lost"
	}
	return ""
}

// difference is what a count has found.
func (d drawing) difference(c *closed, n *tray.Interval) differenceModel {
	d.currency = c.of().Currency
	m := differenceModel{Table: d.tableName(c.table), Amount: d.signedExact(n.Amount), Class: lostOr(n.Amount)}
	m.Said = d.with("close.count-differs", "must", d.exact(n.To.Must), "amount", d.exact(n.To.Told.Amount))
	if n.Chip != 0 {
		m.Said += " " + d.with("close.one-chip", "amount", d.exact(n.Chip))
	}
	if n.Lacks != 0 {
		m.Said += " " + d.with("close.lacks", "amount", d.signedExact(n.Lacks))
	}
	m.Between = d.with("close.between", "from", d.clock(n.To.At), "to", d.clock(n.To.At))
	if n.From != nil {
		m.Between = d.with("close.between", "from", d.clock(n.From.At), "to", d.clock(n.To.At))
	}
	m.Between += " · " + d.with("close.counted-by", "dealer", n.To.Told.Dealer, "by", n.To.By)
	if list := n.To.Told.Dealers; len(list) > 0 {
		m.Dealers = d.with("close.dealt-by", "names", strings.Join(list, ", "))
	}
	for i := range n.Rounds {
		m.Rounds = append(m.Rounds, d.lookAt(c, n.To, &n.Rounds[i]))
	}
	return m
}

// lookAt is a round that is worth looking at.
func (d drawing) lookAt(c *closed, to *tray.Event, l *tray.Look) lookModel {
	d.currency = c.of().Currency
	m := lookModel{
		Round: strconv.FormatUint(l.Number, 10), Time: d.clock(l.Ended), Dealer: l.Dealer, Fits: l.Fits,
	}
	if d.options.Past != nil {
		r := store.Round{Table: c.table, Journal: to.Journal}
		r.Number = l.Number
		m.Where = d.options.Past(&r)
	}
	add := func(yes bool, key string, args ...string) {
		if yes {
			m.Why = append(m.Why, d.with(key, args...))
		}
	}
	add(l.Adjusted != 0, "close.why-adjusted", "amount", d.signedExact(l.Adjusted))
	add(l.Accepted > 0 || l.Over != 0, "close.why-accepted", "amount", d.signedExact(l.Over))
	add(l.Corrected > 0, "close.why-corrected")
	add(l.Large > 0, "close.why-large")
	add(l.Most, "close.why-most", "amount", d.signedExact(l.Won))
	return m
}

// boxes are the drop boxes of a table.
func (d drawing) boxes(c *closed) (list []boxModel) {
	d.currency = c.of().Currency
	for i := range c.Boxes {
		b := &c.Boxes[i]
		m := boxModel{
			Name: d.tableName(c.table), Table: c.table.Name(), Site: c.table.Site(),
			Must: d.exact(b.Must), Record: "0",
			Off:      d.say("close.box-unsaid"),
			Currency: d.currency,
			Corrects: len(b.Counts) > 0,
		}
		if b.Off != nil {
			if m.Off = d.boxGone(b); m.Off == "" {
				m.Off, m.By = d.clock(b.Off.At), b.Off.By
			}
			m.Journal, m.Record = b.Off.Journal, strconv.FormatUint(b.Off.Record, 10)
		}
		if amount, known := b.Counted(); known {
			m.Counted, m.Difference = d.exact(amount), d.signedExact(amount-b.Must)
			if amount != b.Must {
				m.Class = "lost"
			}
		}
		for j := range b.Counts {
			m.History = append(m.History, d.entry(&b.Counts[j]))
		}
		list = append(list, m)
	}
	return list
}

// entry says who has counted a box.
func (d drawing) entry(o *tray.Opened) string {
	who := d.signer(&store.SignedReport{Who: o.Who, Role: o.Role})
	text := d.with("close.entered", "amount", d.exact(o.Amount), "name", who, "time", d.moment(o.At))
	if o.Reason != "" {
		text += " – " + o.Reason
	}
	return text
}

// closeColumns are those of the close as a file, whose amounts are in minor units, as in all exports.
var closeColumns = []string{
	"day", "site", "table_name", "game", "currency", "opening", "fills", "credits", "tips", "drop", "closing",
	"win_counted", "win_rounds", "difference", "closed", "rounds", "unknown_rounds", "boxes", "uncounted_boxes",
	"comparable", "tray",
}

// closeFile gives the close as CSV.
func (f *Figures) closeFile(w http.ResponseWriter, r *http.Request) {
	d := drawing{f, f.speaking(r), f.asks(r), f.options.who(r)}
	d.asked = d.at(d.night, 1)
	list, err := d.closedDays(r.Context())
	if err != nil {
		f.unread(w, r, d.speaker, err)
		return
	}
	rows := [][]string{closeColumns}
	for i := range list {
		rows = append(rows, d.closeCells(&list[i]))
	}
	day := d.night.Format(time.DateOnly)
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="sabot-close-`+day+`.csv"`)
	if err := csv.NewWriter(w).WriteAll(rows); err != nil {
		f.options.Log.Debug("pit: the browser left before it had the close", "err", err)
	}
}

func (d drawing) closeCells(c *closed) []string {
	of := c.of()
	row := []string{d.night.Format(time.DateOnly), c.table.Site(), c.table.Name(), of.Game, of.Currency}
	if !c.Counted() {
		row = append(row, make([]string, 9)...)
	} else {
		s := &c.Sum
		sums := []int64{
			s.Opening, s.Fills, s.Credits, s.Tips, s.Drop, s.Closing, s.Win(), s.Rounds, s.Difference(),
		}
		for _, n := range sums {
			row = append(row, strconv.FormatInt(n, 10))
		}
		if c.Doubtful {
			row[len(row)-1], row[len(row)-2] = "", ""
		}
	}
	return append(row, strconv.FormatBool(c.Closed), strconv.Itoa(c.Played), strconv.Itoa(c.Unknown),
		strconv.Itoa(len(c.Boxes)), strconv.Itoa(c.Uncounted()), strconv.FormatBool(c.Counted() && !c.Doubtful),
		strconv.Itoa(c.nth))
}

// slipName names a slip: Fill 3.
func (d drawing) slipName(s *tray.Slip) string {
	key := "close.fill"
	if s.Credit {
		key = "close.credit"
	}
	return d.with(key, "n", strconv.FormatUint(uint64(s.Number), 10))
}

// slipsModel are slips to print: two on a sheet.
type slipsModel struct {
	headModel
	Printed string
	None    bool
	Sheets  [][]slipModel
	Missing []string
}

// slipModel is one slip on paper.
type slipModel struct {
	Name, Table, Site, Number, Where string
	Date                             string
	// Copy says for whom it is: a slip of its own is printed twice.
	Copy     string
	Chips    []slipChips
	Sum      string
	Steps    []slipStep
	Class    string
	Standing string
}

type slipChips struct{ Value, Pieces, Worth string }

type slipStep struct {
	Name, By, At, Where, Why string
	// Blank is a step that was not taken yet: there is room to sign.
	Blank bool
}

// drawSlips are the slips of a day, or one of them in two copies.
func (d drawing) drawSlips(ctx context.Context) (any, error) {
	d.asked = d.at(d.night, 1)
	list, err := d.closedDays(ctx)
	if err != nil {
		return nil, err
	}
	head, err := d.head(ctx, "/slips", d.say("close.slips"))
	if err != nil {
		return nil, err
	}
	head.Spans, head.Shifts, head.Dealers, head.Back = nil, nil, nil, d.to("/close")
	m := &slipsModel{headModel: head}
	m.Printed = d.moment(d.options.Now())
	var slips []slipModel
	for i := range list {
		c := &list[i]
		m.Missing = append(m.Missing, d.missingSlips(c)...)
		for j := range c.Slips {
			slips = append(slips, d.slip(c, &c.Slips[j]))
		}
	}
	if d.slipAsked != "" {
		slips = d.twice(slips)
	}
	m.None = len(slips) == 0
	for pair := range slices.Chunk(slips, 2) {
		m.Sheets = append(m.Sheets, pair)
	}
	return m, nil
}

// twice is the slip that is asked for, once for the cage and once for the drop box.
func (d drawing) twice(slips []slipModel) (list []slipModel) {
	for _, one := range slips {
		if one.Number == d.slipAsked {
			for _, key := range []string{"close.copy-cage", "close.copy-box"} {
				one.Copy = d.say(key)
				list = append(list, one)
			}
		}
	}
	return list
}

func (d drawing) slip(c *closed, s *tray.Slip) slipModel {
	asked := &s.Steps[0]
	d.currency = asked.Currency
	number := strconv.FormatUint(uint64(s.Number), 10)
	m := slipModel{
		Name: d.slipName(s), Table: c.table.Name(), Site: c.table.Site(), Number: number, Date: d.moment(asked.At),
		Where:    d.to("/slips", "table", c.table.Name(), "site", c.table.Site(), "slip", number),
		Sum:      d.price(s.Amount()),
		Standing: d.say("close.step-" + s.Step().String()), Class: s.Step().String(),
	}
	for _, chips := range s.Chips() {
		m.Chips = append(m.Chips, slipChips{
			d.exact(chips.Value), d.whole(chips.Pieces), d.exact(chips.Value * chips.Pieces),
		})
	}
	for step := range vocab.EverySlipStep {
		e := s.Took(step)
		one := slipStep{Name: d.say("close.step-" + step.String()), Blank: e == nil}
		switch {
		case e != nil:
			one.By, one.At, one.Why, one.Where = e.By, d.clock(e.At), e.Because, d.say("close.at-table")
			if e.AtPit {
				one.Where = d.say("close.at-pit")
			}
		case step == vocab.SlipRefused || s.Step() == vocab.SlipRefused:
			continue
		}
		m.Steps = append(m.Steps, one)
	}
	return m
}
