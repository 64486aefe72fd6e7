package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/config"
	"github.com/sabot-table/sabot/cmd/internal/notify"
	"github.com/sabot-table/sabot/internal/testkit/notifytest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal/disk"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// watchdog is the patience of the tests' service manager.
const watchdog = time.Second

// hangingDisk is a disk whose writes hang while its gate has no token.
type hangingDisk struct {
	disk.Disk
	gate chan struct{}
}

func (d hangingDisk) Create(name string) (disk.File, error) {
	f, err := d.Disk.Create(name)
	return hangingFile{f, d.gate}, err
}

type hangingFile struct {
	disk.File
	gate chan struct{}
}

func (f hangingFile) Sync() error {
	f.gate <- <-f.gate
	return f.File.Sync()
}

// managed is a daemon that runs for a service manager, on a disk that can hang.
type managed struct {
	*Daemon
	t      *testing.T
	socket *notifytest.Socket
	gate   chan struct{}
	stop   context.CancelFunc
	ended  chan error
}

func manage(t *testing.T) *managed {
	t.Helper()
	m := &managed{t: t, socket: notifytest.Listen(t), gate: make(chan struct{}, 1), ended: make(chan error, 1)}
	m.gate <- struct{}{}
	t.Setenv("NOTIFY_SOCKET", m.socket.Path)
	t.Setenv("WATCHDOG_USEC", fmt.Sprint(watchdog.Microseconds()))
	t.Setenv("WATCHDOG_PID", "")
	c := config.Default()
	c.Site, c.Table, c.House, c.Supervisors.Proof = "test", "bj-1", "wiesbaden", authority.None
	dir := t.TempDir()
	c.Journal.Path, c.Web.Listen, c.Shoe.Port = filepath.Join(dir, "journal"), "127.0.0.1:0", filepath.Join(dir, "no-shoe")
	if err := os.Mkdir(c.Journal.Path, 0o700); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	var err error
	m.Daemon, err = Open(c, profile.Built(), "test", log, WithService(notify.New(log)), WithOutside(Outside{Disk: hangingDisk{disk.Folder(c.Journal.Path), m.gate}}))
	if err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	ctx, m.stop = context.WithCancel(t.Context())
	go func() { m.ended <- m.Run(ctx) }()
	t.Cleanup(m.stop)
	return m
}

// beats waits for so many words that the table is alive.
func (m *managed) beats(n int) {
	m.t.Helper()
	for n > 0 {
		if m.socket.Next() == "WATCHDOG=1" {
			n--
		}
	}
}

// missed waits until the table has not said for as long as the service manager waits that it is alive.
func (m *managed) missed() {
	m.t.Helper()
	for range 30 { // a status, which says nothing about the runner, may come, and what was on its way
		if _, heard := m.socket.Within(watchdog); !heard {
			return
		}
	}
	m.t.Fatal("a runner that hangs is said to be alive")
}

// TestService: the service manager hears that the table is ready when its page answers, that it is alive while nothing
// happens, and its end.
func TestService(t *testing.T) {
	m := manage(t)
	ready := m.socket.Next()
	if !strings.HasPrefix(ready, "READY=1\nSTATUS=table bj-1, page http://127.0.0.1:") || !strings.Contains(ready, "works without the shoe (") {
		t.Errorf("told was %q", ready)
	}
	answer, err := http.Get(m.URL())
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("a table that is ready answers %v, %v", answer, err)
	}
	m.beats(4)
	m.stop()
	m.socket.Until("STOPPING=1")
	if err := <-m.ended; err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}

// TestWatchdog: a runner that hangs is no longer said to be alive, whatever else still works: planted where it calls out,
// and in a write to a disk that hangs. One that goes on is alive again.
func TestWatchdog(t *testing.T) {
	m := manage(t)
	m.beats(2)

	planted, hangs := make(chan struct{}), make(chan struct{})
	go m.runner.SubmitIf(t.Context(), vocab.Input{}, func(*table.Table) bool {
		close(hangs)
		<-planted
		return false
	})
	<-hangs
	m.missed()
	close(planted)
	m.beats(2)

	<-m.gate // what the disk needs
	put := make(chan error, 1)
	go func() {
		_, err := m.Submit(t.Context(), vocab.Input{Kind: vocab.InOpen})
		put <- err
	}()
	m.missed()
	m.gate <- struct{}{}
	if err := <-put; err != nil {
		t.Error(err)
	}
	m.beats(2)
	m.stop()
	if err := <-m.ended; err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
