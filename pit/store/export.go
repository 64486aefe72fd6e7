package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/sabot-table/sabot/internal/ops/export"
	"github.com/sabot-table/sabot/pit/tally"
	"github.com/sabot-table/sabot/pit/topic"
)

// ExportOptions say what is exported.
type ExportOptions struct {
	// Format is one of export.Formats.
	Format string
	// First and Last are gaming days, both included; 0 for no bound.
	First, Last Date
	// Tables are those that are exported, none for all.
	Tables []topic.Table
	// Force allows an earlier export to be replaced.
	Force bool
	// Progress, if not nil, is called from time to time with how many rounds are done.
	Progress func(done, rounds int64)
}

// The rows of the exported tables. Amounts are in minor units of the round's currency, and
// durations in nanoseconds.

type exportedRound struct {
	Number         int64          `parquet:"number"`
	Site           string         `parquet:"site"`
	Table          string         `parquet:"table_name"`
	Journal        string         `parquet:"journal"`
	Round          int64          `parquet:"round"`
	Day            string         `parquet:"day"`
	Opened         export.Instant `parquet:"opened,timestamp(nanosecond)"`
	Ended          export.Instant `parquet:"ended,timestamp(nanosecond)"`
	Dealer         string         `parquet:"dealer"`
	Shift          string         `parquet:"shift"`
	House          string         `parquet:"house"`
	Game           string         `parquet:"game"`
	Currency       string         `parquet:"currency"`
	Rules          string         `parquet:"rules"`
	Boxes          int64          `parquet:"boxes"`
	Hands          int64          `parquet:"hands"`
	Bettors        int64          `parquet:"bettors"`
	Cards          int64          `parquet:"cards"`
	Void           bool           `parquet:"void"`
	Decisions      int64          `parquet:"decisions"`
	Deciding       int64          `parquet:"deciding"`
	Irregularities int64          `parquet:"irregularities"`
	Staked         int64          `parquet:"staked"`
	Returned       int64          `parquet:"to_guests"`
	Due            int64          `parquet:"due"`
	FirstRecord    int64          `parquet:"first_record"`
	LastRecord     int64          `parquet:"last_record"`
}

// exportedWager is what the wagers of one kind came to in a round, which RoundNumber names.
type exportedWager struct {
	Number      int64  `parquet:"number"`
	RoundNumber int64  `parquet:"round_number"`
	Wager       string `parquet:"wager"`
	Count       int64  `parquet:"count"`
	Staked      int64  `parquet:"staked"`
	Returned    int64  `parquet:"to_guests"`
	Due         int64  `parquet:"due"`
	Unknown     int64  `parquet:"unknown"`
}

type exportedIrregularity struct {
	Number  int64          `parquet:"number"`
	Site    string         `parquet:"site"`
	Table   string         `parquet:"table_name"`
	Journal string         `parquet:"journal"`
	Record  int64          `parquet:"record"`
	Round   int64          `parquet:"round"`
	Day     string         `parquet:"day"`
	Raised  export.Instant `parquet:"raised,timestamp(nanosecond)"`
	Dealer  string         `parquet:"dealer"`
	Code    string         `parquet:"code"`
	Alarm   string         `parquet:"alarm"`
	Box     int64          `parquet:"box"`
	Righted export.Instant `parquet:"resolved,optional,timestamp(nanosecond)"`
	With    string         `parquet:"resolved_with"`
	By      string         `parquet:"resolved_by"`
	Reason  string         `parquet:"reason"`
}

// exportedMoney is what the rounds of a dealer at a table came to in a gaming day.
type exportedMoney struct {
	Number   int64  `parquet:"number"`
	Day      string `parquet:"day"`
	Site     string `parquet:"site"`
	Table    string `parquet:"table_name"`
	Dealer   string `parquet:"dealer"`
	Currency string `parquet:"currency"`
	Rounds   int64  `parquet:"rounds"`
	Void     int64  `parquet:"void_rounds"`
	Staked   int64  `parquet:"staked"`
	Returned int64  `parquet:"to_guests"`
	Due      int64  `parquet:"due"`
	Won      int64  `parquet:"house_won"`
	Unknown  int64  `parquet:"unknown"`
}

