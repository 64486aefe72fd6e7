package figures

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/tray"
	amounts "github.com/sabot-table/sabot/table/money"
)

// asksToCount is what a page sends when a drop box was opened.
type asksToCount struct {
	Night   string `json:"night"`
	Site    string `json:"site"`
	Table   string `json:"table"`
	Journal string `json:"journal"`
	Record  uint64 `json:"record"`
	// Currency is the one of the box; of a box that was taken off its journal and record say that, too.
	Currency string `json:"currency"`
	Amount   string `json:"amount"`
	Reason   string `json:"reason"`
	By       string `json:"by"`
}

// longestReason is how long a correction's reason may be, in characters.
const longestReason = 120

// countDrop keeps what was in a drop box.
func (f *Figures) countDrop(w http.ResponseWriter, r *http.Request) {
	d := drawing{Figures: f, speaker: f.speaking(r)}
	var asks asksToCount
	err := posted(r, &asks)
	night, bad := time.ParseInLocation(time.DateOnly, asks.Night, f.options.Day.Zone)
	table, unnamed := topic.NewTable(asks.Site, asks.Table)
	if err := errors.Join(err, bad, unnamed); err != nil {
		f.options.Log.Warn("pit: a request to enter what was in a drop box cannot be read, and nothing was "+
			"entered: load "+
			"the page again", "from", r.RemoteAddr, "err", err)
		http.Error(w, d.say("pit.not-understood"), http.StatusBadRequest)
		return
	}
	by := f.options.who(r)
	if by.Name == "" {
		by.Name = signerName(asks.By)
	}
	if d.currency, err = d.currencyOf(r.Context(), table, night, &asks); err != nil {
		f.unkept(w, d, by, table, store.DateOf(night), err)
		return
	}
	amount, ok := d.minorOf(asks.Amount)
	switch {
	case by.Name == "":
		http.Error(w, d.say("pit.say-who"), http.StatusBadRequest)
	case d.currency == "":
		http.Error(w, d.say("close.no-box"), http.StatusNotFound)
	case !ok:
		http.Error(w, d.say("pit.wrong-amount"), http.StatusBadRequest)
	default:
		f.keepDrop(w, r, d, by, table, store.DateOf(night), tray.Opened{
			Journal: asks.Journal, Record: asks.Record, At: f.options.Now(), Who: by.Name, Role: by.Role.String(),
			Amount: amount, Currency: d.currency, Reason: lineOf(asks.Reason, longestReason),
		})
	}
}

func (f *Figures) keepDrop(w http.ResponseWriter, r *http.Request, d drawing, by people.Person, table topic.Table,
	day store.Date, o tray.Opened,
) {
	err := f.options.Trays.CountDrop(r.Context(), table, day, o)
	switch {
	case errors.Is(err, store.ErrCounted):
		http.Error(w, d.say("close.counted-already"), http.StatusConflict)
		return
	case errors.Is(err, store.ErrNoBox):
		http.Error(w, d.say("close.no-box"), http.StatusNotFound)
		return
	case err != nil:
		f.unkept(w, d, by, table, day, err)
		return
	}
	f.options.Log.Info("pit: a drop box was counted", "who", by.Name, "table", table, "day", day, "box", o.Record,
		"amount", o.Amount, "reason", o.Reason)
	if f.options.Outcome != nil {
		f.options.Outcome(r, strings.TrimSpace(day.String()+" "+f.tableName(table)+" "+d.exact(o.Amount)+" "+o.Reason))
	}
	w.WriteHeader(http.StatusNoContent)
}

func (f *Figures) unkept(w http.ResponseWriter, d drawing, by people.Person, table topic.Table, day store.Date,
	err error,
) {
	f.options.Log.Error("pit: what was in a drop box could not be kept: look at the database, and enter it again",
		"who", by.Name, "table", table, "day", day, "err", err)
	http.Error(w, d.say("people.store"), http.StatusServiceUnavailable)
}

// currencyOf is the currency of a drop box, "" where the table has none on that gaming day: then nobody can say how
// many decimals an amount has. Where the box is not known, it is that in which the table played last.
func (d drawing) currencyOf(ctx context.Context, table topic.Table, night time.Time, asks *asksToCount) (string,
	error,
) {
	d.asked = d.at(night, 1)
	d.query.Site, d.query.Table = table.Site(), table.Name()
	list, err := d.closedDays(ctx)
	if err != nil || len(list) == 0 {
		return "", err
	}
	last := &list[0]
	for i := range list {
		c := &list[i]
		if asks.Record == 0 && c.of().Currency == asks.Currency || slices.ContainsFunc(c.Boxes, func(b tray.Box) bool {
			return b.Off != nil && b.Off.Journal == asks.Journal && b.Off.Record == asks.Record
		}) {
			return c.of().Currency, nil
		}
		if c.last.At.After(last.last.At) {
			last = c
		}
	}
	return last.of().Currency, nil
}

// minorOf reads an amount as people write it: 1250, 1'250.50, 1.250,50.
func (d drawing) minorOf(text string) (int64, bool) {
	amount, ok := dashboard.Amount(d.language, text, amounts.Digits(d.currency))
	return amount, ok && amount <= amounts.Max
}
