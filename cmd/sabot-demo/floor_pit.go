//go:build !onetable

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/login"
	"github.com/sabot-table/sabot/pit/replica"
)

// floorPit is the pit as sabot-pit runs it, but that nobody has to log in.
type floorPit struct {
	*pit.Pit
	people   *people.People
	listener net.Listener
	pages    *site.Site
	log      *slog.Logger
}

// openPit opens the pit. Its store is next to the journals.
func (f *floor) openPit(ctx context.Context, log *slog.Logger) (p *floorPit, err error) {
	c := pit.Default()
	c.Site, c.MQTT.Broker, c.MQTT.Username, c.MQTT.PasswordFile = demoSite, f.mqtt.Broker, f.mqtt.Username,
		f.mqtt.PasswordFile
	for _, t := range f.plan.Tables {
		c.Tables = append(c.Tables, t.Name)
	}
	c.Alerts.EscalateSeconds = int(escalates.Seconds())
	c.Store.Source, c.Store.TimeZone = filepath.Join(f.folder, "pit.db"), pit.Zone{Location: time.Local}
	if c.Commands, err = f.trust(); err != nil {
		return nil, err
	}
	p = &floorPit{log: log}
	if p.listener, err = net.Listen("tcp", f.o.web); err != nil {
		return nil, fmt.Errorf("the floor's page cannot be served on %s: %w (--web gives another address)",
			f.o.web, err)
	}
	if p.Pit, err = pit.Open(ctx, c, log); err != nil {
		return nil, errors.Join(err, p.listener.Close())
	}
	houses := f.plan.Houses
	spoken, _ := display.BuiltIn().With(houses.Words(), houses.Shufflers()...).Speak(words.English)
	if err = p.openPages(pit.PagesOptions{Name: "Sabot", Language: spoken, Houses: houses}); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// openPages puts the pages behind a door that is open.
func (p *floorPit) openPages(o pit.PagesOptions) (err error) {
	if p.people, err = people.New(people.Options{Store: p.Store, Log: p.log}); err != nil {
		return err
	}
	in, err := login.New(login.Options{People: p.people, Language: o.Language, Strangers: strangers, Log: p.log})
	if err != nil {
		return err
	}
	open := openDoor{in}
	o.People, o.Audit = open, open
	o.Menu = append(pit.Menu(), dashboard.Link{
		Key: "people.enter", Where: dashboard.EnterPath, Least: dashboard.Viewer,
		Strangers: true,
	})
	site, err := p.Pages(o)
	if err != nil {
		return err
	}
	p.pages = in.Around(site)
	return nil
}

// url is where the floor's page is.
func (p *floorPit) url() string { return "http://" + p.listener.Addr().String() + "/" }

// run hears the tables and serves the pages until ctx ends.
func (p *floorPit) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() {
		defer stop()
		served <- p.serve(ctx)
	}()
	err := p.Run(ctx)
	stop()
	return errors.Join(err, <-served)
}

func (p *floorPit) serve(ctx context.Context) error {
	server := p.pages.Server(site.Bounds{Idle: 2 * time.Minute, Context: ctx, Log: p.log})
	go p.people.Run(ctx)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(p.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving the floor's page: %w", err)
	case <-ctx.Done():
		return server.Close()
	}
}

// close releases what openPit has opened.
func (p *floorPit) close() error {
	err := p.listener.Close()
	if errors.Is(err, net.ErrClosed) {
		err = nil
	}
	return errors.Join(err, p.Close())
}

// fetched says once that the pit has everything that the tables have on record.
func (p *floorPit) fetched(ctx context.Context, tables int, began time.Time, out io.Writer) {
	for wait(ctx, time.Second/4) == nil {
		all := p.Progress()
		var records uint64
		for _, one := range all {
			records += one.Has.Record
		}
		if len(all) == tables && !slices.ContainsFunc(all, behind) {
			fmt.Fprintf(out, "The pit had fetched %d records from the tables after %.1f s.\n", records,
				time.Since(began).Seconds())
			return
		}
	}
}

// live is how many records a table may have that the pit is about to fetch.
const live = 100

func behind(p replica.Progress) bool {
	return p.Head == (replica.Position{}) || p.Has.Journal != p.Head.Journal || p.Has.Record+live < p.Head.Record
}
