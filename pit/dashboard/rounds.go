package dashboard

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
)

// query is what a page of rounds or alerts was asked for, as it was written.
type query struct{ Round, From, To, Amount, Paid, Box, Rank, Suit, Dealer, Code, Skip, Table, Site string }

// fields are what a query has been asked by, by the names of the page's fields.
func (q *query) fields() map[string]*string {
	return map[string]*string{
		"round": &q.Round, "from": &q.From, "to": &q.To, "amount": &q.Amount, "paid": &q.Paid, "box": &q.Box,
		"rank": &q.Rank, "suit": &q.Suit,
		"dealer": &q.Dealer, "code": &q.Code, "skip": &q.Skip, "table": &q.Table, "site": &q.Site,
	}
}

func queryOf(v url.Values) (q query) {
	for name, field := range q.fields() {
		*field = v.Get(name)
	}
	return q
}

// roundsModel is the page on which past rounds are found.
type roundsModel struct {
	Top         topModel
	Name, Where string
	Currency    string
	Asked       query
	// Tables are those that may be chosen, none on the page of one of them.
	Tables []choiceModel
	// Boxes, Ranks and Suits are where a card may have lain, and which.
	Boxes, Ranks, Suits []choiceModel
	Codes               []choiceModel
	Rounds              []roundModel
	// Unlaid says until when rounds are not found by box or card, "" if all are.
	Unlaid string
	// None says that there are none, Error what was not understood, and Unread that nothing could be read.
	None          bool
	Error, Unread string
	// Next is where earlier rounds are, "" for none.
	Next string
	// Everything says that nothing in particular was asked for.
	Everything bool
}

type choiceModel struct {
	Value, Name string
	Chosen      bool
}

type roundModel struct {
	// Table is whose round it is, "" on its own page.
	Table, Number, Where, Replay, Sheet string
	Opened, Dealer, Boxes               string
	Staked, Returned, Result            string
	// Due is the result as it would be if everything had been paid as it was due, "" where it was.
	Due          string
	Class, State string
	// Lays are what lay where, of what was asked for.
	Lays  []string
	Wrong []wrongModel
}

type wrongModel struct {
	What, Right string
	Open        bool
}

// whenAsked is how a page's field writes a time.
const whenAsked = "2006-01-02T15:04"

// anyCode asks for rounds in which anything went wrong.
const anyCode = "any"

// most is how many rounds are on one page.
const most = 50

// when reads a time of the house's clock as a page's field writes it, zero for none.
func (r renderer) when(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	return time.ParseInLocation(whenAsked, text, r.zone)
}

// currencyOf is the currency of a table, or that of all tables; "" where they have several, or none is known.
func currencyOf(tiles []floor.Tile, table topic.Table) (one string) {
	for i := range tiles {
		t := &tiles[i]
		switch {
		case t.Currency == "" || table != (topic.Table{}) && t.Table != table:
		case one != "" && t.Currency != one:
			return ""
		default:
			one = t.Currency
		}
	}
	return one
}

// search reads a query, with amounts of a currency or, in rounds of several, of that of each; what is wrong with it is
// the key of a text.
func (r renderer) search(q query, at looked, currency string) (s store.RoundQuery, wrong string) {
	s = store.RoundQuery{Wrongs: true, Limit: most + 1, AmountsIn: currency}
	if at.table != (tableKey{}) {
		s.Tables = []topic.Table{at.table}
	}
	if dealer := plain(q.Dealer, longestName); dealer != "" {
		s.Dealers = []string{dealer}
	}
	if q.Round != "" {
		n, err := strconv.ParseUint(strings.TrimSpace(q.Round), 10, 64)
		if err != nil || n == 0 {
			return s, "pit.wrong-round"
		}
		s.Number = n
	}
	var err error
	if s.From, err = r.when(q.From); err != nil {
		return s, "pit.wrong-time"
	}
	if s.To, err = r.when(q.To); err != nil {
		return s, "pit.wrong-time"
	}
	for _, least := range []struct {
		asked string
		is    *int64
	}{{q.Amount, &s.LeastStaked}, {q.Paid, &s.LeastReturned}} {
		if least.asked == "" {
			continue
		}
		n, ok := amount(r.language, least.asked, money.Digits(currency))
		if !ok {
			return s, "pit.wrong-amount"
		}
		*least.is = n
	}
	switch code, ok := irregularity.ParseCode(q.Code); {
	case q.Code == anyCode:
		s.Irregular = true
	case ok:
		s.Code = code.String()
	}
	s.Boxes, s.Cards = boxesOf(q.Box), cardsOf(q.Rank, q.Suit)
	if n, err := strconv.Atoi(q.Skip); err == nil && n > 0 {
		s.Skip = n
	}
	return s, ""
}

// roundsMain finds past rounds, and draws them with a head of its own time.
func (d *Dashboard) roundsMain(ctx context.Context, r renderer, at looked) drawn {
	m := d.rounds(ctx, r, at)
	return func() []byte {
		m.Top = d.top(r, at, d.options.Floor.Alerts())
		return drawRounds(nil, r.language, m)
	}
}

