package broker_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"sync"
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

// tables are those of a house.
func tables(t *testing.T, names ...string) (all []topic.Table) {
	t.Helper()
	for _, name := range names {
		one, err := topic.NewTable("kursaal", name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

func start(t *testing.T, c broker.Config) *broker.Broker {
	t.Helper()
	if c.Tables == nil {
		c.Tables = tables(t, "bj-1", "bj-2")
	}
	if c.Folder == "" {
		c.Folder = t.TempDir()
	}
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	c.Site, c.Secret = "kursaal", bytes.Repeat([]byte{7}, broker.SecretLength)
	b, err := broker.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// user is the one of a name.
func user(t *testing.T, b *broker.Broker, name string) broker.User {
	t.Helper()
	for _, u := range b.Users() {
		if u.Name == name {
			return u
		}
	}
	t.Fatalf("nobody is called %s", name)
	return broker.User{}
}

// as is a connection of a user over the network, to the first of a list of brokers that takes it.
func as(t *testing.T, u broker.User, brokers string) *transport.Conn {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), brokertest.Deadline)
	defer stop()
	d, err := transport.New(transport.Config{
		Broker: brokers, Username: u.Name, Password: u.Password, ClientID: "test-" + u.Name,
		Limits: replica.Limits,
	})
	if err != nil {
		t.Fatal(err)
	}
	for {
		conn, err := d.Connect(ctx, nil)
		if err == nil {
			t.Cleanup(conn.Part)
			return conn
		}
		d.Failed(err)
		if !d.Wait(ctx) {
			t.Fatal(err)
		}
	}
}

// hear subscribes, and returns what comes.
func hear(t *testing.T, conn *transport.Conn, filter string) <-chan mqtt.Message {
	t.Helper()
	all, granted := subscribe(t, conn, filter)
	if !granted {
		t.Fatal("the subscription is denied")
	}
	return all
}

// hearCluster is hear at a cluster, which denies it while it looks for its leader, and is asked again.
func hearCluster(t *testing.T, conn *transport.Conn, filter string) (all <-chan mqtt.Message) {
	t.Helper()
	brokertest.Until(t, "the subscription is granted", func() (granted bool) {
		all, granted = subscribe(t, conn, filter)
		return granted
	})
	return all
}

func subscribe(t *testing.T, conn *transport.Conn, filter string) (all chan mqtt.Message, granted bool) {
	t.Helper()
	all = make(chan mqtt.Message, 1000)
	token := conn.Subscribe(filter, 1, func(_ mqtt.Client, m mqtt.Message) { all <- m })
	if !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
		t.Fatal("the subscription fails: ", token.Error())
	}
	return all, token.(*mqtt.SubscribeToken).Result()[filter] == 1
}

func say(t *testing.T, conn *transport.Conn, name string, retained bool, payload string) {
	t.Helper()
	token := conn.Publish(name, 1, retained, payload)
	if !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
		t.Fatal("a message is not acknowledged: ", token.Error())
	}
}

// insist says something until it is taken, as a table does: a cluster that looks for its leader ends the connection.
func insist(t *testing.T, u broker.User, brokers, name string, retained bool, payload string) {
	t.Helper()
	brokertest.Until(t, "the broker takes what is said", func() bool {
		conn := as(t, u, brokers)
		token := conn.Publish(name, 1, retained, payload)
		select {
		case <-token.Done():
			return token.Error() == nil
		case <-conn.Lost:
			return false
		}
	})
}

// tries waits until each of the nodes takes clients, and keeps to its access list.
func tries(t *testing.T, nodes map[string]*broker.Broker) {
	t.Helper()
	var all sync.WaitGroup
	for name, node := range nodes { // at the same time, as nodes do that start together
		all.Go(func() {
			brokertest.UntilEvery(t, 200*time.Millisecond, name+" keeps to its access list", func() bool {
				err := node.Try(t.Context())
				if errors.As(err, new(broker.AccessError)) {
					t.Errorf("%s: %v", name, err)
				}
				return err == nil
			})
		})
	}
	all.Wait()
}

// next is the next message.
func next(t *testing.T, from <-chan mqtt.Message) string {
	t.Helper()
	select {
	case m := <-from:
		return m.Topic() + " " + string(m.Payload())
	case <-time.After(brokertest.Deadline):
		t.Fatal("nothing comes")
		return ""
	}
}

