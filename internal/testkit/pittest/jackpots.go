// This file has a jackpot that several tables play for, for the page of it.

package pittest

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/sabot-table/sabot/pit/jackpot"
	"github.com/sabot-table/sabot/pit/store"
)

// Jackpots has one jackpot, which bj-3 and bj-4 have won together and bj-2 has fed since.
type Jackpots struct{ away atomic.Bool }

// Away says whether it can be read.
func (j *Jackpots) Away(away bool) { j.away.Store(away) }

func (j *Jackpots) fault() error {
	if j.away.Load() {
		return errAway
	}
	return nil
}

// Jackpots is the one jackpot.
func (j *Jackpots) Jackpots(context.Context) ([]jackpot.Meter, error) {
	return []jackpot.Meter{{Name: "ticino", Currency: "EUR", Seed: 1_000_000, Amount: 1_000_700, Entry: 7}}, j.fault()
}

// JackpotSums are its sums.
func (j *Jackpots) JackpotSums(context.Context, string) (map[jackpot.Kind]int64, error) {
	sums := map[jackpot.Kind]int64{}
	for _, e := range entries() {
		sums[e.Kind] += e.Amount
	}
	return sums, j.fault()
}

// entries are what has changed it, the newest first.
func entries() (list []store.JackpotEntry) {
	after := int64(0)
	at := time.Date(2026, 3, 28, 21, 4, 0, 0, time.UTC)
	for n, e := range []struct {
		kind     jackpot.Kind
		amount   int64
		table    int
		round    uint64
		decision uint64
	}{
		{jackpot.KindSeed, 1_000_000, 2, 0, 0},
		{jackpot.KindFed, 1_050, 2, 17, 0},
		{jackpot.KindGiven, -500_525, 3, 40, 3},
		{jackpot.KindGiven, -500_525, 4, 12, 3},
		{jackpot.KindSeed, 1_000_000, 3, 40, 3},
		{jackpot.KindPutRight, 350, 3, 40, 0},
		{jackpot.KindFed, 350, 2, 18, 0},
	} {
		after += e.amount
		one := store.JackpotEntry{Table: Table(e.table), Journal: "00ff"}
		one.Entry = jackpot.Entry{
			Jackpot: "ticino", Number: uint64(n + 1), Kind: e.kind, Amount: e.amount, After: after,
			At: at.Add(time.Duration(n) * time.Minute), Round: e.round, Record: 611 + uint64(n), Decision: e.decision,
		}
		list = append([]store.JackpotEntry{one}, list...)
	}
	return list
}

// JackpotEntries yields its entries.
func (j *Jackpots) JackpotEntries(_ context.Context, _ string, _ int, wins bool,
	each func(store.JackpotEntry) error,
) error {
	for _, e := range entries() {
		if wins && e.Kind == jackpot.KindFed {
			continue
		}
		if err := each(e); err != nil {
			return err
		}
	}
	return j.fault()
}
