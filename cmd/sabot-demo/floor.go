//go:build !onetable

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/sim-hardware/bench"
	"github.com/sabot-table/sabot/sim-hardware/broker"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/nights"
	"github.com/sabot-table/sabot/sim-hardware/practice"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// floor is a floor of simulated tables, each as the demonstration of one.
type floor struct {
	o      demoOptions
	plan   nights.Plan
	folder string
	broker *broker.Broker
	login  broker.Login
	mqtt   config.MQTT
	pages  []net.Listener // of the tables
	staff  []config.Supervisor
	room   *practice.Room
	began  time.Time
	// kept is how many tables have a journal of an earlier start.
	kept int
	log  *slog.Logger // the tables'
	// commands are what every table takes of the pit.
	commands config.Commands

	mu    sync.Mutex
	dealt nights.Dealt // of all tables
}

// demoFloor runs a floor of tables.
func demoFloor(ctx context.Context, o demoOptions, out, errOut io.Writer) (err error) {
	log := slog.New(slog.NewTextHandler(errOut, &slog.HandlerOptions{Level: slog.LevelWarn}))
	f := &floor{o: o, began: time.Now()}
	if f.plan, err = planFor(o, f.began); err != nil {
		return err
	}
	f.login = broker.NewLogin(brokerUser)
	if f.broker, err = broker.ListenFor(f.login, o.broker, log); err != nil {
		return fmt.Errorf("%w (--broker gives another address)", err)
	}
	defer func() { err = errors.Join(err, f.broker.Close()) }()
	path, discard, err := demoJournal(o.journal)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, discard()) }()
	f.folder = path
	if err := os.MkdirAll(f.folder, 0o750); err != nil {
		return fmt.Errorf("making the folder for the journals: %w", err)
	}
	if f.mqtt, err = brokerFor(f.broker, f.login, filepath.Join(f.folder, "broker")); err != nil {
		return err
	}
	if f.kept, err = f.countKept(); err != nil {
		return err
	}
	tables, err := os.OpenFile(filepath.Join(f.folder, logFile), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o640)
	if err != nil {
		return fmt.Errorf("opening the tables' log: %w", err)
	}
	defer func() { err = errors.Join(err, tables.Close()) }()
	f.log = slog.New(slog.NewTextHandler(tables, &slog.HandlerOptions{Level: slog.LevelInfo}))
	defer func() { err = errors.Join(err, f.closePages()) }()
	if web := (config.Web{Listen: o.web}); !web.Local() {
		return fmt.Errorf("--web %q can be reached from other machines, but the pages would not ask who connects: "+
			"give an address such as 127.0.0.1:8080", o.web)
	}
	pit, err := f.openPit(ctx, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pit.close()) }()
	if err := f.openPages(pit.listener.Addr()); err != nil {
		return err
	}
	f.welcome(out, pit)
	f.staff = supervisorsOf(f.plan.Staff.Supervisors...)
	f.room = practice.NewRoom(f.plan.Houses, practice.OpenResults(o.practice, log))
	parts, running := errgroup.WithContext(ctx)
	parts.Go(func() error { return pit.run(running) })
	parts.Go(func() error {
		pit.fetched(running, len(f.plan.Tables), f.began, out)
		return nil
	})
	parts.Go(func() error { return ended(running, pit.addGuests(running)) })
	parts.Go(func() error { return ended(running, f.attend(running, pit.Floor)) })
	parts.Go(func() error { return f.run(running, out) })
	return parts.Wait()
}

// logFile is the tables' log, next to their journals: what goes wrong on purpose is no news for the terminal.
const logFile = "tables.log"

