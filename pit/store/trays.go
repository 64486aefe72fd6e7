package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// trayRow is what a record has done to a tray.
type trayRow struct {
	sumKey
	journal int64
	tally.TrayEvent
}

func trayRowOf(day Day, place, journal int64, e *tally.TrayEvent) trayRow {
	key := sumKey{place: place, day: day.Of(e.At), sheet: sheet{e.House, e.Game, e.Currency, e.Rules}}
	return trayRow{key, journal, *e}
}

// eventColumns are those of a tray's event, in the order in which they are written and read.
const eventColumns = "at, kind, event, slip, chips, back, amount, must, difference, since, rounds, unknown, " +
	"corrected, accepted, adjusted, large, dealers, counter, person, reason, pit, round, box, dealer, shift"

// trayEvents, trayRounds and traysGone are the tables of what was done to the trays.
var (
	trayEvents = derivedTable{
		table: "tray_event", key: "journal, record", rest: "place, day, sheet, " + eventColumns,
		rows: func(c *changes, id ids) ([][]any, error) {
			return rowsOf(c.trays, id, func(r trayRow, sheet int64) ([]any, error) {
				return append([]any{r.journal, int64(r.Record), r.place, int64(r.day), sheet}, r.values()...), nil
			})
		},
	}
	trayRounds = derivedTable{
		table: "tray_round", key: "journal, first",
		rest: "place, day, number, last, ended, won, over, unknown, corrected, accepted, large, dealer, sheet",
		rows: func(c *changes, id ids) (rows [][]any, err error) {
			for _, r := range c.rounds {
				if r.Tray == nil {
					continue
				}
				sheet, err := id.sheet(r.sheet)
				if err != nil {
					return nil, err
				}
				rows = append(rows, []any{
					r.journal, int64(r.First), r.place, int64(r.day), int64(r.Number), int64(r.Last),
					r.Ended.UnixNano(), r.Tray.Won, r.Tray.Over, r.Tray.Unknown, int64(r.Tray.Corrected),
					r.Tray.Accepted, int64(r.Tray.Large), r.Dealer, sheet,
				})
			}
			return rows, nil
		},
	}
	traysGone = derivedTable{
		table: "tray_gone", key: "journal, record", rest: "place, day, at, person, sheet",
		rows: func(c *changes, id ids) ([][]any, error) {
			return rowsOf(c.gone, id, func(r trayRow, sheet int64) ([]any, error) {
				return []any{r.journal, int64(r.Record), r.place, int64(r.day), r.At.UnixNano(), r.By, sheet}, nil
			})
		},
	}
)

// values are those of eventColumns.
func (r trayRow) values() []any {
	y := &r.Told
	event := y.Count.String()
	if y.Step != 0 {
		event = y.Step.String()
	}
	var must any
	if r.Known {
		must = r.Must
	}
	return []any{
		r.At.UnixNano(), r.Of.String(), event, int64(y.Slip), vocab.ChipsText(y.Chips), vocab.ChipsText(y.For),
		y.Amount, must, y.Difference, int64(y.Since), int64(y.Rounds), int64(y.Unknown), int64(y.Corrected),
		int64(y.Accepted), int64(y.Adjusted), int64(y.Large), strings.Join(y.Dealers, "\n"), y.Dealer, r.By, r.Because,
		bit(r.AtPit), int64(r.Round), int64(r.Box), r.Dealer, r.Shift,
	}
}

// readEvent reads a row of the columns before eventColumns, and those, then the sheet.
func (s *Store) readEvent(scan scan, before ...any) (e tray.Event, err error) {
	var at, pit int64
	var kind, event, chips, back, dealers string
	var must sql.NullInt64
	y := &e.Told
	err = scan(append(before, &e.Journal, &e.Record, &e.House, &e.Game, &e.Currency, &e.Rules, &at, &kind, &event,
		&y.Slip, &chips, &back, &y.Amount, &must, &y.Difference, &y.Since, &y.Rounds, &y.Unknown, &y.Corrected,
		&y.Accepted, &y.Adjusted, &y.Large, &dealers, &y.Dealer, &e.By, &e.Because, &pit, &e.Round, &e.Box, &e.Dealer,
		&e.Shift)...)
	if err != nil {
		return e, err
	}
	e.At, e.AtPit, e.Must, e.Known = s.day.local(at), pit != 0, must.Int64, must.Valid
	e.Of, _ = vocab.ParseInputKind(kind)
	y.Of = e.Of
	y.Count, _ = vocab.ParseCountEvent(event)
	if y.Slip != 0 {
		y.Step, _ = vocab.ParseSlipStep(event)
	}
	if dealers != "" {
		y.Dealers = strings.Split(dealers, "\n")
	}
	if y.Chips, err = vocab.ParseChips(chips); err == nil {
		y.For, err = vocab.ParseChips(back)
	}
	return e, err
}

