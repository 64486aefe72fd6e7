package pit

import (
	"context"
	"crypto/tls"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/pit/broker"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/pit/topic"
)

// Hub is the hub of a group of houses, to which this pit's broker is a leaf.
type Hub struct {
	// Address is ssl://host:port, or tcp://host:port without TLS on this machine; several of one hub are separated by
	// spaces.
	Address string `yaml:"address,required"`
	// PasswordFile is the file with the site's password, as the hub shows it.
	PasswordFile string `yaml:"password_file,required"`
	// CAFile is the PEM file with the certificates that vouch for the hub; empty for the system's.
	CAFile string `yaml:"ca_file"`
	// Takes is what the hub may say to the tables besides asking for records: commands, and what is in a jackpot.
	Takes []string `yaml:"takes"`
}

// Sites are the houses that this pit takes as the hub of a group.
type Sites struct {
	// Listen is the address for them, host:port. They see the certificate of the broker inside.
	Listen string `yaml:"listen,required"`
	List   []Site `yaml:"list,required"`
}

// Site is a house of a group.
type Site struct {
	Name string `yaml:"name,required"`
	// Page is the address of the house's own pit, https://pit.house.example; empty for none.
	Page string `yaml:"page"`
	// KeepDays is for how many gaming days the hub keeps the site's records; 0 for what store.keep_days says.
	KeepDays int `yaml:"keep_days"`
	// Commands says that the site lets the hub command its tables, as its own configuration does.
	Commands bool `yaml:"commands"`
}

// hubReader is the name under which a hub asks tables, unless another one is given: the site's own pit is called pit.
const hubReader = "hub"

// taken are the kinds that a site may take from its hub.
var taken = map[string]topic.Kind{"commands": topic.KindCommand, "jackpots": topic.KindJackpot}

// checkGroup looks at what is said of a hub, or of the sites of one.
func checkGroup(doc *strictyaml.Document, c *Config) {
	if c.Hub != nil && c.Sites != nil {
		doc.Refuse("hub", "this pit is a hub itself, as sites says", "remove one of the two")
	}
	if c.Hub != nil {
		c.Hub.check(doc)
	}
	if c.Sites != nil {
		c.Sites.check(doc, c)
		c.People.sites = c.Heard()
	}
	if c.People.OpenID == nil {
		return
	}
	for i, one := range c.People.OpenID.Roles {
		path := fmt.Sprintf("people.openid.roles[%d].sites", i)
		_, err := people.ParseSites(strings.Join(one.Sites, " "), c.Heard())
		if err != nil || doc.Has(path) && len(one.Sites) == 0 {
			doc.Refuse(path, fmt.Sprintf("%q are no sites that this pit hears", one.Sites),
				"write names of sites.list, or leave it out for all sites")
		}
	}
}

// Heard are all sites that this pit hears.
func (c *Config) Heard() []string { return append(c.leaves(), c.Site) }

func (h *Hub) check(doc *strictyaml.Document) {
	addresses := strings.Fields(h.Address)
	for _, one := range addresses {
		if u, err := url.Parse(one); err != nil || u.Scheme != "ssl" && u.Scheme != "tcp" || u.Port() == "" ||
			u.Hostname() == "" || u.User != nil || strings.Trim(u.Path, "/") != "" {
			doc.Refuse("hub.address", fmt.Sprintf("%q is not the address of a hub", one), "write ssl://host:7422")
		}
	}
	if configfile.InClear(h.Address) {
		doc.Refuse("hub.address",
			"the site's password, and all that its tables say, would cross the network in clear text",
			"write it as ssl://host:7422; or reach a hub on this machine at 127.0.0.1")
	}
	if h.CAFile != "" && slices.ContainsFunc(addresses, func(a string) bool { return strings.HasPrefix(a, "tcp:") }) {
		doc.Refuse("hub.ca_file", "the hub is reached without TLS, so the file would not be used",
			"write the hub as ssl://host:7422, or remove ca_file")
	}
	for i, one := range h.Takes {
		doc.OneOf(fmt.Sprintf("hub.takes[%d]", i), one, slices.Sorted(maps.Keys(taken))...)
	}
}

func (s *Sites) check(doc *strictyaml.Document, c *Config) {
	if host, ok := listens(s.Listen); !ok {
		doc.Refuse("sites.listen", fmt.Sprintf("%q is not host:port", s.Listen), "write it as 0.0.0.0:7422")
	} else if c.Broker.CertFile == "" && !loopback(host) {
		doc.Refuse("sites.listen",
			"the sites' passwords, and all that their tables say, would cross the network in clear text",
			"add broker.cert_file and broker.key_file, which are for sites, too")
	}
	for i, one := range s.List {
		path := fmt.Sprintf("sites.list[%d]", i)
		switch same := func(o Site) bool { return o.Name == one.Name }; {
		case !clientName.MatchString(one.Name):
			doc.Refuse(path+".name", fmt.Sprintf("%q is not the name of a site", one.Name),
				"write 1 to 32 characters of a-z, 0-9, _ and -, as site in the configuration of the house")
		case slices.ContainsFunc(s.List[:i], same) || one.Name == c.Site:
			doc.Refuse(path+".name", fmt.Sprintf("%q is there twice", one.Name),
				"give each site, and the hub, its own name")
		}
		u, err := url.Parse(one.Page)
		if one.Page != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" ||
			u.User != nil) {
			doc.Refuse(path+".page", fmt.Sprintf("%q is not the address of a page", one.Page),
				"write such as https://pit.house.example")
		}
		doc.Within(path+".keep_days", one.KeepDays, 0, 36500)
	}
}

