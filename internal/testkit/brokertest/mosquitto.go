package brokertest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// Deadline is how long the helpers wait for what must come. It is long: slow
// computers run the tests too.
const Deadline = 60 * time.Second

// Mosquitto is a broker process of its own. It ends with the test.
type Mosquitto struct {
	t      testing.TB
	binary string
	config string
	addr   string

	process *exec.Cmd
	log     *system.Text
}

// StartMosquitto runs a mosquitto on a free loopback port. The settings are lines
// of mosquitto.conf; without any it lets everybody in and queues without a limit.
func StartMosquitto(t testing.TB, settings ...string) *Mosquitto {
	t.Helper()
	m := &Mosquitto{t: t, binary: findMosquitto(t), addr: system.Address(t), log: &system.Text{}}
	if len(settings) == 0 {
		settings = []string{"allow_anonymous true", "max_queued_messages 0", "max_inflight_messages 0"}
	}
	host, port, err := net.SplitHostPort(m.addr)
	if err != nil {
		t.Fatal(err)
	}
	// The user is only looked at when the tests run as root.
	text := fmt.Sprintf("listener %s %s\nuser root\nlog_dest stderr\n", port, host)
	for _, line := range settings {
		text += line + "\n"
	}
	m.config = filepath.Join(t.TempDir(), "mosquitto.conf")
	if err := os.WriteFile(m.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m.Start()
	t.Cleanup(func() {
		if m.process != nil {
			m.Kill()
		}
		if t.Failed() {
			t.Logf("mosquitto said:\n%s", m.log)
		}
	})
	return m
}

// Addr is the broker's address. It stays the same over Kill and Start.
func (m *Mosquitto) Addr() string { return m.addr }

// Kill ends the process with SIGKILL: it gets no chance to tidy up.
func (m *Mosquitto) Kill() {
	m.t.Helper()
	if err := m.process.Process.Kill(); err != nil {
		m.t.Fatalf("kill mosquitto: %v", err)
	}
	if err := m.process.Wait(); err == nil {
		m.t.Fatal("mosquitto ended by itself before it was killed")
	}
	m.process = nil
}

// Stop ends the process in order: it saves what its settings tell it to.
func (m *Mosquitto) Stop() {
	m.t.Helper()
	if err := m.process.Process.Signal(syscall.SIGTERM); err != nil {
		m.t.Fatalf("stop mosquitto: %v", err)
	}
	if err := m.process.Wait(); err != nil {
		m.t.Fatalf("mosquitto did not end in order: %v", err)
	}
	m.process = nil
}

// Start runs the process and waits until it takes connections.
func (m *Mosquitto) Start() {
	m.t.Helper()
	m.process = exec.Command(m.binary, "-c", m.config)
	m.process.Stdout, m.process.Stderr = m.log, m.log
	if err := m.process.Start(); err != nil {
		m.t.Fatalf("start mosquitto: %v", err)
	}
	Until(m.t, "mosquitto takes connections", func() bool {
		conn, err := net.Dial("tcp", m.addr)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	})
}

// Reload has the process read its settings and its access list again, and returns when it does: it has the new ones for
// whatever comes afterwards.
func (m *Mosquitto) Reload() {
	m.t.Helper()
	const reloading = "Reloading config"
	before := strings.Count(m.log.String(), reloading)
	if err := m.process.Process.Signal(syscall.SIGHUP); err != nil {
		m.t.Fatalf("reload mosquitto: %v", err)
	}
	Until(m.t, "mosquitto reads its settings again", func() bool {
		return strings.Count(m.log.String(), reloading) > before
	})
}

// Until waits until the condition holds, and fails the test if it never does.
func Until(t testing.TB, what string, holds func() bool) {
	t.Helper()
	UntilEvery(t, 2*time.Millisecond, what, holds)
}

// UntilEvery is Until for a condition that is asked for no oftener, since it costs much, or too often is refused.
func UntilEvery(t testing.TB, pause time.Duration, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(Deadline); !holds(); time.Sleep(pause) { // another process has no other way to tell
		if time.Now().After(end) {
			t.Fatalf("waited %s in vain until %s", Deadline, what)
		}
	}
}

// findMosquitto looks where Debian puts it too: /usr/sbin is not on everybody's path.
func findMosquitto(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"mosquitto", "/usr/sbin/mosquitto", "/usr/local/sbin/mosquitto"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("this test needs the MQTT broker mosquitto, which is not installed: run make test, which installs it, " +
		"or apt-get install mosquitto")
	return ""
}
