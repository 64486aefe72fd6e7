package publish_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestTheReadmesBroker runs mosquitto with the configuration and the access list of
// pit/README.md, but for TLS: everything arrives, a reader may request and
// fetch, and one table may not speak for another.
func TestTheReadmesBroker(t *testing.T) {
	folder := t.TempDir()
	passwords, list := filepath.Join(folder, "passwords"), filepath.Join(folder, "acl")
	for _, user := range []string{"table", "other", "reader"} {
		brokertest.AddUser(t, passwords, user)
	}
	rights := strings.NewReplacer("<name of the table>", "table", "<name of a reader>", "reader", "<site>", "wiesbaden",
		"<table>", "bj1").Replace(brokertest.Block(t, "../README.md", "user <name of the table>"))
	write(t, list, rights+"\nuser other\ntopic write sabot/v1/wiesbaden/bj2/#\n")
	settings := strings.NewReplacer("/etc/mosquitto/passwords", passwords, "/etc/mosquitto/acl", list,
		"/var/lib/mosquitto/", folder+"/").Replace(brokertest.Block(t, "../README.md", "listener 8883"))
	settings = regexp.MustCompile(`(?m)^(listener|cafile|certfile|keyfile) .*\n`).ReplaceAllString(settings, "")
	mosquitto := brokertest.StartMosquitto(t, settings)

	got := make(chan mqtt.Message, 1000)
	reader := brokertest.Login(t, mosquitto.Addr(), "reader", "", func(m mqtt.Message) { got <- m },
		"sabot/v1/wiesbaden/#")
	other := brokertest.Login(t, mosquitto.Addr(), "other", "", nil)
	other.Publish("sabot/v1/wiesbaden/bj1/state", 1, true, "forged") // it may be disconnected for it
	tab := patient(t, "tcp://"+mosquitto.Addr(), 30)
	tab.config.Username, tab.config.Password = "table", brokertest.Password("table")
	tab.config.Fetch = cabinet{}.fetch
	tab.start().waitFor(30)
	if token := reader.Publish(tab.topic(topic.KindRequest), 1, false,
		`{"from":1,"to":30}`); !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	if token := reader.Publish(tab.topic(topic.KindFetch), 1, false,
		`{"reader":"pit"}`); !token.WaitTimeout(brokertest.Deadline) || token.Error() != nil {
		t.Fatal(token.Error())
	}
	kinds, events := map[string]bool{}, 0
	for events < 60 || len(kinds) < 7 {
		select {
		case m := <-got:
			kind, _, _ := strings.Cut(strings.TrimPrefix(m.Topic(), "sabot/v1/wiesbaden/bj1/"), "/")
			if string(m.Payload()) == "forged" {
				t.Error("another table speaks for this one")
			}
			if topic.Kind(kind).ByReaders() {
				continue
			}
			kinds[kind] = true
			if kind == "event" {
				events++
			}
		case <-time.After(brokertest.Deadline):
			t.Fatalf("%d events arrived, and the kinds %v", events, kinds)
		}
	}
	if denied := tab.publisher.Stats().Denied; len(denied) > 0 || tab.log.Count("the pit cannot") > 0 {
		t.Errorf("denied are %v", denied)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
