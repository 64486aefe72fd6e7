package publish_test

import (
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/publish"
	"github.com/sabot-table/sabot/pit/topic"
)

func accept(*packets.PublishPacket) verdict { return acknowledge }

func TestTheGreeting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(accept)
		tab := fake.table(t, newJournal(1))
		tab.config.Username, tab.config.Password = "bj1", "secret"
		tab.start().waitFor(1)
		hello := fake.welcomed()[0]
		if hello.ProtocolVersion != 4 || !hello.CleanSession || hello.ClientIdentifier != "sabot-wiesbaden-bj1" ||
			hello.Username != "bj1" || string(hello.Password) != "secret" || hello.Keepalive != 10 {
			t.Errorf("the greeting is %s", hello)
		}
		if !hello.WillFlag || !hello.WillRetain || hello.WillQos != 1 ||
			hello.WillTopic != tab.topic(topic.KindStatus) {
			t.Errorf("the will is %s", hello)
		}
		if strings.Contains(tab.log.String(), "secret") {
			t.Errorf("the log holds the password:\n%s", tab.log.String())
		}
	})
}

func TestABrokerThatRefuses(t *testing.T) {
	for code, want := range map[byte]string{
		1: "unacceptable protocol version",
		2: "client identifier rejected",
		3: "server unavailable",
		4: "bad user name or password",
		5: "not authorised",
	} {
		synctest.Test(t, func(t *testing.T) {
			fake := inBubble(accept)
			fake.connack = code
			tab := fake.table(t, newJournal(3)).start()
			brokertest.Until(t, "the publisher has tried a few times", func() bool { return len(fake.welcomed()) >= 3 })
			want := fmt.Sprintf("the broker refused the connection: %s (CONNACK %d)", want, code)
			if tab.log.Count(want) != 1 || tab.log.Count("waiting=3") != 1 {
				t.Errorf("the log does not say %q once:\n%s", want, tab.log.String())
			}
			if stats := tab.publisher.Stats(); stats.Connected || stats.Lag != 3 ||
				!strings.Contains(stats.LastError, want) {
				t.Errorf("stats %+v", stats)
			}
			if err := tab.stop(); err == nil || !strings.Contains(err.Error(), "3 events") {
				t.Errorf("the end is %v", err)
			}
		})
	}
}

func TestMosquittoRefusesStrangers(t *testing.T) {
	tier.Soak(t, "a mosquitto; TestABrokerThatRefuses does without")
	mosquitto := brokertest.StartMosquitto(t, "allow_anonymous false")
	tab := newTable(t, "tcp://"+mosquitto.Addr(), newJournal(0)).start()
	brokertest.Until(t, "the log says why", func() bool { return tab.log.Count("not authorised (CONNACK 5)") == 1 })
}

func TestNoBroker(t *testing.T) {
	addr := system.Address(t)
	tab := newTable(t, "tcp://"+addr, newJournal(5)).start()
	brokertest.Until(t, "the log says so", func() bool { return tab.log.Count("connection refused") == 1 })
	if !strings.Contains(tab.log.String(), "check that a broker runs at "+addr) {
		t.Errorf("the log does not say what to do:\n%s", tab.log.String())
	}
	embeddedAt(t, addr)
	tab.waitFor(5)
	if tab.log.Count("is back") != 1 || tab.log.Count("to_catch_up=5") != 1 || tab.log.Count("level=WARN") != 1 {
		t.Errorf("the log:\n%s", tab.log.String())
	}
}

// TestNothingIsLeftOfOldConnections counts goroutines over many connections.
func TestNothingIsLeftOfOldConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := inBubble(accept)
		tab := fake.table(t, newJournal(1)).start()
		tab.waitFor(1)
		before := runtime.NumGoroutine()
		for round := range 25 {
			fake.hangUpOnAll()
			tab.journal.add(1)
			tab.waitFor(uint64(round) + 2)
		}
		brokertest.Until(t, "the goroutines of old connections have ended", func() bool {
			return runtime.NumGoroutine() <= before+5
		})
	})
}

func TestTLS(t *testing.T) {
	authority := brokertest.NewAuthority(t, "test", nil)
	addr := brokertest.Secure(t, embedded(t), brokertest.NewBroker(t, authority).Shown(false)).Addr
	caFile := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(caFile, pem.EncodeToMemory(&pem.Block{
		Type:  "CERTIFICATE",
		Bytes: authority.Certificate.Raw,
	}), 0o600); err != nil {
		t.Fatal(err)
	}
	trusting := newTable(t, "ssl://"+addr, newJournal(20))
	trusting.config.CAFile = caFile
	trusting.start().waitFor(20)

	wary := newTable(t, "ssl://"+addr, newJournal(1)).start()
	brokertest.Until(t, "the log says that the certificate is not trusted", func() bool {
		return wary.log.Count("give the certificate of the authority") == 1
	})
}

func TestSettingsThatAreRefused(t *testing.T) {
	notPEM := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(notPEM, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*publish.Config){
		"no table":                        func(c *publish.Config) { c.Table = topic.Table{} },
		"the MQTT window is 1001":         func(c *publish.Config) { c.Window = 1001 },
		"the MQTT window is -1":           func(c *publish.Config) { c.Window = -1 },
		"negative":                        func(c *publish.Config) { c.AckTimeout = -1 },
		"is shorter than the shortest":    func(c *publish.Config) { c.BackoffMin, c.BackoffMax = 2, 1 },
		"but no user name":                func(c *publish.Config) { c.Password = "x" },
		"not a scheme, a host and a port": func(c *publish.Config) { c.Broker = "localhost" },
		"unknown scheme":                  func(c *publish.Config) { c.Broker = "http://localhost" },
		"settings of their own":           func(c *publish.Config) { c.Broker = "tcp://a:b@localhost" },
		`"tcp://localhost/x" is not`:      func(c *publish.Config) { c.Broker = "tcp://localhost/x" },
		"is not a URL":                    func(c *publish.Config) { c.Broker = "tcp://a:b@local%host" },
		"does not use TLS":                func(c *publish.Config) { c.CAFile = notPEM },
		"holds no certificate":            func(c *publish.Config) { c.Broker, c.CAFile = "ssl://localhost", notPEM },
		"no such file": func(c *publish.Config) {
			c.Broker, c.CAFile = "ssl://localhost", notPEM+"x"
		},
	} {
		tab := newTable(t, "tcp://127.0.0.1:1883", newJournal(0))
		change(&tab.config)
		condition := func() publish.Condition { return publish.Condition{} }
		if _, err := publish.New(tab.config, tab.journal, tab.state, condition); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("wanted an error with %q, got %v", want, err)
		} else if strings.Contains(err.Error(), "a:b") {
			t.Errorf("the error repeats a password: %v", err)
		}
		if _, err := publish.New(tab.config, tab.journal, nil, condition); err == nil {
			t.Error("a publisher without a state was made")
		}
	}
}
