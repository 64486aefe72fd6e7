package board

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/board/guest"
)

// Deadline bounds the wait for what a board must do. It is long: everything is emulated, even on slow computers.
const Deadline = 3 * time.Minute

// Machine is a running board. It is switched off with its test.
type Machine struct {
	t       testing.TB
	board   Board
	cmd     *exec.Cmd
	monitor *monitor
	ctx     context.Context // ends with QEMU, or with the test
	exited  chan struct{}

	// Hand does things inside.
	Hand guest.Client
	// Page is the address of a table's page from outside.
	Page string
	// Console is what it writes.
	Console *Console
}

// Host is this machine's address inside a board.
const Host = "10.0.2.2"

// Start makes a board, switches it on and returns when it is ready. Its /bin has the
// programs, by their names; shoe is tcp://host:port, where the shoe on its line listens.
func Start(t testing.TB, b Board, shoe string, programs map[string]string) *Machine {
	t.Helper()
	dir := t.TempDir()
	parts, err := b.prepare(t.Context(), dir, programs, func(what string) { t.Log(what) })
	if err != nil {
		t.Fatal(err)
	}
	m := &Machine{t: t, board: b, Console: newConsole(), exited: make(chan struct{})}
	if err := m.start(b.command(parts, dir, shoe)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.off)
	ctx, cancel := context.WithTimeout(m.ctx, Deadline)
	defer cancel()
	if err := errors.Join(m.findPorts(ctx), m.Console.Await(ctx, guest.Ready)); err != nil {
		t.Fatalf("the %s board does not start: %v", b.Name, err)
	}
	return m
}

// initramfs is the name of the file system with which a board starts.
const initramfs = "initramfs.cpio"

// prepare makes everything that the board starts from. The agent is always included.
func (b Board) prepare(ctx context.Context, dir string, programs map[string]string, told func(string)) (parts string,
	err error,
) {
	if err := Tools(); err != nil {
		return "", err
	}
	all, err := Build(ctx, dir, b.Arch, "internal/testkit/board/agent")
	if err != nil {
		return "", err
	}
	for name, path := range programs {
		all[name] = path
	}
	if parts, err = b.Make(ctx, told); err != nil {
		return "", err
	}
	f, err := os.Create(filepath.Join(dir, initramfs))
	if err != nil {
		return "", err
	}
	return parts, errors.Join(writeInitramfs(f, parts, all), f.Close())
}

// command is the complete QEMU command.
func (b Board) command(parts, dir, shoe string) []string {
	host, port, _ := net.SplitHostPort(strings.TrimPrefix(shoe, "tcp://"))
	args := append(b.emulator(parts),
		"-initrd", filepath.Join(dir, initramfs), "-append", b.kernel+" panic=-1",
		"-nodefaults", "-no-reboot", "-display", "none", "-qmp", "stdio",
		"-chardev", "file,id=console,path=/dev/stderr",
		"-chardev", fmt.Sprintf("socket,id=shoe,host=%s,port=%s,reconnect=1", host, port),
		"-netdev", fmt.Sprintf("user,id=net,hostfwd=tcp:127.0.0.1:0-:%d,hostfwd=tcp:127.0.0.1:0-:%d", guest.Port,
			guest.PagePort),
		"-device", b.network+",netdev=net")
	if b.shoe != "" {
		args = append(args, "-device", b.shoe+",id=shoe,chardev=shoe")
	}
	return args
}

// start starts QEMU, which ends with this program, however that ends.
func (m *Machine) start(command []string) error {
	m.cmd = exec.Command(command[0], command[1:]...)
	m.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	m.cmd.Stderr = m.Console
	from, err := m.cmd.StdoutPipe()
	if err != nil {
		return err
	}
	to, err := m.cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := m.cmd.Start(); err != nil {
		return fmt.Errorf("starting %s: %w", command[0], err)
	}
	var cancel context.CancelCauseFunc
	m.ctx, cancel = context.WithCancelCause(m.t.Context())
	m.monitor = newMonitor(from, to)
	go func() {
		<-m.monitor.gone
		cancel(fmt.Errorf("QEMU has ended, and its console says why: %w", errors.Join(m.cmd.Wait(), io.EOF)))
		close(m.exited)
	}()
	return nil
}

// findPorts asks QEMU which ports of this machine lead into the board.
func (m *Machine) findPorts(ctx context.Context) error {
	if err := m.monitor.do(ctx, "qmp_capabilities", nil, nil); err != nil {
		return err
	}
	var text string
	if err := m.monitor.do(ctx, "human-monitor-command", map[string]any{"command-line": "info usernet"},
		&text); err != nil {
		return err
	}
	ports, err := parsePorts(text)
	if err != nil {
		return err
	}
	m.Hand.URL = "http://127.0.0.1:" + ports[guest.Port]
	m.Page = "http://127.0.0.1:" + ports[guest.PagePort] + "/"
	return nil
}

// forwarded is how QEMU lists a port of this machine and the board's port that it leads to.
var forwarded = regexp.MustCompile(`TCP\[HOST_FORWARD\]\s+\d+\s+127\.0\.0\.1\s+(\d+)\s+\S+\s+(\d+)`)

// parsePorts returns for each port of the board the port that leads to it.
func parsePorts(text string) (map[int]string, error) {
	ports := make(map[int]string)
	for _, found := range forwarded.FindAllStringSubmatch(text, -1) {
		var inside int
		if _, err := fmt.Sscan(found[2], &inside); err != nil {
			return nil, err
		}
		ports[inside] = found[1]
	}
	for _, want := range []int{guest.Port, guest.PagePort} {
		if ports[want] == "" {
			return nil, fmt.Errorf("QEMU forwards no port of this machine to the board's port %d:\n%s", want, text)
		}
	}
	return ports, nil
}

// Context ends with the machine.
func (m *Machine) Context() context.Context { return m.ctx }

// Unplug pulls the shoe's cable out of the USB port, and returns when it is out.
func (m *Machine) Unplug() {
	m.t.Helper()
	m.hardware(func(ctx context.Context) error {
		if err := m.monitor.do(ctx, "device_del", map[string]any{"id": "shoe"}, nil); err != nil {
			return err
		}
		return m.monitor.await(ctx, "DEVICE_DELETED", "shoe")
	})
}

// Plug puts it in again.
func (m *Machine) Plug() {
	m.t.Helper()
	m.hardware(func(ctx context.Context) error {
		return m.monitor.do(ctx, "device_add", map[string]any{"driver": m.board.shoe, "id": "shoe", "chardev": "shoe"},
			nil)
	})
}

func (m *Machine) hardware(change func(context.Context) error) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(m.ctx, Deadline)
	defer cancel()
	if err := change(ctx); err != nil {
		m.t.Fatal(err)
	}
}

// off switches the board off. A test that failed shows the console.
func (m *Machine) off() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = m.monitor.do(ctx, "quit", nil, nil) // killed below if it does not
	select {
	case <-m.exited:
	case <-ctx.Done():
		m.cmd.Process.Kill()
		<-m.exited
	}
	if m.t.Failed() {
		m.t.Logf("the console of the %s board:\n%s", m.board.Name, m.Console.String())
	}
}
