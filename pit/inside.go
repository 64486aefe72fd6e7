package pit

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/pit/broker"
)

// Inside is the broker that the pit runs itself where mqtt.broker names none.
type Inside struct {
	// Listen is the address for tables, host:port.
	Listen string `yaml:"listen"`
	// CertFile and KeyFile are the broker's certificate and its private key; both empty for no TLS.
	CertFile string `yaml:"cert_file"`
	KeyFile  string `yaml:"key_file"`
	// SecretFile is the key of which the passwords are made, and Folder what the broker keeps; empty for files beside
	// the database.
	SecretFile string `yaml:"secret_file"`
	Folder     string `yaml:"folder"`
	// Readers are other programs that may hear the tables.
	Readers []string `yaml:"readers"`
}

// Cluster is the cluster of which the broker inside is a node.
type Cluster struct {
	// Node is this node's name in Nodes.
	Node  string `yaml:"node,required"`
	Nodes []Node `yaml:"nodes,required"`
	// CertFile, KeyFile and CAFile are what the nodes prove themselves to each other with.
	CertFile string `yaml:"cert_file,required"`
	KeyFile  string `yaml:"key_file,required"`
	CAFile   string `yaml:"ca_file,required"`
}

// Node is one node of a cluster.
type Node struct {
	Name    string `yaml:"name,required"`
	Address string `yaml:"address,required"`
}

// hasInside says whether the pit runs a broker itself.
func (c *Config) hasInside() bool { return c.MQTT.Broker == "" }

// inside is the section with the files filled in that lie beside the database; they are "" where it is no file.
func (c *Config) inside() Inside {
	i := c.Broker
	if beside := c.database(); beside != "" {
		if i.SecretFile == "" {
			i.SecretFile = beside + ".broker.key"
		}
		if i.Folder == "" {
			i.Folder = beside + ".broker"
		}
	}
	return i
}

// checkInside looks at the broker inside, or at what says something about it where there is none.
func checkInside(doc *strictyaml.Document, c *Config) {
	if !c.hasInside() {
		for _, path := range []string{"broker", "cluster", "hub", "sites"} {
			if doc.Has(path) {
				doc.Refuse(path, "would not be used: mqtt.broker names another broker", "remove one of the two")
			}
		}
		return
	}
	for _, path := range []string{"mqtt.username", "mqtt.password_file", "mqtt.ca_file"} {
		if doc.Has(path) {
			doc.Refuse(path, "would not be used: the pit runs the broker itself", "remove it, or add mqtt.broker")
		}
	}
	if len(c.Tables) == 0 && c.Sites == nil {
		doc.Refuse("tables", "the broker inside the pit lets in the tables of this list, which has none",
			"list the room's tables; or name another broker in mqtt.broker")
	}
	i := c.inside()
	if host, ok := listens(i.Listen); !ok {
		doc.Refuse("broker.listen", fmt.Sprintf("%q is not host:port", i.Listen), "write it as 0.0.0.0:8883")
	} else if i.CertFile == "" && !loopback(host) {
		doc.Refuse("broker.listen", configfile.InClearWhat, "add broker.cert_file and broker.key_file")
	}
	certified(doc, "broker", i.CertFile, i.KeyFile)
	if i.Folder != "" {
		doc.Relative("broker.folder", i.Folder)
	}
	if i.SecretFile == "" || i.Folder == "" {
		doc.Refuse("broker", "there is no place beside the database for what the broker keeps",
			"add broker.secret_file and broker.folder")
	}
	for n, name := range i.Readers {
		path := fmt.Sprintf("broker.readers[%d]", n)
		if !clientName.MatchString(name) || slices.Contains(i.Readers[:n], name) {
			doc.Refuse(path, fmt.Sprintf("%q is no name, or is there twice", name),
				"write 1 to 32 characters of a-z, 0-9, _ and -, and each name once")
		}
	}
	if c.Cluster != nil {
		c.Cluster.check(doc)
	}
}

func (c *Cluster) check(doc *strictyaml.Document) {
	names, addresses := map[string]bool{}, map[string]bool{}
	for i, n := range c.Nodes {
		path := fmt.Sprintf("cluster.nodes[%d]", i)
		if _, _, err := net.SplitHostPort(n.Address); err != nil {
			doc.Refuse(path+".address", fmt.Sprintf("%q is not host:port", n.Address), "write it as 10.0.0.1:6222")
		}
		if !clientName.MatchString(n.Name) {
			doc.Refuse(path+".name", fmt.Sprintf("%q is no name, and tables are asked by it", n.Name),
				"write 1 to 32 characters of a-z, 0-9, _ and -")
		}
		if names[n.Name] || addresses[n.Address] {
			doc.Refuse(path, fmt.Sprintf("%q or %q is there twice", n.Name, n.Address), "name each node once")
		}
		names[n.Name], addresses[n.Address] = true, true
	}
	if n := len(c.Nodes); n > 0 && (n < 3 || n%2 == 0) {
		doc.Refuse("cluster.nodes", fmt.Sprintf("%d nodes cannot agree when one of them dies", n),
			"name three nodes, or five")
	}
	if c.Node != "" && !names[c.Node] {
		doc.Refuse("cluster.node", fmt.Sprintf("%q is not one of cluster.nodes", c.Node),
			"name this node as the list does")
	}
}

