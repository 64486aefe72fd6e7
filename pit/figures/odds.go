package figures

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	amounts "github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// playedLately is how many nights back the tables' houses are looked for.
const playedLately = 30

// oddsModel is the page of odds: what the rules of one house are worth.
type oddsModel struct {
	headModel
	// Houses are those that were played lately; the page is of the chosen one.
	Houses []choice
	// Chosen is its fingerprint. None: nothing was played; Unknown: the pit cannot read the rules; Failed: nor work
	// them out.
	Chosen                string
	None, Unknown, Failed bool
	Name, Cards, Tables   string
	// Working says how far the work is, "" once it is done.
	Working string
	Wagers  []worthModel
	Chart   *chartModel
	// Alone: the figures are of one box alone, as those of Black James.
	Alone bool
	// Command says how to ask what another rule would change.
	Command string
}

// worthModel is what a wager is worth.
type worthModel struct {
	Name, Edge, Deviation, Wins, How string
	// Guests says that the edge is the guests'.
	Guests    bool
	BreakEven string
	Each      string
	Lines     []worthLineModel
	// Ruled says that some lines are rules of their own, with what each is worth.
	Ruled bool
}

type worthLineModel struct{ Name, Pays, Of1000, Worth string }

// playing is a house that tables play by these rules.
type playing struct {
	house, rules string
	tables       []string
	rounds       int64
}

// worths is the page of odds.
func (d drawing) worths(ctx context.Context) (any, error) {
	list, err := d.playing(ctx)
	if err != nil {
		return nil, err
	}
	chosen := chosenOf(list, d.asked, d.tableAsked())
	d.asked.rules = chosen.rules
	head, err := d.head(ctx, "/odds", d.say("pit.odds"))
	if err != nil {
		return nil, err
	}
	// The form of the page chooses neither.
	head.Hidden = append(head.Hidden, asking(hidden{"table", d.tableAsked()}, hidden{"dealer", d.query.Dealer})...)
	m := &oddsModel{headModel: head, Chosen: chosen.rules, None: chosen.rules == ""}
	for _, p := range list {
		m.Houses = append(m.Houses, choice{Name: p.named(list), Value: p.rules, Chosen: p.rules == chosen.rules})
	}
	if m.None {
		return m, nil
	}
	r, err := d.options.Rules(ctx, chosen.rules)
	if err != nil {
		return nil, err
	}
	m.Tables = strings.Join(chosen.tables, ", ")
	if m.Unknown = r == nil; m.Unknown {
		m.Name = display.HouseName(chosen.house)
		return m, nil
	}
	d.worth(m, r)
	return m, nil
}

// playing lists the houses of the last nights, those that deal the most first.
func (d drawing) playing(ctx context.Context) ([]playing, error) {
	q := Query{From: d.options.from(d.night.AddDate(0, 0, 1-max(playedLately, d.nights))), To: d.query.To}
	paces, err := d.sums(ctx, q, tally.OfRounds, store.ByTable)
	if err != nil {
		return nil, err
	}
	sums := map[string]*playing{}
	for i := range paces {
		p := &paces[i]
		if sums[p.Rules] == nil {
			sums[p.Rules] = &playing{house: p.House, rules: p.Rules}
		}
		s := sums[p.Rules]
		s.rounds += p.Rounds
		s.tables = append(s.tables, d.tableName(p.Table))
	}
	var list []playing
	for _, s := range sums {
		slices.SortFunc(s.tables, byNumber)
		s.tables = slices.Compact(s.tables)
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b playing) int {
		return cmp.Or(cmp.Compare(b.rounds, a.rounds), cmp.Compare(a.house, b.house), cmp.Compare(a.rules, b.rules))
	})
	return list, nil
}

// chosenOf is the house that an address asks for, by its rules: also one that was played earlier. Without rules it is
// that of the table, or of the house, that is looked at, and else the first.
func chosenOf(list []playing, a asked, table string) playing {
	for _, p := range list {
		if a.rules == p.rules {
			return p
		}
	}
	switch {
	case a.rules != "":
		return playing{rules: a.rules}
	case len(list) == 0:
		return playing{}
	}
	return list[max(slices.IndexFunc(list, func(p playing) bool {
		return (table == "" || slices.Contains(p.tables, table)) &&
			(a.query.House == "" || a.query.House == p.house)
	}), 0)]
}

