package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/daemon"
	"github.com/sabot-table/sabot/cmd/internal/visible"
	"github.com/sabot-table/sabot/internal/testkit/rig"
)

// hastyVariable makes this test's program a sabotd that does at once what a table does after a while.
const hastyVariable = "SABOTD_HASTY"

// haste is how a hasty table waits.
var haste = daemon.Haste{
	Status: 50 * time.Millisecond, Health: 100 * time.Millisecond, Backoff: 5 * time.Millisecond, Probe: 50 * time.Millisecond,
	Flush: 300 * time.Millisecond,
}

func TestMain(m *testing.M) {
	if os.Getenv(hastyVariable) != "" {
		os.Exit(hastily())
	}
	rig.Main(m)
}

// hastily is main of a hasty sabotd.
func hastily() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return run(ctx, os.Args[1:], visible.New(os.Stdout), visible.New(os.Stderr), daemon.WithHaste(haste))
}

// hasty is a hasty sabotd, and the environment that it needs: a program whose process can be killed, like the real one.
func hasty(t *testing.T, environment []string) (binary string, needs []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self, append(environment, hastyVariable+"=1")
}
