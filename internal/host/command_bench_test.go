package host_test

import (
	"crypto/ed25519"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/topic"
)

// BenchmarkCardInFlood times cards as BenchmarkCard does, through a real broker: in quiet; while
// 10,000 forged commands a second come to another table, which shows what sender and broker take
// from this computer; and while they come to this one.
func BenchmarkCardInFlood(b *testing.B) {
	for _, one := range []struct{ name, table string }{{"quiet", ""}, {"elsewhere", "bj-2"}, {"here", "bj-1"}} {
		b.Run(one.name, func(b *testing.B) {
			broker := brokertest.StartMosquitto(b)
			public, key, err := ed25519.GenerateKey(nil)
			if err != nil {
				b.Fatal(err)
			}
			if one.table != "" {
				forge(b, broker.Addr(), one.table, key)
			}
			keys := []config.CommandKey{{
				Name: "desk", Public: config.PublicKey(securefile.PublicKeyLine(public)),
				May: []config.CommandMay{{What: command.CloseTable}},
			}}
			timeCardsAt(b, processes.FastDir(b), broker.Addr(), timing{change: func(c *config.Config) {
				c.Commands.Keys = keys
			}})
		})
	}
}

// forge sends 10,000 forged commands a second to a table, until the benchmark ends.
func forge(b *testing.B, address, name string, key ed25519.PrivateKey) {
	payload, err := command.Seal(command.Command{
		Site: "test", Table: name, Session: command.NewID(), ID: command.NewID(), Pit: "pit", Person: "anna",
		Expires: 1, What: command.CloseTable,
	}, "desk", key)
	if err != nil {
		b.Fatal(err)
	}
	payload[0] ^= 1
	table, err := topic.NewTable("test", name)
	if err != nil {
		b.Fatal(err)
	}
	client := mqtt.NewClient(mqtt.NewClientOptions().AddBroker("tcp://" + address).SetClientID("forger"))
	if token := client.Connect(); token.Wait() && token.Error() != nil {
		b.Fatal(token.Error())
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	b.Cleanup(func() {
		close(stop)
		<-stopped
		client.Disconnect(0)
	})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				for range 100 {
					client.Publish(table.Topic(topic.KindCommand), 0, false, payload)
				}
			}
		}
	}()
}
