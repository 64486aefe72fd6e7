package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/pit/store"
)

// browser is somebody at the pit's pages.
type browser struct {
	t    testing.TB
	url  string
	http *http.Client
}

func newBrowser(t testing.TB, url string) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &browser{t, strings.TrimSuffix(url, "/"), &http.Client{Jar: jar}}
}

func (b *browser) get(path string) string {
	b.t.Helper()
	ask, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, b.url+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	ask.Header.Set("Accept", "text/html")
	resp, err := b.http.Do(ask)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.text(resp)
}

// post sends a form's fields as JSON.
func (b *browser) post(path string, fields map[string]string) string {
	b.t.Helper()
	body, err := json.Marshal(fields)
	if err != nil {
		b.t.Fatal(err)
	}
	resp, err := b.http.Post(b.url+path, "application/json", bytes.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	return b.text(resp)
}

func (b *browser) text(resp *http.Response) string {
	b.t.Helper()
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// brokerLost is what the page calls the pit's alert.
const brokerLost = "Broker away"

// TestAPersonAtTheFloor: who was added enters, chooses a password, and sees the tables; the pit without its broker
// says so, also after a start in between, until somebody has seen it.
func TestAPersonAtTheFloor(t *testing.T) {
	t.Parallel()
	mosquitto := brokertest.StartMosquitto(t)
	folder := processes.FastDir(t)
	config := pitConfig(t, mosquitto.Addr(), filepath.Join(folder, "pit.db"))
	d := newTable(t, folder, "bj-1", 100)
	d.open(mosquitto.Addr())
	password, _, _ := strings.Cut(personDoes(t, config, "add", "anna", "manager"), "\n")
	p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
	b := newBrowser(t, p.URL)
	if page := b.get("/"); !strings.Contains(page, `name="password"`) || strings.Contains(page, "bj-1") {
		t.Fatalf("a stranger gets\n%s", page)
	}
	b.post("/enter", map[string]string{"name": "anna", "password": password})
	b.post("/password", map[string]string{"had": password, "password": "quite a long password of mine"})
	b.shows("/", "bj-1")
	mosquitto.Kill()
	b.shows("/alerts", brokerLost)
	withStore(t, config, func(s *store.Store) {
		wait(t, "the alert is kept", func() bool {
			list, err := s.OpenAlerts(t.Context())
			return err == nil && len(list) > 0
		})
	})
	p.Kill()
	mosquitto.Start()
	p = processes.Start(t, processes.Binary(t, "sabot-pit"), "--config", config)
	b.url = strings.TrimSuffix(p.URL, "/")
	if page := b.get("/alerts"); !strings.Contains(page, brokerLost) {
		t.Errorf("after a start the alert is forgotten:\n%s", page)
	}
	if status := p.End(15); status != 0 {
		t.Errorf("a proper end has the status %d\n%s", status, p.Log())
	}
}