// TestWhoMaySayWhat: a table speaks for itself alone, a reader hears everything and says nothing, and nobody else is
// let in.
func TestWhoMaySayWhat(t *testing.T) {
	b := start(t, broker.Config{Readers: []string{"erp"}})
	if err := b.Try(t.Context()); err != nil {
		t.Fatal(err)
	}
	at := "tcp://" + b.Addr()
	table, reader := as(t, user(t, b, "table-bj-1"), at), as(t, user(t, b, "reader-erp"), at)
	all := hear(t, reader, "sabot/v1/kursaal/#")
	say(t, table, "sabot/v1/kursaal/bj-2/event", false, "forged")
	say(t, table, "sabot/v1/kursaal/bj-1/fetch", false, "asked itself")
	say(t, reader, "sabot/v1/kursaal/bj-1/command", false, "not signed")
	say(t, table, "sabot/v1/kursaal/bj-1/alert/unread-card", true, "stands")
	if got := next(t, all); got != "sabot/v1/kursaal/bj-1/alert/unread-card stands" {
		t.Errorf("the reader hears %s", got)
	}
	stranger := user(t, b, "table-bj-1")
	for _, u := range []broker.User{
		{Name: "table-bj-1", Password: "x"},
		{Name: "bj-9", Password: stranger.Password},
		{},
	} {
		d, err := transport.New(transport.Config{Broker: at, Username: u.Name, Password: u.Password, ClientID: "x"})
		if err == nil {
			_, err = d.Connect(t.Context(), nil)
		}
		if err == nil {
			t.Errorf("%q is let in", u.Name)
		}
	}
}

// TestTooManyConnections: a user who connects again and again gets so many connections and no more, and all others go
// on; once one has ended, the user gets another.
func TestTooManyConnections(t *testing.T) {
	said := new(system.Text)
	b := start(t, broker.Config{Log: slog.New(slog.NewTextHandler(said, nil))})
	greedy := user(t, b, broker.TableUser("bj-1"))
	connect := func(n int) (*transport.Conn, error) {
		d, err := transport.New(transport.Config{
			Broker: "tcp://" + b.Addr(), Username: greedy.Name, Password: greedy.Password,
			ClientID: fmt.Sprint("greedy-", n),
			Limits:   replica.Limits,
		})
		if err != nil {
			t.Fatal(err)
		}
		return d.Connect(t.Context(), nil)
	}
	var all []*transport.Conn
	for n := range broker.MostOfUser {
		conn, err := connect(n)
		if err != nil {
			t.Fatalf("connection %d: %v", n+1, err)
		}
		t.Cleanup(conn.Part)
		all = append(all, conn)
	}
	for n := range 3 {
		if _, err := connect(100 + n); err == nil {
			t.Fatal("there is no limit")
		}
	}
	if got := strings.Count(said.String(), "TOO MANY CONNECTIONS"); got != 1 {
		t.Errorf("it says %d times that there are too many:\n%s", got, said)
	}
	say(t, as(t, user(t, b, broker.TableUser("bj-2")), "tcp://"+b.Addr()),
		"sabot/v1/kursaal/bj-2/health", false, "well")
	all[0].Part()
	brokertest.Until(t, "there is room again", func() bool {
		conn, err := connect(200)
		if err == nil {
			t.Cleanup(conn.Part)
		}
		return err == nil
	})
}

// TestTryWhileOthersSpeak: what a table says on the topic of the try, as a hostile one might, or another node's try
// does, proves nothing against the access list.
func TestTryWhileOthersSpeak(t *testing.T) {
	var log bytes.Buffer
	b := start(t, broker.Config{Log: slog.New(slog.NewTextHandler(&log, nil))})
	table := as(t, user(t, b, "table-bj-2"), "tcp://"+b.Addr())
	ctx, stop := context.WithCancel(t.Context())
	var speaks sync.WaitGroup
	begun := make(chan bool)
	speaks.Go(func() {
		for n := 0; ctx.Err() == nil; n++ {
			table.Publish("sabot/v1/kursaal/bj-2/answer/access-list", 1, false, "").WaitTimeout(brokertest.Deadline)
			if n == 0 {
				close(begun)
			}
		}
	})
	<-begun
	for range 3 {
		if err := b.Try(t.Context()); err != nil {
			t.Error(err)
		}
	}
	stop()
	speaks.Wait()
	b.Close()
	if strings.Contains(log.String(), "Violation") {
		t.Errorf("the log has what was tried: %s", log.String())
	}
}

// TestTheLastWill: neither does a last will speak for another.
func TestTheLastWill(t *testing.T) {
	b := start(t, broker.Config{Readers: []string{"erp"}})
	at := "tcp://" + b.Addr()
	heard := hear(t, as(t, b.Pit(), at), "sabot/v1/kursaal/+/status")
	for _, table := range []string{"bj-2", "bj-1"} {
		u := user(t, b, "table-bj-1")
		d, err := transport.New(transport.Config{
			Broker: at, Username: u.Name, Password: u.Password, ClientID: "will-" + table, Limits: replica.Limits,
		})
		if err != nil {
			t.Fatal(err)
		}
		will := transport.Will{Topic: "sabot/v1/kursaal/" + table + "/status", Payload: []byte("gone")}
		conn, err := d.Connect(t.Context(), &will)
		if err != nil {
			t.Fatal(err)
		}
		conn.Drop()
	}
	if got := next(t, heard); got != "sabot/v1/kursaal/bj-1/status gone" {
		t.Errorf("the pit hears %s", got)
	}
	if err := b.Try(t.Context()); err != nil { // by then it has filed what was retained
		t.Fatal(err)
	}
	kept := hear(t, as(t, user(t, b, "reader-erp"), at), "sabot/v1/kursaal/+/status")
	if got := next(t, kept); got != "sabot/v1/kursaal/bj-1/status gone" || len(kept) > 0 {
		t.Errorf("the broker keeps %s, and %d others", got, len(kept))
	}
}