// events reads events of the trays by a condition, with the place of each: of each journal in the order of its records.
func (s *Store) events(ctx context.Context, from queryer, where string, args []any,
	each func(int64, tray.Event),
) error {
	columns := "e." + strings.ReplaceAll(eventColumns, ", ", ", e.")
	return eachRow(ctx, from, `SELECT e.place, j.name, e.record, h.house, h.game, h.currency, h.rules, `+columns+
		` FROM tray_event e JOIN journal j ON j.id = e.journal JOIN sheet h ON h.id = e.sheet `+where+
		` ORDER BY e.place, e.journal, e.record`, args, func(scan scan) error {
		var place int64
		e, err := s.readEvent(scan, &place)
		if err == nil {
			each(place, e)
		}
		return err
	})
}

// lastCount is the record of the last count in the journal that a place p writes now.
const lastCount = `(SELECT max(c.record) FROM tray_event c WHERE c.journal = p.journal AND c.kind = 'count')`

// lastClosing is that of the last closing count: while a slip is under way no tray is closed.
const lastClosing = `(SELECT max(c.record) FROM tray_event c
	WHERE c.journal = p.journal AND c.kind = 'count' AND c.event = 'closing')`

// inBox says of a record e of tray_event whether it came since the drop box of a place p is on the table: since the
// last drop, and since the set-up by which the table got another money.
const inBox = `(e.record >= coalesce((SELECT max(d.record) FROM tray_event d
		WHERE d.journal = p.journal AND d.kind = 'drop'), 0)
	AND e.record >= coalesce((SELECT max(g.record) FROM tray_gone g WHERE g.journal = p.journal), 0))`

// underWay says of a record e of tray_event whether it is of a slip that is under way in the journal of a place p.
const underWay = `(e.slip > 0 AND e.record > coalesce(` + lastClosing + `, 0) AND NOT EXISTS (SELECT 1 FROM tray_event f
	WHERE f.journal = e.journal AND f.slip = e.slip AND f.event IN ('received', 'refused')))`

// Trays is what is known of the tables' trays, of those of which anything is.
func (s *Store) Trays(ctx context.Context) (all map[topic.Table]*tray.Now, err error) {
	defer about(&err, "read the trays")
	tx, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was changed
	places, err := s.places(ctx)
	if err != nil {
		return nil, err
	}
	all = map[topic.Table]*tray.Now{}
	return all, s.readTrays(ctx, tx, func(place int64) *tray.Now {
		n := all[places[place]]
		if n == nil {
			n = &tray.Now{}
			all[places[place]] = n
		}
		return n
	})
}

func (s *Store) readTrays(ctx context.Context, from queryer, of func(int64) *tray.Now) error {
	err := s.events(ctx, from, `JOIN place p ON p.journal = e.journal WHERE e.kind = 'count' AND e.record = `+
		lastCount, nil,
		func(place int64, e tray.Event) { of(place).Count = &e })
	if err != nil {
		return err
	}
	won, err := s.roundsSince(ctx, from, of)
	if err != nil {
		return err
	}
	since := map[int64][]tray.Event{}
	err = s.events(ctx, from, `JOIN place p ON p.journal = e.journal WHERE e.record > coalesce(`+lastCount+`, 0)`, nil,
		func(place int64, e tray.Event) {
			since[place] = append(since[place], e)
			of(place).Last = &e
		})
	if err != nil {
		return err
	}
	if err := s.moneyNow(ctx, from, of); err != nil {
		return err
	}
	for place, sum := range won {
		if n := of(place); n.Count != nil {
			n.Took(since[place], sum)
		}
	}
	slips := map[int64][]tray.Event{}
	err = s.events(ctx, from, `JOIN place p ON p.journal = e.journal WHERE `+underWay, nil,
		func(place int64, e tray.Event) { slips[place] = append(slips[place], e) })
	if err != nil {
		return err
	}
	for place, events := range slips {
		of(place).Slips = tray.Slips(events)
	}
	return s.cashIn(ctx, from, of)
}

