package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestServiceManager: the pit's service manager hears that it is ready when its page answers, although its broker is
// away, and its end.
func TestServiceManager(t *testing.T) {
	socket := system.ListenNotify(t)
	t.Setenv("NOTIFY_SOCKET", socket.Path)
	p := processes.Start(t, processes.Binary(t, "sabot-pit"), "--config",
		pitConfig(t, system.Address(t), filepath.Join(t.TempDir(), "pit.db")))
	if got := socket.Next(); !strings.HasPrefix(got, "READY=1\nSTATUS=site wiesbaden, page http://127.0.0.1:") {
		t.Errorf("told was %q", got)
	}
	answer, err := http.Get(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	p.Stop()
	if got := socket.Next(); got != "STOPPING=1" {
		t.Errorf("told was %q", got)
	}
}