// insideKey is the kind of key of which the passwords for the broker inside are made.
var insideKey = securefile.KeyKind{Make: "sabot-pit", User: "sabot-pit", Kept: "tables are let in with it"}

// insideConfig is how the broker inside is started. Its key is made if there is none.
func (c *Config) insideConfig(log *slog.Logger) (broker.Config, error) {
	i := c.inside()
	key, err := insideKey.OrNewP256(i.SecretFile)
	if err != nil {
		return broker.Config{}, fmt.Errorf("the key of the broker inside the pit: %w", err)
	}
	secret, err := key.Bytes()
	if err != nil {
		return broker.Config{}, err
	}
	tables, err := c.tables()
	if err != nil {
		return broker.Config{}, err
	}
	b := broker.Config{
		Site: c.Site, Tables: tables, Readers: i.Readers, Secret: secret, Listen: i.Listen, Folder: i.Folder, Log: log,
	}
	if i.CertFile != "" {
		own, err := site.OpenCertificate(i.CertFile, i.KeyFile, log)
		if err != nil {
			return broker.Config{}, fmt.Errorf("broker.cert_file: %w", err)
		}
		b.TLS = own.TLS()
		b.TLS.MinVersion = tls.VersionTLS12 // as tables ask of any broker
	}
	if c.Cluster != nil {
		if b.Cluster, err = c.Cluster.join(log); err != nil {
			return b, err
		}
	}
	if c.Sites != nil {
		b.Sites = &broker.Sites{Listen: c.Sites.Listen, Names: c.leaves()}
	}
	if c.Hub != nil {
		b.Hub, err = c.Hub.leaf()
	}
	return b, err
}

// Users are all who may connect to the broker inside, and what they may say and hear.
func Users(c Config, log *slog.Logger) ([]broker.User, error) {
	if !c.hasInside() {
		return nil, errors.New("the pit runs no broker: mqtt.broker names another, which has its own list of users")
	}
	with, err := c.insideConfig(log)
	if err != nil {
		return nil, err // without the key there are no passwords
	}
	return with.Users(), nil
}

// join is the cluster as the broker wants it.
func (c *Cluster) join(log *slog.Logger) (*broker.Cluster, error) {
	own, err := site.OpenCertificate(c.CertFile, c.KeyFile, log)
	if err != nil {
		return nil, fmt.Errorf("cluster.cert_file: %w", err)
	}
	trusted, err := authorities("cluster.ca_file", c.CAFile)
	if err != nil {
		return nil, err
	}
	with := own.TLS()
	with.ClientAuth, with.ClientCAs, with.RootCAs = tls.RequireAndVerifyClientCert, trusted, trusted
	with.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		return with.GetCertificate(nil)
	}
	joined := &broker.Cluster{Node: c.Node, Nodes: map[string]string{}, TLS: with}
	for _, n := range c.Nodes {
		joined.Nodes[n.Name] = n.Address
	}
	return joined, nil
}

// openInside starts the broker inside, nil where there is another. One that is alone is tried before it is used.
func openInside(ctx context.Context, c Config, log *slog.Logger) (*broker.Broker, error) {
	if !c.hasInside() {
		return nil, nil
	}
	with, err := c.insideConfig(log)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Clean(with.Folder), 0o700); err != nil {
		return nil, fmt.Errorf("broker.folder: %w", err)
	}
	b, err := broker.Start(with)
	if err != nil {
		return nil, err
	}
	if with.Cluster == nil {
		if err := b.Try(ctx); err != nil {
			b.Close()
			return nil, err
		}
	}
	log.Info("the broker inside the pit takes tables", "at", b.Addr(), "tables", len(with.Tables))
	return b, nil
}

const (
	// clusterLooks is how often a node looks whether its cluster takes clients, until it does.
	clusterLooks = 2 * time.Second
	// clusterIsSlow is after how long it says that it does not.
	clusterIsSlow = time.Minute
)

// tryCluster tries the access lists of a cluster once it takes clients, which may be long after this node has started.
func tryCluster(ctx context.Context, b *broker.Broker, log *slog.Logger) {
	began, told := time.Now(), false
	for {
		err := b.Try(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			log.Info("the cluster takes tables, and keeps to their access lists", "after",
				time.Since(began).Round(time.Second))
			return
		case errors.As(err, new(broker.AccessError)):
			log.Error("THE BROKER INSIDE THE PIT DOES NOT KEEP TO ITS ACCESS LISTS: stop this node", "err", err)
			return
		case !told && time.Since(began) > clusterIsSlow:
			log.Warn("the cluster takes no tables yet: more than half of its nodes must run and reach each other",
				"err", err)
			told = true
		}
		select {
		case <-time.After(clusterLooks):
		case <-ctx.Done():
			return
		}
	}
}
