package main

import (
	"flag"
	"net/http"
	"strconv"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// sampleFigures is the pit's pages with the figures of a floor that is made up.
func sampleFigures(set *flag.FlagSet) func(string) (Sample, error) {
	nights := set.Int("nights", 7, "how many nights there are")
	return func(string) (Sample, error) {
		pit, err := floorWithFigures(*nights)
		if err != nil {
			return Sample{}, err
		}
		return Sample{Handler: pit.Handler()}, nil
	}
}

// floorWithFigures is the pit with its figures.
func floorWithFigures(nights int) (*dashboard.Dashboard, error) {
	zone, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		return nil, err
	}
	day := store.Day{Begins: 10 * time.Hour, Zone: zone}
	last := time.Date(2026, 3, 28, 0, 0, 0, 0, zone)
	memory, err := pittest.Nights{Last: last, Count: nights, Day: day, Tables: 12, Seed: 1}.Memory()
	if err != nil {
		return nil, err
	}
	f, err := figures.New(figures.Options{
		Source: memory, Rules: memory.Rules, Day: day, Language: display.English, Now: func() time.Time {
			return last.Add(27 * time.Hour)
		},
		Shifts:     []figures.Shift{{Name: "Day", Begins: 10 * time.Hour}, {Name: "Night", Begins: 21 * time.Hour}},
		Signatures: &pittest.Signatures{}, Who: sees,
		Trays: &pittest.Trays{From: day.Start(store.DateOf(last)), Table: func(n int) topic.Table {
			return pittest.CasinoTable("bj-" + strconv.Itoa(n))
		}},
		Past: func(r *store.Round) string {
			return "/table/" + r.Table.String() + "/recall/" + strconv.FormatUint(r.Number, 10)
		},
	})
	if err != nil {
		return nil, err
	}
	made, err := pittest.NewFloor("calm")
	if err != nil {
		return nil, err
	}
	o := dashboard.Options{
		Floor: made, Name: "Kursaal",
		Links: []dashboard.Link{{Key: "pit.figures", Where: figures.Root, Least: dashboard.Supervisor}},
	}
	o.Pages = f.Pages()
	return dashboard.New(o)
}

// sees is who asks: the cookie "who" has the name of somebody who sees the shift report alone.
func sees(r *http.Request) people.Person {
	if cookie, err := r.Cookie("who"); err == nil {
		return people.Person{Name: cookie.Value, Role: dashboard.Supervisor}
	}
	return people.Person{Role: dashboard.Manager}
}