// planFor is what the floor has dealt in earlier nights, and who is on it.
func planFor(o demoOptions, now time.Time) (nights.Plan, error) {
	houses := profile.Built()
	tables, err := nights.Floor(houses, o.tables)
	if err != nil {
		return nights.Plan{}, err
	}
	for i := range tables {
		if o.pace < quick {
			tables[i].Setup.KeysApart = -1
		}
	}
	return nights.Plan{
		Seed: o.seed, Houses: houses, Tables: tables, Staff: nights.UsualStaff(o.tables), Nights: o.nights,
		First: nights.LastNights(now, time.Duration(config.Default().Journal.DayBegins), o.nights),
	}, nil
}

// countKept is how many of the tables have a journal already.
func (f *floor) countKept() (n int, err error) {
	for _, t := range f.plan.Tables {
		switch _, err := os.Stat(filepath.Join(f.folder, t.Name)); {
		case err == nil:
			n++
		case !errors.Is(err, fs.ErrNotExist):
			return 0, fmt.Errorf("looking for the journals of an earlier start: %w", err)
		}
	}
	return n, nil
}

// openPages takes an address for each table's page: those after the floor's own, as far as they are free.
func (f *floor) openPages(floors net.Addr) error {
	host, first, err := net.SplitHostPort(floors.String())
	if err != nil {
		return err
	}
	above, err := strconv.Atoi(first)
	if err != nil {
		return err
	}
	_, asked, err := net.SplitHostPort(f.o.web)
	if err != nil {
		return err
	}
	for i := range f.plan.Tables {
		port := "0"
		if asked != "0" {
			port = strconv.Itoa(above + 1 + i)
		}
		l, err := net.Listen("tcp", net.JoinHostPort(host, port))
		if errors.Is(err, syscall.EADDRINUSE) {
			l, err = net.Listen("tcp", net.JoinHostPort(host, "0"))
		}
		if err != nil {
			return fmt.Errorf("the page of table %s cannot be served (--web gives another address): %w",
				f.plan.Tables[i].Name, err)
		}
		f.pages = append(f.pages, l)
	}
	return nil
}

