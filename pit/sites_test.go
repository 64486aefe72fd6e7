package pit_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/broker"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/table/journal"
)

// TestFaultsOfAGroup: what is said of a hub or of its sites, and cannot be used, is refused.
func TestFaultsOfAGroup(t *testing.T) {
	const (
		zone = "store:\n  time_zone: Europe/Berlin\n"
		site = "site: kursaal\ntables: [bj-1]\n" + zone
		leaf = site + "hub:\n  password_file: /p\n  address: "
		hub  = "site: group\n" + zone + "sites:\n  listen: "
		one  = "127.0.0.1:7422\n  list: [{name: kursaal}]\n"
		id   = hub + one + "web:\n  public: http://127.0.0.1:1\npeople:\n  openid: {name: id, " +
			"issuer: 'http://127.0.0.1:1', client: pit, roles: [{group: a, role: viewer, sites: "
	)
	for _, sound := range []string{
		leaf + "ssl://a:7422 ssl://b:7422\n  ca_file: /c\n  takes: [commands, jackpots]\n",
		leaf + "tcp://127.0.0.1:1\n",
		hub + one, id + "[kursaal, group]}]}\n",
		hub + "0.0.0.0:7422\n  list: [{name: kursaal, page: 'https://k.example', keep_days: 30, commands: true}]\n" +
			"broker:\n  cert_file: /c\n  key_file: /k\n",
	} {
		if _, err := pit.Parse("pit.yaml", []byte(sound)); err != nil {
			t.Errorf("%s\nis refused: %v", sound, err)
		}
	}
	named := func(it string) string { return hub + strings.Replace(one, "kursaal", it, 1) }
	for text, want := range map[string]string{
		id + "[baden]}]}\n":                               `people.openid.roles[0].sites: ["baden"] are no sites that this pit hears`,
		id + "[]}]}\n":                                    "people.openid.roles[0].sites: [] are no sites",
		leaf + "hub.example:7422\n":                       `hub.address: "hub.example:7422" is not the address of a hub`,
		leaf + "ssl://hub.example\n":                      `"ssl://hub.example" is not the address of a hub`,
		leaf + "tcp://hub.example:7422\n":                 "hub.address: the site's password, and all that its",
		leaf + "tcp://127.0.0.1:1\n  ca_file: /c\n":       "hub.ca_file: the hub is reached without TLS",
		leaf + "ssl://h:1\n  takes: [all]\n":              `hub.takes[0]: "all" is not known`,
		leaf + "ssl://h:1\n  ca_file: here\n":             `hub.ca_file: "here" is not an absolute path`,
		leaf + "ssl://h:1\nmqtt:\n  broker: tcp://a\n":    "hub: would not be used: mqtt.broker names another",
		leaf + "ssl://h:1\nsites:\n  listen: " + one:      "hub: this pit is a hub itself",
		hub + "0.0.0.0:7422\n  list: [{name: kursaal}]\n": "add broker.cert_file and broker.key_file",
		hub + "here\n  list: [{name: kursaal}]\n":         `sites.listen: "here" is not host:port`,
		named("Kur Saal"):                                 `sites.list[0].name: "Kur Saal" is not the name`,
		named("group"):                                    `sites.list[0].name: "group" is there twice`,
		named("kursaal}, {name: kursaal"):                 `sites.list[1].name: "kursaal" is there twice`,
		named("k, page: pit"):                             `sites.list[0].page: "pit" is not the address`,
		named("k, keep_days: -1"):                         "sites.list[0].keep_days: -1 is out of range",
	} {
		if _, err := pit.Parse("pit.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nis refused with %v, not with %s", text, err, want)
		}
	}
}

// groupOf is a pit of a group that runs; its broker and its pages are at this machine alone.
func groupOf(t *testing.T, c pit.Config) *pit.Pit {
	t.Helper()
	c.Broker.Listen = "127.0.0.1:0"
	c.Store.Source, c.Store.TimeZone = filepath.Join(processes.FastDir(t), "pit.db"), pit.Zone{time.UTC}
	return pit.Started(t, c)
}

// hubOf is a hub of sites.
func hubOf(t *testing.T, sites ...pit.Site) *pit.Pit {
	t.Helper()
	c := pit.Default()
	c.Site, c.MQTT.Reader, c.Sites = "group", "hub", &pit.Sites{Listen: "127.0.0.1:0", List: sites}
	return groupOf(t, c)
}

