package dashboard

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// Trays is what is known of the tables' trays: a store.Store.
type Trays interface {
	Trays(context.Context) (map[topic.Table]*tray.Now, error)
}

// traysFresh is how long what was read of the trays is shown.
const traysFresh = time.Second

// readTrays keeps what was read last.
type readTrays struct {
	reading[map[topic.Table]*tray.Now]
	// last is what was read, nil where it could not be: for whoever does not wait for the database.
	last atomic.Pointer[map[topic.Table]*tray.Now]
}

// trays are the trays now.
func (d *Dashboard) trays(ctx context.Context) (map[topic.Table]*tray.Now, error) {
	y := &d.lastTrays
	return y.latest(ctx, traysFresh, func(ctx context.Context) (map[topic.Table]*tray.Now, error) {
		all, err := d.options.Trays.Trays(ctx)
		if last := all; err == nil {
			y.last.Store(&last)
		} else {
			y.last.Store(nil)
		}
		return all, err
	}, d.options.Log, "pit: the trays cannot be read: look at the database; live pages go on")
}

// soon is closed when the trays are worth reading again.
func soon() <-chan struct{} {
	c := make(chan struct{})
	time.AfterFunc(traysFresh, func() { close(c) })
	return c
}

// waiting is how many slips wait for somebody, by what was read of the trays last: for a supervisor, those that they
// may approve, and those in another currency than the table's, which only they can end; for a cashier, those that the
// cage is to send or to receive; for whoever is not asked who they are, both.
func (d *Dashboard) waiting(who people.Person) (n int) {
	all := d.lastTrays.last.Load()
	if all == nil || len(*all) == 0 || !who.May(Cashier) {
		return 0
	}
	tiles := d.options.Floor.Tiles()
	for i := range tiles {
		now := (*all)[tiles[i].Table]
		if now == nil {
			continue
		}
		for j := range now.Slips {
			if waitsFor(now, &now.Slips[j], who) {
				n++
			}
		}
	}
	return n
}

// waitsFor says whether a slip's next step is somebody's. Where the table takes none, a supervisor refuses it.
func waitsFor(now *tray.Now, s *tray.Slip, who people.Person) bool {
	switch next := nextOf(s); {
	case !takes(now, s):
		return who.May(Supervisor)
	case who.Name == "":
		return next != forTable
	case who.May(Supervisor):
		return next == forApproval && s.Steps[0].By != who.Name
	default:
		return next == forCage
	}
}

// asked tells when another number of slips waits for somebody. Until ctx ends it has the trays read, and waits for the
// database, which pages do not; the page of trays reads them itself.
func (d *Dashboard) asked(ctx context.Context, at looked) <-chan struct{} {
	if d.options.Trays == nil || at.page == pageTrays || !at.who.May(Cashier) {
		return nil
	}
	changed := make(chan struct{}, 1)
	shown := d.waiting(at.who)
	go func() {
		for {
			_, _ = d.trays(ctx) // what fails is in the log, and nothing waits
			if now := d.waiting(at.who); now != shown {
				shown = now
				select {
				case changed <- struct{}{}:
				default: // it is drawn anyway
				}
			}
			select {
			case <-ctx.Done():
				return
			case <-soon():
			}
		}
	}()
	return changed
}

// traysModel is the page of trays.
type traysModel struct {
	Top topModel
	// Unread says that nothing can be read.
	Unread string
	// Floats are what the trays must hold together, by currency.
	Floats   []floatModel
	Requests []requestModel
	Tables   []trayModel
	Close    string
}

type floatModel struct{ Currency, Amount, Note string }

// requestModel is a slip under way.
type requestModel struct {
	ID, Name, Table, Where, Slip  string
	Class                         string
	Chips                         []chipsModel
	Sum, Waits                    string
	Steps                         []string
	Keys                          []slipKey
	Own                           string
	At, Short, Kind, Number, Text string
}

type chipsModel struct{ Value, Pieces string }

// slipKey is a step that may be taken at the pit.
type slipKey struct{ ID, What, Name, Class string }

// trayModel is a table's tray.
type trayModel struct {
	Table, Where, At, Class string
	Must, Note              string
	Count, Differs          string
	DiffersClass            string
	Since, Cash             string
	// Asks says that chips may be asked for, of these values.
	Asks   bool
	Values string
	// Digits is how many decimals the amounts have.
	Digits int
	Names  string
}

// traysMain draws the page of trays.
func (d *Dashboard) traysMain(ctx context.Context, r renderer, at looked) []byte {
	all, err := d.trays(ctx)
	m := traysModel{Top: d.top(r, at, d.options.Floor.Alerts()), Close: d.options.Close}
	if err != nil {
		m.Unread = r.say("trays.unread")
		return drawTrays(nil, r.language, &m)
	}
	tiles := d.options.Floor.Tiles()
	floats := map[string]*float{}
	for i := range tiles {
		t := &tiles[i]
		now := all[t.Table]
		if now == nil {
			now = &tray.Now{}
		}
		m.Tables = append(m.Tables, d.tray(r, at.who, t, now))
		in := moneyOf(t, now.Currency)
		floats[in.currency] = floats[in.currency].add(in, now)
		for j := range now.Slips {
			m.Requests = append(m.Requests, d.request(r, at.who, t, now, &now.Slips[j]))
		}
	}
	slices.SortStableFunc(m.Requests, func(a, b requestModel) int { return cmp.Compare(rank(a.Class), rank(b.Class)) })
	m.Floats = r.floats(floats)
	return drawTrays(nil, r.language, &m)
}