// rounds finds past rounds.
func (d *Dashboard) rounds(ctx context.Context, r renderer, at looked) *roundsModel {
	m := &roundsModel{Where: "/", Asked: at.query}
	m.Everything = at.query == query{}
	tiles := d.options.Floor.Tiles()
	if of := at.table; of != (tableKey{}) {
		m.Name, m.Where = d.named(of), tableAt(of)
	} else {
		tables := tablesOf(tiles)
		m.Tables = append([]choiceModel{{Name: r.say("pit.figures-all-tables")}},
			d.tableChoices(tables, at.query.Table)...)
		for _, t := range tables {
			if t.String() == at.query.Table {
				at.table = t
			}
		}
	}
	m.Currency = currencyOf(tiles, at.table)
	m.Codes = r.codes(at.query.Code)
	m.Boxes, m.Ranks, m.Suits = r.boxes(at.query.Box), r.ranks(at.query.Rank), r.suits(at.query.Suit)
	s, wrong := r.search(at.query, at, m.Currency)
	if wrong != "" {
		m.Error = r.say(wrong)
		return m
	}
	found, err := d.options.Past.Rounds(ctx, s)
	var unlaid time.Time
	if err == nil && s.AsksLays() {
		unlaid, err = d.options.Past.UnlaidUntil(ctx)
	}
	if err != nil {
		m.Unread = d.cannot(r, at.table, err)
		return m
	}
	if !unlaid.IsZero() {
		m.Unlaid = r.with("pit.unlaid", "time", r.clock(unlaid))
	}
	if len(found) > most {
		found = found[:most]
		m.Next = m.Where + "recall?" + at.query.after(s.Skip+most).Encode()
	}
	m.None = len(found) == 0
	for i := range found {
		write := r.amountsOf(&found[i], m.Currency)
		one := r.round(&found[i], write)
		one.Lays = r.lays(&found[i], &s, write)
		if m.Tables != nil {
			one.Table = d.named(found[i].Table)
		}
		m.Rounds = append(m.Rounds, one)
	}
	return m
}

// amountsOf writes the amounts of a round, with their currency where that is not the page's.
func (r renderer) amountsOf(one *store.Round, page string) func(int64) string {
	currency, digits := one.Currency, money.Digits(one.Currency)
	return func(amount int64) string {
		if currency == page || currency == "" {
			return r.language.Money(amount, digits)
		}
		return r.language.Price(amount, digits, currency)
	}
}

func (r renderer) round(one *store.Round, write func(int64) string) roundModel {
	number := strconv.FormatUint(one.Number, 10)
	where := RoundAt(one.Table, one.Journal, one.Number)
	m := roundModel{
		Number: number, Where: where, Replay: where + "/replay", Sheet: where + "/sheet",
		Opened: r.clock(one.Opened), Dealer: one.Dealer, Boxes: strconv.Itoa(one.Boxes),
		Staked: write(one.Staked), Returned: write(one.Returned),
	}
	won := one.Staked - one.Returned
	m.Result = write(won)
	if one.Returned != one.Due {
		m.Due = r.with("pit.due", "amount", write(one.Staked-one.Due))
	}
	switch {
	case won > 0:
		m.Result, m.Class = "+"+m.Result, "pay"
	case won < 0:
		m.Class = "take"
	}
	switch {
	case one.Void:
		m.State = r.say("word.void")
	case one.Ended.IsZero():
		m.State = r.say("word.unfinished")
	case unknown(one) > 0:
		m.State = r.say("word.not-entered") + " ×" + strconv.FormatInt(unknown(one), 10)
	}
	for _, w := range one.Irregularities {
		if one.Irregular == 0 || w.Code.Word() {
			continue // it was raised after the round
		}
		said := wrongModel{What: display.Capital(r.language.Named(display.LabelHeld, w.Code)), Open: w.With == 0}
		switch {
		case w.With == 0:
			said.Right = r.say("alerts.standing")
		case w.By == "":
			said.Right = display.Capital(r.language.Named(display.LabelChoice, w.With))
		default:
			said.Right = r.with("alerts.cleared",
				"with", display.Capital(r.language.Named(display.LabelChoice, w.With)), "by", w.By)
		}
		m.Wrong = append(m.Wrong, said)
	}
	return m
}

// unknown counts the wagers of a round whose amount nobody entered.
func unknown(one *store.Round) (n int64) {
	for _, w := range one.Wagers {
		n += w.Unknown
	}
	return n
}

// codes are what may have gone wrong.
func (r renderer) codes(chosen string) []choiceModel {
	all := []choiceModel{
		{Value: "", Name: r.say("pit.any-round")},
		{Value: anyCode, Name: r.say("pit.any-wrong"), Chosen: chosen == anyCode},
	}
	for code := range irregularity.EveryCode {
		if code.Word() {
			continue
		}
		name := code.String()
		all = append(all, choiceModel{
			Value: name, Name: display.Capital(r.language.Named(display.LabelHeld, code)),
			Chosen: name == chosen,
		})
	}
	return all
}
