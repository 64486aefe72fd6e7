// Figures shows the pit's pages with the figures of a floor that is made up, for the tests in a browser.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/dashboardtest"
	"github.com/sabot-table/sabot/internal/testkit/figurestest"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/figures"
)

func main() {
	address := flag.String("address", "127.0.0.1:0", "where to listen")
	nights := flag.Int("nights", 7, "how many nights there are")
	flag.Parse()
	if err := serve(*address, *nights); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(address string, nights int) error {
	zone, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		return err
	}
	day := figures.DayFrom(10, zone)
	last := time.Date(2026, 3, 28, 0, 0, 0, 0, zone)
	memory, err := figurestest.Floor{Last: last, Nights: nights, Day: day, Tables: 12, Seed: 1}.Memory()
	if err != nil {
		return err
	}
	f, err := figures.New(figures.Options{
		Source: memory, Day: day, Language: display.English, Now: func() time.Time { return last.Add(27 * time.Hour) },
		Past: func(r *figures.Round) string {
			return "/table/" + r.Site + "/" + r.Table + "/recall/" + strconv.FormatUint(r.Number, 10)
		},
	})
	if err != nil {
		return err
	}
	floor, err := dashboardtest.New("calm")
	if err != nil {
		return err
	}
	o := dashboard.Options{Floor: floor, Name: "Kursaal", Links: []dashboard.Link{{Key: "pit.figures", Where: figures.Root, Least: dashboard.Supervisor}}}
	for _, r := range f.Routes() {
		page := dashboard.Page{Path: r.Path, Least: dashboard.Supervisor, Serve: r.Serve}
		if r.Open {
			page.Least = dashboard.Nobody
		}
		o.Pages = append(o.Pages, page)
	}
	pit, err := dashboard.New(o)
	if err != nil {
		return err
	}
	listen, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/\n", listen.Addr())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	server := &http.Server{Handler: pit.Handler(), ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.Serve(listen); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
