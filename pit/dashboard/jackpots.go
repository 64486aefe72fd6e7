package dashboard

import (
	"context"
	"encoding/csv"
	"net/http"
	"strconv"
	"time"

	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/money"
)

// Jackpots is what is known of the jackpots that several tables play for: a store.Store.
type Jackpots interface {
	Jackpots(context.Context) ([]jackpot.Meter, error)
	JackpotSums(ctx context.Context, name string) (map[jackpot.Kind]int64, error)
	JackpotEntries(ctx context.Context, name string, most int, wins bool,
		each func(store.JackpotEntry) error) error
}

// jackpotsModel is the page of jackpots.
type jackpotsModel struct {
	Top    topModel
	Unread string
	List   []jackpotModel
}

// jackpotModel is a jackpot: what is in it, and what has changed it, the newest first.
type jackpotModel struct {
	Name, Amount string
	Sums         []floatModel
	Wins, All    []entryModel
	File         string
}

type entryModel struct{ Number, Clock, Where, Table, Round, What, Amount, After string }

// mostEntries is how many entries a page lists: the file has all.
const (
	mostEntries    = 40
	jackpotsWithin = 5 * time.Second
)

func (d *Dashboard) jackpotsMain(ctx context.Context, r renderer, at looked) []byte {
	m := jackpotsModel{Top: d.top(r, at, d.options.Floor.Alerts())}
	ctx, done := context.WithTimeout(ctx, jackpotsWithin)
	defer done()
	meters, err := d.options.Jackpots.Jackpots(ctx)
	for i := range meters {
		var one jackpotModel
		if one, err = d.jackpot(ctx, r, &meters[i]); err != nil {
			break
		}
		m.List = append(m.List, one)
	}
	if err != nil && ctx.Err() == nil {
		d.options.Log.Error("pit: the jackpots cannot be read: look at the database; live pages go on", "err", err)
	}
	if err != nil {
		m.Unread = r.say("pit.store-away")
	}
	return drawJackpots(nil, r.language, &m)
}

// jackpot reads one jackpot. What has been put right of what was given is among what was paid.
func (d *Dashboard) jackpot(ctx context.Context, r renderer, of *jackpot.Meter) (jackpotModel, error) {
	price := func(minor int64) string { return r.language.Price(minor, money.Digits(of.Currency), of.Currency) }
	m := jackpotModel{Name: of.Name, Amount: price(of.Amount), File: "/jackpots/" + of.Name + "/entries.csv"}
	sums, err := d.options.Jackpots.JackpotSums(ctx, of.Name)
	if err != nil {
		return m, err
	}
	m.Sums = []floatModel{
		{Note: r.say("pit.jackpot-seed"), Amount: price(of.Seed)},
		{Note: r.say("pit.jackpot-fed"), Amount: price(sums[jackpot.KindFed])},
		{Note: r.say("pit.jackpot-seeds"), Amount: price(sums[jackpot.KindSeed])},
		{
			Note:   r.say("pit.jackpot-paid"),
			Amount: price(-sums[jackpot.KindGiven] - sums[jackpot.KindPutRight]),
		},
	}
	list := func(wins bool, to *[]entryModel) error {
		return d.options.Jackpots.JackpotEntries(ctx, of.Name, mostEntries, wins, func(e store.JackpotEntry) error {
			*to = append(*to, d.jackpotEntry(r, &e, price))
			return nil
		})
	}
	if err := list(true, &m.Wins); err != nil {
		return m, err
	}
	return m, list(false, &m.All)
}

// jackpotEntry is an entry as the page lists it.
func (d *Dashboard) jackpotEntry(r renderer, e *store.JackpotEntry, price func(int64) string) entryModel {
	m := entryModel{
		Number: strconv.FormatUint(e.Number, 10), Clock: r.clock(e.At), Where: "/table/" + e.Table.String() + "/",
		Table: d.named(e.Table), What: r.say("pit.jackpot-is-" + string(e.Kind)), Amount: price(e.Amount),
		After: price(e.After),
	}
	if e.Round > 0 {
		m.Round = r.with("pit.jackpot-round", "round", strconv.FormatUint(e.Round, 10))
	}
	return m
}

// jackpotFile is all entries of a jackpot as CSV, by which a checker compares them with the journals.
func (d *Dashboard) jackpotFile(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("jackpot")
	meters, err := d.options.Jackpots.Jackpots(r.Context())
	digits := money.Digits("")
	for i := range meters {
		if meters[i].Name == name {
			digits = money.Digits(meters[i].Currency)
		}
	}
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="sabot-jackpot.csv"`)
	file := csv.NewWriter(w)
	if err == nil {
		err = file.Write([]string{
			"jackpot", "entry", "at", "kind", "amount", "after", "site", "table", "journal", "round", "record",
			"decision",
		})
	}
	if err == nil {
		err = d.options.Jackpots.JackpotEntries(r.Context(), name, 0, false, func(e store.JackpotEntry) error {
			number := func(n uint64) string { return strconv.FormatUint(n, 10) }
			return file.Write([]string{
				e.Jackpot, number(e.Number), e.At.UTC().Format(time.RFC3339Nano), string(e.Kind),
				money.Format(e.Amount, digits), money.Format(e.After, digits), e.Table.Site(),
				e.Table.Name(), e.Journal,
				number(e.Round), number(e.Record), number(e.Decision),
			})
		})
	}
	file.Flush()
	if err != nil && r.Context().Err() == nil {
		d.options.Log.Error("pit: the entries of a jackpot were not sent to their end: look at the database", "err",
			err)
		panic(http.ErrAbortHandler) // a file that ends early must not look whole
	}
}