// siteOf is a site of a hub that is reached at an address.
func siteOf(t *testing.T, hub *pit.Pit, at, name string, tables ...string) *pit.Pit {
	t.Helper()
	c := pit.Default()
	file := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(file, []byte(passwordFor(t, hub, "site-"+name)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Site, c.Tables, c.Hub = name, tables, &pit.Hub{Address: "tcp://" + at, PasswordFile: file}
	return groupOf(t, c)
}

func passwordFor(t *testing.T, p *pit.Pit, user string) string {
	t.Helper()
	for _, u := range p.Inside.Users() {
		if u.Name == user {
			return u.Password
		}
	}
	t.Fatalf("nobody is called %s", user)
	return ""
}

// dealtAt is a table of a site that is dealt at, and says so over the site's broker.
func dealtAt(t *testing.T, p *pit.Pit, site, name string, seed uint64) (*loaded, *journaltest.Night, topic.Table) {
	t.Helper()
	table, err := topic.NewTable(site, name)
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(filepath.Join(processes.FastDir(t), "journal"), journal.Options{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	l := &loaded{Journal: j, view: fullView(table), changed: make(chan struct{})}
	night := journaltest.OnJournal(t, j, "wiesbaden", seed)
	publisher, err := publish.New(publish.Config{
		Config: transport.Config{
			Broker: "tcp://" + p.Inside.Addr(), Username: broker.TableUser(name),
			Password: passwordFor(t, p, broker.TableUser(name)),
		},
		Table: table, Boot: j.Boot(), FlushTimeout: time.Millisecond,
		HealthEvery: 200 * time.Millisecond, Log: slog.New(slog.DiscardHandler),
		Fetch: func(f topic.Fetch) (topic.Records, error) { return publish.Fetched(j, f) },
	}, l, views{l}, func() publish.Condition {
		head, hash, err := j.Head()
		if err != nil {
			return publish.Condition{}
		}
		return publish.Condition{Head: &topic.Head{ID: j.ID(), Record: head, Hash: fmt.Sprintf("%x", hash)}}
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- publisher.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		<-ended
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	})
	return l, night, table
}

// has says whether a pit keeps all of a table's journal.
func (l *loaded) has(t *testing.T, p *pit.Pit, table topic.Table) bool {
	t.Helper()
	head, _, err := l.Head()
	if err != nil {
		t.Fatal(err)
	}
	id, record, _, err := p.Store.Position(t.Context(), table)
	if err != nil {
		t.Fatal(err)
	}
	return id == l.ID() && record == head
}

// TestALineIsCut: while the line to the hub is down, each site goes on alone; once it is back, the hub has every record
// of every table, in order, once, and the site is shown with its line as it is.
func TestALineIsCut(t *testing.T) {
	hub := hubOf(t, pit.Site{Name: "kursaal"}, pit.Site{Name: "wiesbaden"})
	gate := brokertest.NewGate(t, hub.Inside.SitesAddr())
	cut, other := siteOf(t, hub, gate.Addr(), "kursaal", "bj-1", "bj-2"),
		siteOf(t, hub, hub.Inside.SitesAddr(), "wiesbaden", "bj-1")
	type dealt struct {
		*loaded
		night *journaltest.Night
		table topic.Table
		at    *pit.Pit
	}
	var all []dealt
	for n, where := range []struct {
		at         *pit.Pit
		site, name string
	}{{cut, "kursaal", "bj-1"}, {cut, "kursaal", "bj-2"}, {other, "wiesbaden", "bj-1"}} {
		l, night, table := dealtAt(t, where.at, where.site, where.name, uint64(n+1))
		all = append(all, dealt{l, night, table, where.at})
	}
	deal := func() {
		for i := range all {
			all[i].night.Deal(300)
			all[i].show()
		}
	}
	kept := func(by func(d *dealt) *pit.Pit, of func(d *dealt) bool) func() bool {
		return func() bool {
			for i := range all {
				if d := &all[i]; of(d) && !d.has(t, by(d), d.table) {
					return false
				}
			}
			return true
		}
	}
	atHub, own := func(*dealt) *pit.Pit { return hub }, func(d *dealt) *pit.Pit { return d.at }
	every := func(*dealt) bool { return true }
	up := func(site string) bool { return hub.Inside.Lines()[site].Up }
	deal()
	brokertest.Until(t, "the hub keeps all", kept(atHub, every))
	for range 2 {
		gate.Shut()
		brokertest.Until(t, "the hub sees that the line is down", func() bool {
			return !up("kursaal") && up("wiesbaden")
		})
		deal()
		brokertest.Until(t, "each site keeps its own", kept(own, every))
		brokertest.Until(t, "the hub keeps the other", kept(atHub, func(d *dealt) bool { return d.at == other }))
		if kept(atHub, func(d *dealt) bool { return d.at == cut })() {
			t.Error("the hub has what no line brought")
		}
		gate.Open()
		deal()
		brokertest.Until(t, "the hub keeps all again", kept(atHub, every))
		brokertest.Until(t, "the hub sees that the line is up", func() bool { return up("kursaal") })
	}
	for i := range all {
		d := &all[i]
		for _, p := range []*pit.Pit{hub, d.at} {
			if found, err := p.Store.Check(t.Context(), d.table, d.Reader, nil); err != nil || !found.Same() ||
				len(found.Extra) > 0 {
				t.Errorf("%s: %+v, %v", d.table, found, err)
			}
		}
	}
}

// TestATableIsAwayWhenTheLineComes: a table that was switched off before there was a line to the hub is offline there,
// and not unheard of, and the hub knows how many of its records it lacks.
func TestATableIsAwayWhenTheLineComes(t *testing.T) {
	hub := hubOf(t, pit.Site{Name: "kursaal"})
	gate := brokertest.NewGate(t, hub.Inside.SitesAddr())
	gate.Shut()
	site := siteOf(t, hub, gate.Addr(), "kursaal", "bj-1")
	var head uint64
	t.Run("dealt at", func(t *testing.T) {
		l, night, table := dealtAt(t, site, "kursaal", "bj-1", 1)
		night.Deal(300)
		l.show()
		brokertest.Until(t, "its own pit has heard how far it is", func() bool {
			h, known := site.Floor.Health(table)
			head, _, _ = l.Head()
			return known && h.Journal.Head.Record == head
		})
	})
	gate.Open()
	brokertest.Until(t, "the hub shows it as offline, and lacks its records", func() bool {
		tiles, lacks := hub.Floor.Tiles(), hub.Progress()
		return len(tiles) == 1 && tiles[0].Standing == floor.Offline && len(lacks) == 1 &&
			lacks[0].Head.Record == head &&
			lacks[0].Has.Record == 0
	})
}

// TestRetentionBySite: a hub keeps what a site has recorded as long as it says for that site.
func TestRetentionBySite(t *testing.T) {
	folder, log := processes.FastDir(t), slog.New(slog.DiscardHandler)
	c, err := pit.Parse("pit.yaml", []byte("site: group\nstore:\n  time_zone: Europe/Berlin\n  source: "+
		filepath.Join(folder, "pit.db")+"\nbroker:\n  listen: 127.0.0.1:0\nsites:\n  listen: 127.0.0.1:0\n"+
		"  list: [{name: kursaal, keep_days: 30}, {name: wiesbaden}]\n"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := pit.OpenStore(t.Context(), c, log)
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]topic.Table{}
	for n, site := range []string{"kursaal", "wiesbaden"} {
		at := filepath.Join(folder, site)
		journaltest.NewNight(t, at, "wiesbaden", uint64(n)).Deal(500) // months ago
		r, err := journal.OpenReadOnly(at)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		if tables[site], err = topic.NewTable(site, "bj-1"); err != nil {
			t.Fatal(err)
		}
		if err := s.Refill(t.Context(), tables[site], r, nil); err != nil {
			t.Fatal(err)
		}
	}
	rounds := func(s *store.Store, site string) int {
		list, err := s.Rounds(t.Context(), store.RoundQuery{Tables: []topic.Table{tables[site]}})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	was := rounds(s, "wiesbaden")
	if err := s.Close(); err != nil || was == 0 {
		t.Fatal(was, err)
	}
	p, err := pit.Open(t.Context(), c, log)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	brokertest.Until(t, "the site's older rounds are removed", func() bool {
		return rounds(p.Store, "kursaal") < was/10
	})
	if now := rounds(p.Store, "wiesbaden"); now != was {
		t.Errorf("of the other site's %d rounds %d are kept", was, now)
	}
}
