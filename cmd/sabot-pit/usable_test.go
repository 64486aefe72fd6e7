package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// TestUsable: what a configuration names and a start could not use, check-config and the start refuse in the same
// words.
func TestUsable(t *testing.T) {
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	var keys [2][]byte
	for i := range keys {
		cert, key, err := site.SelfSigned([]string{"127.0.0.1"}, time.Now().Add(-time.Hour),
			time.Now().AddDate(0, 1, 0))
		if err != nil {
			t.Fatal(err)
		}
		keys[i] = key
		write := func(name string, text []byte) {
			if err := os.WriteFile(at(name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write("cert.pem", cert)
		write("other.key", keys[0])
	}
	const screens = `, cert_file: %s, key_file: %s`
	for name, c := range map[string]struct{ mqtt, store, web, more, key, says string }{
		"no password": {
			mqtt: ", username: u, password_file: " + at("none"), key: "mqtt.password_file",
			says: "no such file",
		},
		"no authority": {mqtt: ", ca_file: " + at("none"), key: "mqtt.ca_file", says: "no such file"},
		"no folder":    {store: at("none/pit.db"), key: "store.source", says: "no such file"},
		"no certificate": {
			web: fmt.Sprintf(screens, at("none"), at("other.key")), key: "web.cert_file",
			says: "no such file",
		},
		"another key": {
			web: fmt.Sprintf(screens, at("cert.pem"), at("other.key")), key: "web.cert_file",
			says: "does not match",
		},
		"no key for commands": {
			more: "commands: {keys: [{name: pit, file: " + at("none") + "}]}\n",
			key:  "commands.keys", says: "does not exist",
		},
		"an unsigned webhook": {
			more: "alerts: {webhook: \"http://pager.casino.example/\"}\n", key: "alerts.webhook",
			says: "neither signed nor encrypted",
		},
		"a webhook not signed": {
			more: "alerts: {webhook: \"http://10.1.2.3/\"}\n", key: "alerts.webhook",
			says: "neither signed nor encrypted",
		},
	} {
		if c.store == "" {
			c.store = at("pit.db")
		}
		config := at("pit.yaml")
		text := fmt.Sprintf("site: test\nmqtt: {broker: \"ssl://127.0.0.1:1\"%s}\nstore: {source: %s, time_zone: "+
			"Europe/Berlin}\nweb: {listen: \"127.0.0.1:0\"%s}\n%s",
			c.mqtt, c.store, c.web, c.more)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		before, start := checked(t, config), refused(t, config)
		if before.Status != exitFailed || !strings.Contains(before.Err, c.key+": ") ||
			!strings.Contains(before.Err, c.says) {
			t.Errorf("%s: check-config says %+v", name, before)
		}
		if start.Status != exitConfig || start.Err != before.Err {
			t.Errorf("%s: the start says %+v, and check-config %s", name, start, before.Err)
		}
	}
}
