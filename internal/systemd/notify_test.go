package systemd_test

import (
	"bytes"
	"log/slog"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/systemd"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestTold: the service manager gets each word as sd_notify(3) writes it.
func TestTold(t *testing.T) {
	socket := system.ListenNotify(t)
	t.Setenv("NOTIFY_SOCKET", socket.Path)
	m := systemd.New(slog.New(slog.DiscardHandler))
	for _, c := range []struct {
		tell func()
		want string
	}{
		{func() { m.Ready("table bj-1") }, `READY=1\nSTATUS=table bj-1`},
		{m.Reloading, `RELOADING=1\nMONOTONIC_USEC=[1-9][0-9]*`},
		{m.Stopping, `STOPPING=1`},
		{m.Alive, `WATCHDOG=1`},
		{func() { m.Status("without: a\nREADY=1") }, `STATUS=without: a READY=1`},
	} {
		c.tell()
		if got := socket.Next(); !regexp.MustCompile("^" + c.want + "$").MatchString(got) {
			t.Errorf("told was %q, not %q", got, c.want)
		}
	}
}

// TestAliveEvery: three words in the time that the manager waits for one; and none for another process's watchdog.
func TestAliveEvery(t *testing.T) {
	for _, c := range []struct {
		usec, pid string
		want      time.Duration
		logs      bool
	}{
		{"", "", 0, false},
		{"30000000", "", 10 * time.Second, false},
		{"30000000", "1", 0, false},
		{"soon", "", 0, true},
		{"-1", "", 0, true},
	} {
		t.Setenv("WATCHDOG_USEC", c.usec)
		t.Setenv("WATCHDOG_PID", c.pid)
		var log bytes.Buffer
		if got := systemd.New(slog.New(slog.NewTextHandler(&log, nil))).AliveEvery(); got != c.want {
			t.Errorf("with WATCHDOG_USEC=%s WATCHDOG_PID=%s a daemon is alive every %v, not %v", c.usec, c.pid,
				got, c.want)
		}
		if got := strings.Contains(log.String(), "WATCHDOG_USEC cannot be read"); got != c.logs {
			t.Errorf("with WATCHDOG_USEC=%s the log says\n%s", c.usec, log.String())
		}
	}
}

// TestNobodyListens: it is logged once, and stops nothing.
func TestNobodyListens(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", t.TempDir()+"/nobody")
	var log bytes.Buffer
	m := systemd.New(slog.New(slog.NewTextHandler(&log, nil)))
	m.Alive()
	m.Alive()
	if strings.Count(log.String(), "look at NOTIFY_SOCKET") != 1 {
		t.Errorf("the log says\n%s", log.String())
	}
}

// TestNoManager: without one nothing is logged.
func TestNoManager(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	var log bytes.Buffer
	m := systemd.New(slog.New(slog.NewTextHandler(&log, nil)))
	m.Ready("")
	m.Alive()
	m.Stopping()
	if log.Len() > 0 {
		t.Errorf("the log says\n%s", log.String())
	}
}
