package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/topic"
)

// Group is by what sums are apart.
type Group uint8

// The groups. Sums are always apart by currency.
const (
	ByTable Group = iota
	ByDay
	ByHour
	ByDealer
	ByHouse
	ByGame
	// ByRules is by the fingerprint of the house's rules.
	ByRules
	ByWager
	ByCode
	groups
)

// Query says which figures are added up. Empty fields leave nothing out.
type Query struct {
	// First and Last are gaming days, both included; 0 for no bound.
	First, Last Date
	// From and To are hours, To not included; zero for no bound. A table's hour is within them
	// if its beginning is.
	From, To time.Time
	Tables   []topic.Table
	Dealers  []string
	Houses   []string
	Games    []string
	Wagers   []string
	Codes    []string
	By       []Group
}

// Sum is what a group's rounds, wagers and irregularities come to. Of the fields of groups only
// those are set that the Query has named. Amounts are in minor units of Currency; the house's
// result is Staked - Returned.
//
// Sums by wager have no rounds and no irregularities, since a round has several wagers; sums by
// code have irregularities alone. So has a Query with Wagers or Codes.
type Sum struct {
	Table                      topic.Table
	Day                        Date
	Hour                       time.Time
	Dealer, House, Game, Rules string
	Wager, Code                string
	Currency                   string

	Rounds, Void, Boxes, Hands, Bettors, Cards int64
	Decisions                                  int64
	Deciding                                   time.Duration
	// Playing is how long the rounds took, from the opening of the bets to the end.
	Playing time.Duration

	Wagers, Staked, Returned, Unknown int64
	Irregularities                    int64
}

// groupColumns are how groups are written.
var groupColumns = [groups]string{
	ByTable: "s.place", ByDay: "s.day", ByHour: "s.hour", ByDealer: "s.dealer", ByHouse: "h.house", ByGame: "h.game", ByRules: "h.rules",
	ByWager: "s.wager", ByCode: "s.code",
}

// measures are the sums' tables with what they add up, and where that goes.
var measures = [...]struct {
	table, added string
	into         func(*Sum) []any
}{
	{"round_sum", "rounds, void, boxes, hands, bettors, cards, decisions, deciding, playing", func(s *Sum) []any {
		return []any{&s.Rounds, &s.Void, &s.Boxes, &s.Hands, &s.Bettors, &s.Cards, &s.Decisions, &s.Deciding, &s.Playing}
	}},
	{"wager_sum", "wagers, staked, returned, unknown", func(s *Sum) []any {
		return []any{&s.Wagers, &s.Staked, &s.Returned, &s.Unknown}
	}},
	{"irregularity_sum", "times", func(s *Sum) []any { return []any{&s.Irregularities} }},
}

// has says whether a table of sums can answer the query.
func (q *Query) has(table string) bool {
	wagers, codes := len(q.Wagers) > 0 || slices.Contains(q.By, ByWager), len(q.Codes) > 0 || slices.Contains(q.By, ByCode)
	switch table {
	case "wager_sum":
		return !codes
	case "irregularity_sum":
		return !wagers
	}
	return !wagers && !codes
}