// closePages closes the pages of tables that never ran.
func (f *floor) closePages() error {
	var errs []error
	for _, l := range f.pages {
		if err := l.Close(); !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (f *floor) welcome(out io.Writer, pit *floorPit) {
	fmt.Fprintf(out, "Sabot %s: a floor of %d tables, everything on it simulated\n\n  page      %s\n",
		terminal.Version(), len(f.plan.Tables), pit.url())
	for i, t := range f.plan.Tables {
		root := "http://" + f.pages[i].Addr().String() + "/"
		fmt.Fprintf(out, "  %-9s %s  bench %s  %s\n", t.Name, root, strings.TrimSuffix(root, "/")+bench.Path,
			f.plan.Houses[t.Setup.House].Rules.Title)
	}
	fmt.Fprintf(out, `  broker    tcp://%s, as %s with the password %s
  journals  %s, with the tables' log and the pit's store
%s  PIN       %s, of %s, at the tables
  log in    as %s, with the password "%s";
            without, the page lets you do everything but look after people

Ctrl-C ends.

`, f.broker.Addr(), f.login.User, f.login.Password, f.folder, f.continues(), demoPIN,
		strings.Join(f.plan.Staff.Supervisors, ", "), guests(), guestPassword)
}

// continues says, on a line of its own, that an earlier start goes on.
func (f *floor) continues() string {
	if f.kept == 0 {
		return ""
	}
	return fmt.Sprintf("            with those of an earlier start: %d %s on from there; remove the folder to "+
		"begin anew\n",
		f.kept, map[bool]string{true: "table goes", false: "tables go"}[f.kept == 1])
}

// run deals the earlier nights, as many tables at a time as there are processors; each table opens as soon as it has
// them. It runs the tables until ctx ends.
func (f *floor) run(ctx context.Context, out io.Writer) error {
	parts, running := errgroup.WithContext(ctx)
	turn := make(chan struct{}, runtime.GOMAXPROCS(0))
	var past sync.WaitGroup
	for i := range f.plan.Tables {
		past.Add(1)
		parts.Go(func() error {
			t, err := f.open(running, i, turn)
			past.Done()
			if err != nil {
				return ended(running, err)
			}
			return errors.Join(t.run(running), t.close())
		})
	}
	past.Wait()
	f.mu.Lock()
	if f.dealt.Rounds > 0 && running.Err() == nil {
		fmt.Fprintf(out, "%d rounds of %d earlier %s were dealt in %.1f s.\n",
			f.dealt.Rounds, f.plan.Nights, plural(f.plan.Nights, "night"), time.Since(f.began).Seconds())
	}
	f.mu.Unlock()
	return parts.Wait()
}

// plural is a word for so many.
func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// ended turns what follows from the end of ctx into nil.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// open deals a table's earlier nights, unless it has a journal already, and opens it.
func (f *floor) open(ctx context.Context, at int, turn chan struct{}) (*floorTable, error) {
	plan := f.plan.Tables[at]
	path := filepath.Join(f.folder, plan.Name)
	key, err := demoKey(path)
	if err != nil {
		return nil, err
	}
	dealt, err := f.past(ctx, at, path, key, turn)
	if err != nil {
		return nil, err
	}
	kind := shoesim.Kind(plan.Maker)
	t := newFloorTable(f, at)
	t.simTable, err = openTable(tableOptions{
		name: plan.Name, houses: f.plan.Houses, setup: plan.Setup, log: f.log.With("table", plan.Name),
		shoe: shoesim.Options{
			Kind: kind, Seed: f.o.seed*1000 + uint64(at), Serial: plan.Serial(),
			Boot: dealt.Shoe.Boot, Last: dealt.Shoe.Seq,
		},
		page: f.pages[at], web: f.pages[at].Addr().String(), broker: f.mqtt,
		journal: path, key: key, supervisors: f.staff, practice: f.room, fixed: f.fixed,
		computer: simulatedComputer(at, time.Now()),
		dealer:   func(s *simTable) *keysim.Dealer { return t.dealer(s) }, errs: t.errs,
	})
	return t, err
}

// fixed is what every table of the floor has: it is closed until somebody opens it, spends no time on compressing its
// nights, and trusts the pit.
func (f *floor) fixed(c *config.Config) {
	c.Starts, c.Journal.PackDays, c.Commands = config.StartsClosed, 0, f.commands
}

// past deals the earlier nights of a table that has no journal yet. One that is ended meanwhile leaves nothing.
func (f *floor) past(ctx context.Context, at int, path, key string, turn chan struct{}) (dealt nights.Dealt,
	err error,
) {
	if _, err := os.Stat(path); f.plan.Nights == 0 || err == nil {
		return dealt, nil
	}
	select {
	case turn <- struct{}{}:
	case <-ctx.Done():
		return dealt, ctx.Err()
	}
	defer func() { <-turn }()
	seals, err := journal.ReadKeyFile(key)
	if err != nil {
		return dealt, err
	}
	unfinished, err := os.MkdirTemp(f.folder, ".dealing-")
	if err != nil {
		return dealt, fmt.Errorf("making a folder for the earlier nights: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(unfinished)) }()
	dealt, err = f.plan.Write(ctx, at, filepath.Join(unfinished, "journal"), nights.Writing{
		Program: "sabotd " + terminal.Version(), Key: seals, Published: publish.CursorName,
		DayBegins: time.Duration(config.Default().Journal.DayBegins),
	})
	if err != nil {
		return dealt, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dealt.Rounds += dealt.Rounds
	f.dealt.Records += dealt.Records
	return dealt, moveJournal(filepath.Join(unfinished, "journal"), path)
}

// moveJournal gives a journal to a table. The keys of its codes come first: a journal without them would be set aside.
func moveJournal(from, to string) error {
	for _, end := range []string{journal.CodesEnd, journal.AuditKeyEnd, ""} {
		if err := os.Rename(from+end, to+end); err != nil {
			return err
		}
	}
	return nil
}
