package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/tally"
)

// changes are what follows from the records of a transaction. It is written at its end, when
// the sums are added up.
type changes struct {
	touched map[*kept]bool
	rounds  []roundRow
	// reopened are rounds that are under way again, by journal and first record.
	reopened [][2]any
	adjusted []adjustment
	noted    []notedRow
	trays    []trayRow
	gone     []trayRow
	meters   []jackpot.Told
	// meterJobs are what else is done with meters.
	meterJobs []meterJob
	irregular []irregularRow
	righted   []irregularRow
	sums      map[sumKey]tally.Sums
	// since is the first gaming day whose sums are made anew, 0 for all.
	since Date
}

func newChanges() changes {
	return changes{touched: map[*kept]bool{}, sums: map[sumKey]tally.Sums{}}
}

// sheet is what is played, and in which currency.
type sheet struct{ house, game, currency, rules string }

// sumKey is of what the sums are: the finest that is kept.
type sumKey struct {
	place  int64
	day    Date
	hour   int64 // Unix seconds
	dealer string
	sheet  sheet
}

type roundRow struct {
	sumKey
	journal int64
	tally.Round
}

type irregularRow struct {
	sumKey
	journal int64
	tally.Irregularity
}

// of are the sums of a key.
func (c *changes) of(key sumKey) tally.Sums {
	if c.sums[key] == nil {
		c.sums[key] = tally.Sums{}
	}
	return c.sums[key]
}

// step takes what a record of a journal has changed.
func (w *writer) step(place, journal int64, c *counter, s *tally.Step) {
	w.changes.step(w.store.day, place, journal, c, s)
}

func (c *changes) step(day Day, place, journal int64, by *counter, s *tally.Step) {
	if len(s.Raised) == 0 && len(s.Righted) == 0 && s.Ended == nil && s.Reopened == nil && s.Adjusted == nil &&
		s.Waited == nil && s.Tray == nil && s.Gone == nil && s.Meter == nil {
		return
	}
	if last := s.Waited; last != nil {
		key := sumKey{
			place, day.Of(last.Opened), day.Hour(last.Opened).Unix(), last.Dealer,
			sheet{last.House, last.Game, last.Currency, last.Rules},
		}
		c.of(key).Of(tally.Name{Of: tally.OfRounds}).Dealt += last.More
	}
	if s.Reopened != nil {
		c.reopen(day, place, journal, s.Reopened)
	}
	if s.Ended != nil {
		c.round(day, place, journal, s.Ended)
	}
	if a := s.Adjusted; a != nil {
		key := sumKey{place, day.Of(a.At), day.Hour(a.At).Unix(), a.Dealer, sheet{a.House, a.Game, a.Currency, a.Rules}}
		c.adjusted = append(c.adjusted, adjustment{key, journal, *a})
	}
	if e := s.Tray; e != nil {
		c.trays = append(c.trays, trayRowOf(day, place, journal, e))
	}
	if e := s.Gone; e != nil {
		c.gone = append(c.gone, trayRowOf(day, place, journal, e))
	}
	for _, one := range s.Meter {
		c.meters = append(c.meters, told(place, journal, &one))
	}
	state, _ := by.fold.Kept()
	of := sheet{state.House, state.Game, state.Currency, state.Rules}
	for _, one := range s.Raised {
		key := sumKey{place, day.Of(one.Raised), day.Hour(one.Raised).Unix(), one.Dealer, of}
		c.irregular = append(c.irregular, irregularRow{key, journal, one})
		c.of(key).Irregularity(&one)
	}
	for _, one := range s.Righted {
		c.righted = append(c.righted, irregularRow{journal: journal, Irregularity: one})
	}
}

func (c *changes) round(day Day, place, journal int64, r *tally.Round) {
	key := keyOf(day, place, r)
	c.rounds = append(c.rounds, roundRow{key, journal, *r})
	c.of(key).Round(r, 1)
}

// reopen takes out of the sums what a round had come to whose payment is taken back.
func (c *changes) reopen(day Day, place, journal int64, r *tally.Round) {
	key := keyOf(day, place, r)
	left := slices.DeleteFunc(c.rounds, func(row roundRow) bool {
		return row.journal == journal && row.First == r.First
	})
	if len(left) == len(c.rounds) {
		c.reopened = append(c.reopened, [2]any{journal, int64(r.First)})
	}
	c.rounds = left
	c.of(key).Round(r, -1)
}

func keyOf(day Day, place int64, r *tally.Round) sumKey {
	return sumKey{
		place, day.Of(r.Opened), day.Hour(r.Opened).Unix(), r.Dealer,
		sheet{r.House, r.Game, r.Currency, r.Rules},
	}
}

