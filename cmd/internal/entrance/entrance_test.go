package entrance

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
	"github.com/sabot-table/sabot/internal/certificate"
	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/internal/testkit/peopletest"
	"github.com/sabot-table/sabot/internal/testkit/sitetest"
	"github.com/sabot-table/sabot/pit/people"
)

// settings are those of a file.
type settings struct {
	Web    Web    `yaml:"web"`
	People People `yaml:"people"`
}

func parse(text string) (settings, error) {
	var s settings
	s.Web, s.People = Default()
	doc := strictyaml.Decode("pit.yaml", []byte(text), &s)
	Check(doc, s.Web, s.People)
	return s, doc.Err()
}

func TestSettings(t *testing.T) {
	const openid = "  openid: {name: House ID, issuer: \"https://id.example\", client: sabot-pit, roles: [{group: " +
		"bosses, role: manager}]}\n"
	// blanks has one fault after the other, each of which is named.
	blanks := "web: {listen: here, cert_file: /etc/pit.crt}\npeople:\n" +
		strings.NewReplacer("House ID", "''", "sabot-pit", "''", "bosses", "''", "https://id",
			"http://id").Replace(openid)
	for _, c := range []struct{ text, want string }{
		{"web: {listen: \"127.0.0.1:8090\"}\n", ""},
		{"web: {listen: \"0.0.0.0:8443\", cert_file: /etc/pit.crt, key_file: /etc/pit.key}\n", ""},
		{"web: {listen: \"0.0.0.0:8090\", public: \"https://pit.example\", trusted_proxies: [10.0.0.1, " +
			"\"fd00::/8\"]}\n", ""},
		{"web: {public: \"https://pit.example\"}\npeople:\n" + openid, ""},
		{"people: {idle_minutes: 15, longest_hours: 8, longest_days_viewer: 90}\n", ""},
		{"web: {listen: \"0.0.0.0:8090\"}\n", "clear text"},
		{"web: {listen: here}\n", "not host:port"},
		{"web: {cert_file: /etc/pit.crt}\n", "need each other"},
		{"web: {cert_file: pit.crt, key_file: /etc/pit.key}\n", "begin it with /"},
		{"web: {public: pit.example}\n", "not the address"},
		{"web: {public: \"http://pit.example\"}\n", "not the address"},
		{"web: {public: \"https://pit.example/\"}\n", "without a / at the end"},
		{"web: {trusted_proxies: [10.0.0.1]}\n", "web.public: is missing"},
		{"web: {trusted_proxies: [proxy]}\n", "is not an address"},
		{"people: {idle_minutes: 0}\n", "from 1 to 1440"},
		{"people:\n" + openid, "web.public: is missing, so the identity provider"},
		{blanks, "openid.name: is empty"},
		{blanks, "openid.client: is empty"},
		{blanks, "openid.roles[0].group: is empty"},
		{blanks, "openid.issuer: \"http://id.example\" must begin with https://"},
		{blanks, "web.public: is missing"},
		{blanks, "web.listen: \"here\" is not host:port"},
		{blanks, "web.cert_file: cert_file and key_file need each other"},
		{
			"web: {public: \"https://pit.example\"}\npeople:\n" + strings.Replace(openid, "https://id", "http://id", 1),
			"must begin with https://",
		},
		{
			"web: {public: \"https://pit.example\"}\npeople:\n" + strings.Replace(openid, "manager", "boss", 1),
			`"boss" is not a role`,
		},
		{"web: {public: \"https://pit.example\"}\npeople:\n" +
			strings.Replace(openid, "client", "secret_file: x, client", 1), "begin it with /"},
	} {
		_, err := parse(c.text)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s gives %v, want %q", c.text, err, c.want)
		}
	}
}

// TestFirstManager: the command lets the first manager in, who enters over TLS, chooses a
// password, and is out when the command removes her.
func TestFirstManager(t *testing.T) {
	dir := t.TempDir()
	w, p := Default()
	w.Listen, w.CertFile, w.KeyFile = "127.0.0.1:0", filepath.Join(dir, "pit.crt"), filepath.Join(dir, "pit.key")
	cert, key, err := certificate.SelfSigned([]string{"127.0.0.1"}, time.Now().Add(-time.Hour),
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
	e, err := Open(w, p, store, display.English, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- e.Serve(ctx, sitetest.Any(func(w http.ResponseWriter, r *http.Request) {
			if _, _, done, known := e.Door.Who(r, false); known {
				done()
				return
			}
			w.WriteHeader(http.StatusUnauthorized)
		}))
	}()
	start, _, _ := strings.Cut(person(t, store, "add", "anna", "manager"), "\n")
	c := client(t, cert)
	post(t, c, e.URL()+"enter", `{"name":"anna","password":"`+start+`"}`, http.StatusOK)
	post(t, c, e.URL()+"password", `{"had":"`+start+`","password":"four words are good"}`, http.StatusOK)
	post(t, c, e.URL()+"", `{}`, http.StatusOK)
	if list := person(t, store, "list"); !strings.Contains(list, "anna  manager  logged in") {
		t.Errorf("the list is %s", list)
	}
	person(t, store, "remove", "anna")
	post(t, c, e.URL()+"", `{}`, http.StatusUnauthorized)
	start, _, _ = strings.Cut(person(t, store, "restore", "anna", "viewer"), "\n")
	post(t, c, e.URL()+"enter", `{"name":"anna","password":"`+start+`"}`, http.StatusOK)
	log := person(t, store, "log", "anna")
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

func person(t *testing.T, store people.Store, args ...string) string {
	t.Helper()
	var out strings.Builder
	if err := Person(t.Context(), args, store, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func client(t *testing.T, cert []byte) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(cert)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}}
}

func post(t *testing.T, c *http.Client, address, body string, want int) {
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
	person(t, store, "add", "anna", "manager")
	for _, c := range []struct {
		args string
		want error
	}{
		{"", ErrUsage},
		{"add", ErrUsage},
		{"add bert", ErrUsage},
		{"list anna", ErrUsage},
		{"log anna bert", ErrUsage},
		{"promote anna manager", ErrUsage},
		{"add anna viewer", people.ErrThere},
		{"role bert viewer", people.ErrNobody},
		{"restore anna viewer", people.ErrNoNeed},
	} {
		if err := Person(t.Context(), strings.Fields(c.args), store, io.Discard); !errors.Is(err, c.want) {
			t.Errorf("person %s gives %v, want %v", c.args, err, c.want)
		}
	}
	if err := Person(t.Context(), []string{"role", "anna", "boss"}, store, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "write viewer, supervisor, technician or manager") {
		t.Errorf("a role that is none gives %v", err)
	}
	for _, args := range []string{"role anna technician", "reset anna", "let-in anna", "log"} {
		person(t, store, strings.Fields(args)...)
	}
}
