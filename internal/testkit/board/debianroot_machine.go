package board

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// Debian is a computer with Debian that runs until its test ends.
type Debian struct {
	t       *testing.T
	root    string
	console *system.Text
	nspawn  *exec.Cmd
	ended   chan error
	// first is systemd there, as this machine numbers it.
	first string
}

// deadline is for everything that comes by itself sooner or later.
const deadline = 3 * time.Minute

// BootDebian starts a new computer on which folder can be read as /given. It needs root, as
// whoever makes a root and boots it does.
func BootDebian(t *testing.T, folder string) *Debian {
	t.Helper()
	if os.Getuid() != 0 {
		t.Fatal("a computer with systemd is started as root: sudo make package-test")
	}
	packed, err := debianArchive()
	if err != nil {
		t.Fatal(err)
	}
	m := &Debian{t: t, root: filepath.Join(t.TempDir(), "root"), console: &system.Text{}, ended: make(chan error, 1)}
	if err := os.Mkdir(m.root, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("tar", "--extract", "--numeric-owner", "--file", packed, "--directory",
		m.root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	m.start(folder)
	m.await("systemd to start", func() bool {
		m.first = m.child()
		state, _ := m.Try("systemctl", "is-system-running") // an error while it starts
		return strings.TrimSpace(state) == "running" || strings.TrimSpace(state) == "degraded"
	})
	return m
}

func (m *Debian) start(folder string) {
	m.nspawn = exec.Command("systemd-nspawn", "--quiet", "--boot", "--directory="+m.root, "--machine=sabot-"+
		fmt.Sprint(os.Getpid()),
		"--register=no", "--keep-unit", "--link-journal=no", "--resolv-conf=off", "--timezone=off", "--bind-ro="+
			folder+":/given")
	m.nspawn.Stdout, m.nspawn.Stderr = m.console, m.console
	m.nspawn.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C ends the test, which ends it
	if err := m.nspawn.Start(); err != nil {
		m.t.Fatalf("%v; apt-get install systemd-container", err)
	}
	go func() { m.ended <- m.nspawn.Wait() }()
	m.t.Cleanup(m.stop)
}

// stop ends the computer, and shows its console if the test failed.
func (m *Debian) stop() {
	if err := m.nspawn.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		m.t.Error(err)
	}
	select {
	case <-m.ended:
	case <-time.After(deadline):
		m.t.Errorf("process %d does not end", m.nspawn.Process.Pid)
	}
	if m.t.Failed() {
		m.t.Logf("the computer's console:\n%s", m.console)
	}
}

// child is the process that nspawn has started, or "" if it has none yet.
func (m *Debian) child() string {
	pid := m.nspawn.Process.Pid
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	if fields := strings.Fields(string(text)); err == nil && len(fields) > 0 {
		return fields[len(fields)-1]
	}
	return ""
}

// Try runs a command there as root, and returns what it prints.
func (m *Debian) Try(args ...string) (string, error) {
	in := []string{
		"--target", m.first, "--mount", "--uts", "--ipc", "--pid", "--root", "--wd", "--", "/usr/bin/env",
		"-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive",
	}
	if m.first == "" {
		return "", errors.New("it has no process yet")
	}
	out, err := exec.Command("nsenter", append(in, args...)...).CombinedOutput()
	return string(out), err
}

// Run runs a command there that must succeed.
func (m *Debian) Run(args ...string) string {
	m.t.Helper()
	out, err := m.Try(args...)
	if err != nil {
		m.t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// Path is a file of that computer as this one sees it.
func (m *Debian) Path(path string) string { return filepath.Join(m.root, path) }

// Await waits until a command there succeeds.
func (m *Debian) Await(args ...string) {
	m.t.Helper()
	m.await(strings.Join(args, " "), func() bool { _, err := m.Try(args...); return err == nil })
}

func (m *Debian) await(what string, is func() bool) {
	m.t.Helper()
	for end := time.Now().Add(deadline); !is(); {
		select {
		case err := <-m.ended:
			m.ended <- err
			m.t.Fatalf("the computer has ended, %v, before %s", err, what)
		case <-time.After(50 * time.Millisecond):
		}
		if time.Now().After(end) {
			m.t.Fatalf("waited %s in vain for %s", deadline, what)
		}
	}
}
