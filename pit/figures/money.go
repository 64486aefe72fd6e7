package figures

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	amounts "github.com/sabot-table/sabot/table/money"
)

// taken is what the rounds of a table, or of a dealer, came to in one currency. Amounts are in minor units.
type taken struct {
	// Of is table or dealer.
	Of       string `json:"of"`
	Site     string `json:"site,omitempty"`
	Name     string `json:"name"`
	Currency string `json:"currency"`
	Rounds   int64  `json:"rounds"`
	Void     int64  `json:"void,omitempty"`
	Staked   int64  `json:"staked"`
	// Given is what guests got, and Due what they would have got if everything had been paid as it was due.
	Given int64 `json:"given"`
	Due   int64 `json:"due"`
	// Unknown are wagers whose amount nobody entered.
	Unknown int64 `json:"unknown,omitempty"`
}

const (
	ofTable  = "table"
	ofDealer = "dealer"
)

func (t *taken) won() int64 { return t.Staked - t.Given }

// same says whether two are of the same, whatever it came to.
func (t *taken) same(o *taken) bool {
	return t.Of == o.Of && t.Site == o.Site && t.Name == o.Name && t.Currency == o.Currency
}

func (t *taken) add(o *taken) {
	t.Rounds, t.Void, t.Unknown = t.Rounds+o.Rounds, t.Void+o.Void, t.Unknown+o.Unknown
	t.Staked, t.Given, t.Due = t.Staked+o.Staked, t.Given+o.Given, t.Due+o.Due
}

// takings are what tables and dealers have come to: the tables first, each kind in its order.
func takings(paces, wagers []store.Sum) (list []taken) {
	sums := map[taken]*taken{}
	into := func(k *store.Key) []*taken {
		var both []*taken
		for _, of := range []taken{
			{Of: ofTable, Site: k.Table.Site(), Name: k.Table.Name(), Currency: k.Currency},
			{Of: ofDealer, Name: k.Dealer, Currency: k.Currency},
		} {
			if sums[of] == nil {
				sums[of] = &of
			}
			both = append(both, sums[of])
		}
		return both
	}
	for i := range paces {
		for _, sum := range into(&paces[i].Key) {
			sum.add(&taken{Rounds: paces[i].Rounds, Void: paces[i].Void})
		}
	}
	for i := range wagers {
		w := &wagers[i]
		for _, sum := range into(&w.Key) {
			sum.add(&taken{Staked: w.Staked, Given: w.Returned, Due: w.Due, Unknown: w.Unknown})
		}
	}
	for _, sum := range sums {
		list = append(list, *sum)
	}
	slices.SortFunc(list, func(a, b taken) int {
		return cmp.Or(-cmp.Compare(a.Of, b.Of), cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.Site, b.Site),
			byNumber(a.Name, b.Name))
	})
	return list
}

// moneySorts are by what the list may be sorted, each with what it compares; those of amounts begin with the largest.
var moneySorts = map[string]func(*taken) int64{
	"rounds": func(t *taken) int64 { return t.Rounds }, "staked": func(t *taken) int64 { return t.Staked },
	"given": func(t *taken) int64 { return t.Given }, "won": (*taken).won,
}

// sorted puts takings into the order that is asked for, never across currencies; -won turns won round.
func (a asked) sorted(list []taken) []taken {
	name, turned := strings.CutPrefix(a.sort, "-")
	of := moneySorts[name]
	if of == nil {
		return list
	}
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(x, y taken) int {
		by := cmp.Compare(of(&y), of(&x))
		if turned {
			by = -by
		}
		return cmp.Or(-cmp.Compare(x.Of, y.Of), cmp.Compare(x.Currency, y.Currency), by)
	})
	return list
}

// moneyModel is the list of money.
type moneyModel struct {
	Columns []columnModel
	Groups  []moneyGroup
	// File is where the list is as a file.
	File string
}

type columnModel struct {
	Name, Where, Class string
	// Sorted is "ascending" or "descending" for the one by which the list is sorted.
	Sorted string
}

type moneyGroup struct {
	Name string
	Rows []moneyRow
}

type moneyRow struct {
	Name, Where, Currency      string
	Rounds, Staked, Given, Won string
	Hold, Class                string
	Remarks                    []string
	// Sum says that it is all of its currency.
	Sum bool
}

// money draws the list of money.
func (d drawing) money(p *picture, page string) moneyModel {
	m := moneyModel{File: d.to("/money.csv")}
	for _, one := range [][2]string{
		{"", ""},
		{"rounds", "pit.figures-rounds"},
		{"staked", "word.staked"},
		{"given", "pit.to-guests"},
		{"won", "pit.figures-won"},
	} {
		m.Columns = append(m.Columns, d.column(page, one[0], one[1]))
	}
	list := d.sorted(p.taken)
	whole := !slices.ContainsFunc(list, func(t taken) bool {
		unit := int64(math.Pow10(amounts.Digits(t.Currency)))
		return t.Staked%unit != 0 || t.Given%unit != 0 || t.Due%unit != 0
	})
	for _, group := range [][2]string{{ofTable, "pit.figures-by-table"}, {ofDealer, "pit.figures-by-dealer"}} {
		g, sums := moneyGroup{Name: d.say(group[1])}, []taken(nil)
		for i := range list {
			t := &list[i]
			if t.Of != group[0] {
				continue
			}
			if n := len(sums); n == 0 || sums[n-1].Currency != t.Currency {
				sums = append(sums, taken{Currency: t.Currency})
			}
			sums[len(sums)-1].add(t)
			g.Rows = append(g.Rows, d.moneyRow(t, whole))
		}
		for i := range sums {
			row := d.moneyRow(&sums[i], whole)
			row.Name, row.Sum = d.say("pit.figures-all-together"), true
			g.Rows = append(g.Rows, row)
		}
		m.Groups = append(m.Groups, g)
	}
	return m
}

