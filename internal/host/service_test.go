package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/systemd"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/journal/disk"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

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

// managed is a daemon that runs for a service manager.
type managed struct {
	*Daemon
	t     *testing.T
	stop  context.CancelFunc
	ended chan error
}

func manage(t *testing.T, manager *systemd.Manager, change func(*config.Config, *Outside)) *managed {
	t.Helper()
	m := &managed{t: t, ended: make(chan error, 1)}
	c := config.Default()
	c.Site, c.Table, c.House, c.Supervisors.Proof = "test", "bj-1", "wiesbaden", authority.None
	dir := processes.FastDir(t)
	c.Journal.Path, c.Web.Listen, c.Shoe.Port = filepath.Join(dir, "journal"), "127.0.0.1:0",
		filepath.Join(dir, "no-shoe")
	var outside Outside
	change(&c, &outside)
	var err error
	m.Daemon, err = Open(c, profile.Built(), "test", slog.New(slog.DiscardHandler), WithService(manager),
		WithOutside(outside))
	if err != nil {
		t.Fatal(err)
	}
	var ctx context.Context
	ctx, m.stop = context.WithCancel(t.Context())
	go func() { m.ended <- m.Run(ctx) }()
	t.Cleanup(m.stop)
	return m
}

// end closes a table whose Run was stopped.
func (m *managed) end() {
	m.t.Helper()
	if err := errors.Join(<-m.ended, m.Close()); err != nil {
		m.t.Error(err)
	}
}

// TestService: the service manager hears that the table is ready when its page answers, that it is alive while nothing
// happens, and its end.
func TestService(t *testing.T) {
	socket := system.ListenNotify(t)
	t.Setenv("NOTIFY_SOCKET", socket.Path)
	t.Setenv("WATCHDOG_USEC", fmt.Sprint((30 * time.Millisecond).Microseconds()))
	t.Setenv("WATCHDOG_PID", "")
	m := manage(t, systemd.New(slog.New(slog.DiscardHandler)), func(*config.Config, *Outside) {})
	ready := socket.Next()
	if !strings.HasPrefix(ready, "READY=1\nSTATUS=table bj-1, page http://127.0.0.1:") ||
		!strings.Contains(ready, "works without the shoe (") {
		t.Errorf("told was %q", ready)
	}
	answer, err := http.Get(m.URL())
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Errorf("a table that is ready answers %v, %v", answer, err)
	}
	for range 4 {
		socket.Until("WATCHDOG=1")
	}
	m.stop()
	socket.Until("STOPPING=1")
	m.end()
}

// TestWatchdog: a runner that hangs is no longer said to be alive, whatever else still works: planted where it calls
// out, and in a write to a disk that hangs. One that goes on is alive again.
func TestWatchdog(t *testing.T) { synctest.Test(t, watchdog) }

func watchdog(t *testing.T) {
	const patience = 30 * time.Second
	var told system.Text
	manager := systemd.NewSimulated(patience, func(message string) error {
		_, err := fmt.Fprintln(&told, message)
		return err
	}, slog.New(slog.DiscardHandler))
	gate := make(chan struct{}, 1)
	gate <- struct{}{}
	m := manage(t, manager, func(c *config.Config, o *Outside) {
		if err := os.Mkdir(c.Journal.Path, 0o700); err != nil {
			t.Fatal(err)
		}
		o.Disk, o.Page = hangingDisk{disk.Folder(c.Journal.Path), gate}, bubble.Listen()
		o.Shoe = func(context.Context) (device.Port, error) { return nil, device.ErrNotFound }
	})
	// beats counts how often in ten times its patience the service manager hears that the table is alive.
	beats := func() int {
		bubble.Settle(patience) // what was on its way
		before := strings.Count(told.String(), "WATCHDOG=1")
		bubble.Settle(10 * patience)
		return strings.Count(told.String(), "WATCHDOG=1") - before
	}
	lives := func(when string) {
		t.Helper()
		if n := beats(); n < 29 || n > 31 {
			t.Errorf("%s the table says %d times in ten times the watchdog's patience that it is alive", when, n)
		}
	}
	hangs := func(where string) {
		t.Helper()
		if n := beats(); n != 0 {
			t.Errorf("a runner that hangs %s is said %d times to be alive", where, n)
		}
	}
	lives("at first")

	planted, hanging := make(chan struct{}), make(chan struct{})
	go m.runner.SubmitIf(t.Context(), vocab.Input{}, func(*table.Table) bool {
		close(hanging)
		<-planted
		return false
	})
	<-hanging
	hangs("where it calls out")
	close(planted)
	lives("after that")

	<-gate // what the disk needs
	put := make(chan error, 1)
	go func() {
		_, err := m.Submit(t.Context(), vocab.Input{Kind: vocab.InOpen})
		put <- err
	}()
	hangs("in a write")
	gate <- struct{}{}
	if err := <-put; err != nil {
		t.Error(err)
	}
	lives("in the end")
	m.stop()
	m.end()
	bubble.Settle(time.Minute) // what the table has left behind ends
}