// moneyNow notes in which currency each table plays, and forgets the counts of trays that had another money.
func (s *Store) moneyNow(ctx context.Context, from queryer, of func(int64) *tray.Now) error {
	return eachRow(ctx, from, `SELECT p.id, j.kept, j.kept_at FROM place p JOIN journal j ON j.id = p.journal
		WHERE EXISTS (SELECT 1 FROM tray_event e WHERE e.journal = p.journal)`, nil, func(scan scan) error {
		var place int64
		var text string
		var at uint64
		if err := scan(&place, &text, &at); err != nil {
			return err
		}
		var kept struct {
			Currency string
			Counted  bool
		}
		if err := json.Unmarshal([]byte(text), &kept); err != nil {
			return err
		}
		n := of(place)
		n.Currency = kept.Currency
		if last := cmp.Or(n.Last, n.Count); last != nil && last.Record > at {
			n.Currency = last.Currency
		}
		if c := n.Count; c != nil && c.Record <= at && !kept.Counted {
			n.Forget()
		}
		return nil
	})
}

// within is an amount that fits into a sum, 0 in place of one that no table's engine writes: what one table says must
// not keep the others' trays from being added up.
func within(amount string) string {
	most := strconv.FormatInt(10*money.Max, 10)
	return "CASE WHEN " + amount + " BETWEEN -" + most + " AND " + most + " THEN " + amount + " ELSE 0 END"
}

// roundsSince reads what rounds have come to since the counts. Of one whose amount cannot be, nobody knows it.
func (s *Store) roundsSince(ctx context.Context, from queryer, of func(int64) *tray.Now) (map[int64]int64, error) {
	won := map[int64]int64{}
	err := eachRow(ctx, from, `SELECT p.id, count(r.first), CAST(coalesce(sum(`+within("r.won")+`), 0) AS BIGINT),
		count(CASE WHEN r.unknown > 0 OR r.won <> `+within("r.won")+` THEN 1 END),
		(SELECT count(*) FROM gap g WHERE g.journal = p.journal AND g.last > `+lastCount+` AND g.why <> 'unused')
		FROM place p LEFT JOIN tray_round r ON r.journal = p.journal AND r.last > `+lastCount+`
		WHERE EXISTS (SELECT 1 FROM tray_event c WHERE c.journal = p.journal AND c.kind = 'count')
		GROUP BY p.id, p.journal`, nil, func(scan scan) error {
		var place, sum int64
		var rounds, unknown, gaps int
		err := scan(&place, &rounds, &sum, &unknown, &gaps)
		n := of(place)
		n.Rounds, n.Unknown, n.Missing, won[place] = rounds, unknown, gaps > 0, sum
		return err
	})
	return won, err
}

// cashIn reads what must be in the drop boxes, of the currency that each table plays in.
func (s *Store) cashIn(ctx context.Context, from queryer, of func(int64) *tray.Now) error {
	return eachRow(ctx, from, `SELECT p.id, h.currency, CAST(sum(`+within("e.amount")+`) AS BIGINT)
		FROM place p JOIN tray_event e ON e.journal = p.journal JOIN sheet h ON h.id = e.sheet
		WHERE e.kind = 'buy-in' AND `+inBox+` GROUP BY p.id, h.currency`, nil, func(scan scan) error {
		var place, cash int64
		var currency string
		err := scan(&place, &currency, &cash)
		if n := of(place); n.Currency == currency {
			n.Cash = cash
		}
		return err
	})
}

