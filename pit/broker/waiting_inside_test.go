package broker

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
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
		done(t, c.Subscribe("sabot/v1/kursaal/bj-1/status", 1, func(_ mqtt.Client, m mqtt.Message) {
			heard <- string(m.Payload())
		}))
		select {
		case got := <-heard:
			if got != "online" {
				t.Errorf("what is retained last is %q", got)
			}
		case <-time.After(brokertest.Deadline):
			t.Error("what is retained last is gone")
		}
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
