package dashboard

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

type tableKey = topic.Table

// tableModel is a table's page: as its dealer sees it, and what happened there.
type tableModel struct {
	Top  topModel
	Tile tileModel
	// Known says that the table has been heard of.
	Known  bool
	Alerts []alertModel
	// Orders are the keys of what may be told to the table, NoOrders why there are none, and Message what it was told
	// that its dealer has not seen yet.
	Orders   []orderModel
	NoOrders string
	Message  string
	// Asked is what the dealer is to do, Felt how the table lies, and Stop that it stands still.
	Asked, Detail string
	Stop          bool
	Felt          site.MarkupText
	// Old says that what is shown is what was heard last.
	Old string
	// Told is what happened in the last rounds, the latest first.
	Told   []toldModel
	Unread string
	// Rounds is where past rounds are found, "" for who may not.
	Rounds string
	Facts  []pair
	Health []pair
	// Irregular are the irregularities of this shift.
	Irregular []pair
	// Day is what the table has come to in its gaming day.
	Day dayModel
}

type pair struct{ Name, Value, Class string }

// toldModel is a sentence about what happened.
type toldModel struct {
	Class, Clock, Where, Text string
	// Round begins a round's sentences.
	Round, There string
	Back         bool
}

// tableMain draws the page of a table.
func (d *Dashboard) tableMain(ctx context.Context, r renderer, at looked) []byte {
	m := tableModel{Top: d.top(r, at, d.options.Floor.Alerts())}
	tiles := d.options.Floor.Tiles()
	i := slices.IndexFunc(tiles, func(t floor.Tile) bool { return t.Table == at.table })
	if i < 0 {
		m.Tile.Name = d.named(at.table)
		return drawTable(nil, r.language, &m)
	}
	t := &tiles[i]
	m.Known, m.Tile = true, d.tile(r, at.who, t, store.Spot{})
	for i := range t.Alerts {
		m.Alerts = append(m.Alerts, d.alert(r, at.who, &t.Alerts[i]))
	}
	if v, ok := d.options.Floor.View(at.table); !ok {
		m.Orders, m.NoOrders = d.commandKeys(r, at.who, t, nil)
	} else {
		m.Orders, m.NoOrders = d.commandKeys(r, at.who, t, &v)
		if display.PitMessage(v) != nil {
			m.Message = r.language.Say(display.PitSays(v))
		}
		l := r.language.In(v.House)
		step := display.Prompt(v)
		m.Asked, m.Detail, m.Stop = l.Say(step.Headline), l.Say(step.Detail), step.Stop
		if v.Held != nil {
			m.Detail = ""
			for i, one := range display.Story(v) {
				if i > 0 {
					m.Detail += " "
				}
				m.Detail += l.Say(one)
			}
		}
		m.Felt = site.MarkupText(web.Felt(r.language, v))
		m.Facts = r.facts(v)
		m.Irregular = r.irregular(v)
		if d.options.Past != nil && at.who.May(Supervisor) {
			m.Told, m.Unread = d.told(ctx, r, at.table)
		}
	}
	if totals, ok := d.options.Floor.Totals(at.table); ok {
		m.Day = r.day(&totals, t, at.who.May(Supervisor))
	}
	if t.Standing == floor.Offline || t.Standing == floor.Unknown {
		m.Old = r.say("pit.old")
	}
	if d.options.Past != nil && at.who.May(Supervisor) {
		m.Rounds = tableAt(at.table) + "recall"
	}
	if h, ok := d.options.Floor.Health(at.table); ok && (at.who.May(Technician) || at.who.May(Supervisor)) {
		m.Health = r.health(h)
	}
	return drawTable(nil, r.language, &m)
}

// facts are what is in force at the table.
func (r renderer) facts(v display.View) (facts []pair) {
	l := r.language.In(v.House)
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, pair{Name: name, Value: value})
		}
	}
	add(r.say("pit.house"), display.HouseName(v.House))
	if v.Currency != "" {
		add(r.say("pit.limits"), l.Limits(v.Min, v.BoxMax, v.Digits, v.Currency))
	}
	name := v.Shift.Dealer
	if v.Shift.Name != "" {
		name += " (" + v.Shift.Name + ")"
	}
	add(r.say("word.dealer"), name)
	if v.Opening.By != "" {
		at, _ := time.Parse(time.RFC3339Nano, v.Opening.At)
		key := "pit.opened-by"
		if v.Opening.Closed {
			key = "pit.closed-by"
		}
		add(r.with(key, "by", v.Opening.By), r.clock(at))
	}
	if v.Jackpot > 0 {
		add(r.say("word.jackpot"), l.Price(v.Jackpot, v.Digits, v.Currency))
	}
	add(r.say("pit.shoe"), l.WhichShoe(v.Shoe))
	add(r.say("pit.cards"), l.CardsLeft(v.Shoe))
	return facts
}