// leaves are the sites that this pit takes, besides its own.
func (c *Config) leaves() (names []string) {
	if c.Sites == nil {
		return nil
	}
	for _, one := range c.Sites.List {
		names = append(names, one.Name)
	}
	return names
}

// commands says whether the tables of a site may be commanded from here.
func (c *Config) commands(site string) bool {
	return site == c.Site || c.Sites != nil &&
		slices.ContainsFunc(c.Sites.List, func(one Site) bool { return one.Name == site && one.Commands })
}

// keepSites are the days for which records of sites are kept that have a number of their own.
func (c *Config) keepSites() map[string]int {
	days := map[string]int{}
	if c.Sites != nil {
		for _, one := range c.Sites.List {
			if one.KeepDays > 0 {
				days[one.Name] = one.KeepDays
			}
		}
	}
	return days
}

// leaf is the hub as the broker wants it.
func (h *Hub) leaf() (*broker.Hub, error) {
	password, err := configfile.Password("hub.password_file", h.PasswordFile)
	if err != nil {
		return nil, err
	}
	leaf := &broker.Hub{Password: password}
	for _, one := range h.Takes {
		leaf.Takes = append(leaf.Takes, taken[one])
	}
	for _, one := range strings.Fields(h.Address) {
		u, err := url.Parse(one)
		if err != nil {
			return nil, err
		}
		leaf.Addresses = append(leaf.Addresses, u.Host)
		if u.Scheme == "ssl" && leaf.TLS == nil {
			leaf.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
		}
	}
	if h.CAFile != "" {
		leaf.TLS.RootCAs, err = authorities("hub.ca_file", h.CAFile)
	}
	return leaf, err
}

// lineChanged logs that the line between a site and the hub has changed. At the hub, it is by that line that the site's
// tables are heard.
func (p *Pit) lineChanged(site string, now broker.Line) {
	if p.config.Sites != nil {
		p.Floor.Line(site, now.Up, now.Since)
	}
	if now.Up {
		p.log.Info("the line between the site and the hub is there", "site", site)
		return
	}
	p.log.Warn("there is no line between the site and the hub: the site goes on alone, and the hub fetches what it "+
		"missed once it is back", "site", site)
}

// known are the tables of the sites: what is retained at a site does not come to the hub.
func (c *Config) known(ctx context.Context, kept *store.Store) ([]topic.Table, error) {
	if c.Sites == nil {
		return nil, nil
	}
	all, err := kept.Tables(ctx)
	leaves := c.leaves()
	return slices.DeleteFunc(all, func(t topic.Table) bool { return !slices.Contains(leaves, t.Site()) }), err
}

// group is how the houses of a group stand, for somebody who may see some of them, or all.
type group struct {
	*Pit
	of    kept
	sites people.Sites
}

// Elsewhere is how many records the database lacks of the tables that other nodes keep, by site. What was heard is
// looked at before what is kept, so that what comes meanwhile is not missed.
func (g group) Elsewhere(ctx context.Context) (map[string]uint64, error) {
	lacks := map[string]uint64{}
	heard := slices.DeleteFunc(g.Progress(), func(p replica.Progress) bool { return !p.Elsewhere })
	if len(heard) == 0 {
		return lacks, nil
	}
	kept, err := g.Store.Heads(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range heard {
		p.Has = replica.Position{Journal: kept[p.Table].ID, Record: kept[p.Table].Record}
		lacks[p.Table.Site()] += p.Behind()
	}
	return lacks, nil
}

// behind is how many records the hub lacks by site, of all nodes together.
func (g group) behind(elsewhere map[string]uint64) map[string]uint64 {
	behind := map[string]uint64{}
	maps.Copy(behind, elsewhere)
	for _, p := range g.Progress() {
		if !p.Elsewhere {
			behind[p.Table.Site()] += p.Behind()
		}
	}
	return behind
}

// Sites are the houses in the order of the configuration, and the hub's own tables before them where it has any.
func (g group) Sites(elsewhere map[string]uint64) (list []dashboard.Site) {
	lines, behind := g.Inside.Lines(), g.behind(elsewhere)
	if c := g.config; len(c.Tables) > 0 {
		list = append(list, dashboard.Site{Name: c.Site, Own: true, Up: true, Behind: behind[c.Site]})
	}
	for _, one := range g.config.Sites.List {
		line := lines[one.Name]
		if !line.Up && g.config.Cluster != nil && g.Floor.Hears(one.Name) { // the line is another node's
			line = broker.Line{Up: true}
		}
		list = append(list, dashboard.Site{
			Name: one.Name, Page: one.Page, Up: line.Up, Since: line.Since, Behind: behind[one.Name],
		})
	}
	return slices.DeleteFunc(list, func(s dashboard.Site) bool { return !g.sites.Has(s.Name) })
}

// Day has what each table's rounds and wagers of the present gaming day have come to.
func (g group) Day(ctx context.Context) ([]store.Sum, error) {
	today := g.Store.Day().Of(time.Now())
	return g.of.Sums(ctx, store.Query{First: today, Last: today, By: []store.Group{store.ByTable}})
}
