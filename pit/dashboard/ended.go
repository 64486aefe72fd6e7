package dashboard

import (
	"context"
	"net/url"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
)

// endedModel is the page on which past alerts are found.
type endedModel struct {
	Top           topModel
	Asked         query
	Tables, Codes []choiceModel
	Over          []alertModel
	// None says that there are none, Error what was not understood, and Unread that nothing could be read.
	None          bool
	Error, Unread string
	// Next is where earlier ones are, "" for none.
	Next string
}

// ofPit asks for the alerts of the pit itself. No table has this name.
const ofPit = "-"

// endedMain finds past alerts, and draws them with a head of its own time.
func (d *Dashboard) endedMain(ctx context.Context, r renderer, at looked) drawn {
	m := d.ended(ctx, r, at)
	return func() []byte {
		m.Top = d.top(r, at, d.options.Floor.Alerts())
		return drawEnded(nil, r.language, m)
	}
}

// ended finds past alerts.
func (d *Dashboard) ended(ctx context.Context, r renderer, at looked) *endedModel {
	m := &endedModel{Asked: at.query, Codes: r.alertCodes(at.query.Code)}
	tables := tablesOf(d.options.Floor.Tiles())
	m.Tables = d.alertTables(r, tables, at.query.Table)
	s, wrong := r.alertSearch(at.query, tables)
	if wrong != "" {
		m.Error = r.say(wrong)
		return m
	}
	found, err := d.options.Ended.AlertHistory(ctx, s)
	if err != nil {
		d.options.Log.Error("pit: past alerts cannot be read: look at the database; live pages go on", "err", err)
		m.Unread = r.say("pit.store-away")
		return m
	}
	if len(found) > most {
		found = found[:most]
		m.Next = "/alerts/history?" + at.query.after(s.Skip+most).Encode()
	}
	m.None = len(found) == 0
	for i := range found {
		m.Over = append(m.Over, d.alert(r, at.who, &found[i]))
	}
	return m
}

// alertSearch reads a query; what is wrong with it is the key of a text.
func (r renderer) alertSearch(q query, tables []topic.Table) (s store.AlertQuery, wrong string) {
	s = store.AlertQuery{Code: q.Code, OfPit: q.Table == ofPit, Limit: most + 1}
	for _, t := range tables {
		if t.String() == q.Table {
			s.Table = t
		}
	}
	var err error
	if s.From, err = r.when(q.From); err != nil {
		return s, "pit.wrong-time"
	}
	if s.To, err = r.when(q.To); err != nil {
		return s, "pit.wrong-time"
	}
	if n, err := strconv.Atoi(q.Skip); err == nil && n > 0 {
		s.Skip = n
	}
	return s, ""
}

// after is a query for what follows so many.
func (q query) after(skip int) url.Values {
	values := url.Values{"skip": {strconv.Itoa(skip)}}
	for name, value := range q.fields() {
		if *value != "" && value != &q.Skip {
			values.Set(name, *value)
		}
	}
	return values
}

// alertTables are where an alert may have been.
func (d *Dashboard) alertTables(r renderer, tables []topic.Table, chosen string) []choiceModel {
	all := []choiceModel{
		{Name: r.say("pit.figures-all-tables")},
		{Value: ofPit, Name: r.say("pit.pit"), Chosen: chosen == ofPit},
	}
	return append(all, d.tableChoices(tables, chosen)...)
}

// tableChoices are tables of which one may be chosen.
func (d *Dashboard) tableChoices(tables []topic.Table, chosen string) (all []choiceModel) {
	for _, t := range tables {
		all = append(all, choiceModel{Value: t.String(), Name: d.named(t), Chosen: t.String() == chosen})
	}
	return all
}

// alertCodes are what an alert may have been about.
func (r renderer) alertCodes(chosen string) []choiceModel {
	all := []choiceModel{{Name: r.say("pit.any-alert")}}
	for _, code := range floor.Codes() {
		all = append(all, choiceModel{Value: code, Name: r.say("pit." + code), Chosen: code == chosen})
	}
	for code := range irregularity.EveryCode {
		name := code.String()
		all = append(all, choiceModel{
			Value: name, Name: display.Capital(r.language.Named(display.LabelHeld, code)),
			Chosen: name == chosen,
		})
	}
	return all
}
