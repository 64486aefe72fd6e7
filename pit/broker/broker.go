package broker

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sabot-table/sabot/pit/topic"
)

const (
	// maxMessage is the longest message: records of a journal are the longest, and stay below.
	maxMessage = 4 << 20
	// maxKept is what the broker may keep on its disk: the last of each table's retained messages, and what waits for
	// clients that are slow.
	maxKept = 1 << 30
	// mostOfUser is how many connections a user may have at a node, and mostConnections how many more there may be at
	// once that nobody is known of yet: whoever holds more takes nothing else from the pit, whose pages are in the same
	// program. mostFilters is how many
	// subscriptions a connection may have.
	mostConnections, mostOfUser = 500, 10
	mostFilters                 = 1000
	// startTime is how long the broker may take until it can be connected to, alone. A node of a cluster is ready when
	// it listens: its cluster needs another one.
	startTime = 20 * time.Second
	// diskTime is how long the broker may take to keep what a client says or asks for, alone: whom it refuses has no
	// other one. Clients wait for longer.
	diskTime = 5 * time.Second
)

// Config says who may connect to the broker, and where. Readers, Cluster, Hub and Sites may be left out.
type Config struct {
	Site   string
	Tables []topic.Table
	// Readers are other programs that hear everything and say nothing.
	Readers []string
	// Secret is what the passwords are made of.
	Secret []byte
	// Listen is the address for tables, host:port; TLS is nil without TLS.
	Listen string
	TLS    *tls.Config
	// Folder is where the broker keeps retained messages across a restart.
	Folder  string
	Cluster *Cluster
	// Hub is the group's, of which this site is a leaf, and Sites those that this one takes as the group's hub.
	Hub   *Hub
	Sites *Sites
	// Log is the default logger if nil.
	Log *slog.Logger

	kept int64 // less than maxKept, in tests
}

// Cluster is the cluster of which the broker is a node.
type Cluster struct {
	// Node is this node's name, and Nodes are the addresses, host:port, of all nodes by their names.
	Node  string
	Nodes map[string]string
	// TLS has a certificate for both directions: each node proves to the others who it is.
	TLS *tls.Config
}

// Broker is a broker that runs.
type Broker struct {
	config Config
	server *server.Server
	opts   *server.Options
	pit    User
	keeper User
	lines  *lines
	log    *logger
}

// Start starts the broker, and returns once it can be connected to.
func Start(c Config) (*Broker, error) {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	keeper, lines := c.keeper(rand.Text()), &lines{who: map[uint64]guest{}, is: map[string]Line{}}
	door := newDoor(append(c.Users(), keeper), c.Log.With("part", "broker"), lines.enters)
	opts, err := c.options(door)
	if err != nil {
		return nil, err
	}
	s, err := server.NewServer(opts)
	if err != nil {
		return nil, fmt.Errorf("the broker inside the pit: %w", err)
	}
	door.holds(s)
	log := newLogger(c.Log.With("part", "broker"))
	s.SetLoggerV2(log, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startTime) || opts.MQTT.Port <= 0 {
		s.Shutdown()
		return nil, fmt.Errorf("the broker inside the pit does not start at %s: look whether another program listens "+
			"there, and whether %s can be written to", c.Listen, c.Folder)
	}
	users := c.Users()
	return &Broker{
		config: c, server: s, opts: opts, pit: users[len(users)-1], keeper: keeper, lines: lines, log: log,
	}, nil
}

// options are NATS' own. It listens for MQTT alone, to its cluster, and to sites.
func (c *Config) options(door *door) (*server.Options, error) {
	host, port, err := split(c.Listen)
	if err != nil {
		return nil, err
	}
	o := &server.Options{
		ServerName: "sabot-" + c.Site, DontListen: true, NoSigs: true, MaxPayload: maxMessage,
		MaxConn: mostConnections + mostOfUser*len(door.users), MaxSubs: mostFilters,
		JetStream: true, StoreDir: c.Folder, JetStreamMaxStore: c.mostKept(), JetStreamMaxMemory: 64 << 20,
		MQTT: server.MQTTOpts{
			Host: host, Port: port, TLSConfig: c.TLS, MaxAckPending: 1000,
			JSAPITimeout: diskTime,
		},
	}
	o.CustomClientAuthentication = door
	if c.Cluster != nil {
		err = c.Cluster.join(o, c.Site)
	}
	if c.Hub != nil && err == nil {
		err = c.Hub.join(o, c.Site)
	}
	if c.Sites != nil && err == nil {
		err = c.Sites.listen(o, c.TLS)
	}
	return o, err
}

