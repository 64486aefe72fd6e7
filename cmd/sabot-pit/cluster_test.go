package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/broker"
	"github.com/sabot-table/sabot/pit/topic"
)

// clusterNodes is how many nodes a cluster has.
const clusterNodes = 3

// cluster is a floor in a box: three sabot-pit, each a node of one broker, on a PostgreSQL with its standby. Every line
// between any two of them leads through a gate, which can be shut.
type cluster struct {
	t      *testing.T
	folder string
	nodes  [clusterNodes]*clusterNode
	// servers are the database's two, of which the first takes what is written.
	servers [2]*journaltest.Postgres
	// watch is the way of whoever looks on to the database, which nobody shuts.
	watch    [2]*brokertest.Gate
	database string // its name
	names    []string
	jackpot  jackpotKey
	// program is the sabot-pit that a start takes.
	program string
	// group is what it is a house of, nil for none.
	group *group
}

// clusterNode is one of the nodes.
type clusterNode struct {
	name, config string
	run          *processes.Process
	listens      string // for tables
	joins        string // for other nodes
	page         string
	// tables is the way of tables to it, store its way to each server of the database, and routes to other nodes.
	tables *brokertest.Gate
	store  [2]*brokertest.Gate
	routes map[string]*brokertest.Gate
}

// openCluster starts a cluster with so many tables, and a group that has so many others.
func openCluster(t *testing.T, tables, others int) *cluster {
	t.Helper()
	c := newCluster(t, numbered(tables), processes.Binary(t, "sabot-pit"))
	c.join(others)
	if err := (&house{t: t, config: c.nodes[0].config}).add("manager", "manager"); err != nil {
		t.Fatal(err)
	}
	for i := range c.nodes {
		c.start(i)
	}
	c.group.open(c)
	return c
}

// numbered are the names of so many tables.
func numbered(tables int) (names []string) {
	for i := range tables {
		names = append(names, fmt.Sprintf("bj-%d", i+1))
	}
	return names
}

// newCluster is one whose nodes are not started.
func newCluster(t *testing.T, tables []string, program string) *cluster {
	t.Helper()
	c := &cluster{t: t, folder: processes.FastDir(t), names: tables, program: program}
	c.servers[0] = journaltest.NewPostgres(t, "max_connections=300")
	source := c.servers[0].Source()
	c.database = source[strings.LastIndex(source, "/")+1:]
	c.servers[1] = c.servers[0].Standby()
	c.watch = c.gates()
	for i := range c.nodes {
		c.nodes[i] = &clusterNode{
			name: fmt.Sprintf("pit-%d", i+1), listens: system.Address(t), joins: system.Address(t),
			page: system.Address(t), store: c.gates(), routes: map[string]*brokertest.Gate{},
		}
		c.nodes[i].tables = brokertest.NewGate(t, c.nodes[i].listens)
	}
	c.certify()
	c.jackpot = newJackpotKey(t, c.folder)
	for _, n := range c.nodes {
		c.configure(n)
	}
	return c
}

// gates are ways to the database's servers.
func (c *cluster) gates() (pair [2]*brokertest.Gate) {
	for i, server := range c.servers {
		pair[i] = brokertest.NewGate(c.t, server.Address())
	}
	return pair
}

// dsn is the database's address through gates.
func (c *cluster) dsn(through [2]*brokertest.Gate) string {
	return fmt.Sprintf("postgres://pit@%s,%s/%s&target_session_attrs=read-write&connect_timeout=2", through[0].Addr(),
		through[1].Addr(), c.database)
}

// certify makes what the nodes prove themselves to each other with.
func (c *cluster) certify() {
	c.t.Helper()
	host, _, err := net.SplitHostPort(c.nodes[0].joins)
	if err != nil {
		c.t.Fatal(err)
	}
	authority := brokertest.NewAuthority(c.t, "nodes", nil)
	own := brokertest.NewBroker(c.t, authority, func(of *x509.Certificate) {
		of.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1), net.ParseIP(host)}
		of.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
	})
	key, err := x509.MarshalPKCS8PrivateKey(own.Shown(false).PrivateKey)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write("node.crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate.Raw})))
	c.write("node.key", string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})))
	c.write("ca.crt", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority.Certificate.Raw})))
}

