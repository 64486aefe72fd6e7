package main

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// TestAttackBenchPages: at a real table, and at one that is none yet, nobody gets a page of the bench or of practice,
// whoever they are: no program at a table has any.
func TestAttackBenchPages(t *testing.T) {
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 6, 0))
	n.may("guest", "view", "dealer", "supervisor", "own")
	guarded := httptest.NewTLSServer(opened(t, n.config))
	t.Cleanup(func() { guarded.CloseClientConnections(); guarded.Close() })
	first := httptest.NewServer(asking(t))
	t.Cleanup(func() { first.CloseClientConnections(); first.Close() })
	own := cookieOf(t, n, guarded, "own")
	tries, through := 0, 0
	for _, path := range benchPaths(t) {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
			for url, client := range map[string]*http.Client{guarded.URL: guarded.Client(), first.URL: first.Client()} {
				for _, cookie := range []string{"", own} {
					r, err := http.NewRequestWithContext(t.Context(), method, url+path, strings.NewReader("{}"))
					if err != nil {
						t.Fatal(err)
					}
					r.Header.Set("Content-Type", "application/json")
					if cookie != "" && url == guarded.URL {
						r.Header.Set("Cookie", cookie)
					}
					answer, err := client.Do(r)
					if err != nil {
						t.Fatal(err)
					}
					answer.Body.Close()
					if tries++; answer.StatusCode != http.StatusNotFound &&
						answer.StatusCode != http.StatusMethodNotAllowed {
						through++
						t.Errorf("%s %s is answered %s", method, path, answer.Status)
					}
				}
			}
		}
	}
	attack.Report(t, "table: pages of the bench and of practice", tries, through)
}

// benchPaths are all addresses of the bench and of practice, as their source has them, and what is near.
func benchPaths(t *testing.T) (all []string) {
	t.Helper()
	roots := map[string]string{"Path": "/bench", "PracticePath": "/bench/practice"}
	pattern := regexp.MustCompile(`all\.(?:get|post|page)\((\w+)(?:\+"([^"]*)")?, `)
	files, err := filepath.Glob("../../sim-hardware/bench/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pattern.FindAllStringSubmatch(string(text), -1) {
			all = append(all, roots[m[1]]+strings.ReplaceAll(m[2], "{name}", "bench.js"))
		}
	}
	if len(all) < 10 {
		t.Fatalf("the bench has %q", all)
	}
	return append(all, "/bench/", "/practice", "/practice/", "/bench/../bench", "/%62ench", "/debug/pprof/",
		"/debug/vars")
}

// cookieOf is that of a screen that enters with its key.
func cookieOf(t *testing.T, n *network, server *httptest.Server, role string) string {
	t.Helper()
	body := `{"key":"` + n.keys[role].String() + `"}`
	answer, err := server.Client().Post(server.URL+"/enter", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	cookie, _, _ := strings.Cut(answer.Header.Get("Set-Cookie"), ";")
	if answer.StatusCode != http.StatusOK || cookie == "" {
		t.Fatalf("%s may not enter: %s", role, answer.Status)
	}
	return cookie
}

// TestAttackFromAnAddress: somebody at a real address of a network, which is none of this computer's own, asks for
// everything that a table serves, says that they come from this computer, and looks for a table that is for this
// computer alone.
func TestAttackFromAnAddress(t *testing.T) {
	tier.Soak(t, "a built program on a machine with a network of its own")
	t.Parallel()
	n := newNetwork(t)
	_, port, err := net.SplitHostPort(n.page)
	if err != nil {
		t.Fatal(err)
	}
	n.page = net.JoinHostPort(lateAddress, port)
	cert, key, err := site.SelfSigned([]string{"127.0.0.1", lateAddress}, time.Now().AddDate(0, 0, -1),
		time.Now().AddDate(0, 6, 0))
	if err != nil {
		t.Fatal(err)
	}
	write(t, n.cert, string(cert))
	write(t, n.file, string(key))
	n.may("view", "dealer", "own")
	apart := alone(t, n)
	apart.run("ip", "address", "add", lateAddress+"/32", "dev", "lo")
	logs(t, apart.Process, "the page's address is there")
	n.url = "https://" + n.page
	stranger := n.browser()
	stranger.Transport.(*http.Transport).DialContext = apart.dial
	stranger.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	brokertest.Until(t, n.page+" answers", func() bool {
		answer, err := stranger.Get(n.url + "/enter")
		if err == nil {
			answer.Body.Close()
		}
		return err == nil
	})
	tries, through := 0, 0
	for _, row := range doors(t) {
		for name, value := range map[string]string{
			"": "", "X-Forwarded-For": "127.0.0.1", "Forwarded": "for=127.0.0.1;host=127.0.0.1",
			"X-Real-IP": "127.0.0.1",
			"Host":      "127.0.0.1:" + port, "Origin": "https://127.0.0.1:" + port,
			"Cookie": "__Host-sabot=own-1; sabot=own-1",
		} {
			r, err := http.NewRequestWithContext(t.Context(), row.method, n.url+filled(row.path), nil)
			if err != nil {
				t.Fatal(err)
			}
			if row.method != http.MethodGet {
				r.Body, r.ContentLength = io.NopCloser(strings.NewReader("{}")), 2
				r.Header.Set("Content-Type", "application/json")
			}
			if name == "Host" {
				r.Host = value
			} else if name != "" {
				r.Header.Set(name, value)
			}
			answer, err := stranger.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			tries++
			switch answer.StatusCode { // or it is told to wait: so many ask at one address
			case http.StatusUnauthorized, http.StatusForbidden, http.StatusMisdirectedRequest,
				http.StatusTooManyRequests, http.StatusSeeOther:
			default:
				through++
				t.Errorf("%s %s with %s %q is answered %s", row.method, row.path, name, value, answer.Status)
			}
		}
	}
	apart.Stop()
	// A table without screens is for its own computer, whatever address that has besides.
	n.web, n.page = "", "127.0.0.1:"+port
	own := alone(t, n)
	own.run("ip", "address", "add", lateAddress+"/32", "dev", "lo")
	logs(t, own.Process, "the table is open")
	conn, err := own.dial(t.Context(), "tcp", net.JoinHostPort(lateAddress, port))
	if tries++; err == nil {
		if _, err := conn.Write([]byte("GET / HTTP/1.0\r\n\r\n")); err == nil {
			if n, _ := conn.Read(make([]byte, 1)); n > 0 {
				through++
				t.Error("a table for this computer answers at an address of a network")
			}
		}
		conn.Close()
	}
	own.Stop()
	attack.Report(t, "table: from an address of a network", tries, through)
}

// door is a row of testdata/doors.txt that is not for everybody.
type door struct{ method, path string }

func doors(t *testing.T) (all []door) {
	t.Helper()
	text, err := os.ReadFile("testdata/doors.txt")
	if err != nil {
		t.Fatal(err)
	}
	table, _, _ := strings.Cut(string(text), "\n\n")
	for line := range strings.Lines(table) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[2] != "everybody" {
			all = append(all, door{fields[0], fields[1]})
		}
	}
	if len(all) < 30 {
		t.Fatalf("the table of doors has %d rows", len(all))
	}
	return all
}
