package broker

import (
	"bytes"
	"slices"
	"sync"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/nats-io/nats-server/v2/server"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
)

// between are a hub, what its door does when a site has come in, and that site.
func between(t *testing.T, entered func(hub *Broker)) (hub, site *Broker) {
	t.Helper()
	secret := bytes.Repeat([]byte{9}, SecretLength)
	hub, err := Start(Config{
		Site: "group", Secret: secret, Listen: "127.0.0.1:0", Folder: t.TempDir(),
		Sites: &Sites{Listen: "127.0.0.1:0", Names: []string{"kursaal"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hub.Close)
	at := hub.opts.CustomClientAuthentication.(*door)
	at.enters = func(site string, connection server.ClientAuthentication) {
		hub.lines.enters(site, connection)
		entered(hub)
	}
	site, err = Start(Config{
		Site: "kursaal", Secret: secret, Listen: "127.0.0.1:0", Folder: t.TempDir(),
		Hub: &Hub{Addresses: []string{hub.SitesAddr()}, Password: at.users[SiteUser("kursaal")].Password},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(site.Close)
	return hub, site
}

// TestALineIsUpThatWasLookedForAtTheDoor: NATS lists a leaf only after the door has let it in. A hub that looks in
// between does not forget whose connection it is: it would show the line as down for as long as it is up. Once the
// connection is closed, it is forgotten.
func TestALineIsUpThatWasLookedForAtTheDoor(t *testing.T) {
	var first sync.Once
	hub, site := between(t, func(hub *Broker) {
		first.Do(func() {
			if hub.look(time.Now()); hub.Lines()["kursaal"].Up {
				t.Error("the line is up while the site is at the door")
			}
		})
	})
	brokertest.Until(t, "the line is up", func() bool {
		hub.look(time.Now())
		return hub.Lines()["kursaal"].Up
	})
	site.Close()
	brokertest.Until(t, "the line is down, and the connection forgotten", func() bool {
		hub.look(time.Now())
		hub.lines.mu.Lock()
		defer hub.lines.mu.Unlock()
		return !hub.lines.is["kursaal"].Up && len(hub.lines.who) == 0
	})
}

// TestAHubListensOnceItHearsAll: a hub subscribes to the health of the tables and to their status one after the other.
// Told in between, it would miss what is said of the other.
func TestAHubListensOnceItHearsAll(t *testing.T) {
	hub, site := between(t, func(*Broker) {})
	session(t, hub, hub.Pit(), true, func(pit mqtt.Client) {
		for i, kind := range []topic.Kind{topic.KindHealth, topic.KindStatus} {
			filter := topic.Filter("kursaal", topic.Any, kind)
			of := subjects([]string{filter})[0]
			done(t, pit.Subscribe(filter, 0, nil))
			brokertest.Until(t, "the site knows that the hub hears "+filter, func() bool {
				all, err := site.server.Leafz(&server.LeafzOptions{Subscriptions: true})
				return err == nil && len(all.Leafs) == 1 && slices.Contains(all.Leafs[0].Subs, of)
			})
			if listens := site.listens() != 0; listens != (i == 1) {
				t.Errorf("the hub hears %s, and is told of the tables: %v", filter, listens)
			}
		}
	})
}
