package dashboard

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/money"
)

// Group says how the houses of a group stand, at its hub.
type Group interface {
	// Sites are the houses. Of tables that other nodes of the hub keep, elsewhere says how far that is.
	Sites(elsewhere map[string]uint64) []Site
	// Elsewhere is how many records the database lacks of those tables, by site.
	Elsewhere(context.Context) (map[string]uint64, error)
	// Day has what each table's rounds of the present gaming day have come to.
	Day(context.Context) ([]store.Sum, error)
}

// Site is a house of a group.
type Site struct {
	Name string
	// Page is the address of the house's own pit, "" for none.
	Page string
	// Own says that its tables are the hub's own. There is no line to them.
	Own bool
	// Up says that there is a line to it, and Since since when that is so.
	Up    bool
	Since time.Time
	// Behind is how many records the hub lacks of it, as far as it has heard.
	Behind uint64
}

// groupModel is the page of the group: every site, and what its tables have come to, each currency by itself.
type groupModel struct {
	Top    topModel
	Unread string
	Sites  []siteModel
}

type siteModel struct {
	Name, Class, Sign  string
	Line, Since, Clock string
	// Kept says how far the records are here, Tables how many are open, "" where no line tells, and Alerts how
	// many are.
	Kept, Tables, Alerts string
	Floor, Page          string
	// Day are the amounts of the gaming day by currency, for those who may know.
	Day []moneyModel
}

// moneyModel is one currency. Staked and Won are "" where nobody entered any amount, and Unknown counts those wagers.
type moneyModel struct{ Currency, Rounds, Staked, Won, Unknown string }

// groupFresh is how long what was read last of the gaming day, and of other nodes' tables, is shown.
const groupFresh = 5 * time.Second

func (d *Dashboard) groupDay(ctx context.Context) ([]store.Sum, error) {
	return d.lastDay.latest(ctx, groupFresh, d.options.Group.Day, d.options.Log,
		"pit: the figures of the group cannot be read: look at the database; live pages go on")
}

func (d *Dashboard) groupElsewhere(ctx context.Context) (map[string]uint64, error) {
	return d.lastElsewhere.latest(ctx, groupFresh, d.options.Group.Elsewhere, d.options.Log,
		"pit: how far other nodes keep records cannot be read: look at the database; live pages go on")
}

func (d *Dashboard) groupMain(ctx context.Context, r renderer, at looked) []byte {
	alerts := d.options.Floor.Alerts()
	m := groupModel{Top: d.top(r, at, alerts)}
	var sums []store.Sum
	if at.who.May(Supervisor) {
		var err error
		if sums, err = d.groupDay(ctx); err != nil {
			m.Unread = r.say("pit.store-away")
		}
	}
	elsewhere, err := d.groupElsewhere(ctx)
	if err != nil {
		m.Unread = r.say("pit.store-away")
	}
	tiles := d.options.Floor.Tiles()
	for _, s := range d.options.Group.Sites(elsewhere) {
		one := r.site(&s, tiles, alerts, sums)
		if err != nil && s.Behind == 0 { // nobody knows of other nodes' tables
			one.Kept = ""
		}
		m.Sites = append(m.Sites, one)
	}
	return drawGroup(nil, r.language, &m)
}

// site is a house as the page has it.
func (r renderer) site(s *Site, tiles []floor.Tile, alerts []floor.Alert, sums []store.Sum) siteModel {
	m := siteModel{
		Name: s.Name, Floor: "/?site=" + s.Name, Page: s.Page,
		Class: "up", Sign: "●", Line: r.say("pit.group-line-up"),
		Since: stamp(s.Since), Clock: r.clock(s.Since), Kept: r.say("pit.group-complete"),
	}
	switch {
	case s.Own:
		m.Line, m.Since, m.Clock = "", "", ""
	case !s.Up:
		m.Class, m.Sign, m.Line, m.Kept = "down", "✕", r.say("pit.group-line-down"), ""
	}
	if s.Behind > 0 {
		m.Kept = r.with("pit.group-behind", "n", strconv.FormatUint(s.Behind, 10))
	}
	open, all, calls := 0, 0, 0
	for i := range tiles {
		if tiles[i].Table.Site() != s.Name {
			continue
		}
		if all++; tiles[i].Standing == floor.Open || tiles[i].Standing == floor.Held {
			open++
		}
	}
	for i := range alerts {
		if alerts[i].Table.Site() == s.Name {
			calls++
		}
	}
	if s.Up { // else nobody knows which tables are open
		m.Tables = r.with("pit.group-open", "open", strconv.Itoa(open), "all", strconv.Itoa(all))
	}
	m.Alerts, m.Day = number(calls), r.moneyOf(s.Name, sums)
	return m
}

// moneyOf is what a site's tables have come to. Amounts of two currencies are never added.
func (r renderer) moneyOf(site string, sums []store.Sum) (list []moneyModel) {
	by := map[string]*store.Sum{}
	for i := range sums {
		one := &sums[i]
		if one.Table.Site() != site || one.Rounds == 0 && one.Wagers == 0 && one.Returned == 0 { // irregularities alone
			continue
		}
		if by[one.Currency] == nil {
			by[one.Currency] = &store.Sum{Key: store.Key{Currency: one.Currency}}
		}
		to := by[one.Currency]
		to.Rounds, to.Staked, to.Returned = to.Rounds+one.Rounds, to.Staked+one.Staked, to.Returned+one.Returned
		to.Unknown += one.Unknown
	}
	for currency, sum := range by {
		list = append(list, r.moneyIn(currency, sum))
	}
	slices.SortFunc(list, func(a, b moneyModel) int { return cmp.Compare(a.Currency, b.Currency) })
	return list
}

// moneyIn is what tables have come to in a currency.
func (r renderer) moneyIn(currency string, sum *store.Sum) moneyModel {
	m := moneyModel{Currency: currency, Rounds: r.language.Count("pit-rounds", int(sum.Rounds))}
	if sum.Unknown > 0 {
		m.Unknown = r.language.Money(sum.Unknown, 0)
		if sum.Staked == 0 && sum.Returned == 0 {
			return m
		}
	}
	digits := money.Digits(currency)
	won := exact(r.language, sum.Staked-sum.Returned, digits)
	if sum.Staked > sum.Returned {
		won = "+" + won
	}
	m.Staked = r.language.Priced(exact(r.language, sum.Staked, digits), currency)
	m.Won = r.language.Priced(won, currency)
	return m
}
