package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/notify"
)

// pager is another program that is told of alerts.
type pager struct {
	mu   sync.Mutex
	told []notify.Message
}

func newPager(t *testing.T) (p *pager, url string) {
	p = &pager{}
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m notify.Message
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.told = append(p.told, m)
	}))
	t.Cleanup(s.Close)
	return p, s.URL
}

// has says what the pager was told, in order.
func (p *pager) has() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all []string
	for _, m := range p.told {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s", m.Code, m.What, m.By)))
	}
	return strings.Join(all, "; ")
}

// entered is somebody who has entered with a browser of their own.
func entered(t *testing.T, config, url, name, role string) *browser {
	t.Helper()
	password, _, _ := strings.Cut(personDoes(t, config, "add", name, role), "\n")
	b := newBrowser(t, url)
	b.post("/enter", map[string]string{"name": name, "password": password})
	b.post("/password", map[string]string{"had": password, "password": "quite a long password of " + name})
	return b
}

// called has a browser called for alerts.
func (b *browser) called(with *peopletest.Browser) {
	b.t.Helper()
	b.does("/push", map[string]string{"endpoint": with.Endpoint, "p256dh": with.P256dh, "auth": with.Auth})
}

// does posts what must be taken.
func (b *browser) does(path string, fields map[string]string) {
	b.t.Helper()
	if said := b.post(path, fields); said != "" {
		b.t.Fatalf("%s is answered with %s", path, said)
	}
}

// shows waits until a page says something. It asks no oftener than one person may.
func (b *browser) shows(path, text string) {
	b.t.Helper()
	page := ""
	defer func() {
		if b.t.Failed() {
			b.t.Logf("%s says\n%s", path, regexp.MustCompile(`(?s)<main.*</main>`).FindString(page))
		}
	}()
	brokertest.UntilEvery(b.t, 50*time.Millisecond, path+" says "+text, func() bool {
		page = b.get(path)
		return strings.Contains(page, text)
	})
}

// TestAlertsOfAPit: the pit without its broker calls its technicians, and after a few seconds a manager: on the page,
// by push and by the webhook. What a person says of the alert is kept when the pit answers, whatever becomes of the
// pit; it is told once, and found in the history.
func TestAlertsOfAPit(t *testing.T) {
	service := peopletest.StartPush(t)
	service.Trust()
	pages, hook := newPager(t)
	mosquitto := brokertest.StartMosquitto(t)
	source := filepath.Join(processes.FastDir(t), "pit.db")
	config := pitConfig(t, mosquitto.Addr(), source)
	add(t, config,
		fmt.Sprintf("  escalate_seconds: 3\n  webhook: %s\n  push_services: ['%s']\n  push_contact: "+
			"mailto:it@casino.example\n", hook, service.Host()))
	p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
	again := func() {
		t.Helper()
		p.Kill()
		p = processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
	}
	anna, tom := entered(t, config, p.URL, "anna", "manager"), entered(t, config, p.URL, "tom", "technician")
	vera := entered(t, config, p.URL, "vera", "viewer")
	at := func(path string) string {
		anna.url, tom.url = strings.TrimSuffix(p.URL, "/"), strings.TrimSuffix(p.URL, "/")
		return path
	}
	toms, annas, expired := service.Browser("tom"), service.Browser("anna"), service.Browser("expired")
	tom.called(toms)
	anna.called(annas)
	anna.called(expired)
	service.Answer(expired, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })

	mosquitto.Kill()
	anna.shows("/alerts", "Manager called")
	brokertest.Until(t, "both are called", func() bool {
		return len(service.Got(toms)) > 0 && len(service.Got(annas)) > 0
	})
	brokertest.Until(t, "the browser that is gone is forgotten", func() bool {
		return strings.Contains(p.Log(), "a browser does not exist any more, and is forgotten")
	})
	if call := service.Got(annas)[0]; call.Title != "Pit: "+brokerLost ||
		!strings.Contains(call.Body, "Manager called") || call.Silent || call.Where != "/alerts" {
		t.Errorf("the manager is sent %+v", call)
	}
	page := anna.get("/alerts")
	key := regexp.MustCompile(`data-key="([^"]+)"`).FindStringSubmatch(page)
	if info, err := os.Stat(source + ".push.key"); err != nil || info.Mode().Perm() != 0o600 || key == nil ||
		key[1] != service.Got(annas)[0].Key {
		t.Errorf("the pit's key: %v, %v, %v", info, err, key)
	}
	brokertest.Until(t, "the webhook tells it", func() bool {
		// A pit that is slow to reach its broker at the start says so first, and that it is over.
		return strings.HasSuffix(pages.has(), "broker-lost raised; broker-lost escalated")
	})

	id := regexp.MustCompile(`data-alert="([^"]+)"`).FindStringSubmatch(page)[1]
	if said := vera.post("/alerts/"+id+"/seen", map[string]string{"note": "I may not"}); said == "" {
		t.Error("a viewer may acknowledge an alert")
	}
	anna.does("/alerts/"+id+"/coming", map[string]string{})
	again()
	anna.shows(at("/alerts"), "anna is coming")
	anna.does("/alerts/"+id+"/seen", map[string]string{"note": "somebody pulled the plug"})
	again()
	anna.shows(at("/alerts"), "somebody pulled the plug")
	mosquitto.Start()
	anna.shows("/alerts/history?table=-", `id="over-`+id)
	over := func(n peopletest.Notification) bool {
		return n.Tag == id && n.Silent && strings.Contains(n.Body, "Seen by anna") &&
			!strings.Contains(n.Body, "not put right")
	}
	brokertest.Until(t, "push tells that it is over", func() bool {
		return slices.ContainsFunc(service.Got(annas), over)
	})
	again()
	anna.shows(at("/alerts/history?table=-&code=broker-lost"), `id="over-`+id)
	history := anna.get("/alerts/history?table=-&code=broker-lost")
	for _, want := range []string{
		"Called further", "On the way – by anna", "Seen – by anna", "Manager called",
		"Put right", "somebody pulled the plug",
	} {
		if !strings.Contains(history, want) {
			t.Errorf("the history does not say %q:\n%s", want,
				regexp.MustCompile(`<section id="over".*`).FindString(history))
		}
	}
	if strings.Contains(history, "I may not") {
		t.Error("a viewer has acknowledged it")
	}
	if n := service.Tries(expired); n != 1 {
		t.Errorf("a browser that is gone is tried %d times", n)
	}
	if status := p.End(15); status != 0 {
		t.Errorf("a proper end has the status %d\n%s", status, p.Log())
	}
	told := map[notify.Message]bool{}
	for _, m := range pages.told {
		m.Calls = ""
		if told[m] {
			t.Errorf("the webhook is told twice: %+v", m)
		}
		told[m] = true
	}
}

// add adds lines to the end of a configuration.
func add(t *testing.T, config, lines string) {
	t.Helper()
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, append(text, lines...), 0o600); err != nil {
		t.Fatal(err)
	}
}
