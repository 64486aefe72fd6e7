package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/topic"
)

// guarded is a mosquitto with the access lists of docs/pit.md and pit/README.md: for the pit, for the tables bj-1
// and bj-2, and for a root who may do everything; also with the list of a pit that tells tables something.
func guarded(t *testing.T, commands bool, more ...string) *brokertest.Mosquitto {
	t.Helper()
	passwords, list := filepath.Join(t.TempDir(), "passwords"), filepath.Join(t.TempDir(), "acl")
	for _, user := range []string{"pit", "bj-1", "bj-2", "root"} {
		brokertest.AddUser(t, passwords, user)
	}
	rights := brokertest.Block(t, "../../docs/pit.md", "user pit")
	tables, _, _ := strings.Cut(brokertest.Block(t, "../../pit/README.md", "user <name of the table>"),
		"user <name of a reader>")
	for _, table := range []string{"bj-1", "bj-2"} {
		rights += strings.NewReplacer("<name of the table>", table, "<site>", "wiesbaden", "<table>",
			table).Replace(tables)
	}
	if commands {
		more := brokertest.Block(t, "../../docs/pit.md", "/+/command")
		rights += strings.NewReplacer("<name of the table>", "bj-1", "<table>", "bj-1").Replace(more)
	}
	for _, document := range more {
		one := brokertest.Block(t, "../../docs/"+document, "user pit")
		rights += strings.NewReplacer("<name of the table>", "bj-1", "<table>", "bj-1").Replace(one)
	}
	rights += "user root\ntopic readwrite #\n"
	if err := os.WriteFile(list, []byte(rights), 0o600); err != nil {
		t.Fatal(err)
	}
	return brokertest.StartMosquitto(t, "allow_anonymous false", "password_file "+passwords, "acl_file "+list,
		"max_queued_messages 0")
}

// TestTheAccessListsSuffice: with the documents' access lists a pit keeps all of a table's records, and misses none of
// the table's topics.
func TestTheAccessListsSuffice(t *testing.T) {
	mosquitto := guarded(t, false)
	folder := processes.FastDir(t)
	password := filepath.Join(folder, "password")
	if err := os.WriteFile(password, []byte(brokertest.Password("pit")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	config := pitConfig(t, mosquitto.Addr(), filepath.Join(folder, "pit.db"), "username: pit",
		"password_file: "+password)
	d := newTable(t, folder, "bj-1", 100)
	d.user = "bj-1"
	d.open(mosquitto.Addr())
	p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
	d.night.Rounds(20)
	wait(t, "the pit has everything", func() bool { return kept(t, config, d) })
	for line := range strings.Lines(p.Log()) {
		slow := strings.Contains(line, "no MQTT connection to the tables") // a busy machine's, which comes back
		if strings.Contains(line, "level=WARN") && !slow || strings.Contains(line, "level=ERROR") {
			t.Errorf("the pit says %s", line)
		}
	}
	p.Stop()
}

// TestTheAccessListsAllowNothingElse: whoever writes wherever, it arrives only with those who may read it, and only
// from those who may write it.
func TestTheAccessListsAllowNothingElse(t *testing.T) {
	for _, commands := range []bool{false, true} {
		t.Run(fmt.Sprintf("commands %v", commands), func(t *testing.T) { allowsNothingElse(t, commands) })
	}
}

func allowsNothingElse(t *testing.T, commands bool) {
	mosquitto := guarded(t, commands)
	var mu sync.Mutex
	got := map[string]map[string]bool{}
	for _, user := range []string{"pit", "bj-1", "bj-2"} {
		got[user] = map[string]bool{}
		brokertest.Login(t, mosquitto.Addr(), user, "-reads", func(m mqtt.Message) {
			mu.Lock()
			defer mu.Unlock()
			got[user][string(m.Payload())] = true
		}, "#")
	}
	want := map[string]map[string]bool{"pit": {}, "bj-1": {}, "bj-2": {}}
	for _, place := range []string{"wiesbaden/bj-1", "wiesbaden/bj-2", "kursaal/bj-1"} {
		site, name, _ := strings.Cut(place, "/")
		for _, kind := range topic.Kinds() {
			to := topic.Filter(site, name, kind)
			to = strings.ReplaceAll(to, topic.Any, "pit")
			for _, writer := range []string{"pit", "bj-1", "bj-2", "root"} {
				payload := writer + " writes " + to
				sent := send(t, mosquitto, writer, to, payload)
				if !mayWrite(writer, site, name, kind, commands) {
					continue
				}
				if !sent {
					t.Errorf("the connection ended where %s", payload)
				}
				want["pit"][payload] = site == "wiesbaden"
				for _, table := range []string{"bj-1", "bj-2"} {
					want[table][payload] = site == "wiesbaden" && name == table &&
						(kind.ByReaders() || kind == topic.KindHealth)
				}
			}
		}
	}
	for _, table := range []string{"bj-1", "bj-2"} {
		send(t, mosquitto, "root", "sabot/v1/wiesbaden/"+table+"/health", "the end")
	}
	for user := range want {
		maps.DeleteFunc(want[user], func(_ string, reads bool) bool { return !reads })
		want[user]["the end"] = true
		brokertest.Until(t, "all has arrived with "+user, func() bool {
			mu.Lock()
			defer mu.Unlock()
			return got[user]["the end"] && len(got[user]) >= len(want[user])
		})
		mu.Lock()
		for _, payload := range slices.Sorted(maps.Keys(got[user])) {
			if !want[user][payload] {
				t.Errorf("%s may read: %s", user, payload)
			}
			delete(want[user], payload)
		}
		mu.Unlock()
		for _, payload := range slices.Sorted(maps.Keys(want[user])) {
			t.Errorf("%s may not read: %s", user, payload)
		}
	}
}

// mayWrite says who needs to write where: the pit asks, and a table has all of its own topics.
func mayWrite(user, site, table string, kind topic.Kind, commands bool) bool {
	switch user {
	case "root":
		return true
	case "pit":
		return site == "wiesbaden" && (kind == topic.KindFetch || commands && kind == topic.KindCommand)
	}
	return site == "wiesbaden" && user == table
}

// connection counts those of send, so that each has a name of its own.
var connection int

// send writes one message over a connection of its own, since a broker may hang up on one that is denied, and says
// whether it was acknowledged, which one that is dropped may be, too.
func send(t *testing.T, mosquitto *brokertest.Mosquitto, user, to, payload string) bool {
	t.Helper()
	connection++
	client := brokertest.Login(t, mosquitto.Addr(), user, fmt.Sprint("-writes-", connection), nil)
	defer client.Disconnect(0)
	token := client.Publish(to, 1, false, payload)
	if !token.WaitTimeout(brokertest.Deadline) {
		t.Fatalf("%s got no answer", payload)
	}
	return token.Error() == nil
}
