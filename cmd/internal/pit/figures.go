package pit

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// figuresPages are the pages of figures: a manager's, but for the shift report, which a supervisor signs.
func (p *Pit) figuresPages(o PagesOptions) (pages []dashboard.Page, err error) {
	all := figures.Options{
		Source: sums{p.Store, o.Houses}, Day: gamingDay(p.Store.Day()), Language: o.Language, Past: roundAt,
		Worth: p.worth, Log: p.log,
		Shifts: p.shifts, Signatures: signatures{p.Store}, Who: whoSees,
	}
	if o.Audit != nil {
		all.Outcome = o.Audit.Outcome
	}
	f, err := figures.New(all)
	if err != nil {
		return nil, err
	}
	for _, r := range f.Routes() {
		least := dashboard.Manager
		switch {
		case r.Open:
			least = dashboard.Nobody
		case r.Report:
			least = dashboard.Supervisor
		}
		pages = append(pages, dashboard.Page{Method: r.Method, Path: r.Path, Least: least, Serve: r.Serve})
	}
	return pages, nil
}

// whoSees is who asks for figures: all of them are a manager's.
func whoSees(r *http.Request) figures.Person {
	who := dashboard.Who(r)
	return figures.Person{Name: who.Name, Role: string(who.Role), All: who.May(dashboard.Manager)}
}

// shiftsOf are the shifts of a configuration, as the pages know them.
func shiftsOf(c Store) (list []figures.Shift) {
	for _, one := range c.Shifts {
		list = append(list, figures.Shift{Name: one.Name, Begins: time.Duration(one.Begins)})
	}
	return list
}

// signatures is the store as it keeps who has signed shift reports.
type signatures struct{ store *store.Store }

var _ figures.Signatures = signatures{}

// Signed implements figures.Signatures.
func (s signatures) Signed(ctx context.Context, from, until time.Time) ([]figures.Signed, error) {
	found, err := s.store.SignedReports(ctx, from, until)
	list := make([]figures.Signed, len(found))
	for i, one := range found {
		list[i] = figures.Signed{
			Shift: one.Shift, From: one.From, Until: one.Until, At: one.At, Who: one.Who,
			Role: one.Role, Report: one.Report,
		}
	}
	return list, err
}

// Sign implements figures.Signatures.
func (s signatures) Sign(ctx context.Context, one figures.Signed) error {
	return s.store.SignReport(ctx, store.SignedReport{
		Day: s.store.Day().Of(one.From), Shift: one.Shift, From: one.From, Until: one.Until, At: one.At, Who: one.Who,
		Role: one.Role, Report: one.Report,
	})
}

// gamingDay is the store's, as the pages know it.
func gamingDay(day store.Day) figures.Day {
	zone := day.Zone
	if zone == nil {
		zone = time.UTC
	}
	return figures.Day{Zone: zone, Starts: func(y int, m time.Month, d int) time.Time {
		return day.Start(store.Date(y*10000 + int(m)*100 + d))
	}}
}

func roundAt(r *figures.Round) string {
	table, err := topic.NewTable(r.Site, r.Table)
	if err != nil {
		return ""
	}
	return dashboard.RoundAt(table, r.Journal, r.Number)
}

// sums is the store as the pages of figures read it.
type sums struct {
	store  *store.Store
	houses profile.Book
}

var _ figures.Source = sums{}

// tables are those of a query, nil for all; false if there are none.
func (s sums) tables(ctx context.Context, q figures.Query) ([]topic.Table, bool, error) {
	if q.Site == "" && q.Table == "" {
		return nil, true, nil
	}
	all, err := s.store.Tables(ctx)
	all = slices.DeleteFunc(all, func(t topic.Table) bool {
		return q.Site != "" && t.Site() != q.Site || q.Table != "" && t.Name() != q.Table
	})
	return all, len(all) > 0, err
}

