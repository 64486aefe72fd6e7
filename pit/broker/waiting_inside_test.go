package broker

import (
	"bytes"
	"strings"
	"testing"

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

func session(t *testing.T, b *Broker, u User, clean bool, do func(mqtt.Client)) {
	t.Helper()
	o := mqtt.NewClientOptions().AddBroker("tcp://" + b.Addr()).SetClientID(u.Name).SetUsername(u.Name)
	c := mqtt.NewClient(o.SetPassword(u.Password).SetCleanSession(clean).SetAutoReconnect(false))
	done(t, c.Connect())
	defer c.Disconnect(100)
	do(c)
}

func done(t *testing.T, token mqtt.Token) {
	t.Helper()
	if !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
		t.Fatal("the broker does not take it: ", token.Error())
	}
}
