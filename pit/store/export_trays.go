package store

import (
	"cmp"
	"context"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/export"
	"github.com/sabot-table/sabot/pit/tray"
	"github.com/sabot-table/sabot/table/vocab"
)

// trays writes what was done to the trays, and what was in the drop boxes.
func (e *exporter) trays(ctx context.Context, from queryer) error {
	f := e.filter()
	where := strings.ReplaceAll(f.where(), "t.", "e.")
	var failed error
	n := int64(0)
	err := e.store.events(ctx, from, where, f.args, func(place int64, one tray.Event) {
		n++
		if row := e.trayRow(n, place, &one); failed == nil {
			failed = e.emit(row)
		}
	})
	if err != nil || failed != nil {
		return cmp.Or(err, failed)
	}
	n = 0
	where = strings.ReplaceAll(f.where(), "t.", "")
	err = e.store.dropCounts(ctx, from, where, f.args, func(place int64, one tray.Opened) {
		n++
		if row := e.dropRow(n, place, &one); failed == nil {
			failed = e.emit(row)
		}
	})
	return cmp.Or(err, failed)
}

func (e *exporter) trayRow(n, place int64, one *tray.Event) exportedTray {
	y := &one.Told
	row := exportedTray{
		Number: n, Site: e.places[place].Site(), Table: e.places[place].Name(), Journal: one.Journal,
		Record: int64(one.Record), Day: e.store.day.Of(one.At).String(), At: export.InstantOf(one.At),
		What: one.Of.String(), Event: y.Count.String(), Slip: int64(y.Slip), Chips: vocab.ChipsText(y.Chips),
		For: vocab.ChipsText(y.For), Amount: y.Amount, Since: int64(y.Since), Dealers: strings.Join(y.Dealers, ", "),
		Dealer: one.Dealer, By: one.By, Reason: one.Because, AtPit: one.AtPit, Round: int64(one.Round),
		Box: int64(one.Box), Currency: one.Currency,
	}
	if y.Step != 0 {
		row.Event = y.Step.String()
	}
	if one.Known {
		row.Tray = &one.Must
	}
	if one.Known && one.Of == vocab.InCount {
		row.Difference = &y.Difference
	}
	return row
}

func (e *exporter) dropRow(n, place int64, one *tray.Opened) exportedDrop {
	return exportedDrop{
		Number: n, Site: e.places[place].Site(), Table: e.places[place].Name(), Journal: one.Journal,
		Record: int64(one.Record), Entry: int64(one.Nth), Day: Date(one.Day).String(),
		At: export.InstantOf(one.At), By: one.Who,
		Role: one.Role, Amount: one.Amount, Currency: one.Currency, Reason: one.Reason,
	}
}