// irregular counts what went wrong since the dealer deals.
func (r renderer) irregular(v display.View) (all []pair) {
	for code, n := range v.Shift.Irregularities {
		if n == 0 || code.Word() {
			continue
		}
		all = append(all, pair{
			Name:  display.Capital(r.language.Named(display.LabelHeld, code)),
			Value: strconv.Itoa(n),
		})
	}
	slices.SortFunc(all, func(a, b pair) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// health says how the table's computer does.
func (r renderer) health(h topic.Health) (rows []pair) {
	add := func(key, value, class string) {
		if value != "" {
			rows = append(rows, pair{Name: r.say("pit." + key), Value: value, Class: class})
		}
	}
	fault := func(f *topic.Fault) string {
		if f == nil {
			return ""
		}
		return r.clock(f.Time) + "  " + f.Text
	}
	shoe, class := r.say("pit.up"), "fine"
	if !h.Shoe.Up {
		shoe, class = r.say("pit.down"), "bad"
	}
	add("shoe-link", shoe, class)
	add("shoe-firmware", h.Shoe.Firmware, "")
	if c := h.Shoe.Confidence; c != nil && c.Cards > 0 {
		class := ""
		if c.Low > 0 {
			class = "warn"
		}
		add("shoe-confidence", strconv.FormatUint(c.Mean, 10)+"\u202f% ("+strconv.FormatUint(c.Min, 10)+
			"\u202f%)", class)
	}
	add("shoe-down", fault(h.Shoe.LastDown), "")
	if h.Journal.Trouble != nil {
		add("journal-trouble", h.Journal.Trouble.Text, "bad")
	}
	if h.Journal.Head != nil {
		add("journal-head", strconv.FormatUint(h.Journal.Head.Record, 10), "")
	}
	class = ""
	if h.Journal.Unacknowledged > 0 {
		class = "warn"
	}
	add("unacknowledged", floor.WriteCount(h.Journal.Unacknowledged, r.language), class)
	for _, denied := range h.Denied {
		add("denied", denied, "bad")
	}
	if c := h.Commands; c != nil {
		class := ""
		if c.Refused > 0 {
			class = "warn"
		}
		add("orders-taken", floor.WriteCount(c.Taken, r.language), "")
		add("orders-refused", floor.WriteCount(c.Refused, r.language), class)
	}
	add("version", h.Version, "")
	add("uptime", r.lasted(time.Duration(h.Uptime)*time.Second), "")
	if h.MemoryBytes > 0 {
		add("memory", floor.WriteSize(h.MemoryBytes, r.language), "")
	}
	add("last-error", fault(h.LastError), "")
	add("heard", r.clock(h.Time), "")
	return rows
}

// reachTold is how many rounds are told on a table's page.
const reachTold = 3

// told tells the last rounds in sentences, the latest first.
func (d *Dashboard) told(ctx context.Context, r renderer, table topic.Table) (all []toldModel, unread string) {
	recall, err := d.options.Past.Recall(ctx, table, "")
	if err != nil || recall == nil {
		return nil, d.cannot(r, table, err)
	}
	rounds, err := recall.Last(reachTold)
	if err != nil {
		return nil, d.cannot(r, table, err)
	}
	for _, round := range rounds {
		l := r.language.At(round.Table)
		sentences := l.Tell(round.In(r.zone))
		slices.Reverse(sentences)
		for i, one := range sentences {
			m := toldModel{Class: one.Kind, Clock: one.Time, Where: one.Where, Text: one.Text, Back: one.Back}
			if len(m.Clock) > len("15:04:05") {
				m.Clock = m.Clock[:len("15:04:05")]
			}
			if one.Card != 0 {
				m.Text = l.Say(display.CardName(one.Card)) + "  " + m.Text
			}
			if i == 0 {
				m.Round = l.RoundName(round.Number)
				m.There = tableAt(table) + "recall/" + strconv.FormatUint(round.Number, 10)
			}
			all = append(all, m)
		}
	}
	return all, ""
}

// cannot says that past rounds cannot be read; nothing where there are none.
func (d *Dashboard) cannot(r renderer, table topic.Table, err error) string {
	if err == nil {
		return ""
	}
	d.options.Log.Error("pit: past rounds cannot be read: look at the database; live pages go on",
		"table", table, "err", err)
	return r.say("past.unread")
}

// tableOf is the table that a request names; where there is none, it has been answered.
func (d *Dashboard) tableOf(w http.ResponseWriter, r *http.Request) (t topic.Table, ok bool) {
	t, err := topic.NewTable(r.PathValue("site"), r.PathValue("table"))
	if err != nil {
		http.Error(w, d.speaking(r).say("pit.no-table"), http.StatusNotFound)
	}
	return t, err == nil
}
