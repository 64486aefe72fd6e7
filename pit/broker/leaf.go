package broker

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sabot-table/sabot/pit/topic"
)

const (
	// lineAgain is the least pause before a site tries its hub again, which NATS spreads up to twice as much: a line
	// that is back is used within two seconds, however long it was away.
	lineAgain = time.Second
	// lineDial is how long a connection to the hub may take, and lineSilent how often the two ask each other whether
	// they are there: after two without an answer the line is down.
	lineDial, lineSilent = 5 * time.Second, 5 * time.Second
	// lookLines is how often the hub looks which sites it has a line to.
	lookLines = time.Second
)

// Hub is where a site's broker is a leaf: what its tables say goes there, too. The hub may ask tables for records, and
// whatever else the site allows.
type Hub struct {
	// Addresses are host:port of all nodes of the hub, and Password the site's, as the hub shows it.
	Addresses []string
	Password  string
	// TLS trusts the hub's certificate; nil without TLS.
	TLS *tls.Config
	// Takes are further kinds, of those that readers write, that the site's tables may be told by the hub.
	Takes []topic.Kind
}

// Sites are the houses that a hub takes, and where they connect, by the broker's own certificate.
type Sites struct {
	Listen string
	Names  []string
}

// SiteUser is the name by which a site connects.
func SiteUser(site string) string { return "site-" + site }

// site says what the tables of its house say, and hears what the hub tells them; what of that it takes, it decides.
// NATS asks a leaf for what it says only where the leaf might hear the same, so that it may hear all of its own house.
func (c *Config) site(name string) User {
	var writes []string
	for _, kind := range topic.Kinds() {
		if !kind.ByReaders() {
			writes = append(writes, topic.Filter(name, topic.Any, kind))
		}
	}
	u := c.named(SiteUser(name), writes, []string{topic.Prefix + "/" + name + "/#"})
	u.leaf = name
	return u
}

// listen makes the broker a hub.
func (s *Sites) listen(o *server.Options, secured *tls.Config) error {
	host, port, err := split(s.Listen)
	if err != nil {
		return err
	}
	o.LeafNode.Host, o.LeafNode.Port, o.LeafNode.TLSConfig, o.LeafNode.TLSTimeout = host, port, secured, 5
	// Sites never hear of each other, nor of addresses that go around a proxy.
	o.LeafNode.NoAdvertise, o.LeafNode.IsolateLeafnodeInterest = true, true
	o.PingInterval = lineSilent
	return nil
}

// join makes the broker a leaf. NATS' own streams stay on their side, and of what readers say to tables, those of the
// hub say only what the site takes. What tables themselves say, NATS cannot keep out: it would not let it go to the hub
// either.
func (h *Hub) join(o *server.Options, site string) error {
	own := []string{"$JS.>", "$MQTT.>", "$NRG.>", "_INBOX.>", "homeassistant.>"}
	in, out := append([]string{}, own...), append([]string{}, own...)
	for _, kind := range topic.Kinds() {
		if kind.ByReaders() {
			of := subjects([]string{topic.Filter(topic.Any, topic.Any, kind)})
			if out = append(out, of...); !h.takes(kind) {
				in = append(in, of...)
			}
		}
	}
	remote := &server.RemoteLeafOpts{
		DenyImports: in, DenyExports: out, IgnoreDiscoveredServers: true, DialTimeout: lineDial,
		FirstInfoTimeout: lineDial,
	}
	scheme := "nats"
	if h.TLS != nil {
		scheme, remote.TLS, remote.TLSConfig, remote.TLSTimeout = "tls", true, h.TLS, 5
	}
	for _, address := range h.Addresses {
		if _, _, err := split(address); err != nil {
			return err
		}
		remote.URLs = append(remote.URLs,
			&url.URL{Scheme: scheme, Host: address, User: url.UserPassword(SiteUser(site), h.Password)})
	}
	o.LeafNode.Remotes = []*server.RemoteLeafOpts{remote}
	o.LeafNode.ReconnectInterval, o.PingInterval = lineAgain, lineSilent
	return nil
}

func (h *Hub) takes(kind topic.Kind) bool {
	return kind == topic.KindFetch || slices.Contains(h.Takes, kind)
}

// Line is whether there is a line between a site and the hub, and since when.
type Line struct {
	Up    bool
	Since time.Time
}

// lines are those of a hub to its sites, and of a site to its hub.
type lines struct {
	mu sync.Mutex
	// who are the sites that the door has let in, by their connections, until these are closed. NATS lists a leaf only
	// some time after the door: that it is not listed does not mean that it is gone.
	who map[uint64]guest
	// is has a line for each site that was looked for.
	is map[string]Line
}

// guest is a site's connection.
type guest struct {
	site       string
	connection server.ClientAuthentication
}

// gone says whether the connection is closed: NATS has no address for it any more.
func (g guest) gone() bool { return g.connection.RemoteAddress() == nil }

func (l *lines) enters(site string, connection server.ClientAuthentication) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.who[connection.GetID()] = guest{site, connection}
}

// Lines are those of a hub to its sites by their names, and of a site to its hub by its own. They are looked at once a
// second while [Broker.Watch] runs.
func (b *Broker) Lines() map[string]Line {
	b.lines.mu.Lock()
	defer b.lines.mu.Unlock()
	return maps.Clone(b.lines.is)
}