// column is a head of the list, which sorts by it; the one that does already turns the order round.
func (d drawing) column(page, sort, key string) columnModel {
	c := columnModel{Class: "n"}
	if key != "" {
		c.Name = d.say(key)
	} else {
		c.Name, c.Class = d.say("pit.figures-by-name"), ""
	}
	to := sort
	switch d.sort {
	case sort:
		if c.Sorted = "descending"; sort == "" {
			c.Sorted = "ascending"
		} else {
			to = "-" + sort
		}
	case "-" + sort:
		c.Sorted = "ascending"
	}
	c.Where = d.to(page, "sort", to) + "#money"
	return c
}

func (d drawing) moneyRow(t *taken, whole bool) moneyRow {
	d.currency = t.Currency
	r := moneyRow{
		Name: d.takenName(t), Currency: t.Currency, Rounds: d.whole(t.Rounds), Staked: d.cents(t.Staked, whole),
		Given: d.cents(t.Given, whole),
		Won:   d.cents(t.won(), whole), Hold: d.hold(float64(t.won()), float64(t.Staked)),
	}
	switch {
	case t.Of == ofTable:
		r.Where = d.to("/rounds", "table", t.Name, "site", t.Site, "sort", "")
	case t.Of == ofDealer && t.Name != "":
		r.Where = d.to("/rounds", "dealer", t.Name, "sort", "")
	}
	switch {
	case t.won() > 0:
		r.Won = plus(r.Won)
	case t.won() < 0:
		r.Class = "lost"
	}
	if t.Due != t.Given {
		r.Remarks = append(r.Remarks, d.with("pit.due", "amount", d.cents(t.Staked-t.Due, whole)))
	}
	if t.Void > 0 {
		r.Remarks = append(r.Remarks, d.with("pit.void", "n", d.whole(t.Void)))
	}
	if t.Unknown > 0 {
		r.Remarks = append(r.Remarks, d.notEntered(t.Unknown))
	}
	return r
}

// takenName names a table or a dealer.
func (d drawing) takenName(t *taken) string {
	if table, err := topic.NewTable(t.Site, t.Name); t.Of == ofTable && err == nil {
		return d.tableName(table)
	}
	return cmp.Or(t.Name, d.say("pit.figures-nobody"))
}

// cents writes an amount, without decimals where no amount of the list has any.
func (s speaker) cents(minor int64, whole bool) string {
	if whole {
		return s.amount(float64(minor))
	}
	return s.exact(minor)
}

// moneyColumns are those of the list as a file, whose amounts are in minor units, as in all exports.
var moneyColumns = []string{
	"first_day", "last_day", "shift", "of", "site", "name", "currency", "rounds", "void_rounds", "staked", "to_guests",
	"due", "house_won", "unknown",
}

// moneyFile gives the list of money as CSV.
func (f *Figures) moneyFile(w http.ResponseWriter, r *http.Request) {
	d := drawing{f, f.speaking(r), f.asks(r), f.options.who(r)}
	list, err := f.takings(r.Context(), d.query)
	if err != nil {
		f.unread(w, r, d.speaker, err)
		return
	}
	name := "sabot-money-" + d.night.Format(time.DateOnly)
	if d.nights > 1 {
		name = "sabot-money-" + d.first().Format(time.DateOnly) + "-to-" + d.night.Format(time.DateOnly)
	}
	if d.shift > 0 {
		name += "-shift-" + strconv.Itoa(d.shift)
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`.csv"`)
	if err := d.writeMoney(w, d.sorted(list)); err != nil {
		f.options.Log.Debug("pit: the browser left before it had the list of money", "err", err)
	}
}

func (d drawing) writeMoney(to io.Writer, list []taken) error {
	out := csv.NewWriter(to)
	rows := [][]string{moneyColumns}
	for i := range list {
		t := &list[i]
		row := []string{
			d.first().Format(time.DateOnly), d.night.Format(time.DateOnly), d.shiftName(), t.Of, t.Site,
			t.Name, t.Currency,
		}
		for _, n := range []int64{t.Rounds, t.Void, t.Staked, t.Given, t.Due, t.won(), t.Unknown} {
			row = append(row, strconv.FormatInt(n, 10))
		}
		rows = append(rows, row)
	}
	return out.WriteAll(rows)
}

// takings asks the source for what tables and dealers have come to.
func (f *Figures) takings(ctx context.Context, q Query) ([]taken, error) {
	q.Wager, q.Code = "", ""
	paces, err := f.sums(ctx, q, tally.OfRounds, store.ByTable, store.ByDealer)
	if err != nil {
		return nil, err
	}
	wagers, err := f.sums(ctx, q, tally.OfWagers, store.ByTable, store.ByDealer)
	return takings(paces, wagers), err
}
