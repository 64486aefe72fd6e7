package main

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/sabot-table/sabot/cmd/internal/rig"
	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/pit/broker/brokertest"
)

// screen is what a person at the terminal has seen so far.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *screen) shows(words string) bool { return strings.Contains(s.text(), words) }

// TestWatch follows a page until it is interrupted, which is no fault, and says
// when the table is gone.
func TestWatch(t *testing.T) {
	server := web.New(web.Options{Logger: slog.New(slog.DiscardHandler)})
	server.Show(displaytest.Named("full"))
	page := httptest.NewServer(server.Handler())
	defer page.Close()
	ctx, interrupt := context.WithCancel(t.Context())
	var terminal, errors screen
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"watch", page.URL}, env{nil, &terminal, &errors}) }()
	brokertest.Until(t, "the table is shown", func() bool { return terminal.shows("wiesbaden") })
	page.CloseClientConnections()
	page.Listener.Close()
	brokertest.Until(t, "the table is gone", func() bool { return terminal.shows("No connection to the table") })
	interrupt()
	if status := <-ended; status != exitOK || errors.shows("sabot") {
		t.Errorf("watch ended with status %d: %s", status, errors.b.String())
	}
}

// TestWatchInALanguage: the table is told in the language that was asked for.
func TestWatchInALanguage(t *testing.T) {
	server := web.New(web.Options{Logger: slog.New(slog.DiscardHandler)})
	server.Show(displaytest.Named("payment"))
	page := httptest.NewServer(server.Handler())
	defer page.Close()
	defer page.CloseClientConnections()
	ctx, interrupt := context.WithCancel(t.Context())
	var terminal, errors screen
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"watch", "--language", "de", page.URL}, env{nil, &terminal, &errors})
	}()
	brokertest.Until(t, "the table is shown in German", func() bool { return terminal.shows("Insgesamt 375,00 EUR") })
	interrupt()
	if status := <-ended; status != exitOK {
		t.Errorf("watch ended with status %d: %s", status, errors.text())
	}
	wantFailure(t, sabot(t, "", "watch", "--language", "tlh"), exitUsage, `does not speak "tlh"`, "de, de-CH, it")
}

// TestWatchNoTable: what is no display's address is told at once.
func TestWatchNoTable(t *testing.T) {
	wantFailure(t, sabot(t, "", "watch", "table-1"), exitFailed, `"table-1" is no display's address`)
	other := httptest.NewServer(nil)
	defer other.Close()
	wantFailure(t, sabot(t, "", "watch", other.URL), exitFailed, "404", "that is no table's display")
	if got := rig.Run(t, binary(t), "watch", other.URL); got.Status != exitFailed {
		t.Errorf("the binary ended with %+v", got)
	}
}