// Watch looks after the lines until the context ends, and tells changes.
func (b *Broker) Watch(ctx context.Context, changed func(site string, now Line)) {
	if b.config.Hub != nil {
		var tells sync.WaitGroup
		tells.Go(func() { b.tellHub(ctx) })
		defer tells.Wait()
	}
	ticker := time.NewTicker(lookLines)
	defer ticker.Stop()
	for {
		for site, line := range b.look(time.Now()) {
			changed(site, line)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// tellHub tells the hub of each new line what the site's tables have retained, once the hub listens, until the context
// ends. MQTT's retained messages do not cross a line, and of a table that is away nothing else does.
func (b *Broker) tellHub(ctx context.Context) {
	ticker := time.NewTicker(lookLines)
	defer ticker.Stop()
	for t := (telling{}); ; {
		if line := b.listens(); line != 0 {
			if line != t.line {
				t = telling{line: line, said: map[topic.Table]time.Time{}}
			}
			b.tell(ctx, &t)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}

// telling is what the hub is told over a line: said are the statuses by when they were retained.
type telling struct {
	line         uint64
	said         map[topic.Table]time.Time
	done, failed bool
}

// tell says what the hub of a line has not been told yet. It is done once it finds nothing more: a table that came or
// went while it was spoken of may have been heard before what was said of it, and is told of again.
func (b *Broker) tell(ctx context.Context, t *telling) {
	if t.done {
		return
	}
	more, err := b.retell(ctx, t.said)
	t.done = err == nil && !more
	if err != nil && ctx.Err() == nil && !t.failed {
		t.failed = true
		b.log.Warn("the hub is not told what tables that are away have said last, and shows them as unknown: "+
			"it is tried again", "err", err)
	}
}

// listens is the line over which the hub hears how the tables stand, 0 for none. The hub subscribes to their status and
// to their health one after the other: it is told once it hears both.
func (b *Broker) listens() (line uint64) {
	all, err := b.server.Leafz(&server.LeafzOptions{Subscriptions: true})
	if err != nil {
		return 0 // [Broker.look] has said so
	}
	of := func(kind topic.Kind) string {
		return subjects([]string{topic.Filter(b.config.Site, topic.Any, kind)})[0]
	}
	status, health := of(topic.KindStatus), of(topic.KindHealth)
	for _, one := range all.Leafs {
		if one.IsSpoke && slices.Contains(one.Subs, status) && slices.Contains(one.Subs, health) {
			return one.ID
		}
	}
	return 0
}

// fresh is how old the health of a table is at most that says it anew by itself.
const fresh = 15 * time.Second

// retell says again how each table stands whose status has changed since it was said, and whether there was one.
func (b *Broker) retell(ctx context.Context, said map[topic.Table]time.Time) (more bool, err error) {
	ctx, done := context.WithCancel(ctx)
	defer done()
	k, err := b.asKeeper(ctx)
	if err != nil {
		return false, err
	}
	for _, table := range b.config.Tables {
		if err := k.SetDeadline(time.Now().Add(answerTime)); err != nil { // of each, however many there are
			return more, err
		}
		status, since, err := k.lastOf(table.Topic(topic.KindStatus))
		if err != nil {
			return more, err
		}
		if before, known := said[table]; known && before.Equal(since) {
			continue
		}
		if err := k.retellOf(table, status); err != nil {
			return more, err
		}
		said[table], more = since, true
	}
	return more, k.flush()
}

// retellOf says again how a table stands. The health of one that is there is left out: it comes by itself, and a table
// that connects must hear the retained one first.
func (k *keeperConn) retellOf(table topic.Table, status []byte) error {
	health, at, err := k.lastOf(table.Topic(topic.KindHealth))
	if err != nil {
		return err
	}
	var is topic.Status
	if json.Unmarshal(status, &is) == nil && is.Online && time.Since(at) < fresh {
		health = nil
	}
	return errors.Join(k.sayAgain(table.Topic(topic.KindStatus), status),
		k.sayAgain(table.Topic(topic.KindHealth), health))
}

// look compares the lines with how they were, and returns those that are new.
func (b *Broker) look(now time.Time) map[string]Line {
	names, up := b.config.lined(), map[string]bool{}
	all, err := b.server.Leafz(nil)
	if err != nil { // never, as NATS has it
		b.log.Error("the broker inside the pit does not say which lines it has: the page of the group shows them as "+
			"they were; report this", "err", err)
		return nil
	}
	b.lines.mu.Lock()
	defer b.lines.mu.Unlock()
	for _, one := range all.Leafs {
		if one.IsSpoke {
			up[b.config.Site] = true
		} else {
			up[b.lines.who[one.ID].site] = true
		}
	}
	news := map[string]Line{}
	for _, name := range names {
		was, known := b.lines.is[name]
		if known && was.Up == up[name] {
			continue
		}
		b.lines.is[name] = Line{up[name], now}
		news[name] = b.lines.is[name]
	}
	maps.DeleteFunc(b.lines.who, func(_ uint64, g guest) bool { return g.gone() })
	return news
}

// lined are the sites to which there should be a line.
func (c *Config) lined() (names []string) {
	if c.Hub != nil {
		names = append(names, c.Site)
	}
	if c.Sites != nil {
		names = append(names, c.Sites.Names...)
	}
	return names
}

// SitesAddr is where sites connect, "" for a broker that takes none.
func (b *Broker) SitesAddr() string {
	if b.config.Sites == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", b.opts.LeafNode.Host, b.opts.LeafNode.Port)
}