// named is a house in the list: one that is played by several rules has the beginning of their fingerprints.
func (p playing) named(list []playing) string {
	name := display.HouseName(p.house)
	if slices.ContainsFunc(list, func(o playing) bool { return o.house == p.house && o.rules != p.rules }) {
		name += " " + p.rules[:min(8, len(p.rules))]
	}
	return name + " · " + strings.Join(p.tables, ", ")
}

// worth fills in what is known of rules at the moment.
func (d drawing) worth(m *oddsModel, r *rules.Rules) {
	is := d.options.Worth.Of(r)
	m.Name = r.Title
	m.Alone = r.Game == rules.BlackJames
	shoe := odds.Full(r)
	m.Cards = d.with("pit.odds-cards", "packs", d.whole(int64(shoe.Packs)), "cards", d.whole(int64(shoe.Size())))
	m.Command = fmt.Sprintf("sabot rules odds --house %s --set cards.decks=%d", r.House, otherPacks(shoe.Packs))
	switch is.State {
	case Waiting:
		m.Working = d.say("pit.odds-waiting")
	case Working:
		m.Working = d.with("pit.odds-working", "part", d.decimal(100*is.Part, 0)+"\u202f%")
	case Failed:
		m.Failed = true
	}
	m.Refresh = m.Working != ""
	for i := range is.Wagers {
		m.Wagers = append(m.Wagers, d.wagerWorth(&is.Wagers[i], r))
	}
	if is.Worth != nil {
		m.Chart = d.chart(&is.Worth.Chart)
	}
}

// otherPacks is a number for the command's example that changes something.
func otherPacks(packs int) int {
	if packs == 8 {
		return 6
	}
	return 8
}

func (d drawing) wagerWorth(w *odds.Wager, r *rules.Rules) worthModel {
	m := worthModel{
		Name: d.wagerNamed(w.Name), Edge: d.fine(w.Edge), Deviation: d.decimal(math.Sqrt(max(w.Variance, 0)), 2),
		Wins: d.fine(w.Hit),
		How:  d.found(w), Guests: w.Edge < 0,
	}
	hundred := int64(100 * math.Pow10(r.Digits()))
	if w.EachUnit > 0 {
		m.BreakEven = d.say("pit.odds-any")
		if w.BreakEven > 0 {
			m.BreakEven = d.language.Price(int64(w.BreakEven), r.Digits(), r.Table.Currency)
		}
		m.Each = d.with("pit.odds-each", "seed", d.language.Price(int64(r.Meter.Seed), r.Digits(), r.Table.Currency),
			"amount", d.language.Price(hundred, r.Digits(), r.Table.Currency),
			"edge", d.decimal(100*float64(hundred)*w.EachUnit, 4)+"\u202f%")
	}
	for i := range w.Lines {
		l := &w.Lines[i]
		line := worthLineModel{Name: d.named("why", l.Name), Pays: d.pays(l.Pays, r), Of1000: d.decimal(1000*l.P, 3)}
		if l.Worth != 0 {
			line.Worth, m.Ruled = d.fine(l.Worth), true
		}
		m.Lines = append(m.Lines, line)
	}
	return m
}

// pays writes what a line pays, as the profile has it: odds, an amount, or the jackpot.
func (d drawing) pays(text string, r *rules.Rules) string {
	if amount, err := amounts.Parse(text, r.Digits()); err == nil {
		return d.language.Price(int64(amount), r.Digits(), r.Table.Currency)
	}
	return d.named("why", text)
}

// wagerNamed names a wager. Even money is a call: as a wager it would be named as a house's own bet that nobody has put
// into words.
func (d drawing) wagerNamed(name string) string {
	if name == vocab.CallEvenMoney.String() {
		return d.named("call", name)
	}
	return d.named("wager", name)
}

// fine writes a share with three digits: a rule may change no more.
func (d drawing) fine(x float64) string { return d.decimal(100*x, 3) + "\u202f%" }

// found says how a wager's odds were found.
func (d drawing) found(w *odds.Wager) string {
	switch w.Method {
	case odds.Bounded:
		return d.with("pit.odds-bounded", "error",
			d.decimal(100*w.Error, max(3, -int(math.Floor(math.Log10(100*w.Error)))))+"\u202f%")
	case odds.Simulated:
		return d.with("pit.odds-simulated", "n", d.whole(w.Rounds), "error", d.fine(w.Error))
	}
	return d.say("pit.odds-exact")
}
