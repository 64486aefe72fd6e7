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

// Measure is what is added up.
type Measure uint8

// The measures.
const (
	// Everything is added up where the Query allows it.
	Everything Measure = iota
	OfRounds
	OfWagers
	OfIrregularities
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
	Of Measure
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
	// Places are the boxes that could have been played: the table's, round by round. Dealt is how long
	// was dealt: from the opening of each round to that of the next in the table's journal, at most
	// five minutes, and of the last one until its end.
	Places int64
	Dealt  time.Duration

	// Due is what Returned would be if everything had been paid as it was due.
	Wagers, Staked, Returned, Due, Unknown int64
	// WagerRounds are the rounds with such a wager, if sums are by wager.
	WagerRounds int64
	// Luck is what luck is judged by, of wagers of one kind.
	Luck           LuckSum
	Irregularities int64

	// VoidStaked and VoidReturned are those of Staked and Returned that nobody has played for: of void rounds, and of
	// dead wagers.
	VoidStaked, VoidReturned int64
}

// LuckSum is a luck.Sum of pit/luck: of rounds that are not void, and of wagers that are not dead and whose amount is
// known. Squares are of minor units, of what was staked on each box of a round, and in each round.
type LuckSum struct {
	Rounds                   int64
	Staked, Returned         int64
	BoxSquares, RoundSquares float64
}

// groupColumns are how groups are written. Those of the sheet are added up here: there are few
// sheets.
var groupColumns = [groups]string{
	ByTable: "place", ByDay: "day", ByHour: "hour", ByDealer: "dealer", ByWager: "wager",
	ByCode: "code",
}

// measures are the sums' tables with what they add up, and where that goes.
var measures = [...]struct {
	of           Measure
	table, added string
	into         func(*Sum) []any
}{
	{
		OfRounds, "round_sum",
		"rounds, void, boxes, hands, bettors, cards, decisions, deciding, playing, places, dealt",
		func(s *Sum) []any {
			return []any{
				&s.Rounds, &s.Void, &s.Boxes, &s.Hands, &s.Bettors, &s.Cards, &s.Decisions, &s.Deciding,
				&s.Playing, &s.Places, &s.Dealt,
			}
		},
	},
	{
		OfWagers, "wager_sum",
		"wagers, staked, returned, due, unknown, rounds, counted, void_staked, void_returned, box_squares, " +
			"round_squares", func(s *Sum) []any {
			return []any{
				&s.Wagers, &s.Staked, &s.Returned, &s.Due, &s.Unknown, &s.WagerRounds,
				&s.Luck.Rounds, &s.VoidStaked, &s.VoidReturned, &s.Luck.BoxSquares, &s.Luck.RoundSquares,
			}
		},
	},
	{OfIrregularities, "irregularity_sum", "times", func(s *Sum) []any { return []any{&s.Irregularities} }},
}

// has says whether a table of sums can answer the query, and is asked.
func (q *Query) has(of Measure, table string) bool {
	if q.Of != Everything && q.Of != of {
		return false
	}
	wagers, codes := len(q.Wagers) > 0 || slices.Contains(q.By, ByWager), len(q.Codes) > 0 ||
		slices.Contains(q.By, ByCode)
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
	sheets, err := s.sheets(ctx)
	if err != nil {
		return nil, err
	}
	merged := map[sumID]*Sum{}
	var list []*Sum
	for _, m := range measures {
		if !q.has(m.of, m.table) {
			continue
		}
		f := q.filter(places, sheets, m.table)
		columns := []string{"sheet"}
		for _, by := range q.By {
			if groupColumns[by] != "" {
				columns = append(columns, groupColumns[by])
			}
		}
		var added []string
		for one := range strings.SplitSeq(m.added, ", ") {
			as := "BIGINT" // PostgreSQL adds bigints up as numeric
			if strings.HasSuffix(one, "_squares") {
				as = "DOUBLE PRECISION"
			}
			added = append(added, "CAST(sum("+one+") AS "+as+")")
		}
		query := fmt.Sprintf(`SELECT %s, %s FROM %s%s GROUP BY %[1]s`, strings.Join(columns, ", "),
			strings.Join(added, ", "), m.table, f.where())
		err := eachRow(ctx, s.read, query, f.args, func(scan func(...any) error) error {
			var one Sum
			var sheet, place, hour int64
			into := append(one.groups(q.By, &sheet, &place, &hour), m.into(&one)...)
			if err := scan(into...); err != nil {
				return err
			}
			one.of(q.By, sheets[sheet])
			if one.Table = places[place]; hour != 0 {
				one.Hour = time.Unix(hour, 0).In(s.day.zone())
			}
			key := one.id()
			have := merged[key]
			if have == nil {
				merged[key] = &one
				list = append(list, &one)
				return nil
			}
			for i, from := range m.into(&one) {
				add(m.into(have)[i], from)
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
		s := &sums[i]
		s.Luck.Staked, s.Luck.Returned = s.Staked-s.VoidStaked, s.Returned-s.VoidReturned
	}
	return sums, nil
}

// groups are where a row's groups go.
func (s *Sum) groups(by []Group, sheet, place, hour *int64) []any {
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
func (s *Sum) of(by []Group, sheet sheet) {
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

// sheets are what was played, by their ids.
func (s *Store) sheets(ctx context.Context) (map[int64]sheet, error) {
	sheets := map[int64]sheet{}
	err := eachRow(ctx, s.read, `SELECT id, house, game, currency, rules FROM sheet`, nil,
		func(scan func(...any) error) error {
			var id int64
			var of sheet
			err := scan(&id, &of.house, &of.game, &of.currency, &of.rules)
			sheets[id] = of
			return err
		})
	return sheets, err
}

// sumID is the groups of a sum.
type sumID struct {
	table                                             topic.Table
	day                                               Date
	hour                                              int64
	dealer, house, game, rules, wager, code, currency string
}

func (s *Sum) id() sumID {
	return sumID{s.Table, s.Day, s.Hour.Unix(), s.Dealer, s.House, s.Game, s.Rules, s.Wager, s.Code, s.Currency}
}

func add(into, from any) {
	switch into := into.(type) {
	case *int64:
		*into += *from.(*int64)
	case *float64:
		*into += *from.(*float64)
	case *time.Duration:
		*into += *from.(*time.Duration)
	}
}

func compareSums(a, b *Sum, by []Group) int {
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

func (q *Query) filter(places map[int64]topic.Table, sheets map[int64]sheet, table string) *filter {
	f := &filter{}
	if q.First != 0 {
		f.add("day >= ?", int64(q.First))
	}
	if q.Last != 0 {
		f.add("day <= ?", int64(q.Last))
	}
	if !q.From.IsZero() {
		f.add("hour >= ?", q.From.Unix())
	}
	if !q.To.IsZero() {
		f.add("hour < ?", q.To.Unix())
	}
	f.tables("place", q.Tables, places)
	f.sheets("sheet", q.Houses, q.Games, sheets)
	among(f, "dealer", q.Dealers)
	if table == "wager_sum" {
		among(f, "wager", q.Wagers)
	}
	if table == "irregularity_sum" {
		among(f, "code", q.Codes)
	}
	return f
}