// wagersText writes wagers as a round's row has them.
func wagersText(list []tally.Wager) string {
	var b strings.Builder
	for i, w := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s:%d:%d:%d:%d", w.Wager, w.Count, w.Staked, w.Returned, w.Unknown)
		if w.Due != w.Returned {
			fmt.Fprintf(&b, ":%d", w.Due)
		}
	}
	return b.String()
}

// parseWagers reads what wagersText has written.
func parseWagers(text string) (list []tally.Wager, err error) {
	for one := range strings.FieldsSeq(text) {
		var w tally.Wager
		name, amounts, _ := strings.Cut(one, ":")
		n, err := fmt.Sscanf(amounts, "%d:%d:%d:%d:%d", &w.Count, &w.Staked, &w.Returned, &w.Unknown, &w.Due)
		switch {
		case n == 4: // all was paid as it was due
			w.Due = w.Returned
		case err != nil:
			return nil, fmt.Errorf("the wagers %q of a round cannot be read: %w", text, err)
		}
		w.Wager = name
		list = append(list, w)
	}
	return list, nil
}

// flush writes all changes.
func (w *writer) flush() error {
	for j := range w.touched {
		if err := w.save(j); err != nil {
			return err
		}
	}
	for _, one := range w.reopened {
		for _, remove := range [...]string{
			`DELETE FROM round WHERE journal = $1 AND first = $2`,
			`DELETE FROM tray_round WHERE journal = $1 AND first = $2`,
		} {
			if err := w.exec(remove, one[0], one[1]); err != nil {
				return err
			}
		}
	}
	w.adjustTheirs()
	if err := w.adjustKept(); err != nil {
		return err
	}
	w.adjustOthers()
	for i := range derived {
		d := &derived[i]
		rows, err := d.rows(&w.changes, idsBy(w.number, w.sheets, w.kinds))
		if err != nil {
			return err
		}
		if err := w.insert(d, rows); err != nil {
			return err
		}
	}
	if err := w.flushMeters(); err != nil {
		return err
	}
	return w.flushRighted()
}

// derivedTable is a table of what follows from the records.
type derivedTable struct {
	table string
	// key and rest are its columns. Where rest is added up, there may be a row already.
	key, rest string
	adds      bool
	rows      func(c *changes, id ids) ([][]any, error)
	// one and several are the statements that insert a row, and as many as are inserted together.
	one, several func() string
}

// ids find the ids of sheets, and of kinds of wagers.
type ids struct {
	sheet func(sheet) (int64, error)
	kind  func(wager string) (int64, error)
}

func (d *derivedTable) columns() string { return d.key + ", " + d.rest }

// conflict is what an insert does where there is a row.
func (d *derivedTable) conflict() string {
	if !d.adds {
		return ""
	}
	var set []string
	for one := range strings.SplitSeq(d.rest, ", ") {
		set = append(set, fmt.Sprintf("%[1]s = %[2]s.%[1]s + excluded.%[1]s", one, d.table))
	}
	return " ON CONFLICT (" + d.key + ") DO UPDATE SET " + strings.Join(set, ", ")
}

// sumTable is a table of sums: what is added up, and by what besides a sumKey.
type sumTable struct {
	of          tally.Measure
	table, name string
}

var sumTables = [...]sumTable{
	{tally.OfRounds, "round_sum", ""},
	{tally.OfWagers, "wager_sum", "wager"},
	{tally.OfIrregularities, "irregularity_sum", "code"},
}

var derived = func() []derivedTable {
	list := []derivedTable{
		{
			table: "round", key: "journal, first",
			rest: "number, place, last, opened, ended, day, hour, dealer, shift, sheet, boxes, hands, bettors, " +
				"cards, void, decisions, deciding, irregular, staked, returned, due, wagers, kinds, lays, " +
				"lay_boxes, lay_cards",
			rows: func(c *changes, id ids) ([][]any, error) {
				return rowsOf(c.rounds, id, func(r roundRow, sheet int64) ([]any, error) {
					kinds, err := r.kinds(id)
					boxes, cards := layBits(r.Lays)
					return append(r.values(sheet), kinds, laysText(r.Lays), boxes, cards), err
				})
			},
		},
		{
			table: "irregularity", key: "journal, record, nth",
			rest: "place, round, code, alarm, box, raised, day, hour, dealer, sheet, righted, choice, person, reason",
			rows: func(c *changes, id ids) ([][]any, error) {
				return rowsOf(c.irregular, id, func(r irregularRow, sheet int64) ([]any, error) {
					return r.values(sheet), nil
				})
			},
		},
		trayEvents, trayRounds, traysGone, noted,
	}
	for _, t := range sumTables {
		key := "day, place, hour, dealer, sheet"
		if t.name != "" {
			key += ", " + t.name
		}
		list = append(list, derivedTable{
			table: t.table, key: key, adds: true, rest: strings.Join(t.of.Columns(), ", "),
			rows: func(c *changes, id ids) ([][]any, error) { return c.sumRows(t.of, id) },
		})
	}
	for i := range list {
		d := &list[i]
		d.one = sync.OnceValue(func() string { return insertion(d.table, d.columns(), d.conflict(), 1) })
		d.several = sync.OnceValue(func() string { return insertion(d.table, d.columns(), d.conflict(), together) })
	}
	return list
}()

