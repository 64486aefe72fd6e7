package figures

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sabot-table/sabot/pit/luck"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
)

// Query says which rounds are looked at, by when they were opened and what they are. What is zero is not asked for.
type Query struct {
	// From is the first moment, To the first after: the beginnings of gaming days, or of hours.
	From, To time.Time
	Site     string
	Table    string
	Dealer   string
	House    string
	// Wager is a name: sums of wagers are of it alone, and rounds are those that had it. Other sums do not ask for it.
	Wager string
	// Code is that of an irregularity: sums of irregularities are of it alone, and rounds are those that had it. Other
	// sums do not ask for it.
	Code string
}

// Source is where figures come from: a store.Store. It is asked by several requests at once.
type Source interface {
	Sums(context.Context, store.Query) ([]store.Sum, error)
	Rounds(context.Context, store.RoundQuery) ([]store.Round, error)
	CountRounds(context.Context, store.RoundQuery) (int64, error)
	Tables(context.Context) ([]topic.Table, error)
}

// tables are those of a query, nil for all; false if there are none.
func (f *Figures) tables(ctx context.Context, q *Query) ([]topic.Table, bool, error) {
	if q.Site == "" && q.Table == "" {
		return nil, true, nil
	}
	all, err := f.options.Source.Tables(ctx)
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

// sums adds up what is asked for, by house and rules, which never mix, and what else it is grouped by.
func (f *Figures) sums(ctx context.Context, q Query, of tally.Measure, by ...store.Group) ([]store.Sum, error) {
	tables, any, err := f.tables(ctx, &q)
	if err != nil || !any {
		return nil, err
	}
	day := f.options.Day
	asked := store.Query{
		To: q.To, Tables: tables, Dealers: named(q.Dealer), Houses: named(q.House), Of: of,
		By: append([]store.Group{store.ByHouse, store.ByRules}, by...),
	}
	switch of {
	case tally.OfWagers:
		asked.Wagers = named(q.Wager)
	case tally.OfIrregularities:
		asked.Codes = named(q.Code)
	}
	if !q.From.IsZero() {
		asked.First, asked.From = day.Of(q.From), day.Hour(q.From) // a gaming day may begin within an hour
	}
	if !q.To.IsZero() {
		asked.Last = day.Of(q.To.Add(-time.Nanosecond))
	}
	return f.options.Source.Sums(ctx, asked)
}

// luckOf is what luck is judged by, of wagers of one kind.
func luckOf(s *tally.Sum) luck.Sum {
	return luck.Sum{
		Rounds: s.Counted, Staked: s.Staked - s.VoidStaked, Returned: s.Returned - s.VoidReturned,
		BoxSquares: s.BoxSquares, RoundSquares: s.RoundSquares,
	}
}

// findRounds returns at most most rounds, the latest first, and how many there are.
func (f *Figures) findRounds(ctx context.Context, q Query, most int) (list []store.Round, all int64, err error) {
	tables, any, err := f.tables(ctx, &q)
	if err != nil || !any {
		return nil, 0, err
	}
	asked := store.RoundQuery{
		Tables: tables, From: q.From, To: q.To, Dealers: named(q.Dealer), Houses: named(q.House), Wager: q.Wager,
		Code: q.Code, Wrongs: true,
	}
	if all, err = f.countRounds(ctx, q, asked); err != nil || all == 0 {
		return nil, 0, err
	}
	asked.Limit = int(min(int64(most), all))
	list, err = f.options.Source.Rounds(ctx, asked)
	return list, all, err
}

// countRounds counts rounds: from the sums, but for those in which something went wrong.
func (f *Figures) countRounds(ctx context.Context, q Query, asked store.RoundQuery) (all int64, err error) {
	if q.Code != "" {
		return f.options.Source.CountRounds(ctx, asked)
	}
	of := tally.OfRounds
	if q.Wager != "" {
		of = tally.OfWagers
	}
	found, err := f.sums(ctx, q, of)
	for i := range found {
		all += found[i].Rounds + found[i].WagerRounds
	}
	return all, err
}

// names lists the tables and the dealers of the rounds of a time, in their order.
func (f *Figures) names(ctx context.Context, from, to time.Time) (tables []topic.Table, dealers []string, err error) {
	found, err := f.sums(ctx, Query{From: from, To: to}, tally.OfRounds, store.ByTable, store.ByDealer)
	for i := range found {
		tables = append(tables, found[i].Table)
		if dealer := found[i].Dealer; dealer != "" {
			dealers = append(dealers, dealer)
		}
	}
	slices.SortFunc(tables, func(a, b topic.Table) int {
		return cmp.Or(cmp.Compare(a.Site(), b.Site()), byNumber(a.Name(), b.Name()))
	})
	slices.Sort(dealers)
	return slices.Compact(tables), slices.Compact(dealers), err
}
