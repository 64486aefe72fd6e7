package broker_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/pit/broker"
	"github.com/sabot-table/sabot/pit/replica"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/pit/transport"
)

// hub is the broker of a group's hub that takes two houses.
func hub(t *testing.T, secured *tls.Config) *broker.Broker {
	t.Helper()
	b, err := broker.Start(broker.Config{
		Site: "group", Secret: bytes.Repeat([]byte{9}, broker.SecretLength), Listen: "127.0.0.1:0",
		Folder: t.TempDir(), TLS: secured,
		Sites: &broker.Sites{Listen: "127.0.0.1:0", Names: []string{"kursaal", "wiesbaden"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.Try(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

// watched is how a broker's line to a site stands.
func watched(t *testing.T, b *broker.Broker, site string) func() bool {
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() { b.Watch(ctx, func(string, broker.Line) {}); close(ended) }()
	t.Cleanup(func() { stop(); <-ended })
	return func() bool { return b.Lines()[site].Up }
}

// TestASiteIsALeaf: what a site's tables say is heard at the hub, and what the hub asks is heard at the tables: nothing
// else of it, unless the site takes it.
func TestASiteIsALeaf(t *testing.T) {
	authority := brokertest.NewAuthority(t, "Group CA", nil)
	trusted := x509.NewCertPool()
	trusted.AddCert(authority.Certificate)
	secured := &tls.Config{Certificates: []tls.Certificate{brokertest.NewBroker(t, authority).Shown(true)}}
	for _, c := range []struct {
		name    string
		secured *tls.Config
		trusts  *tls.Config
		takes   []topic.Kind
		hears   []string
	}{
		{"asked", nil, nil, nil, []string{"fetch"}},
		{"told", secured, &tls.Config{RootCAs: trusted}, []topic.Kind{topic.KindCommand}, []string{
			"command", "fetch",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			at := hub(t, c.secured)
			site := start(t, broker.Config{Hub: &broker.Hub{
				Addresses: []string{at.SitesAddr()}, Password: user(t, at, "site-kursaal").Password, TLS: c.trusts,
				Takes: c.takes,
			}})
			there, here := watched(t, at, "kursaal"), watched(t, site, "kursaal")
			brokertest.Until(t, "the line is up at both ends", func() bool { return there() && here() })
			table := as(t, user(t, site, "table-bj-1"), "tcp://"+site.Addr())
			told := hear(t, table, "sabot/v1/kursaal/bj-1/command")
			asked := hear(t, table, "sabot/v1/kursaal/bj-1/fetch")
			asks := pitOf(t, at)
			heard := hearPlainly(t, asks, "sabot/v1/kursaal/+/health")
			brokertest.Until(t, "the hub hears the table, and the table the hub", func() bool {
				say(t, table, "sabot/v1/kursaal/bj-1/health", true, "well")
				asks.Publish("sabot/v1/kursaal/bj-1/command", 0, false, "close")
				asks.Publish("sabot/v1/kursaal/bj-1/fetch", 0, false, "records")
				return len(heard) > 0 && len(asked) > 0
			})
			for range 3 { // on one line, so what was said before has come before
				asks.Publish("sabot/v1/kursaal/bj-1/fetch", 0, false, "records")
			}
			brokertest.Until(t, "all is heard", func() bool { return len(asked) > 3 })
			if got := len(told) > 0; got != (len(c.takes) > 0) {
				t.Errorf("the table is told commands: %v", got)
			}
			for len(heard) > 0 {
				if got := next(t, heard); got != "sabot/v1/kursaal/bj-1/health well" {
					t.Errorf("the hub hears %s", got)
				}
			}
		})
	}
}

// pitOf is the pit's own connection to the broker inside it.
func pitOf(t *testing.T, b *broker.Broker) *transport.Conn {
	t.Helper()
	d, err := transport.New(transport.Config{
		Broker: "tcp://inside", Dial: b.Dial, Username: b.Pit().Name, Password: b.Pit().Password, ClientID: "test-pit",
		Limits: replica.Limits,
	})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := d.Connect(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Part)
	return conn
}

// hearPlainly subscribes as a hub does: NATS hands on what leaves say as if it were sent but once.
func hearPlainly(t *testing.T, conn *transport.Conn, filters ...string) <-chan mqtt.Message {
	t.Helper()
	all := make(chan mqtt.Message, 1000)
	for _, filter := range filters {
		token := conn.Subscribe(filter, 0, func(_ mqtt.Client, m mqtt.Message) { all <- m })
		if !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
			t.Fatal("the subscription fails: ", token.Error())
		}
	}
	return all
}

// TestASiteSpeaksForItself: whoever has a site's password says what is its own tables' and hears what its own are told,
// whatever program they use; and neither do a table and a site change places.
func TestASiteSpeaksForItself(t *testing.T) {
	at := hub(t, nil)
	asks := pitOf(t, at)
	heard := hearPlainly(t, asks, "sabot/v1/kursaal/#", "sabot/v1/wiesbaden/#")
	for _, c := range []struct{ subject, hears string }{
		{"sabot.v1.wiesbaden.bj-1.health", ""},
		{"sabot.v1.kursaal.bj-1.fetch", ""},
		{"$JS.API.STREAM.DELETE.$MQTT_rmsgs", ""},
		{"sabot.v1.kursaal.bj-1.health", "sabot/v1/kursaal/bj-1/health said"},
	} {
		leaf, in := rawLeaf(t, at, user(t, at, "site-kursaal"))
		fmt.Fprintf(leaf, "LS+ sabot.v1.wiesbaden.*.fetch\r\nLS+ sabot.v1.>\r\nLMSG %s 4\r\nsaid\r\nPING\r\n",
			c.subject)
		asks.Publish("sabot/v1/wiesbaden/bj-1/fetch", 0, false, "of another")
		for { // to the answer, or to the end
			line, err := in.ReadString('\n')
			if err != nil || strings.HasPrefix(line, "PONG") {
				break
			}
			if strings.HasPrefix(line, "LMSG") {
				t.Errorf("a site hears %s", line)
			}
		}
		if c.hears == "" {
			continue
		}
		for got := ""; got != c.hears; {
			if got = next(t, heard); got != c.hears && got != "sabot/v1/wiesbaden/bj-1/fetch of another" {
				t.Errorf("the hub hears %s", got)
			}
		}
	}
	leaf, in := rawLeaf(t, at, broker.User{Name: at.Pit().Name, Password: at.Pit().Password})
	fmt.Fprint(leaf, "PING\r\n")
	if text, _ := io.ReadAll(in); !strings.Contains(string(text), "Authorization Violation") {
		t.Errorf("the pit's own user is let in as a site: %s", text)
	}
	as := user(t, at, "site-kursaal")
	d, err := transport.New(transport.Config{
		Broker: "tcp://" + at.Addr(), Username: as.Name, Password: as.Password, ClientID: "x",
	})
	if err == nil {
		_, err = d.Connect(t.Context(), nil)
	}
	if err == nil {
		t.Error("a site is let in as a table")
	}
}

// TestTheHubIsToldWhatIsRetained: a hub that listens long after the line is up hears how each table stands, as it has
// said last, also of one that is away; and again over each new line.
func TestTheHubIsToldWhatIsRetained(t *testing.T) {
	at := hub(t, nil)
	gate := brokertest.NewGate(t, at.SitesAddr())
	site := start(t, broker.Config{Hub: &broker.Hub{
		Addresses: []string{gate.Addr()}, Password: user(t, at, "site-kursaal").Password,
	}})
	there, here := watched(t, at, "kursaal"), watched(t, site, "kursaal")
	away := as(t, user(t, site, "table-bj-1"), "tcp://"+site.Addr())
	say(t, away, "sabot/v1/kursaal/bj-1/status", true, `{"online":false}`)
	say(t, away, "sabot/v1/kursaal/bj-1/health", true, "well")
	say(t, away, "sabot/v1/kursaal/bj-1/event", true, "dealt")
	away.Part()
	is := as(t, user(t, site, "table-bj-2"), "tcp://"+site.Addr())
	say(t, is, "sabot/v1/kursaal/bj-2/status", true, `{"online":true}`)
	brokertest.Until(t, "the line is up at both ends", func() bool { return there() && here() })
	isWell := func() { say(t, is, "sabot/v1/kursaal/bj-2/health", true, "fresh") } // as it says often by itself
	isWell()
	heard := hearPlainly(t, pitOf(t, at), "sabot/v1/kursaal/+/status", "sabot/v1/kursaal/+/health",
		"sabot/v1/kursaal/+/event")
	for range 2 {
		for _, want := range []string{
			`bj-1/status {"online":false}`, "bj-1/health well", `bj-2/status {"online":true}`,
		} {
			if got := next(t, heard); got != "sabot/v1/kursaal/"+want {
				t.Errorf("the hub hears %s, not %s", got, want)
			}
		}
		gate.Shut()
		brokertest.Until(t, "the line is down", func() bool { return !there() })
		isWell()
		gate.Open()
	}
}

// rawLeaf connects as a leaf that keeps to no rule but the protocol's.
func rawLeaf(t *testing.T, at *broker.Broker, as broker.User) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", at.SitesAddr())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(brokertest.Deadline)); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, `CONNECT {"user":%q,"pass":%q,"server_id":"other","name":"other","version":"2.15.2"}`+"\r\n",
		as.Name, as.Password)
	return conn, in
}

// TestAClusterIsALeaf: a site of three nodes is heard at the hub from whichever node a table is connected to, also once
// one of them has died, and each thing once.
func TestAClusterIsALeaf(t *testing.T) {
	at := hub(t, nil)
	nodes, all := map[string]string{}, map[string]*broker.Broker{}
	names := []string{"pit-1", "pit-2", "pit-3"}
	for _, name := range names {
		nodes[name] = system.Address(t)
	}
	for _, name := range names {
		all[name] = start(t, broker.Config{
			Cluster: &broker.Cluster{Node: name, Nodes: nodes},
			Hub: &broker.Hub{
				Addresses: []string{at.SitesAddr()}, Password: user(t, at, "site-kursaal").Password,
			},
		})
	}
	asks := pitOf(t, at)
	heard := hearPlainly(t, asks, "sabot/v1/kursaal/+/event")
	for n, name := range names[:2] {
		tries(t, all)
		there := "tcp://" + all[name].Addr()
		table := as(t, user(t, all[name], "table-bj-1"), there)
		asked := hearCluster(t, table, "sabot/v1/kursaal/bj-1/fetch")
		brokertest.Until(t, "the hub hears the table at "+name+", and is heard", func() bool {
			say(t, table, "sabot/v1/kursaal/bj-1/event", false, "try")
			asks.Publish("sabot/v1/kursaal/bj-1/fetch", 0, false, "records")
			return len(heard) > 0 && len(asked) > 0
		})
		last := fmt.Sprint("last ", n)
		for i := range 20 {
			say(t, table, "sabot/v1/kursaal/bj-1/event", false, fmt.Sprint(n, i))
		}
		say(t, table, "sabot/v1/kursaal/bj-1/event", false, last)
		times := map[string]int{}
		for got := ""; !strings.HasSuffix(got, last); {
			got = next(t, heard)
			times[strings.TrimPrefix(got, "sabot/v1/kursaal/bj-1/event ")]++
		}
		for i := range 20 {
			if n := times[fmt.Sprint(n, i)]; n != 1 {
				t.Errorf("%s: the hub hears a thing %d times", name, n)
			}
		}
		table.Part()
		if n == 0 {
			all[name].Close()
			delete(all, name)
		}
	}
}
