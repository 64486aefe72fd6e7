package store_test

import (
	"database/sql"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/export"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestExport: each format has every round once, with its wagers, and what was asked for alone.
func TestExport(t *testing.T) {
	onEachInSoak(t, func(t *testing.T, source string) {
		f := newFloor(t, source)
		wagers := int64(0)
		for i := range f.rounds {
			wagers += int64(len(f.rounds[i].Wagers))
		}
		for _, format := range export.Formats() {
			path := filepath.Join(tabletest.FastDir(t), "out")
			var done, of int64
			counts, err := f.store.Export(t.Context(), path,
				store.ExportOptions{Format: format, Progress: func(d, o int64) {
					done, of = d, o
				}})
			if err != nil {
				t.Fatal(err)
			}
			rounds := int64(len(f.rounds))
			if counts.Rounds != rounds || counts.Wagers != wagers || counts.Irregularities == 0 || done != rounds ||
				of != rounds {
				t.Errorf("%s: %+v, want %d rounds and %d wagers; the progress ends with %d of %d", format, counts,
					rounds, wagers, done, of)
			}
			if _, err := f.store.Export(t.Context(), path, store.ExportOptions{Format: format}); err == nil {
				t.Errorf("%s: an export is written over", format)
			}
			if format == "sqlite" {
				f.exported(t, path)
			}
		}
		one := filepath.Join(tabletest.FastDir(t), "out")
		counts, err := f.store.Export(t.Context(), one,
			store.ExportOptions{Format: "csv", Tables: []topic.Table{table(t, "bj1")}, First: 20260329, Last: 20260329})
		if err != nil {
			t.Fatal(err)
		}
		day := f.store.Day()
		found, err := f.store.Rounds(t.Context(), store.RoundQuery{
			Tables: []topic.Table{table(t, "bj1")}, From: day.Start(20260329), To: day.Start(20260330), Limit: 1 << 20,
		})
		if err != nil || counts.Rounds != int64(len(found)) || counts.Rounds == 0 {
			t.Errorf("%d rounds of one table and day are exported, %d are found, %v", counts.Rounds, len(found), err)
		}
		file, err := os.Open(filepath.Join(one, "round.csv"))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(file).ReadAll()
		if err := errors.Join(err, file.Close()); err != nil || int64(len(rows)) != counts.Rounds+1 ||
			slices.Index(rows[0], "staked") < 0 {
			t.Errorf("the file has %d rows, %v", len(rows), err)
		}
	})
}

// exported compares what was exported with the rounds of the journals.
func (f *floor) exported(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var staked, returned, wantStaked, wantReturned int64
	if err := db.QueryRow(`SELECT sum(staked), sum(to_guests) FROM wager`).Scan(&staked, &returned); err != nil {
		t.Fatal(err)
	}
	for i := range f.rounds {
		a, b, _ := f.rounds[i].amounts("")
		wantStaked, wantReturned = wantStaked+a, wantReturned+b
	}
	var rounds, won int64
	if err := db.QueryRow(`SELECT sum(rounds), sum(house_won) FROM money`).Scan(&rounds, &won); err != nil ||
		rounds != int64(len(f.rounds)) || won != wantStaked-wantReturned {
		t.Errorf("the money of %d rounds is %d, want %d of %d: %v", rounds, won, wantStaked-wantReturned,
			len(f.rounds), err)
	}
	if staked != wantStaked || returned != wantReturned {
		t.Errorf("%d staked and %d returned are exported, want %d and %d", staked, returned, wantStaked, wantReturned)
	}
}
