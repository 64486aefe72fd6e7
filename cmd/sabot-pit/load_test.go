package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/broker"
)

var (
	loadFor    = flag.Duration("load.for", 0, "for how long TestLoad deals at tables; 0 for not at all")
	loadTables = flag.Int("load.tables", 60, "at how many")
	loadNodes  = flag.Int("load.nodes", clusterNodes,
		"1 for one pit with SQLite, 3 for three with PostgreSQL and its standby")
	loadEach = flag.Duration("load.each", 45*time.Second/26,
		"how long a table takes for an input on average: 80 rounds an hour, which have some 26 inputs and 54 events")
)

// paced is a floor of plain publishers at a real pace.
type paced struct {
	t      *testing.T
	nodes  []*processes.Process
	tables []*dealt
	db     *sql.DB
	waited []time.Duration // each look, how long the oldest record has waited for the database
}

// TestLoad deals at many tables at their real pace, with the broker inside, and prints what that takes: make load.
func TestLoad(t *testing.T) {
	if *loadFor == 0 {
		tier.Elsewhere(t, "make load starts it")
	}
	l := &paced{t: t}
	began := time.Now()
	l.open()
	t.Logf("%d tables are there after %v", len(l.tables), time.Since(began).Round(time.Second))
	var spent []time.Duration
	for _, n := range l.nodes {
		spent = append(spent, n.Processor())
	}
	ctx, stop := context.WithTimeout(t.Context(), *loadFor)
	defer stop()
	began = time.Now()
	var deals sync.WaitGroup
	for i, d := range l.tables {
		deals.Go(func() { d.trickle(ctx, uint64(i)) })
	}
	l.look(ctx)
	deals.Wait()
	took := time.Since(began)
	for i, n := range l.nodes {
		t.Logf("node %d: %d MiB resident, %.0f %% of a processor", i+1, n.Resident()>>10,
			100*(n.Processor()-spent[i]).Seconds()/took.Seconds())
	}
	l.complete(took)
}

// open starts the nodes and the tables.
func (l *paced) open() {
	names, began := numbered(*loadTables), time.Now()
	var config string
	var brokers []string
	if *loadNodes == 1 {
		config, brokers = l.alone(names)
	} else {
		c := newCluster(l.t, names, processes.Binary(l.t, "sabot-pit"))
		for i, n := range c.nodes {
			c.start(i)
			l.nodes, brokers = append(l.nodes, n.run), append(brokers, n.listens)
		}
		config, l.db = c.nodes[0].config, l.database("pgx", c.dsn(c.watch))
	}
	passwords := passwordsIn(l.t, config)
	folder := processes.FastDir(l.t)
	for i, name := range names {
		d := newTable(l.t, folder, name, uint64(i+1)*10)
		d.user, d.every, d.pause = broker.TableUser(name), 0, 10*time.Second // as real tables do: many come at once
		d.password = passwords[d.user]
		d.open(brokers[i%len(brokers)])
		d.night.Flush()
		l.tables = append(l.tables, d)
	}
	l.t.Logf("%d publishers began within %v", len(l.tables), time.Since(began).Round(100*time.Millisecond))
	for has := 0; has < len(l.tables); {
		had := has
		for range 60 { // one that makes no progress for that long is what stops it
			if has = len(headsIn(l.t.Context(), l.db)); has > had {
				break
			}
			time.Sleep(time.Second) // each look takes from the database what is measured
		}
		if has == had {
			l.t.Fatalf("%d of %d tables are heard after %v, and no more", has, len(l.tables),
				time.Since(began).Round(time.Second))
		}
	}
}

// alone starts one pit with SQLite.
func (l *paced) alone(names []string) (config string, brokers []string) {
	c := &cluster{t: l.t, folder: processes.FastDir(l.t), program: processes.Binary(l.t, "sabot-pit")}
	one := c.lone(clusterSite, fmt.Sprintf("tables: [%s]\n", strings.Join(names, ", ")))
	one.start(c)
	l.nodes = append(l.nodes, one.run)
	l.db = l.database("sqlite", "file:"+one.source+"?mode=ro")
	return one.config, []string{one.listens}
}

func (l *paced) database(driver, source string) *sql.DB {
	db, err := sql.Open(driver, source)
	if err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { db.Close() })
	return db
}

// trickle puts one input after the other in.
func (d *dealt) trickle(ctx context.Context, seed uint64) {
	dice := rand.New(rand.NewPCG(1, seed))
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(float64(*loadEach) * 2 * dice.Float64())):
		}
		d.night.Now, d.night.Apart = time.Now(), time.Microsecond
		d.night.Deal(1)
	}
}

// look follows how long records wait for the database.
func (l *paced) look(ctx context.Context) {
	type mark struct {
		record uint64
		at     time.Time
	}
	marks := map[*dealt]mark{}
	for ctx.Err() == nil {
		heads, oldest := headsIn(ctx, l.db), time.Duration(0)
		for _, d := range l.tables {
			was, waits := marks[d]
			if waits && heads[d.name.Name()] < was.record {
				oldest = max(oldest, time.Since(was.at))
				continue
			}
			head, _, err := d.night.Journal.Head()
			if err != nil {
				l.t.Error(err)
			}
			marks[d] = mark{head, time.Now()}
		}
		l.waited = append(l.waited, oldest)
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// complete waits until the database has everything, and looks whether it has it once.
func (l *paced) complete(took time.Duration) {
	l.t.Helper()
	began, records := time.Now(), uint64(0)
	for _, d := range l.tables {
		name, head := d.name.Name(), headOf(l.t, d.folder)
		records += head
		wait(l.t, "the database has all of "+name, func() bool { return headsIn(l.t.Context(), l.db)[name] == head })
	}
	slices.Sort(l.waited)
	l.t.Logf("%d records, %.0f a second; the oldest that was not yet kept had waited %v at the median of all "+
		"looks, %v at "+
		"most; everything was kept %v after the last one", records, float64(records)/took.Seconds(),
		l.waited[len(l.waited)/2].Round(10*time.Millisecond), l.waited[len(l.waited)-1].Round(10*time.Millisecond),
		time.Since(began).Round(100*time.Millisecond))
	for _, n := range l.nodes {
		n.Stop()
		soundLog(l.t, n)
	}
	l.db.Close()
}