// exportedTray is something that was done to a table's tray.
type exportedTray struct {
	Number     int64          `parquet:"number"`
	Site       string         `parquet:"site"`
	Table      string         `parquet:"table_name"`
	Journal    string         `parquet:"journal"`
	Record     int64          `parquet:"record"`
	Day        string         `parquet:"day"`
	At         export.Instant `parquet:"at,timestamp(nanosecond)"`
	What       string         `parquet:"what"`
	Event      string         `parquet:"event"`
	Slip       int64          `parquet:"slip"`
	Chips      string         `parquet:"chips"`
	For        string         `parquet:"for"`
	Amount     int64          `parquet:"amount"`
	Tray       *int64         `parquet:"tray"`
	Difference *int64         `parquet:"difference"`
	Since      int64          `parquet:"count_before"`
	Dealers    string         `parquet:"dealers"`
	Dealer     string         `parquet:"dealer"`
	By         string         `parquet:"by"`
	Reason     string         `parquet:"reason"`
	AtPit      bool           `parquet:"at_pit"`
	Round      int64          `parquet:"round"`
	Box        int64          `parquet:"box"`
	Currency   string         `parquet:"currency"`
}

// exportedDrop is what was in a drop box, as somebody has entered it.
type exportedDrop struct {
	Number   int64          `parquet:"number"`
	Site     string         `parquet:"site"`
	Table    string         `parquet:"table_name"`
	Journal  string         `parquet:"journal"`
	Record   int64          `parquet:"record"`
	Entry    int64          `parquet:"entry"`
	Day      string         `parquet:"day"`
	At       export.Instant `parquet:"at,timestamp(nanosecond)"`
	By       string         `parquet:"by"`
	Role     string         `parquet:"role"`
	Amount   int64          `parquet:"amount"`
	Currency string         `parquet:"currency"`
	Reason   string         `parquet:"reason"`
}

var exportedTables = []export.Table{
	export.TableOf[exportedRound]("round"),
	export.TableOf[exportedWager]("wager"),
	export.TableOf[exportedIrregularity]("irregularity"),
	export.TableOf[exportedMoney]("money"),
	export.TableOf[exportedTray]("tray"),
	export.TableOf[exportedDrop]("drop_box"),
}

const exportedIndexes = `
CREATE INDEX round_day ON round (day);
CREATE INDEX wager_round ON wager (round_number);
CREATE INDEX irregularity_round ON irregularity (journal, round);`

// Exported is how many rows were written.
type Exported struct{ Rounds, Wagers, Irregularities int64 }

