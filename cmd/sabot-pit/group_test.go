package main

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/pit/broker"
)

// clusterSite is the house of the cluster, and otherSite that of one machine beside it.
const clusterSite, otherSite = "wiesbaden", "schaffhausen"

// group is what a floor in a box has beside its cluster: a house of one machine, and the hub of both. The line of each
// house to the hub leads through a gate.
type group struct {
	hub, house *lone
	lines      map[string]*brokertest.Gate // by the house
	tables     []string                    // of the house of one machine
}

// lone is a pit of one machine, with SQLite.
type lone struct {
	config, listens, page, source string
	run                           *processes.Process
}

// lone prepares a pit of one machine, with more in its configuration.
func (c *cluster) lone(site, more string) *lone {
	l := &lone{
		listens: system.Address(c.t), page: system.Address(c.t), source: filepath.Join(c.folder, site+".db"),
	}
	l.config = c.write(site+".yaml", fmt.Sprintf(`site: %[1]s
broker: {listen: %[2]q, secret_file: %[3]q, folder: %[4]q}
store: {source: %[5]q, time_zone: Europe/Berlin}
web: {listen: %[6]q}
alerts: {offline_seconds: 5}
%[7]s`, site, l.listens, filepath.Join(c.folder, site+".key"), filepath.Join(c.folder, site+".broker"), l.source,
		l.page, more))
	return l
}

// join makes the cluster a house of a group, beside another house with so many tables.
func (c *cluster) join(tables int) {
	c.t.Helper()
	g := &group{
		hub: c.lone("group", "name: The group\n"), lines: map[string]*brokertest.Gate{},
		tables: numbered(tables),
	}
	g.house = c.lone(otherSite, fmt.Sprintf("tables: [%s]\n", strings.Join(g.tables, ", ")))
	configs := map[string][]string{otherSite: {g.house.config}}
	for _, n := range c.nodes {
		configs[clusterSite] = append(configs[clusterSite], n.config)
	}
	at := system.Address(c.t)
	add(c.t, g.hub.config, fmt.Sprintf("sites:\n  listen: %q\n  list:\n    - {name: %s, page: \"http://%s\"}\n"+
		"    - {name: %s, page: \"http://%s\"}\n", at, clusterSite, c.nodes[0].page, otherSite, g.house.page))
	passwords := passwordsIn(c.t, g.hub.config)
	for house, files := range configs {
		g.lines[house] = brokertest.NewGate(c.t, at)
		password := c.write(house+".password", passwords[broker.SiteUser(house)]+"\n")
		for _, file := range files {
			add(c.t, file, fmt.Sprintf("hub: {address: \"tcp://%s\", password_file: %q}\n",
				g.lines[house].Addr(), password))
		}
	}
	c.group = g
}

// seats are the tables of the house of one machine.
func (g *group) seats(c *cluster) []*dealt {
	return c.seatsOf(otherSite, g.house.config, g.tables, []string{"schaffhausen", "mendrisio"}, g.brokers)
}

func (g *group) brokers(int) string { return g.house.listens }

// open starts the hub and its house of one machine.
func (g *group) open(c *cluster) {
	for _, l := range []*lone{g.hub, g.house} {
		if err := (&house{t: c.t, config: l.config}).add("manager", "manager"); err != nil {
			c.t.Fatal(err)
		}
		l.start(c)
	}
}

func (l *lone) start(c *cluster) { l.run = processes.Start(c.t, c.program, "--config", l.config) }

// dies kills it, and starts it again.
func (l *lone) dies(c *cluster, dice *rand.Rand) {
	l.run.Kill()
	pause(dice, 0, 8)
	l.start(c)
}

// end waits until a pit of one machine has everything of tables, stops it, and looks whether it has it once.
func (l *lone) end(t *testing.T, what string, tables []*dealt) {
	t.Helper()
	began, seen := time.Now(), openAlone(t, l.source)
	waitForAll(t, what, seen, tables)
	t.Logf("%s has everything of %d tables %v later", what, len(tables), time.Since(began).Round(100*time.Millisecond))
	l.run.Stop()
	soundLog(t, l.run)
	onceAndCounted(t, seen, tables)
}
