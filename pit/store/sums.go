package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/tally"
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
	// Of leaves out what is not asked for, which saves the time to read it.
	Of tally.Measure
}

// Key is what a sum is of: only what the Query has named is set, and the currency.
type Key struct {
	Table                      topic.Table
	Day                        Date
	Hour                       time.Time
	Dealer, House, Game, Rules string
	Wager, Code                string
	Currency                   string
}

// Sum is what a group's rounds, wagers and irregularities come to.
//
// Sums by wager have no rounds and no irregularities, since a round has several wagers; sums by
// code have irregularities alone. So has a Query with Wagers or Codes.
type Sum struct {
	Key
	tally.Sum
}

// groupColumns are how groups are written. Those of the sheet are added up here: there are few
// sheets.
var groupColumns = [groups]string{
	ByTable: "place", ByDay: "day", ByHour: "hour", ByDealer: "dealer", ByWager: "wager",
	ByCode: "code",
}

// has says whether a table of sums can answer the query, and is asked.
func (q *Query) has(of tally.Measure) bool {
	if q.Of != tally.Everything && q.Of != of {
		return false
	}
	wagers := len(q.Wagers) > 0 || slices.Contains(q.By, ByWager)
	codes := len(q.Codes) > 0 || slices.Contains(q.By, ByCode)
	switch of {
	case tally.OfWagers:
		return !codes
	case tally.OfIrregularities:
		return !wagers
	}
	return !wagers && !codes
}

// Sums adds figures up. It reads no round, however many there are. Sums are in the order of
// Query.By.
func (s *Store) Sums(ctx context.Context, q Query) ([]Sum, error) {
	is, err := s.known(ctx)
	if err != nil {
		return nil, err
	}
	merged := map[Key]*Sum{}
	for i := range sumTables {
		t := &sumTables[i]
		if !q.has(t.of) {
			continue
		}
		if err := s.addUp(ctx, &q, t, is, merged); err != nil {
			return nil, fmt.Errorf("add up the pit's figures: %w", err)
		}
	}
	var list []Sum
	for _, one := range merged {
		list = append(list, *one)
	}
	slices.SortFunc(list, func(a, b Sum) int { return compareKeys(&a.Key, &b.Key, q.By) })
	return list, nil
}

// addUp adds what a table of sums has to sums.
func (s *Store) addUp(ctx context.Context, q *Query, t *sumTable, is known, sums map[Key]*Sum) error {
	f, by := q.filter(is, t.table), groupedBy(q.By)
	query := fmt.Sprintf(`SELECT %s, %s FROM %s%s GROUP BY %s`, strings.Join(by, ", "),
		strings.Join(added(t.of), ", "), t.table, f.where(), strings.Join(t.apart(by), ", "))
	return eachRow(ctx, s.read, query, f.args, func(scan scan) error {
		var one Sum
		var sheet, place, hour int64
		if err := scan(append(one.groups(q.By, &sheet, &place, &hour), t.of.Into(&one.Sum)...)...); err != nil {
			return err
		}
		one.of(q.By, is.sheets[sheet])
		if one.Table = is.places[place]; hour != 0 {
			one.Hour = time.Unix(hour, 0).In(s.day.zone())
		}
		if have := sums[one.Key]; have != nil {
			have.Add(&one.Sum, 1)
			return nil
		}
		sums[one.Key] = &one
		return nil
	})
}

// groupedBy are the columns by which sums are apart.
func groupedBy(by []Group) []string {
	columns := []string{"sheet"}
	for _, one := range by {
		if groupColumns[one] != "" {
			columns = append(columns, groupColumns[one])
		}
	}
	return columns
}

// added are the columns of a measure, added up.
func added(of tally.Measure) (columns []string) {
	for _, one := range of.Columns() {
		as := "BIGINT" // PostgreSQL adds bigints up as numeric
		if strings.HasSuffix(one, "_squares") {
			as = "DOUBLE PRECISION"
		}
		columns = append(columns, "CAST(sum("+one+") AS "+as+")")
	}
	return columns
}

// groups are where a row's groups go.
func (s *Key) groups(by []Group, sheet, place, hour *int64) []any {
	fields := [groups]any{
		ByTable: place, ByDay: &s.Day, ByHour: hour, ByDealer: &s.Dealer, ByWager: &s.Wager,
		ByCode: &s.Code,
	}
	into := []any{sheet}
	for _, one := range by {
		if fields[one] != nil {
			into = append(into, fields[one])
		}
	}
	return into
}

// of sets the groups that come from the sheet.
func (s *Key) of(by []Group, sheet sheet) {
	s.Currency = sheet.currency
	for _, one := range by {
		switch one {
		case ByHouse:
			s.House = sheet.house
		case ByGame:
			s.Game = sheet.game
		case ByRules:
			s.Rules = sheet.rules
		}
	}
}

// known are the tables, and what was played, by their ids.
type known struct {
	places map[int64]topic.Table
	sheets map[int64]sheet
}

func (s *Store) known(ctx context.Context) (is known, err error) {
	if is.places, err = s.places(ctx); err == nil {
		is.sheets, err = s.sheets(ctx)
	}
	return is, err
}

// sheets are what was played, by their ids.
func (s *Store) sheets(ctx context.Context) (map[int64]sheet, error) {
	sheets := map[int64]sheet{}
	err := eachRow(ctx, s.fixed, `SELECT id, house, game, currency, rules FROM sheet`, nil,
		func(scan scan) error {
			var id int64
			var of sheet
			err := scan(&id, &of.house, &of.game, &of.currency, &of.rules)
			sheets[id] = of
			return err
		})
	return sheets, err
}

func compareKeys(a, b *Key, by []Group) int {
	for _, one := range by {
		order := 0
		switch one {
		case ByTable:
			order = cmp.Or(cmp.Compare(a.Table.Site(), b.Table.Site()), cmp.Compare(a.Table.Name(), b.Table.Name()))
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

// addIf adds a condition, if it is asked for.
func (f *filter) addIf(asked bool, condition string, arg any) {
	if asked {
		f.add(condition, arg)
	}
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

// sheets adds that rows are of some houses and games, if any are named.
func (f *filter) sheets(column string, houses, games []string, sheets map[int64]sheet) {
	if len(houses) == 0 && len(games) == 0 {
		return
	}
	ids := []int64{0} // none
	for id, of := range sheets {
		if (len(houses) == 0 || slices.Contains(houses, of.house)) &&
			(len(games) == 0 || slices.Contains(games, of.game)) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	among(f, column, ids)
}

func (q *Query) filter(is known, table string) *filter {
	f := &filter{}
	f.addIf(q.First != 0, "day >= ?", int64(q.First))
	f.addIf(q.Last != 0, "day <= ?", int64(q.Last))
	f.addIf(!q.From.IsZero(), "hour >= ?", q.From.Unix())
	f.addIf(!q.To.IsZero(), "hour < ?", q.To.Unix())
	f.tables("place", q.Tables, is.places)
	f.sheets("sheet", q.Houses, q.Games, is.sheets)
	among(f, "dealer", q.Dealers)
	if table == "wager_sum" {
		among(f, "wager", q.Wagers)
	}
	if table == "irregularity_sum" {
		among(f, "code", q.Codes)
	}
	return f
}
