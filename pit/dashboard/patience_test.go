package dashboard_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/dashboard"
)

// TestAnOrderWaitsOverHTTP2: by TLS browsers speak HTTP/2, where a deadline ends a stream also while nothing is
// written. A command waits for the end of its round for longer than a message may take.
func TestAnOrderWaitsOverHTTP2(t *testing.T) {
	const message = time.Second
	p := open(t, "calm", func(o *dashboard.Options) { o.People, o.WriteTimeout = role("supervisor"), message })
	server := httptest.NewUnstartedServer(p.site)
	server.EnableHTTP2 = true
	server.StartTLS()
	defer server.Close()
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+bj3+"command/close",
		strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Content-Type", "application/json")
	answer, err := server.Client().Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.ProtoMajor != 2 {
		t.Fatalf("it is answered by %s", answer.Proto)
	}
	said := bufio.NewScanner(answer.Body)
	if !said.Scan() || said.Text() != `{"state":"waits"}` {
		t.Fatalf("the page is told %s: %v", said.Text(), said.Err())
	}
	time.Sleep(2 * message) // the deadline that must not end the stream is a real one
	p.floor.Rest(3)
	last := ""
	for said.Scan() {
		last = said.Text()
	}
	if said.Err() != nil || !strings.Contains(last, `"done"`) || len(p.orders.Sent()) != 1 {
		t.Errorf("the page is told %s at last (%v), and %d commands were sent", last, said.Err(), len(p.orders.Sent()))
	}
}
