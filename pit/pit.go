package pit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/pit/broker"
	"github.com/sabot-table/sabot/pit/figures"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/profile"
)

// Pit hears the tables of a site, keeps their journals, and has the live model of the floor.
type Pit struct {
	Floor *floor.Floor
	Store *store.Store
	// Desk sends commands to tables, nil where none are sent.
	Desk *Desk
	// Inside is the broker inside, nil where the tables are heard over another.
	Inside *broker.Broker
	ear    *replica.Ear
	// meters gives the jackpots that several tables play for, nil where the pit has no key for that.
	meters *meters
	// worth works out what the tables' rules are worth, once somebody asks.
	worth *figures.Worker
	// config has the houses of which this pit is the hub.
	config Config
	// shifts are those of a gaming day.
	shifts []figures.Shift
	log    *slog.Logger
}

// Open opens the store and gets everything ready.
func Open(ctx context.Context, c Config, log *slog.Logger) (p *Pit, err error) {
	desk, err := openDesk(c)
	if err != nil {
		return nil, err
	}
	inside, err := openInside(ctx, c, log)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil && inside != nil {
			inside.Close()
		}
	}()
	line, err := openLine(c, inside, desk, log)
	if err != nil {
		return nil, err
	}
	tables, err := c.tables()
	if err != nil {
		return nil, err
	}
	kept, err := c.open(ctx, c.Store.KeepDays, c.keepSites(), c.node(), log)
	if err != nil {
		return nil, err
	}
	c.noteSecrets(log)
	f := c.floor(tables, kept.Nodes())
	o := replica.Options{Reader: c.MQTT.Reader, Room: tables, Tables: c.mostTables(tables), Alerts: kept, Log: log}
	o.Brokers = c.Cluster != nil || c.Sites != nil || len(strings.Fields(c.MQTT.Broker)) > 1
	if desk != nil {
		desk.line, o.Commands = line, desk
	}
	if nodes := kept.Nodes(); nodes != nil {
		o.Nodes = nodes
	}
	o.Live = liveOf(kept, c.Houses(profile.Built()))
	if o.Known, err = c.known(ctx, kept); err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	ear := replica.New(o, line, f, kept)
	if err := ear.Restore(ctx); err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	meters, err := openMeters(c.Jackpots, kept, line, log)
	if err != nil {
		return nil, errors.Join(err, kept.Close())
	}
	return &Pit{
		Floor: f, Store: kept, Desk: desk, Inside: inside, ear: ear, meters: meters, worth: figures.NewWorker(log),
		config: c, shifts: shiftsOf(c.Store), log: log,
	}, nil
}

// floor is the model of the room. Of several pits on one database, its node says for which tables this one answers.
func (c *Config) floor(tables []topic.Table, nodes *store.Nodes) *floor.Floor {
	o := floor.Options{
		Tables: tables, Most: c.mostTables(tables), Patience: time.Duration(c.Alerts.OfflineSeconds) * time.Second,
		Escalation: []floor.Escalation{{
			After: time.Duration(c.Alerts.EscalateSeconds) * time.Second,
			Calls: floor.Role(c.Alerts.EscalateTo),
		}},
		Thresholds: c.Alerts.thresholds(),
	}
	if nodes != nil {
		o.Answers = nodes.Answers
	}
	return floor.New(o)
}

// mostTables is how many tables are heard. Where the room's are listed, others are few: such as one that is being set
// up. Those of a hub's sites are listed there.
func (c *Config) mostTables(room []topic.Table) int {
	const unlisted, others, ofSite = 1000, 64, 500
	most := len(room) + others + ofSite*len(c.leaves())
	if len(room) == 0 {
		most = max(most, unlisted)
	}
	return most
}

func openLine(c Config, inside *broker.Broker, desk *Desk, log *slog.Logger) (replica.Line, error) {
	password, err := c.password()
	if err != nil {
		return nil, err
	}
	b := c.broker()
	b.Password, b.Log = password, log
	if inside != nil {
		b.Broker, b.Dial = "tcp://"+inside.Addr(), inside.Dial
		b.Username, b.Password = inside.Pit().Name, inside.Pit().Password
	}
	if desk != nil {
		for _, site := range c.Heard() {
			b.Also = append(b.Also, desk.topics(site)...)
		}
	}
	return replica.NewMQTT(b)
}

// OpenStore opens the store alone, and removes nothing from it.
func OpenStore(ctx context.Context, c Config, log *slog.Logger) (*store.Store, error) {
	return c.open(ctx, 0, nil, "", log)
}

// node is this pit's name among several on one database.
func (c *Config) node() string {
	if c.Cluster != nil {
		return c.Cluster.Node
	}
	name, err := os.Hostname()
	if err != nil {
		return c.MQTT.Reader
	}
	return name
}

// turn is whose turn it is to tell people, of several pits on one database.
func (p *Pit) turn() floor.Turn {
	nodes := p.Store.Nodes()
	if nodes == nil {
		return floor.Turn{}
	}
	return floor.Turn{Answers: nodes.Answers, Inherited: nodes.Inherited}
}

func (c *Config) open(ctx context.Context, keepDays int, keepSites map[string]int, node string, log *slog.Logger) (
	*store.Store, error,
) {
	source, err := c.source()
	if err != nil {
		return nil, err
	}
	kept, err := store.Open(ctx, store.Options{
		Source: source, Day: c.day(), KeepDays: keepDays, KeepSites: keepSites, Node: node,
		Silence: c.silence, Log: log,
	})
	if err != nil {
		return nil,
			fmt.Errorf("%w: check that the database exists and runs, and that the user that runs sabot-pit may "+
				"write to it; then start sabot-pit again, which its unit does by itself", err)
	}
	if err := c.putRight(log); err != nil { // only now is the file known to be the pit's
		return nil, errors.Join(err, kept.Close())
	}
	return kept, nil
}

// attended is the floor as its people take up alerts: what they say is kept before they are told that it is noted.
type attended struct {
	*floor.Floor
	ear *replica.Ear
}

// longestKeep is how long somebody waits for that; a database that is down has an alert of its own.
const longestKeep = 10 * time.Second

func (a attended) keep() {
	ctx, stop := context.WithTimeout(context.Background(), longestKeep)
	defer stop()
	a.ear.KeepAlerts(ctx)
}

// Acknowledge notes who has seen an alert.
func (a attended) Acknowledge(id, by, note string) error {
	if err := a.Floor.Acknowledge(id, by, note); err != nil {
		return err
	}
	a.keep()
	return nil
}

// Coming notes who is on the way.
func (a attended) Coming(id, by string) error {
	if err := a.Floor.Coming(id, by); err != nil {
		return err
	}
	a.keep()
	return nil
}

// Run hears the tables until the context ends.
func (p *Pit) Run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var looks sync.WaitGroup
	if p.Inside != nil && p.Inside.Clustered() {
		looks.Go(func() { tryCluster(ctx, p.Inside, p.log) })
	}
	if p.Inside != nil {
		looks.Go(func() { p.Inside.Watch(ctx, p.lineChanged) })
	}
	looks.Go(func() { p.meters.run(ctx) })
	err := p.ear.Run(ctx)
	stop()
	looks.Wait()
	return err
}

// Progress is how far each table's records are kept.
func (p *Pit) Progress() []replica.Progress { return p.ear.Progress() }

// Close ends what is still being worked out, and closes the store, after Run.
func (p *Pit) Close() error {
	p.worth.Close()
	if p.Inside != nil {
		p.Inside.Close()
	}
	return p.Store.Close()
}