// named is a filter by one name, nil for none.
func named(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

// sum adds up what is asked for.
func (s sums) sum(ctx context.Context, q figures.Query, of store.Measure, by figures.By,
	also ...store.Group,
) ([]store.Sum, error) {
	tables, any, err := s.tables(ctx, q)
	if err != nil || !any {
		return nil, err
	}
	day := s.store.Day()
	asked := store.Query{
		To: q.To, Tables: tables, Dealers: named(q.Dealer), Houses: named(q.House), Wagers: named(q.Wager),
		Codes: named(q.Code),
		By:    append([]store.Group{store.ByHouse, store.ByRules}, also...), Of: of,
	}
	if !q.From.IsZero() {
		asked.First, asked.From = day.Of(q.From), day.Hour(q.From) // a gaming day may begin within an hour
	}
	if !q.To.IsZero() {
		asked.Last = day.Of(q.To.Add(-time.Nanosecond))
	}
	for group, one := range map[figures.By]store.Group{
		figures.ByTable: store.ByTable, figures.ByDealer: store.ByDealer,
		figures.ByHour: store.ByHour,
	} {
		if by&group != 0 {
			asked.By = append(asked.By, one)
		}
	}
	return s.store.Sums(ctx, asked)
}

func keyOf(s *store.Sum) figures.Key {
	return figures.Key{
		Site: s.Table.Site(), Table: s.Table.Name(), Dealer: s.Dealer, Hour: s.Hour, House: s.House, Rules: s.Rules,
		Currency: s.Currency,
	}
}

// Pace implements figures.Source.
func (s sums) Pace(ctx context.Context, q figures.Query, by figures.By) ([]figures.Pace, error) {
	q.Wager, q.Code = "", ""
	found, err := s.sum(ctx, q, store.OfRounds, by)
	list := make([]figures.Pace, len(found))
	for i := range found {
		f := &found[i]
		list[i] = figures.Pace{
			Key: keyOf(f), Rounds: f.Rounds, Void: f.Void, Hands: f.Hands, Boxes: f.Boxes, Places: f.Places,
			Decisions: f.Decisions, Deciding: f.Deciding, Dealt: f.Dealt,
		}
	}
	return list, err
}

// Wagers implements figures.Source.
func (s sums) Wagers(ctx context.Context, q figures.Query, by figures.By) ([]figures.Wager, error) {
	q.Code = ""
	found, err := s.sum(ctx, q, store.OfWagers, by, store.ByWager)
	list := make([]figures.Wager, len(found))
	for i := range found {
		f := &found[i]
		list[i] = figures.Wager{
			Key: keyOf(f), Wager: f.Wager, Count: f.Wagers, Unknown: f.Unknown, Sum: luck.Sum(f.Luck),
			Taken: f.Staked, Given: f.Returned, Over: f.Returned - f.Due, Kept: f.VoidStaked - f.VoidReturned,
		}
	}
	return list, err
}

// Wrongs implements figures.Source.
func (s sums) Wrongs(ctx context.Context, q figures.Query, by figures.By) ([]figures.Wrong, error) {
	q.Wager = ""
	found, err := s.sum(ctx, q, store.OfIrregularities, by, store.ByCode)
	list := make([]figures.Wrong, len(found))
	for i := range found {
		list[i] = figures.Wrong{Key: keyOf(&found[i]), Code: found[i].Code, Count: found[i].Irregularities}
	}
	return list, err
}

// Rounds implements figures.Source.
func (s sums) Rounds(ctx context.Context, q figures.Query, most int) (list []figures.Round, all int64, err error) {
	tables, any, err := s.tables(ctx, q)
	if err != nil || !any {
		return nil, 0, err
	}
	asked := store.RoundQuery{
		Tables: tables, From: q.From, To: q.To, Dealers: named(q.Dealer), Houses: named(q.House), Wager: q.Wager,
		Code: q.Code,
	}
	if all, err = s.count(ctx, q, asked); err != nil || all == 0 {
		return nil, 0, err
	}
	asked.Limit = int(min(int64(most), all))
	found, err := s.store.Rounds(ctx, asked)
	if err != nil {
		return nil, 0, err
	}
	codes, err := s.store.Codes(ctx, found)
	for i := range found {
		f := &found[i]
		r := figures.Round{
			Key: figures.Key{
				Site: f.Table.Site(), Table: f.Table.Name(), Dealer: f.Dealer, House: f.House, Rules: f.Rules,
				Currency: f.Currency,
			},
			Journal: f.Journal, Number: f.Number, Opened: f.Opened, Ended: f.Ended, Boxes: int64(f.Boxes),
			Hands: int64(f.Hands), Void: f.Void,
			Codes: codes[store.RoundName{Table: f.Table, Journal: f.Journal, Number: f.Number}],
		}
		for _, w := range f.Wagers {
			if q.Wager == "" || q.Wager == w.Wager {
				r.Staked, r.Returned, r.Over = r.Staked+w.Staked, r.Returned+w.Returned, r.Over+w.Returned-w.Due
			}
		}
		list = append(list, r)
	}
	return list, all, err
}

// count counts rounds: from the sums, but for those in which something went wrong.
func (s sums) count(ctx context.Context, q figures.Query, asked store.RoundQuery) (all int64, err error) {
	if q.Code != "" {
		return s.store.CountRounds(ctx, asked)
	}
	of := store.OfRounds
	if q.Wager != "" {
		of = store.OfWagers
	}
	found, err := s.sum(ctx, q, of, 0)
	for i := range found {
		all += found[i].Rounds + found[i].WagerRounds
	}
	return all, err
}

// Rules implements figures.Source.
func (s sums) Rules(ctx context.Context, fingerprint string) (*rules.Rules, error) {
	for _, house := range s.houses {
		if house.Fingerprint == fingerprint {
			return house.Rules, nil
		}
	}
	text, err := s.store.RulesText(ctx, fingerprint)
	if err != nil || text == nil {
		return nil, err
	}
	house, err := profile.FromText(text)
	if err != nil {
		return nil, nil // a newer version's: its odds are not known
	}
	return house.Rules, nil
}

// Names implements figures.Source.
func (s sums) Names(ctx context.Context, from, to time.Time) (tables, dealers []string, err error) {
	found, err := s.sum(ctx, figures.Query{From: from, To: to}, store.OfRounds, figures.ByTable|figures.ByDealer)
	t, d := map[string]bool{}, map[string]bool{}
	for i := range found {
		t[found[i].Table.Name()] = true
		if found[i].Dealer != "" {
			d[found[i].Dealer] = true
		}
	}
	return slices.Collect(maps.Keys(t)), slices.Collect(maps.Keys(d)), err
}
