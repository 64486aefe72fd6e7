package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/people"
)

// from is a connection from another address of the network.
func (a *attacked) from(address string) (net.Conn, error) {
	c, err := (&net.Dialer{
		Timeout:   processes.Deadline,
		LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)},
	}).DialContext(a.t.Context(), "tcp", a.host)
	if err != nil {
		return nil, err
	}
	return c, c.SetDeadline(time.Now().Add(processes.Deadline))
}

// asks sends a request from an address, and returns the zero answer if there is none.
func (a *attacked) asks(address string, r request) answered {
	a.t.Helper()
	c, err := a.from(address)
	if err != nil {
		return answered{}
	}
	defer c.Close()
	if _, err := io.WriteString(c, r.head(a.host, len(r.body))+r.body); err != nil {
		return answered{}
	}
	return a.answer(c, r.method)
}

// served asks as a browser does: where many open connections at that very moment, it tries again. This computer's own
// need not.
func (a *attacked) served(address string, r request) (got answered) {
	a.t.Helper()
	tries := 50
	if address == "127.0.0.1" {
		tries = 1
	}
	for range tries {
		if got = a.asks(address, r); got.status != 0 {
			break
		}
	}
	return got
}

// TestAttackStarve: whoever opens connections and asks for nothing, or for half of something, from one address or from
// many, keeps nobody else out, and none of these connections lasts.
func TestAttackStarve(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	a := newAttacked(t, withBroker)
	floor := request{method: http.MethodGet, target: "/", token: a.tokens["viewer"]}
	beginnings := []string{
		"", "G", "GET / HTTP/1.1\r\nHost: " + a.host + "\r\n",
		"POST /enter HTTP/1.1\r\nHost: " + a.host +
			"\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{",
		"GET / HTTP/1.1\r\nHost: " + a.host + "\r\nContent-Length: 4000\r\n\r\n{",
		"PUT /nothing HTTP/1.1\r\nHost: " + a.host + "\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n",
	}
	tries, through := 0, 0
	var held []net.Conn
	defer func() {
		for _, c := range held {
			c.Close()
		}
	}()
	served := func(when, address string) {
		t.Helper()
		tries++
		if got := a.served(address, floor); got.status != http.StatusOK {
			through++
			t.Errorf("%s a viewer at %s is answered with %d %s", when, address, got.status, got.text)
		}
	}
	for i := range 1200 {
		address := "127.77.0.1"
		if i >= 400 {
			address = fmt.Sprintf("127.77.%d.%d", 1+i%40, 1+i%200)
		}
		c, err := a.from(address)
		if err != nil {
			continue // it is refused
		}
		held = append(held, c)
		if _, err := io.WriteString(c, beginnings[i%len(beginnings)]); err != nil {
			continue // it was closed
		}
		if i%200 == 199 {
			served(fmt.Sprintf("after %d connections", i+1), "127.88.0.1")
			served(fmt.Sprintf("after %d connections", i+1), "127.0.0.1")
		}
	}
	const most = 512 + 64 // that browsers may have, and what the program has open besides
	if files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", a.process.PID())); err != nil || len(files) > most {
		through += max(1, len(files)-most)
		t.Errorf("the pit has %d files and connections open, %v", len(files), err)
	}
	for _, c := range held {
		if !tier.InSoak() {
			break // they last up to half a minute: TestHalfAsked in pit lets that pass in virtual time
		}
		tries++
		if _, err := io.ReadAll(c); err != nil && strings.Contains(err.Error(), "timeout") {
			through++
			t.Errorf("a connection that asks for nothing whole lasts: %v", err)
		}
	}
	attack.Report(t, "pit: connections that ask for nothing whole", tries, through)
	if log := a.process.Log(); strings.Count(log, "refused") > 20 {
		t.Errorf("the log is full of it:\n%s", log)
	}
}

// TestAttackOften: who asks over and over is told to wait, at one address and as one person wherever they are; others
// are served meanwhile, and neither the log nor the database is filled with it.
func TestAttackOften(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	a := newAttacked(t, withBroker)
	tries, through := 0, 0
	kinds := map[string]struct {
		most int
		ask  request
		// from is where one comes from.
		from func(i int) string
	}{
		"a stranger": {500, request{method: http.MethodGet, target: "/enter"}, func(int) string {
			return "127.66.0.1"
		}},
		"a stranger's answers": {
			500,
			request{method: http.MethodGet, target: "/enter/sso/back?code=x&state=x"},
			func(int) string {
				return "127.66.0.2"
			},
		},
		"a viewer": {
			400,
			request{method: http.MethodGet, target: "/alerts", token: a.tokens["viewer"]},
			func(i int) string {
				return fmt.Sprintf("127.66.1.%d", 1+i%100)
			},
		},
		"a viewer's garbage": {60, request{
			method: http.MethodPost, target: "/room", token: a.tokens["viewer"],
			body: `{"x":1}`,
		}, func(i int) string {
			return fmt.Sprintf("127.66.2.%d", 1+i%100)
		}},
		"a technician's": {60, request{
			method: http.MethodPost, target: "/nothing", token: a.tokens["technician"],
			body: `{"x":1}`,
		}, func(int) string {
			return "127.0.0.1"
		}},
	}
	for what, kind := range kinds {
		began, taken, each := time.Now(), 0, kind.most+100
		for i := range each {
			tries++
			if got := a.asks(kind.from(i), kind.ask); got.status != http.StatusTooManyRequests && got.status != 0 {
				taken++
			}
		}
		most := kind.most + int(time.Since(began)/(20*time.Millisecond)) // on a slow machine more is allowed meanwhile
		if taken > most {
			through += taken - most
			t.Errorf("%s is answered %d times of %d, %d are allowed", what, taken, each, most)
		}
		if got := a.served("127.99.0.1", request{
			method: http.MethodGet, target: "/",
			token: a.tokens["manager"],
		}); got.status != http.StatusOK {
			through++
			t.Errorf("after %s a manager is answered with %d %s", what, got.status, got.text)
		}
	}
	attack.Report(t, "pit: requests over and over", tries, through)
	a.people(func(all *people.People) {
		entries, err := all.Log(t.Context(), people.Query{Most: 10000})
		if err != nil {
			t.Fatal(err)
		}
		if len(entries) > 150 { // a hundred addresses of a viewer, once each, and who entered
			t.Errorf("the log of what people do has %d entries of it", len(entries))
		}
	})
}

// TestAttackStreams: one person cannot take all the streams there are.
func TestAttackStreams(t *testing.T) {
	a := newAttacked(t, withBroker)
	open, refused := 0, 0
	const tries = 120
	for i := range tries {
		c, err := a.from(fmt.Sprintf("127.55.0.%d", 1+i%50))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, (request{
			method: http.MethodGet, target: "/stream/floor",
			token: a.tokens["viewer"],
		}).head(a.host, 0)); err != nil {
			t.Fatal(err)
		}
		head := make([]byte, 64)
		n, err := c.Read(head)
		switch {
		case err != nil || strings.Contains(string(head[:n]), " 429 "):
			refused++
		case strings.Contains(string(head[:n]), " 200 "):
			open++
		}
	}
	through := max(0, open-48)
	attack.Report(t, "pit: streams of one person", tries, through)
	if open < 20 || open+refused != tries {
		t.Errorf("of %d streams %d are open and %d refused", tries, open, refused)
	}
	if got := a.asks("127.55.0.1", request{
		method: http.MethodGet, target: "/stream/floor",
		token: a.tokens["manager"],
	}); got.status != http.StatusOK {
		t.Errorf("meanwhile a manager's is answered with %d %s", got.status, got.text)
	}
}
