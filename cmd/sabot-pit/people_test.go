package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/pit"
	"github.com/sabot-table/sabot/pit/people"
)

// TestFirstManager: the command lets the first manager in, who enters over TLS, chooses a
// password, and is out when the command removes her.
func TestFirstManager(t *testing.T) {
	dir := t.TempDir()
	c := pit.Default()
	w, p := &c.Web, &c.People
	w.Listen, w.CertFile, w.KeyFile = "127.0.0.1:0", filepath.Join(dir, "pit.crt"), filepath.Join(dir, "pit.key")
	cert, key, err := site.SelfSigned([]string{"127.0.0.1"}, time.Now().Add(-time.Hour),
		time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string][]byte{w.CertFile: cert, w.KeyFile: key} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	store := peopletest.NewMemory()
	e, err := pit.OpenEntrance(pit.Config{Web: *w, People: *p}, store, display.English, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- e.Serve(ctx, peopletest.AnySite(func(w http.ResponseWriter, r *http.Request) {
			if _, _, done, known := e.Door.Who(r, false); known {
				done()
				return
			}
			w.WriteHeader(http.StatusUnauthorized)
		}))
	}()
	start, _, _ := strings.Cut(saysAtConsole(t, store, "add", "anna", "manager"), "\n")
	browser := tlsClient(t, cert)
	posts(t, browser, e.URL()+"enter", `{"name":"anna","password":"`+start+`"}`, http.StatusOK)
	posts(t, browser, e.URL()+"password", `{"had":"`+start+`","password":"four words are good"}`, http.StatusOK)
	posts(t, browser, e.URL()+"", `{}`, http.StatusOK)
	if list := saysAtConsole(t, store, "list"); !strings.Contains(list, "anna  manager  logged in") {
		t.Errorf("the list is %s", list)
	}
	saysAtConsole(t, store, "remove", "anna")
	posts(t, browser, e.URL()+"", `{}`, http.StatusUnauthorized)
	start, _, _ = strings.Cut(saysAtConsole(t, store, "restore", "anna", "viewer"), "\n")
	posts(t, browser, e.URL()+"enter", `{"name":"anna","password":"`+start+`"}`, http.StatusOK)
	log := saysAtConsole(t, store, "log", "anna")
	for _, part := range []string{"person-added", "password-changed", "person-removed", "person-restored", "console "} {
		if !strings.Contains(log, part) {
			t.Errorf("the log is without %s: %s", part, log)
		}
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func saysAtConsole(t *testing.T, store people.Store, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := lookAfter(t.Context(), args, store, time.UTC, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func tlsClient(t *testing.T, cert []byte) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
}

func posts(t *testing.T, c *http.Client, address, body string, want int) {
	t.Helper()
	r, err := c.Post(address, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if text, err := io.ReadAll(r.Body); err != nil || r.StatusCode != want {
		t.Fatalf("%s is answered with %s %s, %v", address, r.Status, text, err)
	}
}

func TestPersonCommand(t *testing.T) {
	store := peopletest.NewMemory()
	saysAtConsole(t, store, "add", "anna", "manager")
	for _, c := range []struct {
		args string
		want error
	}{
		{"", errPersonUsage},
		{"add", errPersonUsage},
		{"add bert", errPersonUsage},
		{"list anna", errPersonUsage},
		{"log anna bert", errPersonUsage},
		{"promote anna manager", errPersonUsage},
		{"add anna viewer", people.ErrThere},
		{"role bert viewer", people.ErrNobody},
		{"restore anna viewer", people.ErrNoNeed},
	} {
		if err := lookAfter(t.Context(), strings.Fields(c.args), store, time.UTC, io.Discard); !errors.Is(err, c.want) {
			t.Errorf("person %s gives %v, want %v", c.args, err, c.want)
		}
	}
	if err := lookAfter(t.Context(), []string{"role", "anna", "boss"}, store, time.UTC, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "write viewer, cashier, supervisor, technician or manager") {
		t.Errorf("a role that is none gives %v", err)
	}
	for _, args := range []string{"role anna technician", "reset anna", "let-in anna", "log"} {
		saysAtConsole(t, store, strings.Fields(args)...)
	}
}