// TestRetainedStays: what the broker keeps is there after a restart, also one that nobody announced.
func TestRetainedStays(t *testing.T) {
	folder := t.TempDir()
	first := start(t, broker.Config{Folder: folder})
	table := as(t, user(t, first, "table-bj-1"), "tcp://"+first.Addr())
	say(t, table, "sabot/v1/kursaal/bj-1/status", true, "online")
	first.Close()
	again := start(t, broker.Config{Folder: folder})
	if err := again.Try(t.Context()); err != nil { // by then it has read what was retained
		t.Fatal(err)
	}
	pit := as(t, again.Pit(), "tcp://"+again.Addr())
	if got := next(t, hear(t, pit, "sabot/v1/kursaal/+/status")); got != "sabot/v1/kursaal/bj-1/status online" {
		t.Errorf("it keeps %s", got)
	}
}

// TestAllRetainedStays: who subscribes at once after a restart hears all that was retained.
func TestAllRetainedStays(t *testing.T) {
	const many = 500
	folder := t.TempDir()
	first := start(t, broker.Config{Folder: folder})
	table := as(t, user(t, first, "table-bj-1"), "tcp://"+first.Addr())
	for n := range many {
		say(t, table, fmt.Sprintf("sabot/v1/kursaal/bj-1/alert/code-%d", n), true, "stands")
	}
	first.Close()
	again := start(t, broker.Config{Folder: folder})
	if err := again.Try(t.Context()); err != nil {
		t.Fatal(err)
	}
	heard := hear(t, as(t, again.Pit(), "tcp://"+again.Addr()), "sabot/v1/kursaal/+/alert/+")
	for range many {
		next(t, heard)
	}
}

// TestSecured: with TLS the pit itself trusts the broker inside it and nobody else.
func TestSecured(t *testing.T) {
	authority := brokertest.NewAuthority(t, "Pit CA", nil)
	secured := start(t, broker.Config{TLS: &tls.Config{
		Certificates: []tls.Certificate{brokertest.NewBroker(t, authority).Shown(true)},
	}})
	if err := secured.Try(t.Context()); err != nil {
		t.Fatal(err)
	}
	plain, err := net.Dial("tcp", secured.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if _, err := plain.Write([]byte("\x10\x0c\x00\x04MQTT\x04\x02\x00\x3c\x00\x00")); err != nil {
		t.Fatal(err)
	}
	if n, _ := plain.Read(make([]byte, 4)); n == 4 {
		t.Error("it answers without TLS")
	}
}

// TestCluster: three nodes are one broker. Who is connected to a node that dies goes on at the next, and no retained
// message is lost.
func TestCluster(t *testing.T) {
	nodes := map[string]string{}
	for i := range 3 {
		nodes[fmt.Sprintf("pit-%d", i+1)] = system.Address(t)
	}
	all := map[string]*broker.Broker{}
	var list string
	for _, name := range []string{"pit-1", "pit-2", "pit-3"} {
		all[name] = start(t, broker.Config{Cluster: &broker.Cluster{Node: name, Nodes: nodes}})
		list += " tcp://" + all[name].Addr()
	}
	tries(t, all)
	reader := as(t, all["pit-3"].Pit(), "tcp://"+all["pit-3"].Addr())
	heard := hearCluster(t, reader, "sabot/v1/kursaal/bj-1/event")
	table := user(t, all["pit-1"], "table-bj-1")
	retained := func() bool { // which NATS may fail to read just then, and says only in its log
		all, late := hearCluster(t, reader, "sabot/v1/kursaal/+/status"), time.After(time.Second)
		for {
			select {
			case m := <-all: // or what is said just now
				if m.Retained() {
					return string(m.Payload()) == "online"
				}
			case <-late:
				return false
			}
		}
	}
	brokertest.Until(t, "they retain what is said", func() bool { // which NATS may fail to file, and acknowledges
		insist(t, table, list, "sabot/v1/kursaal/bj-1/status", true, "online")
		return retained()
	})
	all["pit-1"].Close()
	insist(t, table, list, "sabot/v1/kursaal/bj-1/event", false, "after")
	if got := next(t, heard); got != "sabot/v1/kursaal/bj-1/event after" {
		t.Errorf("the reader at another node hears %s", got)
	}
	brokertest.Until(t, "what was retained is there", retained)
}

// TestPasswordsFollow: from the secret and the name, and from nothing else.
func TestPasswordsFollow(t *testing.T) {
	a, b := start(t, broker.Config{}), start(t, broker.Config{Tables: tables(t, "bj-2", "bj-3")})
	if user(t, a, "table-bj-2").Password != user(t, b, "table-bj-2").Password {
		t.Error("another list of tables makes another password")
	}
	var all []string
	for _, u := range slices.Concat(a.Users(), b.Users()) {
		if len(u.Password) != 32 {
			t.Errorf("%s has the password %q", u.Name, u.Password)
		}
		all = append(all, u.Password)
	}
	slices.Sort(all)
	if n := len(slices.Compact(all)); n != 4 {
		t.Errorf("four users have %d passwords", n)
	}
}
