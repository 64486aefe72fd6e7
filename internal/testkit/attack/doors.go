package attack

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/routes"
)

// Screen is somebody who asks: by a role of the site's, with the cookie of a session, "" for none.
type Screen struct{ Role, Cookie string }

// Doors asks a site for everything in its table: as each screen, of which each may what those before it may; as a page
// of another origin; and with half a body. Who may not is turned away before anything is looked at, who may is not.
func Doors(t *testing.T, url string, rows []routes.Row, screens []Screen) (tries, through int) {
	t.Helper()
	turnedAway := func(status int, said string) bool {
		return status == http.StatusUnauthorized || status == http.StatusForbidden &&
			strings.Contains(said, "may not do this")
	}
	for _, row := range rows {
		least := slices.IndexFunc(screens, func(s Screen) bool { return s.Role == row.Least })
		if row.Least == routes.Everybody {
			least = 0
		}
		if least < 0 {
			t.Errorf("%s %s is for %s, whom nobody knows", row.Method, row.Path, row.Least)
			continue
		}
		for i, by := range screens {
			status, said := ask(t, url, row, by, nil)
			if i < least {
				tries++
			}
			if away := turnedAway(status, said); away != (i < least) {
				through++
				t.Errorf("%s %s by %s is answered %d %s; it is for %s", row.Method, row.Path, by.Role, status,
					said, row.Least)
			}
		}
	}
	more, came := Foreign(t, url, rows, screens[len(screens)-1])
	return tries + more, through + came
}

// Foreign asks a site for everything in its table as a page of another origin, under another host's name, and with half
// a body, always with what the one has who may the most.
func Foreign(t *testing.T, url string, rows []routes.Row, best Screen) (tries, through int) {
	t.Helper()
	for _, row := range rows {
		for name, change := range map[string]func(*http.Request){
			"another site":   func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
			"another origin": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
			"another host":   func(r *http.Request) { r.Host = "evil.example" },
		} {
			if name == "another origin" && row.Method == http.MethodGet {
				continue // it cannot read the answer
			}
			tries++
			if status, said := ask(t, url, row, best, change); status != http.StatusForbidden &&
				status != http.StatusMisdirectedRequest {
				through++
				t.Errorf("%s %s from %s is answered %d %s", row.Method, row.Path, name, status, said)
			}
		}
		if row.Method != http.MethodGet {
			tries++
			if status := half(t, url, row, best); status != http.StatusRequestTimeout {
				through++
				t.Errorf("half of %s %s is answered %d", row.Method, row.Path, status)
			}
		}
	}
	return tries, through
}

// ask asks for what a row is for, as a screen, with a change.
func ask(t *testing.T, url string, row routes.Row, by Screen, change func(*http.Request)) (status int, said string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), row.Method, url+Filled(row.Path), nil)
	if err != nil {
		t.Fatal(err)
	}
	if row.Method != http.MethodGet {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader("{}")), 2
		r.Header.Set("Content-Type", "application/json")
	}
	if by.Cookie != "" {
		r.Header.Set("Cookie", by.Cookie)
	}
	if change != nil {
		change(r)
	}
	client := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} // of a test's own server
	defer client.CloseIdleConnections()
	response, err := client.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	begins := make([]byte, 512) // a stream has no end
	size, _ := io.ReadAtLeast(response.Body, begins, 1)
	return response.StatusCode, string(begins[:size])
}

// half sends half of what it announces, and no more.
func half(t *testing.T, url string, row routes.Row, by Screen) (status int) {
	t.Helper()
	scheme, host, _ := strings.Cut(url, "://")
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	end := conn.(*net.TCPConn).CloseWrite
	if scheme == "https" {
		secured := tls.Client(conn, &tls.Config{InsecureSkipVerify: true}) // of a test's own server
		if err := secured.Handshake(); err != nil {
			t.Fatal(err)
		}
		conn, end = secured, secured.CloseWrite
	}
	_, err = fmt.Fprintf(conn,
		"%s %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"",
		row.Method, Filled(row.Path), host, by.Cookie)
	if err == nil {
		err = end()
	}
	if err != nil {
		t.Fatal(err)
	}
	var version string
	if _, err := fmt.Fscan(conn, &version, &status); err != nil {
		t.Errorf("half of %s %s: %v", row.Method, row.Path, err)
	}
	return status
}

// Filled is a path with something in its places.
func Filled(path string) string {
	return strings.NewReplacer("{$}", "", "{name}", "icon.svg", "{round}", "1").Replace(path)
}

// Listed is a table as a file has it, a row a line.
func Listed(rows []routes.Row) string {
	var text strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&text, "%s %s %s\n", row.Method, row.Path, row.Least)
	}
	return text.String()
}
