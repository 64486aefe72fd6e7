package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/pit"
	"github.com/sabot-table/sabot/pit/hear"
)

// openPit opens the pit as sabot-pit does, but that it asks nobody who they are. Its store is next to the journals.
func (f *floor) openPit(ctx context.Context, log *slog.Logger) (*pit.Pit, error) {
	c := pit.Default()
	c.Site, c.Name, c.MQTT.Broker, c.Web.Listen = demoSite, "Sabot", "tcp://"+f.broker.Addr(), f.o.web
	for _, t := range f.plan.Tables {
		c.Tables = append(c.Tables, t.Name)
	}
	c.Store.Source, c.Store.TimeZone = filepath.Join(f.folder, "pit.db"), pit.Zone{Location: time.Local}
	return pit.Open(ctx, c, log, pit.ForEverybody())
}

// fetched says once that the pit has everything that the tables have on record.
func fetched(ctx context.Context, p *pit.Pit, tables int, began time.Time, out io.Writer) {
	for wait(ctx, time.Second/4) == nil {
		all := p.Progress()
		var records uint64
		for _, one := range all {
			records += one.Has.Record
		}
		if len(all) == tables && !slices.ContainsFunc(all, behind) {
			fmt.Fprintf(out, "The pit had fetched %d records from the tables after %.1f s.\n", records, time.Since(began).Seconds())
			return
		}
	}
}

// live is how many records a table may have that the pit is about to fetch.
const live = 100

func behind(p hear.Progress) bool {
	return p.Head == (hear.Position{}) || p.Has.Journal != p.Head.Journal || p.Has.Record+live < p.Head.Record
}
