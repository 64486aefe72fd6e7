package broker

import (
	"bytes"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// TestALineIsUpThatWasLookedForAtTheDoor: NATS lists a leaf only after the door has let it in. A hub that looks in
// between does not forget whose connection it is: it would show the line as down for as long as it is up. Once the
// connection is closed, it is forgotten.
func TestALineIsUpThatWasLookedForAtTheDoor(t *testing.T) {
	secret := bytes.Repeat([]byte{9}, SecretLength)
	hub, err := Start(Config{
		Site: "group", Secret: secret, Listen: "127.0.0.1:0", Folder: t.TempDir(),
		Sites: &Sites{Listen: "127.0.0.1:0", Names: []string{"kursaal"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer hub.Close()
	at := hub.opts.CustomClientAuthentication.(*door)
	at.enters = func(site string, connection server.ClientAuthentication) {
		hub.lines.enters(site, connection)
		if hub.look(time.Now()); hub.Lines()["kursaal"].Up {
			t.Error("the line is up while the site is at the door")
		}
	}
	site, err := Start(Config{
		Site: "kursaal", Secret: secret, Listen: "127.0.0.1:0", Folder: t.TempDir(),
		Hub: &Hub{Addresses: []string{hub.SitesAddr()}, Password: at.users[SiteUser("kursaal")].Password},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
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