// sumRows are the rows of a table of sums.
func (c *changes) sumRows(of tally.Measure, id ids) (rows [][]any, err error) {
	for key, sums := range c.sums {
		sheet, err := id.sheet(key.sheet)
		if err != nil {
			return nil, err
		}
		for name, sum := range sums {
			if name.Of != of {
				continue
			}
			row := []any{int64(key.day), key.place, key.hour, key.dealer, sheet}
			if of != tally.OfRounds {
				row = append(row, name.Name)
			}
			rows = append(rows, append(row, of.Values(sum)...))
		}
	}
	return rows, nil
}

func rowsOf[R interface{ of() sheet }](list []R, id ids, values func(R, int64) ([]any, error)) ([][]any, error) {
	rows := make([][]any, 0, len(list))
	for _, r := range list {
		sheet, err := id.sheet(r.of())
		if err != nil {
			return nil, err
		}
		row, err := values(r, sheet)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (k sumKey) of() sheet { return k.sheet }

// mostKinds is how many kinds of wagers have a bit of their own; the houses of today have sixteen. Others are found by
// their names.
const mostKinds = 62

// kinds has a bit for each kind of wager.
func (r roundRow) kinds(id ids) (bits int64, err error) {
	for i := range r.Wagers {
		kind, err := id.kind(r.Wagers[i].Wager)
		if err != nil {
			return 0, err
		}
		bits |= bitOf(kind)
	}
	return bits, nil
}

// bitOf is the bit of a kind of wager, 0 for one that has none.
func bitOf(kind int64) int64 {
	if kind < 1 || kind > mostKinds {
		return 0
	}
	return 1 << kind
}

func (r roundRow) values(sheet int64) []any {
	var staked, returned, due int64
	for _, one := range r.Wagers {
		staked += one.Staked
		returned += one.Returned
		due += one.Due
	}
	return []any{
		r.journal, int64(r.First), int64(r.Number), r.place, int64(r.Last), r.Opened.UnixNano(), r.Ended.UnixNano(),
		int64(r.day), r.hour, r.dealer, r.Shift, sheet, int64(r.Boxes), int64(r.Hands), int64(r.Bettors),
		int64(r.Cards), bit(r.Void), int64(r.Decisions), int64(r.Deciding), int64(len(r.Irregularities)),
		staked, returned, due, wagersText(r.Wagers),
	}
}

func (r irregularRow) values(sheet int64) []any {
	return []any{
		r.journal, int64(r.Record), int64(r.Nth), r.place, int64(r.Irregularity.Round), r.Code.String(), r.Alarm,
		int64(r.Box), r.Raised.UnixNano(), int64(r.day), r.hour, r.dealer, sheet, nanos(r.Righted), r.With.String(),
		r.By, r.Because,
	}
}

func (w *writer) flushRighted() error {
	for i := range w.righted {
		r := &w.righted[i]
		err := w.exec(`UPDATE irregularity SET righted = $1, choice = $2, person = $3, reason = $4 WHERE journal = $5 AND record = $6 AND nth = $7`,
			nanos(r.Righted), r.With.String(), r.By, r.Because, r.journal, r.Record, r.Nth)
		if err != nil {
			return err
		}
	}
	return nil
}

// together is how many rows one statement inserts: there are two statements for each table,
// one for so many and one for a single row.
const together = 32

// insert inserts rows.
func (w *writer) insert(d *derivedTable, rows [][]any) error {
	for len(rows) > 0 {
		n, statement := 1, d.one
		if len(rows) >= together {
			n, statement = together, d.several
		}
		if err := w.exec(statement(), slices.Concat(rows[:n]...)...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

func insertion(table, columns, conflict string, rows int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO " + table + " (" + columns + ") VALUES ")
	for row, width := 0, strings.Count(columns, ",")+1; row < rows; row++ {
		if row > 0 {
			b.WriteByte(',')
		}
		b.WriteString("(" + marks(row*width+1, width) + ")")
	}
	return b.String() + conflict
}

// marks are so many marks of arguments, from one on: $3, $4.
func marks(from, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = "$" + strconv.Itoa(from+i)
	}
	return strings.Join(list, ", ")
}