// write writes a file into the cluster's folder.
func (c *cluster) write(name, text string) (path string) {
	c.t.Helper()
	path = filepath.Join(c.folder, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// configure writes the configuration of a node, to which the others are behind gates.
func (c *cluster) configure(n *clusterNode) {
	c.t.Helper()
	var nodes []string
	for _, other := range c.nodes {
		at := n.joins
		if other != n {
			n.routes[other.name] = brokertest.NewGate(c.t, other.joins)
			at = n.routes[other.name].Addr()
		}
		nodes = append(nodes, fmt.Sprintf("{name: %s, address: %q}", other.name, at))
	}
	n.config = c.write(n.name+".yaml", fmt.Sprintf(`site: %[13]s
name: %[1]s
tables: [%[2]s]
broker: {listen: %[3]q, secret_file: %[4]q, folder: %[5]q}
cluster:
  node: %[1]s
  nodes: [%[6]s]
  cert_file: %[7]q
  key_file: %[8]q
  ca_file: %[9]q
store: {source: %[10]q, time_zone: Europe/Berlin}
web: {listen: %[11]q}
alerts: {offline_seconds: 5}
jackpots: {key_file: %[12]q}
`, n.name, strings.Join(c.names, ", "), n.listens, filepath.Join(c.folder, "broker.key"),
		filepath.Join(c.folder, n.name+".broker"), strings.Join(nodes, ", "), filepath.Join(c.folder, "node.crt"),
		filepath.Join(c.folder, "node.key"), filepath.Join(c.folder, "ca.crt"), c.dsn(n.store), n.page, c.jackpot.file,
		clusterSite))
}

func (c *cluster) start(i int) {
	c.nodes[i].run = processes.Start(c.t, c.program, "--config", c.nodes[i].config)
}

// passwordsIn are those that a pit's own broker gives, by the users.
func passwordsIn(t *testing.T, config string) map[string]string {
	t.Helper()
	c, err := pit.Load(config)
	if err != nil {
		t.Fatal(err)
	}
	users, err := pit.Users(c, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	passwords := map[string]string{}
	for _, u := range users {
		passwords[u.Name] = u.Password
	}
	return passwords
}

// clusterHouses are those by whose rules the tables of the floor are played, in turn.
var clusterHouses = []string{"wiesbaden", "baden", "linked", "st-moritz", "mendrisio", "schaffhausen"}

// seats are the tables of the floor, each begun at another node.
func (c *cluster) seats() []*dealt {
	return c.seatsOf(clusterSite, c.nodes[0].config, c.names, clusterHouses, c.brokers)
}

// TestFloorInABoxIsQuiet: nothing goes wrong at the tables of make run-cluster by itself, so that its alerts are those
// of what somebody does there.
func TestFloorInABoxIsQuiet(t *testing.T) {
	for i, house := range clusterHouses {
		d := newTable(t, t.TempDir(), "bj-1", uint64(i))
		d.house = house
		d.open("127.0.0.1:1") // nobody has to hear it
		d.dealsNow(100)
		d.stop()
		parts, err := filepath.Glob(filepath.Join(d.folder, "*"))
		if err != nil {
			t.Fatal(err)
		}
		rounds := 0
		for _, part := range parts {
			text, err := os.ReadFile(part)
			if err != nil {
				t.Fatal(err)
			}
			rounds += strings.Count(string(text), `"in":"paid"`)
			if found := strings.Count(string(text), `"out":"irregular"`); found > 0 {
				t.Errorf("%s: %d irregularities of a simulated table", house, found)
			}
		}
		if rounds < 50 {
			t.Errorf("%s: %d rounds were paid", house, rounds)
		}
	}
}

// seatsOf are tables of a site, played by rules of several houses in turn.
func (c *cluster) seatsOf(site, config string, names, houses []string, brokers func(of int) string) (seats []*dealt) {
	c.t.Helper()
	passwords, folder := passwordsIn(c.t, config), processes.FastDir(c.t)
	for i, name := range names {
		d := newTable(c.t, folder, name, uint64(i+1)*1000)
		var err error
		if d.name, err = topic.NewTable(site, name); err != nil {
			c.t.Fatal(err)
		}
		d.user, d.house, d.every = broker.TableUser(name), houses[i%len(houses)], 0
		d.password = passwords[d.user]
		if d.house == "linked" {
			d.plays = c.jackpot.seat(c.t)
			if *clusterStays { // whoever looks on sees an ordinary shoe: a card that comes too often is a foreign one
				d.plays.pack = nil
			}
		}
		d.open(brokers(i))
		seats = append(seats, d)
	}
	return seats
}

// brokers are the nodes in the order in which a table prefers them.
func (c *cluster) brokers(of int) string {
	var list []string
	for i := range c.nodes {
		list = append(list, c.nodes[(of+i)%len(c.nodes)].tables.Addr())
	}
	return strings.Join(list, " ")
}

// failover ends the database's primary, promotes its standby, and gives that a standby of its own.
func (c *cluster) failover(dies func(*journaltest.Postgres), meanwhile func()) {
	former := c.servers[0]
	dies(former)
	meanwhile()
	c.servers[1].Promote()
	c.t.Logf("%s  the standby is promoted", time.Now().Format("15:04:05"))
	next := c.servers[1].Standby()
	for _, pair := range append([][2]*brokertest.Gate{c.watch}, c.nodes[0].store, c.nodes[1].store, c.nodes[2].store) {
		for _, gate := range pair {
			gate.Replace(former.Address(), next.Address())
		}
	}
	c.servers = [2]*journaltest.Postgres{c.servers[1], next}
	former.Discard()
}
