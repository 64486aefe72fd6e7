package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/site"
)

// asker is somebody who asks: by a role of the site's, with the cookie of a session, "" for none.
type asker struct{ role, cookie string }

// askAll asks a site for everything in its table: as each screen, of which each may what those before it may; as a page
// of another origin; and with half a body. Who may not is turned away before anything is looked at, who may is not.
func askAll(t *testing.T, url string, rows []site.Row, screens []asker) (tries, through int) {
	t.Helper()
	turnedAway := func(status int, said string) bool {
		return status == http.StatusUnauthorized || status == http.StatusForbidden &&
			strings.Contains(said, "may not do this")
	}
	for _, row := range rows {
		least := slices.IndexFunc(screens, func(s asker) bool { return s.role == row.Least.String() })
		if row.Least == site.Everybody {
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
				t.Errorf("%s %s by %s is answered %d %s; it is for %s", row.Method, row.Path, by.role, status,
					said, row.Least)
			}
		}
	}
	more, came := askForeign(t, url, rows, screens[len(screens)-1])
	return tries + more, through + came
}

// askForeign asks a site for everything in its table as a page of another origin, under another host's name, and with
// half a body, always with what the one has who may the most.
func askForeign(t *testing.T, url string, rows []site.Row, best asker) (tries, through int) {
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
			if status := askHalf(t, url, row, best); status != http.StatusRequestTimeout {
				through++
				t.Errorf("half of %s %s is answered %d", row.Method, row.Path, status)
			}
		}
	}
	return tries, through
}

// ask asks for what a row is for, as a screen, with a change.
func ask(t *testing.T, url string, row site.Row, by asker, change func(*http.Request)) (status int, said string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), row.Method, url+filled(row.Path), nil)
	if err != nil {
		t.Fatal(err)
	}
	if row.Method != http.MethodGet {
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader("{}")), 2
		r.Header.Set("Content-Type", "application/json")
	}
	if by.cookie != "" {
		r.Header.Set("Cookie", by.cookie)
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

// askHalf sends half of what it announces, and no more.
func askHalf(t *testing.T, url string, row site.Row, by asker) (status int) {
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
		row.Method, filled(row.Path), host, by.cookie)
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

// filled is a path with something in its places.
func filled(path string) string {
	return strings.NewReplacer("{$}", "", "{name}", "icon.svg", "{round}", "1").Replace(path)
}

// listed is a table as a file has it, a row a line.
func listed(rows []site.Row) string {
	var text strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&text, "%s %s %s\n", row.Method, row.Path, row.Least)
	}
	return text.String()
}