// TrayDay has all that the gaming days of the tables are worked out from, of those of which anything is known.
func (s *Store) TrayDay(ctx context.Context, day Date) (all map[topic.Table]*tray.Records, err error) {
	defer about(&err, "read what was done to the trays")
	tx, err := s.moment(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was changed
	places, err := s.places(ctx)
	if err != nil {
		return nil, err
	}
	all = map[topic.Table]*tray.Records{}
	for place, table := range places {
		r := &tray.Records{From: s.day.Start(day), Until: s.day.Start(day.Add(1))}
		if err := s.trayDayOf(ctx, tx, place, r); err != nil {
			return nil, err
		}
		all[table] = r
	}
	err = s.dropCounts(ctx, tx, `WHERE day = $1`, []any{int64(day)}, func(place int64, one tray.Opened) {
		if r := all[places[place]]; r != nil { // nil for a table that came after places were read
			r.Opened = append(r.Opened, one)
		}
	})
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(all, func(_ topic.Table, r *tray.Records) bool {
		return len(r.Events)+len(r.Rounds)+len(r.Opened) == 0
	})
	return all, s.missing(ctx, tx, all, places)
}

// trayDayOf reads what was done to a table's tray from the last count before a day on.
func (s *Store) trayDayOf(ctx context.Context, from queryer, place int64, r *tray.Records) error {
	start, end := r.From.UnixNano(), r.Until.UnixNano()
	begins := start
	err := oneRow(ctx, from,
		`SELECT coalesce(max(at), $3) FROM tray_event WHERE place = $1 AND kind = 'count' AND at < $2`,
		[]any{place, start, start}, &begins)
	if err != nil {
		return err
	}
	args := []any{place, begins, end}
	err = s.events(ctx, from, `WHERE e.place = $1 AND e.at >= $2 AND e.at < $3`, args,
		func(_ int64, e tray.Event) { r.Events = append(r.Events, e) })
	if err != nil {
		return err
	}
	if r.Gone, err = s.traysGone(ctx, from, args); err != nil {
		return err
	}
	tray.Order(r.Events)
	tray.Order(r.Gone)
	r.Rounds, err = rowsAs(ctx, from, func(scan scan) (one tray.Round, err error) {
		var ended int64
		err = scan(&one.Journal, &one.Number, &one.Last, &ended, &one.Dealer, &one.Won, &one.Over, &one.Unknown,
			&one.Corrected, &one.Accepted, &one.Large, &one.Currency)
		one.Ended = s.day.local(ended)
		return one, err
	}, `SELECT j.name, r.number, r.last, r.ended, r.dealer, r.won, r.over, r.unknown, r.corrected,
		r.accepted, r.large, h.currency FROM tray_round r JOIN journal j ON j.id = r.journal
		JOIN sheet h ON h.id = r.sheet
		WHERE r.place = $1 AND r.ended >= $2 AND r.ended < $3 ORDER BY r.ended, r.last`, args...)
	return err
}

// inGone is what was sold for the money of the set-up g into the box that went with its tray, also before the time that
// is read: of its journal, since the last drop and since the set-up before.
var inGone = `(SELECT CAST(coalesce(sum(` + within("b.amount") + `), 0) AS BIGINT)
	FROM tray_event b JOIN sheet o ON o.id = b.sheet
	WHERE b.journal = g.journal AND b.kind = 'buy-in' AND b.record < g.record AND o.currency = h.currency
	AND b.record > coalesce((SELECT max(d.record) FROM tray_event d
		WHERE d.journal = g.journal AND d.kind = 'drop' AND d.record < g.record), 0)
	AND b.record > coalesce((SELECT max(w.record) FROM tray_gone w
		WHERE w.journal = g.journal AND w.record < g.record), 0))`

// traysGone reads by which set-ups a table got another money in a time, or between two events of that time: its clock
// may have been wrong. Of each it reads what must be in the box that was on the table.
func (s *Store) traysGone(ctx context.Context, from queryer, args []any) ([]tray.Event, error) {
	return rowsAs(ctx, from, func(scan scan) (e tray.Event, err error) {
		var at int64
		err = scan(&e.Journal, &e.Record, &at, &e.By, &e.House, &e.Game, &e.Currency, &e.Rules, &e.Told.Amount)
		e.Of, e.At = vocab.InSetup, s.day.local(at)
		return e, err
	}, `SELECT j.name, g.record, g.at, g.person, h.house, h.game, h.currency, h.rules, `+inGone+` FROM tray_gone g
		JOIN journal j ON j.id = g.journal JOIN sheet h ON h.id = g.sheet
		LEFT JOIN (SELECT e.journal, min(e.record) AS first, max(e.record) AS last FROM tray_event e
			WHERE e.place = $1 AND e.at >= $2 AND e.at < $3 GROUP BY e.journal) n ON n.journal = g.journal
		WHERE g.place = $1 AND (g.at >= $2 AND g.at < $3 OR g.record > n.first AND g.record < n.last)
		ORDER BY g.journal, g.record`, args...)
}

// missing notes where the pit lacks records: behind the last one before a gap.
func (s *Store) missing(ctx context.Context, from queryer, all map[topic.Table]*tray.Records,
	places map[int64]topic.Table,
) error {
	return eachRow(ctx, from, `SELECT j.place, coalesce((SELECT min(e.at) FROM tray_event e WHERE e.journal = g.journal
		AND e.record > g.last), 0) FROM gap g JOIN journal j ON j.id = g.journal WHERE g.why <> 'unused'`, nil,
		func(scan scan) error {
			var place, at int64
			if err := scan(&place, &at); err != nil {
				return err
			}
			if r := all[places[place]]; r != nil && at > 0 {
				r.Missing = append(r.Missing, time.Unix(0, at))
			}
			return nil
		})
}

func (s *Store) dropCounts(ctx context.Context, from queryer, where string, args []any,
	each func(int64, tray.Opened),
) error {
	return eachRow(ctx, from,
		`SELECT place, journal, record, day, nth, at, who, role, amount, currency, reason FROM drop_count `+
			where+` ORDER BY place, journal, record, nth`, args, func(scan scan) error {
			var place, at int64
			var one tray.Opened
			err := scan(&place, &one.Journal, &one.Record, &one.Day, &one.Nth, &at, &one.Who, &one.Role, &one.Amount,
				&one.Currency, &one.Reason)
			one.At = s.day.local(at)
			each(place, one)
			return err
		})
}

// What refuses an entry of what was in a drop box.
var (
	// ErrCounted: somebody has entered it already, and a correction says why.
	ErrCounted = errors.New("the box was counted already: a correction needs a reason")
	// ErrNoBox: the table has taken off no such box in the gaming day.
	ErrNoBox = errors.New("there is no such drop box")
)

// CountDrop keeps what was in a drop box, in the currency in which it was taken off; of one that is still on the table,
// in that which is named, else in the table's. A second entry of the same box is a correction, and needs a reason; the
// first one stays on record. It returns once that is durable.
func (s *Store) CountDrop(ctx context.Context, table topic.Table, day Date, o tray.Opened) error {
	return s.Change(ctx, func(ctx context.Context, tx *sql.Tx) error {
		var place int64
		err := tx.QueryRowContext(ctx, `SELECT id FROM place WHERE site = $1 AND name = $2`, table.Site(),
			table.Name()).Scan(&place)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrNoBox
		}
		if err == nil && (o.Record != 0 || o.Journal != "") {
			err = s.droppedIn(ctx, tx, place, day, &o)
		}
		if err == nil && o.Currency == "" {
			o.Currency, err = s.currencyOn(ctx, tx, place, day)
		}
		if err != nil {
			return err
		}
		var nth, same int
		err = tx.QueryRowContext(ctx,
			`SELECT coalesce(max(nth), 0), count(CASE WHEN currency = $5 AND (record > 0 OR at >= `+boxAt+`) THEN 1 END)
			FROM drop_count WHERE place = $1 AND day = $2 AND journal = $3 AND record = $4`,
			place, int64(day), o.Journal, int64(o.Record), o.Currency).Scan(&nth, &same)
		switch {
		case err != nil:
			return err
		case same > 0 && o.Reason == "":
			return ErrCounted
		}
		_, err = tx.ExecContext(ctx,
			`INSERT INTO drop_count (place, journal, record, nth, day, at, who, role, amount, currency, reason)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, place, o.Journal, int64(o.Record), nth+1,
			int64(day), o.At.UnixNano(), o.Who, o.Role, o.Amount, o.Currency, o.Reason)
		return err
	})
}

// boxAt is since when the drop box is on the table $1 that is the last one of the gaming day $2, by the table's clock,
// which may be ahead of what is entered.
const boxAt = `(SELECT coalesce(max(b.at), 0) FROM (
	SELECT d.at FROM tray_event d WHERE d.place = $1 AND d.day = $2 AND d.kind = 'drop'
	UNION ALL SELECT g.at FROM tray_gone g WHERE g.place = $1 AND g.day = $2) b)`

// currencyOn is that of a table in a gaming day, "" where nothing was done to its tray by then.
func (s *Store) currencyOn(ctx context.Context, tx *sql.Tx, place int64, day Date) (currency string, err error) {
	err = tx.QueryRowContext(ctx, `SELECT h.currency FROM tray_event e JOIN sheet h ON h.id = e.sheet
		WHERE e.place = $1 AND e.at < $2 ORDER BY e.at DESC LIMIT 1`,
		place, s.day.Start(day.Add(1)).UnixNano()).Scan(&currency)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return currency, err
}

// droppedIn finds the currency of a box that was taken off in a gaming day, or that was gone by then with its tray: in
// that day, or after what was done to it in that day where the table's clock was wrong.
func (s *Store) droppedIn(ctx context.Context, tx *sql.Tx, place int64, day Date, o *tray.Opened) error {
	err := tx.QueryRowContext(ctx,
		`SELECT h.currency FROM tray_event e JOIN journal j ON j.id = e.journal JOIN sheet h ON h.id = e.sheet
		WHERE e.place = $1 AND j.name = $2 AND e.record = $3 AND e.day = $4 AND e.kind = 'drop'
		UNION SELECT h.currency FROM tray_gone g JOIN journal j ON j.id = g.journal JOIN sheet h ON h.id = g.sheet
		WHERE g.place = $1 AND j.name = $2 AND g.record = $3 AND $4 IN (g.day, (SELECT e.day FROM tray_event e
			WHERE e.journal = g.journal AND e.record < g.record ORDER BY e.record DESC LIMIT 1))`,
		place, o.Journal, int64(o.Record), int64(day)).Scan(&o.Currency)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrNoBox
	}
	return err
}
