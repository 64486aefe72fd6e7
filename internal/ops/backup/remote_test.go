package backup

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// sshd is Debian's server, for one key, on this machine alone.
type sshd struct {
	key, known, folder, target string
}

func newSSHD(t *testing.T) sshd {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, key := range []string{"host", "client", "stranger"} {
		run(t, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", at(key))
	}
	public, err := os.ReadFile(at("client.pub"))
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.ReadFile(at("host.pub"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"authorized": "restrict " + string(public),
		"known":      fmt.Sprintf("[127.0.0.1]:%d %s", port, host),
		"config": fmt.Sprintf("HostKey %s\nAuthorizedKeysFile %s\nPidFile none\nUsePAM no\nStrictModes "+
			"no\nPermitRootLogin prohibit-password\n"+
			"PasswordAuthentication no\nKbdInteractiveAuthentication no\nSubsystem sftp internal-sftp\nForceCommand "+
			"internal-sftp\n", at("host"), at("authorized")),
	} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if os.Geteuid() == 0 {
		if err := os.MkdirAll("/run/sshd", 0o755); err != nil { // where Debian's server confines itself
			t.Fatal(err)
		}
	}
	serveSSH(t, l, at("config"))
	s := sshd{key: at("client"), known: at("known"), folder: t.TempDir()}
	s.target = fmt.Sprintf("%s@127.0.0.1:%d:%s", me.Username, port, s.folder)
	return s
}

// serveSSH has a server for each connection, until the test ends.
func serveSSH(t *testing.T, l net.Listener, config string) {
	var log system.Text
	var served sync.WaitGroup
	served.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			line, err := conn.(*net.TCPConn).File()
			if err != nil {
				t.Error(err)
				return
			}
			server := exec.CommandContext(t.Context(), "/usr/sbin/sshd", "-i", "-e", "-f", config)
			server.Stdin, server.Stdout, server.Stderr = line, line, &log
			err = server.Start()
			_, _ = line.Close(), conn.Close() // the server has its own
			if err != nil {
				t.Errorf("%v: install Debian's openssh-server", err)
				return
			}
			served.Go(func() { _ = server.Wait() }) // it ends as its client does
		}
	})
	t.Cleanup(func() {
		l.Close()
		served.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// TestOverSSH backs up to another machine, by Debian's ssh and sshd, and restores from there. Strangers get nowhere.
func TestOverSSH(t *testing.T) {
	s := newSSHD(t)
	c := newCard(t, "")
	target := Target{Name: s.target, SSHKey: s.key, KnownHosts: s.known}
	for n := range 3 {
		p, closing, err := target.Make(t.Context(), "test", "bj-1", c.at("journal"))
		if err != nil {
			t.Fatal(err)
		}
		taken := take(t, p, c.source(), c.options())
		if n > 0 && taken.Files > 4 {
			t.Errorf("backup %d wrote %d files anew", n+1, taken.Files)
		}
		clean(t, p)
		if err := closing(); err != nil {
			t.Fatal(err)
		}
		c.play(1)
	}
	p, closing, err := target.Find(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := whole(t, p, c); len(got) != 2 {
		t.Errorf("there are %v", got)
	}
	c.table.Close()
	for _, name := range []string{
		"journal", "journal.key", "shoe-key", "house.yaml", "journal.people",
		"journal.codes",
	} {
		if err := os.RemoveAll(c.at(name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.Restore(t.Context(), c.request()); err != nil {
		t.Error(err)
	}
	if err := closing(); err != nil {
		t.Error(err)
	}
	if _, err := p.Take(t.Context(), c.source(), c.options()); err == nil {
		t.Error("a connection that was closed takes a backup")
	}
	for name, wrong := range map[string]Target{
		"another key":  {Name: s.target, SSHKey: strings.TrimSuffix(s.key, "client") + "stranger", KnownHosts: s.known},
		"unknown host": {Name: s.target, SSHKey: s.key, KnownHosts: "/dev/null"},
	} {
		if _, _, err := wrong.Find(t.Context()); err == nil || !strings.Contains(err.Error(), "ssh does not reach") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