// Sums adds figures up. It reads no round, however many there are. Sums are in the order of
// Query.By.
func (s *Store) Sums(ctx context.Context, q Query) ([]Sum, error) {
	places, err := s.places(ctx)
	if err != nil {
		return nil, err
	}
	merged := map[string]*Sum{}
	var list []*Sum
	for _, m := range measures {
		if !q.has(m.table) {
			continue
		}
		f := q.filter(places, m.table)
		columns := []string{"h.currency"}
		for _, by := range q.By {
			columns = append(columns, groupColumns[by])
		}
		var added []string
		for one := range strings.SplitSeq(m.added, ", ") {
			// PostgreSQL adds bigints up as numeric.
			added = append(added, "CAST(sum(s."+one+") AS BIGINT)")
		}
		query := fmt.Sprintf(`SELECT %s, %s FROM %s s JOIN sheet h ON h.id = s.sheet%s GROUP BY %[1]s`,
			strings.Join(columns, ", "), strings.Join(added, ", "), m.table, f.where())
		err := eachRow(ctx, s.read, query, f.args, func(scan func(...any) error) error {
			var one Sum
			var place, hour int64
			into := append(one.groups(q.By, &place, &hour), m.into(&one)...)
			if err := scan(into...); err != nil {
				return err
			}
			if one.Table = places[place]; hour != 0 {
				one.Hour = time.Unix(hour, 0).In(s.day.zone())
			}
			key := one.key()
			have := merged[key]
			if have == nil {
				merged[key] = &one
				list = append(list, &one)
				return nil
			}
			for i, from := range m.into(&one) {
				set(m.into(have)[i], from)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("add up the pit's figures: %w", err)
		}
	}
	slices.SortFunc(list, func(a, b *Sum) int { return compareSums(a, b, q.By) })
	sums := make([]Sum, len(list))
	for i := range list {
		sums[i] = *list[i]
	}
	return sums, nil
}

// groups are where a row's groups go.
func (s *Sum) groups(by []Group, place, hour *int64) []any {
	fields := [groups]any{
		ByTable: place, ByDay: &s.Day, ByHour: hour, ByDealer: &s.Dealer, ByHouse: &s.House, ByGame: &s.Game, ByRules: &s.Rules,
		ByWager: &s.Wager, ByCode: &s.Code,
	}
	into := []any{&s.Currency}
	for _, one := range by {
		into = append(into, fields[one])
	}
	return into
}

func (s *Sum) key() string {
	return fmt.Sprintf("%s|%d|%d|%q|%s|%s|%s|%s|%s|%s", s.Table, s.Day, s.Hour.Unix(), s.Dealer, s.House, s.Game, s.Rules, s.Wager, s.Code, s.Currency)
}

func set(into, from any) {
	switch into := into.(type) {
	case *int64:
		*into = *from.(*int64)
	case *time.Duration:
		*into = *from.(*time.Duration)
	}
}

func compareSums(a, b *Sum, by []Group) int {
	for _, one := range by {
		order := 0
		switch one {
		case ByTable:
			order = cmp.Compare(a.Table.String(), b.Table.String())
		case ByDay:
			order = cmp.Compare(a.Day, b.Day)
		case ByHour:
			order = a.Hour.Compare(b.Hour)
		case ByDealer:
			order = cmp.Compare(a.Dealer, b.Dealer)
		case ByHouse:
			order = cmp.Compare(a.House, b.House)
		case ByGame:
			order = cmp.Compare(a.Game, b.Game)
		case ByRules:
			order = cmp.Compare(a.Rules, b.Rules)
		case ByWager:
			order = cmp.Compare(a.Wager, b.Wager)
		case ByCode:
			order = cmp.Compare(a.Code, b.Code)
		}
		if order != 0 {
			return order
		}
	}
	return cmp.Compare(a.Currency, b.Currency)
}

// filter is a condition with its arguments.
type filter struct {
	and  []string
	args []any
}

func (f *filter) where() string {
	if len(f.and) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(f.and, " AND ")
}

// add adds a condition, in which each ? is the next argument.
func (f *filter) add(condition string, args ...any) {
	for _, arg := range args {
		f.args = append(f.args, arg)
		condition = strings.Replace(condition, "?", fmt.Sprintf("$%d", len(f.args)), 1)
	}
	f.and = append(f.and, condition)
}

// among adds that a column has one of some values, if there are any.
func among[T any](f *filter, column string, values []T) {
	if len(values) == 0 {
		return
	}
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	f.add(column+" IN ("+strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")+")", args...)
}

// tables adds that rows are of some tables, if any are named.
func (f *filter) tables(column string, tables []topic.Table, places map[int64]topic.Table) {
	var ids []int64
	for id, table := range places {
		if slices.Contains(tables, table) {
			ids = append(ids, id)
		}
	}
	if len(tables) > 0 && len(ids) == 0 {
		ids = []int64{0} // none
	}
	slices.Sort(ids)
	among(f, column, ids)
}

func (q *Query) filter(places map[int64]topic.Table, table string) *filter {
	f := &filter{}
	if q.First != 0 {
		f.add("s.day >= ?", int64(q.First))
	}
	if q.Last != 0 {
		f.add("s.day <= ?", int64(q.Last))
	}
	if !q.From.IsZero() {
		f.add("s.hour >= ?", q.From.Unix())
	}
	if !q.To.IsZero() {
		f.add("s.hour < ?", q.To.Unix())
	}
	f.tables("s.place", q.Tables, places)
	among(f, "s.dealer", q.Dealers)
	among(f, "h.house", q.Houses)
	among(f, "h.game", q.Games)
	if table == "wager_sum" {
		among(f, "s.wager", q.Wagers)
	}
	if table == "irregularity_sum" {
		among(f, "s.code", q.Codes)
	}
	return f
}
