// Package systemd tells the service manager how a daemon does, by the protocol of sd_notify: that it is ready, reloads,
// ends or is alive, and in one line what it does.
package systemd

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// share is how often a daemon says that it is alive while the service manager waits for one such word: one that comes
// late, or is lost, does not end it.
const share = 3

// takenWithin is how long a word waits for the service manager, whose socket has room for a few. One that takes none
// keeps no daemon from ending: each word is then given up, long before whoever ends daemons kills them.
const takenWithin = 5 * time.Second

// Manager is the service manager, as the environment names it. Without one, nothing that it is told does anything. Its
// methods may be called from any goroutine, and may wait a little for the service manager.
type Manager struct {
	patience func() (time.Duration, error)
	send     func(message string) error
	log      *slog.Logger

	mu     sync.Mutex
	failed bool
}

// New returns the service manager of this process. Faults go to the log.
func New(log *slog.Logger) *Manager {
	return newWithin(takenWithin, log)
}

func newWithin(within time.Duration, log *slog.Logger) *Manager {
	patience := func() (time.Duration, error) { return daemon.SdWatchdogEnabled(false) }
	return &Manager{patience: patience, send: func(message string) error { return notify(message, within) }, log: log}
}

// notify is sd_notify(3), but for a message that is not taken within a time.
func notify(message string, within time.Duration) error {
	path := os.Getenv("NOTIFY_SOCKET")
	if path == "" {
		return nil
	}
	conn, err := net.DialUnix("unixgram", nil, &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetWriteDeadline(time.Now().Add(within)); err != nil {
		return err
	}
	_, err = conn.Write([]byte(message))
	return err
}

// NewSimulated returns a service manager that takes its messages by send, and waits so long for a word that the daemon
// is alive.
func NewSimulated(patience time.Duration, send func(message string) error, log *slog.Logger) *Manager {
	return &Manager{patience: func() (time.Duration, error) { return patience, nil }, send: send, log: log}
}

// AliveEvery is how often the daemon is to say that it is alive; 0 is never.
func (m *Manager) AliveEvery() time.Duration {
	patience, err := m.patience()
	if err != nil {
		m.log.Warn("the service manager's watchdog is not told that this program is alive: WATCHDOG_USEC cannot "+
			"be read", "err", err)
		return 0
	}
	return patience / share
}

// Ready says that the daemon does its work, and what it does in one line.
func (m *Manager) Ready(status string) { m.tell(daemon.SdNotifyReady, line(status)) }

// Reloading says that the daemon reads its configuration again; Ready ends that.
func (m *Manager) Reloading() {
	now, err := monotonic()
	if err != nil {
		m.log.Warn("the service manager is not told since when the configuration is read again; the reload goes on",
			"err", err)
	}
	m.tell(daemon.SdNotifyReloading, fmt.Sprintf("MONOTONIC_USEC=%d", now.Microseconds()))
}

// Stopping says that the daemon ends.
func (m *Manager) Stopping() { m.tell(daemon.SdNotifyStopping) }

// Alive says that the daemon works.
func (m *Manager) Alive() { m.tell(daemon.SdNotifyWatchdog) }

// Status says in one line what the daemon does.
func (m *Manager) Status(text string) { m.tell(line(text)) }

// line is a text as one assignment, whatever is in it.
func line(text string) string {
	return "STATUS=" + strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
}

// tell sends assignments as one message. A fault is logged once, until a message arrives again.
func (m *Manager) tell(assignments ...string) {
	err := m.send(strings.Join(assignments, "\n"))
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil && !m.failed {
		m.log.Warn("the service manager cannot be told how this program does, and may end it: look at NOTIFY_SOCKET",
			"err", err)
	}
	m.failed = err != nil
}