// Export writes rounds, wagers and irregularities as tables to path, completely or not at all: a
// file for SQLite, a folder for CSV and Parquet. They are for reading, and prove nothing. The pit
// may go on meanwhile.
func (s *Store) Export(ctx context.Context, path string, o ExportOptions) (done Exported, err error) {
	tx, err := s.moment(ctx)
	if err != nil {
		return done, err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was changed
	places, err := s.places(ctx)
	if err != nil {
		return done, err
	}
	e := exporter{store: s, places: places, o: o, money: map[exportedMoney]*exportedMoney{}}
	files := export.Files{Format: o.Format, Tables: exportedTables, Indexes: exportedIndexes, Force: o.Force}
	err = export.WriteFiles(path, files, func(emit func(any) error) error {
		e.emit = emit
		return e.all(ctx, tx)
	})
	if err != nil {
		err = fmt.Errorf("export the pit's rounds: %w", err)
	}
	return e.done, err
}

type exporter struct {
	store  *Store
	o      ExportOptions
	places map[int64]topic.Table
	emit   func(any) error
	done   Exported
	money  map[exportedMoney]*exportedMoney
}

// count adds a round to the money of its day, table and dealer.
func (e *exporter) count(r *exportedRound, wagers []tally.Wager) {
	of := exportedMoney{Day: r.Day, Site: r.Site, Table: r.Table, Dealer: r.Dealer, Currency: r.Currency}
	if e.money[of] == nil {
		one := of
		e.money[of] = &one
	}
	sum := e.money[of]
	sum.Rounds++
	if r.Void {
		sum.Void++
	}
	sum.Staked, sum.Returned, sum.Due = sum.Staked+r.Staked, sum.Returned+r.Returned, sum.Due+r.Due
	sum.Won = sum.Staked - sum.Returned
	for i := range wagers {
		sum.Unknown += wagers[i].Unknown
	}
}

// emitMoney writes the money in the order of days, tables and dealers.
func (e *exporter) emitMoney() error {
	list := slices.SortedFunc(maps.Values(e.money), func(a, b *exportedMoney) int {
		return cmp.Or(cmp.Compare(a.Day, b.Day), cmp.Compare(a.Site, b.Site), cmp.Compare(a.Table, b.Table),
			cmp.Compare(a.Dealer, b.Dealer), cmp.Compare(a.Currency, b.Currency))
	})
	for i, one := range list {
		one.Number = int64(i + 1)
		if err := e.emit(*one); err != nil {
			return err
		}
	}
	return nil
}

// filter is what is exported of a table that is called t.
func (e *exporter) filter() *filter {
	f := &filter{}
	f.tables("t.place", e.o.Tables, e.places)
	f.addIf(e.o.First != 0, "t.day >= ?", int64(e.o.First))
	f.addIf(e.o.Last != 0, "t.day <= ?", int64(e.o.Last))
	return f
}

func (e *exporter) all(ctx context.Context, from queryer) error {
	f := e.filter()
	var rounds int64
	if err := oneRow(ctx, from, `SELECT count(*) FROM round t`+f.where(), f.args, &rounds); err != nil {
		return err
	}
	err := eachRow(ctx, from,
		`SELECT t.place, j.name, t.number, t.day, t.opened, t.ended, t.dealer, t.shift, h.house, h.game, h.currency,
		h.rules, t.boxes, t.hands, t.bettors, t.cards, t.void, t.decisions, t.deciding, t.irregular,
		t.staked, t.returned, t.due, t.first, t.last, t.wagers
		FROM round t JOIN journal j ON j.id = t.journal JOIN sheet h ON h.id = t.sheet`+f.where()+`
		ORDER BY t.place, t.journal, t.first`, f.args, func(scan scan) error {
			if err := e.round(scan); err != nil {
				return err
			}
			if e.o.Progress != nil && (e.done.Rounds%1024 == 0 || e.done.Rounds == rounds) {
				e.o.Progress(e.done.Rounds, rounds)
			}
			return ctx.Err()
		})
	if err != nil {
		return err
	}
	if err := e.emitMoney(); err != nil {
		return err
	}
	if err := e.trays(ctx, from); err != nil {
		return err
	}
	return eachRow(ctx, from,
		`SELECT t.place, j.name, t.record, t.round, t.day, t.raised, t.dealer, t.code, t.alarm, t.box, t.righted, t.choice, t.person, t.reason
		FROM irregularity t JOIN journal j ON j.id = t.journal`+f.where()+` ORDER BY t.place, t.journal, t.record, t.nth`, f.args, e.irregularity)
}

func (e *exporter) round(scan scan) error {
	var r exportedRound
	var place, opened, ended int64
	var day Date
	var void int
	var text string
	err := scan(&place, &r.Journal, &r.Round, &day, &opened, &ended, &r.Dealer, &r.Shift, &r.House, &r.Game,
		&r.Currency, &r.Rules, &r.Boxes, &r.Hands, &r.Bettors, &r.Cards, &void, &r.Decisions, &r.Deciding,
		&r.Irregularities, &r.Staked, &r.Returned, &r.Due, &r.FirstRecord, &r.LastRecord, &text)
	if err != nil {
		return err
	}
	wagers, err := parseWagers(text)
	if err != nil {
		return err
	}
	e.done.Rounds++
	r.Number, r.Day, r.Void = e.done.Rounds, day.String(), void != 0
	r.Site, r.Table = e.places[place].Site(), e.places[place].Name()
	r.Opened, r.Ended = export.InstantOf(time.Unix(0, opened)), export.InstantOf(time.Unix(0, ended))
	e.count(&r, wagers)
	if err := e.emit(r); err != nil {
		return err
	}
	for _, w := range wagers {
		e.done.Wagers++
		row := exportedWager{e.done.Wagers, r.Number, w.Wager, w.Count, w.Staked, w.Returned, w.Due, w.Unknown}
		if err := e.emit(row); err != nil {
			return err
		}
	}
	return nil
}

func (e *exporter) irregularity(scan scan) error {
	var i exportedIrregularity
	var place, raised, righted int64
	var day Date
	err := scan(&place, &i.Journal, &i.Record, &i.Round, &day, &raised, &i.Dealer, &i.Code, &i.Alarm, &i.Box, &righted,
		&i.With, &i.By, &i.Reason)
	if err != nil {
		return err
	}
	e.done.Irregularities++
	i.Number, i.Day = e.done.Irregularities, day.String()
	i.Site, i.Table = e.places[place].Site(), e.places[place].Name()
	i.Raised, i.Righted = export.Instant(raised), export.Instant(righted)
	return e.emit(i)
}