// rank puts first what waits for the pit.
func rank(class string) int { return slices.Index([]string{forApproval, forCage, forTable}, class) }

// float is what trays of one currency hold.
type float struct {
	sum        int64
	digits     int
	known, all int
}

// trayMoney is the currency of a tray, with its decimals.
type trayMoney struct {
	currency string
	digits   int
}

// moneyOf is that of a tray or of a slip; where nobody knows it, the table's.
func moneyOf(t *floor.Tile, currency string) trayMoney {
	if currency == "" || currency == t.Currency {
		return trayMoney{t.Currency, t.Digits}
	}
	return trayMoney{currency, money.Digits(currency)}
}

func (f *float) add(in trayMoney, now *tray.Now) *float {
	if f == nil {
		f = &float{}
	}
	f.all++
	if now.Known {
		f.sum, f.known, f.digits = f.sum+now.Must, f.known+1, in.digits
	}
	return f
}

func (r renderer) floats(all map[string]*float) (list []floatModel) {
	for currency, f := range all {
		if f.known == 0 {
			continue
		}
		list = append(list, floatModel{
			currency, r.language.Price(f.sum, f.digits, currency), r.with("trays.known-of",
				"n", strconv.Itoa(f.known), "all", strconv.Itoa(f.all)),
		})
	}
	slices.SortFunc(list, func(a, b floatModel) int { return cmp.Compare(a.Currency, b.Currency) })
	return list
}

// tray is one table's.
func (d *Dashboard) tray(r renderer, who people.Person, t *floor.Tile, now *tray.Now) trayModel {
	in := moneyOf(t, now.Currency)
	money := func(minor int64) string { return r.language.Money(minor, in.digits) }
	m := trayModel{
		Table: d.named(t.Table), Where: tableAt(t.Table), At: tableAt(t.Table), Class: standings[t.Standing].class,
	}
	switch {
	case now.Count == nil:
		m.Note = r.say("trays.never")
	case now.Missing:
		m.Note = r.say("trays.missing")
	case now.Unknown > 0:
		m.Note = r.with("trays.unknown", "n", strconv.Itoa(now.Unknown))
	default:
		m.Must = r.language.Price(now.Must, in.digits, in.currency)
	}
	if c := now.Count; c != nil {
		m.Count = r.with("trays.last-count", "time", r.minute(c.At), "amount", money(c.Told.Amount))
		switch {
		case c.Known && c.Told.Difference != 0:
			m.Differs, m.DiffersClass = r.with("trays.differed", "amount", plus(money, c.Told.Difference)), "wrong"
		case c.Known:
			m.Differs = "✓ " + r.say("trays.agreed")
		}
		m.Since = r.with("trays.since", "rounds", r.language.Count("pit-rounds", now.Rounds))
	}
	if now.Cash != 0 {
		m.Cash = money(now.Cash)
	}
	if values := d.values(t, now); len(values) > 0 && who.May(Supervisor) && d.mayTell(t, who) {
		var texts, names []string
		for _, v := range values {
			texts, names = append(texts, strconv.FormatInt(v, 10)), append(names, money(v))
		}
		m.Digits = in.digits
		m.Asks, m.Values, m.Names = true, strings.Join(texts, " "), strings.Join(names, "|")
	}
	return m
}

// plus writes an amount with its sign.
func plus(money func(int64) string, minor int64) string {
	if minor > 0 {
		return "+" + money(minor)
	}
	return money(minor)
}

// values are those of the chips in a table's tray, the largest first: those that were counted, else those that its
// screen offers.
func (d *Dashboard) values(t *floor.Tile, now *tray.Now) (list []int64) {
	if now.Count != nil {
		for _, c := range now.Count.Told.Chips {
			list = append(list, c.Value)
		}
	} else if v, known := d.options.Floor.View(t.Table); known && v.Bets != nil {
		list = slices.Clone(v.Bets.Chips)
	}
	slices.SortFunc(list, func(a, b int64) int { return cmp.Compare(b, a) })
	return list
}

// mayTell says whether somebody may tell a table anything now.
func (d *Dashboard) mayTell(t *floor.Tile, who people.Person) bool {
	return t.Standing != floor.Offline && t.Standing != floor.Unknown && d.options.Commands != nil &&
		d.options.Commands.Takes(t.Table, who.Name)
}

