package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/sim-hardware/bench"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/mishap"
	"github.com/sabot-table/sabot/sim-hardware/practice"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
)

// tableOptions say which table is simulated. All but page, computer, practice and errs are required.
type tableOptions struct {
	name   string
	houses profile.Book
	setup  rules.Setup
	// shoe is completed by what the house has.
	shoe   shoesim.Options
	byHand bool
	// page is where the table's page is served, nil for the address web.
	page         net.Listener
	web          string
	broker       config.MQTT
	journal, key string
	fixed        func(*config.Config) // changes what is usual for a demonstration
	computer     func(*health.Computer)
	supervisors  []config.Supervisor
	practice     *practice.Room
	dealer       func(*simTable) *keysim.Dealer
	errs         func(*simTable, *keysim.Dealer, mishap.Shoe)
	log          *slog.Logger
}

// simTable is a table as in a house, with everything around it simulated: its bench is where a person takes over.
type simTable struct {
	o      tableOptions
	rules  *rules.Rules
	shoe   *shoesim.Shoe
	daemon *host.Daemon
	bench  *bench.Bench
}

// quick is the pace below which the simulated dealer calls faster than a person could.
const quick = time.Second / 4

// openTable opens a table with its shoe, panel and bench.
func openTable(o tableOptions) (t *simTable, err error) {
	t = &simTable{o: o}
	if t.rules, err = o.houses.Set(o.setup); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close())
		}
	}()
	wire := bench.NewWire(o.shoe.Kind)
	if t.shoe, err = shoesim.New(shoeFor(t.rules, o.shoe, wire)); err != nil {
		return t, fmt.Errorf("starting the simulated shoe (--shoe): %w", err)
	}
	var panel *bench.Panel
	c := t.config()
	d, err := host.Open(c, o.houses, terminal.Version(), o.log,
		host.WithPanel(simulatedPanel(&panel, o.shoe.Seed)), host.WithNewJournal(),
		host.WithOutside(host.Outside{Page: o.page, Computer: o.computer}))
	if err != nil {
		return t, err
	}
	t.daemon = d
	with := bench.Options{
		Table: benchTable{d}, Shoe: t.shoe, Wire: wire, Panel: panel, ByHand: o.byHand, Log: o.log,
		Dealer: o.dealer(t), Past: d.Recall(o.houses).Round, Practice: o.practice,
	}
	if o.errs != nil {
		with.Errs = func(dealer *keysim.Dealer, shoe mishap.Shoe) { o.errs(t, dealer, shoe) }
	}
	t.bench = bench.New(with)
	d.Pages(t.bench.Routes()...)
	return t, nil
}

// config is the table's configuration: everything that a table can have.
func (t *simTable) config() config.Config {
	o, c := t.o, config.Default()
	c.Site, c.Table, c.House = demoSite, o.name, o.setup.House
	c.Min, c.BoxMax, c.KeysApart = config.Amount(o.setup.Min), config.Amount(o.setup.BoxMax), o.setup.KeysApart
	c.Shoe.Driver, c.Shoe.Port = string(o.shoe.Kind), t.shoe.Path()
	c.Journal.Path, c.Journal.KeyFile, c.Web.Listen = o.journal, o.key, o.web
	c.MQTT.Broker, c.MQTT.Username, c.MQTT.PasswordFile = o.broker.Broker, o.broker.Username, o.broker.PasswordFile
	c.MQTT.ClientID = "sabot-" + demoSite + "-" + o.name
	c.Supervisors.Names = o.supervisors
	fullPanel(&c, t.rules.Table.Boxes)
	if o.fixed != nil {
		o.fixed(&c)
	}
	return c
}

// demoSite is the house's name for the pit.
const demoSite = "demo"

// supervisorsOf gives supervisors the PIN that is printed.
func supervisorsOf(names ...string) (list []config.Supervisor) {
	for _, name := range names {
		list = append(list, config.Supervisor{Name: name, PIN: config.PINHash(authority.NewHash(demoPIN).String())})
	}
	return list
}

// shoeFor returns the kind of shoe that the house has: a shuffler, or a shoe with a cut card
// before its last quarter.
func shoeFor(house *rules.Rules, o shoesim.Options, wire *bench.Wire) shoesim.Options {
	o.Decks, o.Jokers, o.ToHost, o.FromHost = house.Cards.Decks, house.Cards.Jokers, wire.ToHost, wire.FromHost
	o.WithoutTens = !house.Cards.HasTens()
	if house.Cards.Source == rules.Shuffler {
		o.Continuous = true
	} else {
		o.CutAfter = (house.Cards.Full() - o.Jokers) * 3 / 4
	}
	return o
}

// run runs the table and its bench until ctx ends or the rounds are dealt.
func (t *simTable) run(ctx context.Context) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	var parts errgroup.Group
	parts.Go(func() error {
		defer stop()
		return t.daemon.Run(running)
	})
	parts.Go(func() error {
		defer stop()
		return t.bench.Run(running)
	})
	return parts.Wait()
}

// close releases what openTable has opened.
func (t *simTable) close() (err error) {
	if t.daemon != nil {
		err = t.daemon.Close()
	}
	if t.shoe != nil {
		err = errors.Join(err, t.shoe.Close())
	}
	return err
}
