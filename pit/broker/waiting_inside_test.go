package broker

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestNobodyIsWaitedFor: what a reader does not take, who has left for good without a goodbye to its session, keeps no
// table from speaking: the oldest of it is forgotten.
func TestNobodyIsWaitedFor(t *testing.T) {
	one, err := topic.NewTable("kursaal", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Start(Config{
		Site: "kursaal", Tables: []topic.Table{one}, Readers: []string{"erp"}, Listen: "127.0.0.1:0",
		Secret: bytes.Repeat([]byte{7}, SecretLength), Folder: t.TempDir(), kept: 16 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for range 2 { // bounding it again changes nothing
		if err := b.Try(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	users := b.Users()
	session(t, b, users[1], false, func(c mqtt.Client) {
		done(t, c.Subscribe("sabot/v1/kursaal/#", 1, nil))
	})
	session(t, b, users[0], true, func(c mqtt.Client) {
		const long = 1 << 20
		for range 20 {
			done(t, c.Publish("sabot/v1/kursaal/bj-1/event", 1, false, strings.Repeat("x", long)))
		}
	})
}

// TestNobodyFillsTheBroker: who begins a session under one name after the other, and has them all kept, keeps no table
// from speaking, and neither does a table that has much retained.
func TestNobodyFillsTheBroker(t *testing.T) {
	one, err := topic.NewTable("kursaal", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Start(Config{
		Site: "kursaal", Tables: []topic.Table{one}, Readers: []string{"erp"}, Listen: "127.0.0.1:0",
		Secret: bytes.Repeat([]byte{7}, SecretLength), Folder: t.TempDir(), kept: 4 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Try(t.Context()); err != nil {
		t.Fatal(err)
	}
	users := b.Users()
	filters := map[string]byte{}
	for n := range 200 {
		filters["sabot/v1/kursaal/bj-1/"+strings.Repeat(fmt.Sprintf("x%03d", n), 30)] = 0
	}
	for n := range 200 {
		named(t, b, users[1], fmt.Sprint("erp-", n), false, func(c mqtt.Client) {
			done(t, c.SubscribeMultiple(filters, nil))
		})
	}
	session(t, b, users[0], true, func(c mqtt.Client) {
		for n := range 20 {
			done(t, c.Publish(fmt.Sprintf("sabot/v1/kursaal/bj-1/answer/%d", n), 1, true, strings.Repeat("x", 512<<10)))
		}
		done(t, c.Publish("sabot/v1/kursaal/bj-1/status", 1, true, "online"))
		done(t, c.Publish("sabot/v1/kursaal/bj-1/event", 1, false, "{}"))
	})
	heard := make(chan string, 100)
	session(t, b, users[1], true, func(c mqtt.Client) {
		brokertest.Until(t, "what is retained last is there", func() bool { // NATS may not have read it yet
			done(t, c.Subscribe("sabot/v1/kursaal/bj-1/status", 1, func(_ mqtt.Client, m mqtt.Message) {
				heard <- string(m.Payload())
			}))
			select {
			case got := <-heard:
				if got != "online" {
					t.Errorf("what is retained last is %q", got)
				}
				return true
			case <-time.After(100 * time.Millisecond):
				return false
			}
		})
	})
}

func session(t *testing.T, b *Broker, u User, clean bool, do func(mqtt.Client)) {
	t.Helper()
	named(t, b, u, u.Name, clean, do)
}

func named(t *testing.T, b *Broker, u User, id string, clean bool, do func(mqtt.Client)) {
	t.Helper()
	o := mqtt.NewClientOptions().AddBroker("tcp://" + b.Addr()).SetClientID(id).SetUsername(u.Name)
	c := mqtt.NewClient(o.SetPassword(u.Password).SetCleanSession(clean).SetAutoReconnect(false))
	done(t, c.Connect())
	defer c.Disconnect(1)
	do(c)
}

func done(t *testing.T, token mqtt.Token) {
	t.Helper()
	if !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
		t.Fatal("the broker does not take it: ", token.Error())
	}
}

// patient is a keeper that has as long as a test.
func patient(t *testing.T, b *Broker) *keeperConn {
	t.Helper()
	k, err := b.asKeeper(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Close() })
	if err := k.SetDeadline(time.Now().Add(brokertest.Deadline)); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestATableGoesWhileItIsToldOf: what was said again of a table that came or went at that moment may be older than what
// the hub has heard, so that it is said once more, and then no more.
func TestATableGoesWhileItIsToldOf(t *testing.T) {
	one, err := topic.NewTable("kursaal", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Start(Config{
		Site: "kursaal", Tables: []topic.Table{one}, Readers: []string{"erp"}, Listen: "127.0.0.1:0",
		Secret: bytes.Repeat([]byte{7}, SecretLength), Folder: t.TempDir(),
		Hub: &Hub{Addresses: []string{system.Address(t)}, Password: "away"},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.Try(t.Context()); err != nil {
		t.Fatal(err)
	}
	users, status := b.Users(), one.Topic(topic.KindStatus)
	k := patient(t, b)
	heard := make(chan string, 100)
	session(t, b, users[1], true, func(c mqtt.Client) {
		done(t, c.Subscribe(status, 0, func(_ mqtt.Client, m mqtt.Message) { heard <- string(m.Payload()) }))
		session(t, b, users[0], true, func(table mqtt.Client) {
			told := telling{said: map[topic.Table]time.Time{}}
			for _, is := range []string{`{"online":true}`, `{"online":false}`} {
				done(t, table.Publish(status, 1, true, is))
				brokertest.Until(t, "it is retained", func() bool {
					kept, _, err := k.lastOf(status)
					return err == nil && string(kept) == is
				})
				b.tell(t.Context(), &told)
				if told.done {
					t.Errorf("%s is said for the last time, and it may have changed meanwhile", is)
				}
			}
			for range 3 {
				b.tell(t.Context(), &told)
			}
			done(t, table.Publish(status, 1, false, "end"))
			var all []string
			for len(all) == 0 || all[len(all)-1] != "end" {
				select {
				case text := <-heard:
					all = append(all, text)
				case <-time.After(brokertest.Deadline):
					t.Fatal("nothing comes after ", all)
				}
			}
			want := `{"online":true} {"online":true} {"online":false} {"online":false} end`
			if got := strings.Join(all, " "); got != want || !told.done {
				t.Errorf("said %s, done %v", got, told.done)
			}
		})
	})
}

// TestEachKeeperHearsItsOwn: the keepers of a cluster's nodes ask at the same time, as one user, and none takes for its
// answer what another has asked for: it would say of one table what another has said.
func TestEachKeeperHearsItsOwn(t *testing.T) {
	one, err := topic.NewTable("kursaal", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Start(Config{
		Site: "kursaal", Tables: []topic.Table{one}, Listen: "127.0.0.1:0", Folder: t.TempDir(),
		Secret: bytes.Repeat([]byte{7}, SecretLength), Hub: &Hub{Addresses: []string{system.Address(t)}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	session(t, b, b.Users()[0], true, func(table mqtt.Client) {
		for _, kind := range []topic.Kind{topic.KindStatus, topic.KindHealth} {
			done(t, table.Publish(one.Topic(kind), 1, true, string(kind)))
		}
	})
	var keepers [2]*keeperConn
	for i := range keepers {
		keepers[i] = patient(t, b)
		if err := keepers[i].flush(); err != nil { // the broker has taken where its answers go
			t.Fatal(err)
		}
	}
	for i, kind := range []topic.Kind{topic.KindStatus, topic.KindHealth} {
		brokertest.Until(t, "it is retained", func() bool {
			kept, _, err := keepers[i].lastOf(one.Topic(kind))
			if err != nil || len(kept) > 0 && string(kept) != string(kind) {
				t.Fatalf("a keeper asks for the %s, and hears %q %v", kind, kept, err)
			}
			return len(kept) > 0
		})
	}
}

// TestTheKeeperIsRefused: what the broker does not take of what is said again is not passed over.
func TestTheKeeperIsRefused(t *testing.T) {
	b, err := Start(Config{
		Site: "kursaal", Listen: "127.0.0.1:0", Secret: bytes.Repeat([]byte{7}, SecretLength), Folder: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	k := patient(t, b)
	if err := k.sayAgain("sabot/v1/kursaal/bj-1/status", []byte("forged")); err != nil {
		t.Fatal(err)
	}
	if err := k.flush(); err == nil || !strings.Contains(err.Error(), "Permissions Violation") {
		t.Errorf("a keeper without a hub says how a table stands: %v", err)
	}
}
