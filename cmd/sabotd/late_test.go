package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestServiceManager: the service manager of sabotd hears that it is ready once its page answers, that it is alive at a
// table where nothing happens, what it works without, that it reads its configuration again, and its end.
func TestServiceManager(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.hurry()
	socket := system.ListenNotify(t)
	w.environment = []string{"NOTIFY_SOCKET=" + socket.Path, "WATCHDOG_USEC=150000"}
	w.gate.Shut()
	process := w.start()
	ready := socket.Next()
	if !strings.HasPrefix(ready, "READY=1\nSTATUS=table bj-1, page http://"+w.page) {
		t.Errorf("told was %q", ready)
	}
	w.get("/", http.StatusOK)
	if without := "works without the pit (tcp://" + w.gate.Addr() + ")"; !strings.Contains(ready, without) {
		socket.Until(without) // it had not tried yet
	}
	for range 5 {
		socket.Until("WATCHDOG=1")
	}
	w.gate.Open()
	socket.Until("; all is there")
	if err := syscall.Kill(process.PID(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	socket.Until("RELOADING=1\nMONOTONIC_USEC=")
	socket.Until("READY=1")
	process.Stop()
	socket.Until("STOPPING=1")
}

// TestLateShoe: a table starts without its shoe, and deals as soon as that is plugged in.
func TestLateShoe(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	there := w.port
	w.port = filepath.Join(w.dir, "shoe")
	process := w.start()
	logs(t, process, "no such port", w.port)
	w.get("/", http.StatusOK)
	if err := os.Symlink(there, w.port); err != nil {
		t.Fatal(err)
	}
	w.check(w.deal(1).finish(), 1)
	process.Stop()
}

// TestLateJournal: a table without the folder of its journal says how it is made and ends with a status that the
// service manager tries again; it starts once the folder is there.
func TestLateJournal(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	folder := filepath.Join(w.dir, "disk")
	w.path = filepath.Join(folder, "journal")
	contains(t, w.refused(w.path, w.page), folder, "does not exist", "install -d -o sabot")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	process := w.start()
	w.check(w.deal(1).finish(), 1)
	process.Stop()
}

// lateAddress is of a network that no machine has: RFC 5737 keeps it for documents.
const lateAddress = "192.0.2.7"

// TestLateAddress: a table whose page has an address that this machine does not have yet is there for this machine at
// once, says what is missing, and is there for others as soon as the address is.
func TestLateAddress(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	_, port, err := net.SplitHostPort(n.page)
	if err != nil {
		t.Fatal(err)
	}
	n.page = net.JoinHostPort(lateAddress, port)
	cert, key, err := site.SelfSigned([]string{"127.0.0.1", lateAddress}, time.Now().AddDate(0, 0, -1),
		time.Now().AddDate(0, 6, 0))
	if err != nil {
		t.Fatal(err)
	}
	write(t, n.cert, string(cert))
	write(t, n.file, string(key))
	n.may("dealer")
	apart := alone(t, n)

	screen := n.enterFrom(apart, "https://127.0.0.1:"+port)
	contains(t, n.ask(screen, "/", "", http.StatusOK), `<span class="pit bad" title="`+n.page+
		`">✕ Network offline</span>`)
	logs(t, apart.Process, "the page's address is not there", "cannot assign requested address", "address="+n.page)
	if c, err := apart.dial(t.Context(), "tcp", n.page); err == nil {
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Error("an address that is not there answers")
		}
	}

	apart.run("ip", "address", "add", lateAddress+"/32", "dev", "lo")
	logs(t, apart.Process, "the page's address is there")
	screen = n.enterFrom(apart, "https://"+n.page)
	if page := n.ask(screen, "/", "", http.StatusOK); strings.Contains(page, "Network offline") {
		t.Error("an address that is there is missing on the page")
	}
	if times := strings.Count(apart.Log(), "the page's address is"); times != 2 {
		t.Errorf("the log speaks of the address %d times", times)
	}
	apart.Stop()
}

// machine is sabotd on a machine with a network of its own, which nothing else is on.
type machine struct {
	*processes.Process
	t *testing.T
}

func alone(t *testing.T, n *network) machine {
	t.Helper()
	write(t, n.config, n.text(n.path, n.page))
	const script = `ip link set lo up && exec "$@"`
	return machine{processes.Start(t, "unshare", "--map-root-user", "--user", "--net", "sh", "-c", script, "sh",
		sabotd(t), "--config", n.config), t}
}

// inside is a command on the machine.
func (m machine) inside(args ...string) *exec.Cmd {
	enter := []string{"--target", fmt.Sprint(m.PID()), "--user", "--preserve-credentials", "--net"}
	return exec.Command("nsenter", append(enter, args...)...)
}

func (m machine) run(args ...string) {
	m.t.Helper()
	if out, err := m.inside(args...).CombinedOutput(); err != nil {
		m.t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

// dial connects to an address as the machine sees it.
func (m machine) dial(_ context.Context, _, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "ours"), os.NewFile(uintptr(pair[1]), "theirs")
	defer ours.Close()
	defer theirs.Close()
	command := m.inside("bash", "-c", `exec 3<>"/dev/tcp/$0/$1" && { cat <&3 & cat >&3; }`, host, port)
	command.Stdin, command.Stdout = theirs, theirs
	if err := command.Start(); err != nil {
		return nil, err
	}
	go command.Wait()
	return net.FileConn(ours)
}

// enterFrom enters with the dealer's key on the machine.
func (n *network) enterFrom(m machine, url string) *http.Client {
	n.t.Helper()
	n.url = url
	by := n.browser()
	by.Transport.(*http.Transport).DialContext = m.dial
	brokertest.Until(n.t, url+" answers", func() bool {
		r, err := http.NewRequestWithContext(n.t.Context(), http.MethodGet, url+"/enter", nil)
		if err != nil {
			n.t.Fatal(err)
		}
		answer, err := by.Do(r)
		if err == nil {
			answer.Body.Close()
		}
		return err == nil
	})
	n.ask(by, "/enter", `{"key":"`+n.keys["dealer"].String()+`"}`, http.StatusOK)
	return by
}
