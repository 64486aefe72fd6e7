package main

import (
	"context"
	"encoding/json"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// hastyVariable makes this test's program a sabotd that does at once what a table does after a while. Its value is the
// haste in JSON.
const hastyVariable = "SABOTD_HASTY"

func TestMain(m *testing.M) {
	if haste := os.Getenv(hastyVariable); haste != "" {
		os.Exit(hastily(haste))
	}
	processes.Main(m)
}

// hastily is main of a hasty sabotd.
func hastily(text string) int {
	var haste host.Haste
	if err := json.Unmarshal([]byte(text), &haste); err != nil {
		panic(hastyVariable + ": " + err.Error())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, os.Args[1:], terminal.NewWriter(os.Stdout), terminal.NewWriter(os.Stderr), host.WithHaste(haste))
}

// hurry has make test start a hasty table. Make soak starts the real one, and waits for it.
func (w *world) hurry() {
	if !tier.InSoak() {
		w.hasty = host.Haste{
			Status: 50 * time.Millisecond, Health: 100 * time.Millisecond, Backoff: 5 * time.Millisecond,
			Probe: 500 * time.Millisecond, Flush: 300 * time.Millisecond,
		}
	}
}

// program is the sabotd of this world, and the environment that it needs: in any case one whose process can be killed.
func (w *world) program() (binary string, environment []string) {
	w.t.Helper()
	if w.earlier != "" {
		return w.earlier, w.environment
	}
	if w.hasty == (host.Haste{}) {
		return sabotd(w.t), w.environment
	}
	self, err := os.Executable()
	if err != nil {
		w.t.Fatal(err)
	}
	haste, err := json.Marshal(w.hasty)
	if err != nil {
		w.t.Fatal(err)
	}
	return self, append(w.environment, hastyVariable+"="+string(haste))
}
