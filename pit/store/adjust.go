package store

import (
	"context"
	"slices"

	"github.com/sabot-table/sabot/pit/tally"
)

// adjustment is what was paid of a wager of a past round after its end. It counts where its round does, or by its own
// key where the round is not kept, or was played for another money.
type adjustment struct {
	sumKey
	journal int64
	tally.Adjustment
}

// notedRow says that an adjustment was counted with its round: once the round is removed, nothing else does.
type notedRow struct {
	place, journal int64
	record         uint64
	day            Date // the round's
}

// noted is the table of them. One of a day whose sums stay has been counted there.
var noted = derivedTable{
	table: "adjusted", key: "journal, record", rest: "place, day",
	rows: func(c *changes, _ ids) (rows [][]any, err error) {
		for _, r := range c.noted {
			rows = append(rows, []any{r.journal, int64(r.record), r.place, int64(r.day)})
		}
		return rows, nil
	},
}

// note notes that an adjustment was counted with its round, where the round's key says.
func (c *changes) note(a *adjustment, round sumKey, void bool) {
	c.of(round).Adjustment(&a.Adjustment, void)
	c.noted = append(c.noted, notedRow{a.place, a.journal, a.Record, round.day})
}

// leaveCounted leaves out the adjustments that were counted with rounds of days before c.since.
func (c *changes) leaveCounted(ctx context.Context, from queryer, place int64) error {
	type name struct {
		journal int64
		record  uint64
	}
	counted := map[name]bool{}
	err := eachRow(ctx, from, `SELECT journal, record FROM adjusted WHERE place = $1 AND day < $2`,
		[]any{place, int64(c.since)}, func(scan scan) error {
			var one name
			err := scan(&one.journal, &one.record)
			counted[one] = true
			return err
		})
	c.adjusted = slices.DeleteFunc(c.adjusted, func(a adjustment) bool { return counted[name{a.journal, a.Record}] })
	return err
}

// adjustTheirs adds the adjustments of rounds that are among the changes, and keeps the others.
func (c *changes) adjustTheirs() {
	c.adjusted = slices.DeleteFunc(c.adjusted, func(a adjustment) bool {
		r := c.roundOf(&a)
		if r == nil {
			return false
		}
		r.Wagers = tally.Add(slices.Clone(r.Wagers), a.Paid())
		r.Lays = a.laid(slices.Clone(r.Lays))
		c.note(&a, r.sumKey, r.Void)
		return true
	})
}

// laid counts an adjustment on its box; what is not known stays so.
func (a *adjustment) laid(lays []tally.Lay) []tally.Lay {
	if lays == nil {
		return nil
	}
	lays, on := tally.On(lays, a.Box)
	on.Returned += a.Amount
	return lays
}

// roundOf is the last round of its number before an adjustment, nil for none: a journal that went on without its
// table's memory has numbers twice. A round whose day's sums stay is none, and none that was played for another money:
// what was paid is of the money for which is played when it is.
func (c *changes) roundOf(a *adjustment) *roundRow {
	for i := len(c.rounds) - 1; i >= 0; i-- {
		if r := &c.rounds[i]; r.journal == a.journal && r.Number == a.Round && r.First < a.Record &&
			r.day >= c.since && r.sheet.currency == a.sheet.currency {
			return r
		}
	}
	return nil
}

// adjustOthers adds the adjustments of rounds that nobody knows.
func (c *changes) adjustOthers() {
	for i := range c.adjusted {
		c.of(c.adjusted[i].sumKey).Adjustment(&c.adjusted[i].Adjustment, false)
	}
	c.adjusted = nil
}

// adjustKept adds the adjustments of rounds that are kept.
func (w *writer) adjustKept() error {
	var others []adjustment
	for i := range w.adjusted {
		a := &w.adjusted[i]
		known, err := w.adjustRow(a)
		if err != nil {
			return err
		}
		if !known {
			others = append(others, *a)
		}
	}
	w.adjusted = others
	return nil
}

// adjustRow adds an adjustment to the row of its round, and to the sums; it is false where there is no such row.
func (w *writer) adjustRow(a *adjustment) (known bool, err error) {
	var first, void int64
	var text, laysWere string
	key := sumKey{place: a.place}
	known, err = w.row(`SELECT r.first, r.void, r.wagers, r.lays, r.day, r.hour, r.dealer, s.house, s.game, s.currency,
		s.rules FROM round r JOIN sheet s ON s.id = r.sheet
		WHERE r.journal = $1 AND r.number = $2 AND r.first < $3 AND s.currency = $4
		ORDER BY r.first DESC LIMIT 1`,
		[]any{a.journal, int64(a.Round), int64(a.Record), a.sheet.currency},
		[]any{
			&first, &void, &text, &laysWere, &key.day, &key.hour, &key.dealer, &key.sheet.house, &key.sheet.game,
			&key.sheet.currency, &key.sheet.rules,
		})
	if err != nil || !known {
		return false, err
	}
	wagers, err := parseWagers(text)
	if err != nil {
		return false, err
	}
	lays, err := parseLays(laysWere)
	if err != nil {
		return false, err
	}
	lays = a.laid(lays)
	boxes, _ := layBits(lays) // an adjustment moves no card
	err = w.exec(`UPDATE round SET returned = returned + $1, wagers = $2, lays = $3, lay_boxes = $4
		WHERE journal = $5 AND first = $6`,
		a.Amount, wagersText(tally.Add(wagers, a.Paid())), laysText(lays), boxes, a.journal, first)
	w.note(a, key, void != 0)
	return true, err
}