// request is a slip under way, with the keys for its next step.
func (d *Dashboard) request(r renderer, who people.Person, t *floor.Tile, now *tray.Now, s *tray.Slip) requestModel {
	kind, named := command.KindFill, "close.fill"
	if s.Credit {
		kind, named = command.KindCredit, "close.credit"
	}
	number, in := strconv.FormatUint(uint64(s.Number), 10), moneyOf(t, s.Steps[0].Currency)
	m := requestModel{
		ID: d.named(t.Table) + "-" + number, Name: r.with(named, "n", number), Table: d.named(t.Table),
		Where: tableAt(t.Table),
		Sum:   r.language.Price(s.Amount(), in.digits, in.currency), At: tableAt(t.Table), Short: d.named(t.Table),
		Kind:   kind,
		Number: number, Text: vocab.ChipsText(s.Chips()),
	}
	for _, c := range s.Chips() {
		m.Chips = append(m.Chips, chipsModel{r.language.Money(c.Value, in.digits), r.language.Money(c.Pieces, 0)})
	}
	for i := range s.Steps {
		e := &s.Steps[i]
		step := r.say("close.step-" + e.Told.Step.String())
		m.Steps = append(m.Steps, r.with("trays.step-by", "step", step, "name", e.By, "time", r.minute(e.At)))
	}
	m.Class = nextOf(s)
	if m.Waits = r.say("trays.waits-" + m.Class); !takes(now, s) {
		m.Class, m.Waits = forApproval, r.say("trays.waits-refusal")
	}
	if d.mayTell(t, who) {
		m.Keys, m.Own = r.slipKeys(s, who, takes(now, s))
		for i := range m.Keys {
			m.Keys[i].ID = m.Keys[i].What + "-" + m.ID
		}
	}
	return m
}

// For whom a slip waits: its class on the page, and the end of the key of its text.
const (
	forApproval = "asked"
	forCage     = "cage"
	forTable    = "table"
)

// nextOf says for whom a slip waits.
func nextOf(s *tray.Slip) string {
	switch step := s.Step(); {
	case step == vocab.SlipAsked:
		return forApproval
	case step == vocab.SlipApproved != s.Credit: // the cage sends a fill, and receives a credit
		return forCage
	}
	return forTable
}

// takes says whether the table takes the next step of a slip: of one in another currency than that in which it plays it
// may not.
func takes(now *tray.Now, s *tray.Slip) bool {
	one := vocab.Slip{Credit: s.Credit}
	if asked := s.Steps[0].Currency; now.Currency != "" && now.Currency != asked {
		one.Currency = asked
	}
	return one.Takes(s.Step() + 1)
}

// slipKeys are the steps that somebody may take now: nobody approves what they have asked for, and nobody anything that
// the table does not take.
func (r renderer) slipKeys(s *tray.Slip, who people.Person, takes bool) (keys []slipKey, own string) {
	step, decides := s.Step(), who.May(Supervisor)
	switch {
	case !takes:
	case step == vocab.SlipAsked && !decides: // somebody else
	case step == vocab.SlipAsked && who.Name != "" && s.Steps[0].By == who.Name:
		own = r.say("trays.own")
	case step == vocab.SlipAsked:
		keys = append(keys, slipKey{"", command.SlipApproved.String(), r.say("trays.approve"), "go"})
	case step == vocab.SlipApproved && !s.Credit:
		keys = append(keys, slipKey{"", command.SlipSent.String(), r.say("trays.send"), "go"})
	case step == vocab.SlipSent && s.Credit:
		keys = append(keys, slipKey{"", command.SlipReceived.String(), r.say("trays.receive"), "go"})
	}
	if decides && (!s.Credit || step != vocab.SlipSent) {
		keys = append(keys, slipKey{"", command.SlipRefused.String(), r.say("trays.refuse"), ""})
	}
	return keys, own
}

// slipOrder reads what a page has sent of a slip; what is wrong with it is the key of a text.
func slipOrder(c *command.Command, o *ordered) (wrong string) {
	if c.What != command.SlipApproved && c.What != command.SlipRefused {
		list, err := vocab.ParseChips(o.Chips)
		if c.Chips = o.Chips; err != nil || len(list) == 0 {
			return "trays.wrong-chips"
		}
	}
	if c.What == command.AskFill || c.What == command.AskCredit {
		return ""
	}
	number, err := strconv.ParseUint(o.Slip, 10, 32)
	c.Kind, c.Slip = o.Kind, number
	if err != nil || number == 0 || o.Kind != command.KindFill && o.Kind != command.KindCredit {
		return "trays.wrong-slip"
	}
	if c.What == command.SlipRefused {
		if c.Text = plain(o.Text, command.MostText+1); command.CheckText(c.Text) != nil {
			return "pit.order-bad-text"
		}
	}
	return ""
}

// ownSlip says whether somebody would approve what they have asked for.
func (d *Dashboard) ownSlip(r *http.Request, table topic.Table, c *command.Command) bool {
	if c.What != command.SlipApproved || d.options.Trays == nil {
		return false
	}
	all, err := d.trays(r.Context())
	if err != nil || all[table] == nil {
		return false // the table refuses it
	}
	return slices.ContainsFunc(all[table].Slips, func(s tray.Slip) bool {
		return uint64(s.Number) == c.Slip && s.Steps[0].By == c.Person
	})
}
