package main

import (
	"context"
	"encoding/pem"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// screen is what a person at the terminal has seen so far.
type screen struct{ system.Text }

func (s *screen) shows(words string) bool { return strings.Contains(s.String(), words) }

// TestWatch follows a page until it is interrupted, which is not an error, and says when
// the table is gone.
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
		t.Errorf("watch ended with status %d: %s", status, errors.String())
	}
}

// TestWatchInALanguage: the table is drawn in the language that was asked for.
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
		t.Errorf("watch ended with status %d: %s", status, errors.String())
	}
	wantFailure(t, sabot(t, "", "watch", "--language", "tlh"), exitUsage, `does not speak "tlh"`, "de, de-CH, it")
}

// TestWatchNoTable: an address without a display is reported at once.
func TestWatchNoTable(t *testing.T) {
	wantFailure(t, sabot(t, "", "watch", "table-1"), exitFailed, `"table-1" is no display's address`)
	other := httptest.NewServer(nil)
	defer other.Close()
	wantFailure(t, sabot(t, "", "watch", other.URL), exitFailed, "404", "that is no table's display")
	if got := processes.Run(t, binary(t), "watch", other.URL); got.Status != exitFailed {
		t.Errorf("the binary ended with %+v", got)
	}
}

// TestWatchOverTheNetwork enters with a screen's key, from a file or the environment,
// and never on the command line; where that fails, the error says what to do.
func TestWatchOverTheNetwork(t *testing.T) {
	key := web.NewKey()
	access, err := web.NewAccess(web.AccessOptions{
		Screens: []web.Screen{{Name: "terminal", Role: web.View, Key: key.Hash()}},
		Host:    func(string) bool { return true }, Keep: func([]web.Kept) error { return nil },
		Noted: func(web.AccessNotice) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := web.New(web.Options{Logger: slog.New(slog.DiscardHandler), Access: access})
	server.Show(displaytest.Named("full"))
	page := httptest.NewUnstartedServer(server.Handler())
	page.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug)
	page.StartTLS()
	defer page.Close()
	ca := write(t, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: page.Certificate().Raw})))
	keyFile := write(t, key.String()+"\n")

	follow := func(args ...string) (terminal *screen, end func() (int, string)) {
		ctx, interrupt := context.WithCancel(t.Context())
		var errors screen
		terminal = &screen{}
		ended := make(chan int, 1)
		go func() { ended <- run(ctx, append([]string{"watch"}, args...), env{nil, terminal, &errors}) }()
		return terminal, func() (int, string) {
			interrupt()
			return <-ended, errors.String()
		}
	}
	shows := func(words string, args ...string) {
		t.Helper()
		terminal, end := follow(args...)
		brokertest.Until(t, words+" is shown", func() bool { return terminal.shows(words) })
		if status, said := end(); status != exitOK || said != "" {
			t.Errorf("watch %v ended with status %d: %s", args, status, said)
		}
	}
	shows("wiesbaden", "--ca", ca, "--key", keyFile, page.URL)
	shows("not trusted here", "--key", keyFile, page.URL)
	t.Setenv(keyVariable, key.String())
	shows("wiesbaden", "--ca", ca, page.URL)
	local := httptest.NewServer(nil)
	defer local.Close()
	wantFailure(t, sabot(t, "", "watch", local.URL), exitFailed, "404") // the key is only sent over TLS

	ended := make(chan processes.Ended, 1)
	terminal := &screen{}
	go func() {
		var errors screen
		status := run(t.Context(), []string{"watch", "--ca", ca, page.URL}, env{nil, terminal, &errors})
		ended <- processes.Ended{Status: status, Err: errors.String()}
	}()
	brokertest.Until(t, "the table is shown", func() bool { return terminal.shows("wiesbaden") })
	access.Change(nil)
	wantFailure(t, <-ended, exitFailed, "401", "session is over")
	wantFailure(t, sabot(t, "", "watch", "--ca", ca, page.URL), exitFailed, "403", "does not know the key")
	t.Setenv(keyVariable, "sesame")
	wantFailure(t, sabot(t, "", "watch", "--ca", ca, page.URL), exitFailed, keyVariable, "no screen's key")
	t.Setenv(keyVariable, "")
	wantFailure(t, sabot(t, "", "watch", "--ca", ca, page.URL), exitFailed, "401", "screens enter there with a key")
	wantFailure(t, sabot(t, "", "watch", "--key", ca, page.URL), exitFailed, ca, "no screen's key")
	wantFailure(t, sabot(t, "", "watch", "--key", keyFile+".missing", page.URL), exitFailed, "reading the screen's key")
	wantFailure(t, sabot(t, "", "watch", "--ca", keyFile, page.URL), exitFailed, "no certificate in PEM form")
	wantFailure(t, sabot(t, "", "watch", "--key", keyFile, strings.Replace(page.URL, "https", "http", 1)), exitFailed,
		"without TLS")
}