func (c *Config) mostKept() int64 { return cmp.Or(c.kept, maxKept) }

// join makes the broker a node.
func (c *Cluster) join(o *server.Options, site string) error {
	own, ok := c.Nodes[c.Node]
	if !ok {
		return fmt.Errorf("the cluster has no node %q: name this node as the list has it", c.Node)
	}
	host, port, err := split(own)
	if err != nil {
		return err
	}
	o.ServerName = c.Node
	// NATS looks for its cluster only once it listens for clients of its own protocol, too: here, to this machine
	// alone. They have the same users and permissions.
	o.DontListen, o.Host, o.Port = false, "127.0.0.1", server.RANDOM_PORT
	o.MQTT.StreamReplicas = len(c.Nodes)
	// While the cluster looks for its leader, a client is refused after this time, and tries another node.
	o.MQTT.JSAPITimeout = 2 * time.Second
	o.Cluster = server.ClusterOpts{
		Name: "sabot-" + site, Host: host, Port: port, TLSConfig: c.TLS, TLSTimeout: 5, NoAdvertise: true,
		PoolSize: -1, // one connection between two nodes carries all that a floor says
	}
	for name, address := range c.Nodes {
		if name != c.Node {
			o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: address})
		}
	}
	return nil
}

func split(address string) (host string, port int, err error) {
	host, number, err := net.SplitHostPort(address)
	if err == nil {
		port, err = strconv.Atoi(number)
	}
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is not an address for a broker: write host:port", address)
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// Addr is where tables connect.
func (b *Broker) Addr() string {
	return net.JoinHostPort(b.opts.MQTT.Host, strconv.Itoa(b.opts.MQTT.Port))
}

// Clustered says whether the broker is a node of a cluster.
func (b *Broker) Clustered() bool { return b.config.Cluster != nil }

// Pit is the pit's own user.
func (b *Broker) Pit() User { return b.pit }

// Users are all who may connect.
func (b *Broker) Users() []User { return b.config.Users() }

// Dial connects the pit itself, wherever the broker listens. With TLS it trusts this broker's own certificate, and no
// other.
func (b *Broker) Dial(ctx context.Context, _ string) (net.Conn, error) {
	address := net.JoinHostPort(hostToDial(b.opts.MQTT.Host), strconv.Itoa(b.opts.MQTT.Port))
	var plain net.Dialer
	if b.config.TLS == nil {
		return plain.DialContext(ctx, "tcp", address)
	}
	secure := tls.Dialer{NetDialer: &plain, Config: &tls.Config{
		InsecureSkipVerify: true, // the connection is to this process itself: the certificate is compared instead
		VerifyConnection:   b.isOwn,
	}}
	return secure.DialContext(ctx, "tcp", address)
}

// hostToDial is where who listens at a host is reached from this machine: there, by its name, too; or at any of its
// addresses.
func hostToDial(host string) string {
	if host == "" || net.ParseIP(host).IsUnspecified() {
		return "127.0.0.1"
	}
	return host
}

// isOwn accepts the broker's own certificate.
func (b *Broker) isOwn(s tls.ConnectionState) error {
	own, err := b.ownCertificate()
	if err != nil {
		return err
	}
	if len(s.PeerCertificates) == 0 || string(s.PeerCertificates[0].Raw) != string(own.Certificate[0]) {
		return errors.New("who answers at the broker's address is not the broker inside this pit")
	}
	return nil
}

func (b *Broker) ownCertificate() (*tls.Certificate, error) {
	if c := b.config.TLS; c.GetCertificate != nil {
		return c.GetCertificate(&tls.ClientHelloInfo{})
	}
	return &b.config.TLS.Certificates[0], nil
}

// Close ends the broker, and waits until it has ended.
func (b *Broker) Close() {
	b.server.Shutdown()
	b.server.WaitForShutdown()
}
