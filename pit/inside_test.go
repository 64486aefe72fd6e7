package pit

import (
	"context"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/broker"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
)

// TestFaultsOfTheBrokerInside: what is said of a broker that does not run, or cannot, is refused.
func TestFaultsOfTheBrokerInside(t *testing.T) {
	const (
		sound   = "site: wiesbaden\ntables: [bj-1]\nstore:\n  time_zone: Europe/Berlin\n"
		cluster = sound + "cluster:\n  node: a\n  cert_file: /c\n  key_file: /k\n  ca_file: /a\n  nodes: "
	)
	if _, err := Parse("pit.yaml", []byte(sound)); err != nil {
		t.Errorf("a pit with no broker but its own: %v", err)
	}
	three := "[{name: a, address: 'a:1'}, {name: b, address: 'b:1'}, {name: c, address: 'c:1'}]\n"
	if _, err := Parse("pit.yaml", []byte(cluster+three)); err != nil {
		t.Errorf("a node of three: %v", err)
	}
	for text, want := range map[string]string{
		strings.Replace(sound, "tables: [bj-1]\n", "",
			1): "tables: the broker inside the pit lets in the tables of this list",
		sound +
			"mqtt:\n  username: pit\n": "mqtt.username: would not be used: the pit runs the broker itself",
		sound +
			"mqtt:\n  broker: tcp://a\nbroker:\n  folder: /a\n": "broker: would not be used: mqtt.broker names another",
		cluster + three + "mqtt:\n  broker: tcp://a\n": "cluster: would not be used",
		sound +
			"broker:\n  listen: 0.0.0.0:1883\n": "broker.listen: the broker's password would cross the network",
		sound + "broker:\n  listen: here\n":        `broker.listen: "here" is not host:port`,
		sound + "broker:\n  key_file: /k\n":        "cert_file and key_file need each other",
		sound + "broker:\n  folder: here\n":        `broker.folder: "here" is not an absolute path`,
		sound + "broker:\n  readers: [erp, ERP]\n": `broker.readers[1]: "ERP" is no name`,
		sound +
			"broker:\n  readers: [erp, erp]\n": `broker.readers[1]: "erp" is no name, or is there twice`,
		sound + "  source: postgres://pit@db/pit\n":               "add broker.secret_file and broker.folder",
		cluster + "[{name: a, address: 'a:1'}]\n":                 "cluster.nodes: 1 nodes cannot agree",
		cluster + strings.Replace(three, "name: a", "name: d", 1): `cluster.node: "a" is not one of cluster.nodes`,
		cluster + strings.Replace(three, "b:1", "a:1", 1):         `cluster.nodes[1]: "b" or "a:1" is there twice`,
		cluster + strings.Replace(three, "b:1", "b", 1):           `cluster.nodes[1].address: "b" is not host:port`,
	} {
		if _, err := Parse("pit.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\nis refused with %v, not with %s", text, err, want)
		}
	}
}

// TestTheBrokerInside: a table that connects with the password that the pit shows is on the floor; and after a restart
// of the pit, before it says anything again.
func TestTheBrokerInside(t *testing.T) {
	c := Default()
	c.Site, c.Tables, c.Broker.Listen = "wiesbaden", []string{"bj-1"}, "127.0.0.1:0"
	c.Store.Source, c.Store.TimeZone = filepath.Join(t.TempDir(), "pit.db"), Zone{time.UTC}
	table, err := topic.NewTable("wiesbaden", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	var users []broker.User
	for round, says := range []bool{true, false} {
		p, err := Open(t.Context(), c, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- p.Run(ctx) }()
		if users = p.Inside.Users(); says {
			connected(t, users[0], p.Inside.Addr(), table)
		}
		brokertest.Until(t, "the table is on the floor", func() bool {
			_, heard := p.Floor.Health(table)
			return heard
		})
		stop()
		if err := <-ended; err != nil {
			t.Errorf("round %d ended with %v", round, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	shown, err := Users(c, slog.New(slog.DiscardHandler))
	if err != nil || len(shown) != 2 || shown[0].Password != users[0].Password {
		t.Errorf("the users shown are %v: %v", shown, err)
	}
	c.Broker.SecretFile = t.TempDir()
	if shown, err := Users(c, slog.New(slog.DiscardHandler)); err == nil || shown != nil {
		t.Errorf("with a key that cannot be read the users shown are %v: %v", shown, err)
	}
}

// connect connects to a broker, without a will.
func connect(t *testing.T, c transport.Config) *transport.Conn {
	t.Helper()
	d, err := transport.New(c)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := d.Connect(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// connected connects as a table, says that it is there, and leaves.
func connected(t *testing.T, as broker.User, at string, table topic.Table) {
	t.Helper()
	conn := connect(t, transport.Config{
		Broker: "tcp://" + at, Username: as.Name, Password: as.Password, ClientID: "sabot-wiesbaden-bj-1",
	})
	defer conn.Part()
	token := conn.Publish(table.Topic(topic.KindHealth), 1, true,
		`{"boot":1,"time":"2026-03-14T20:00:00Z","journal":{}}`)
	if !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
		t.Fatal(token.Error())
	}
}
