package journaltest

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/system"
)

// Postgres is a PostgreSQL server of a test's own, on a loopback address. What it has confirmed
// outlasts its own crash; for one of the machine's the test sets fsync=on.
type Postgres struct {
	tb      testing.TB
	folder  string
	address string
	as      *syscall.SysProcAttr
	server  *exec.Cmd
	log     *bytes.Buffer
	made    int
	frozen  bool

	settings []string
}

// NewPostgres starts a server with settings such as "fsync=on". It fails the test where
// PostgreSQL is not installed.
func NewPostgres(tb testing.TB, settings ...string) *Postgres {
	tb.Helper()
	p := newServer(tb, append([]string{"fsync=off", "max_wal_size=4GB"}, settings...))
	initdb := p.command("initdb", "--pgdata", filepath.Join(p.folder, "data"), "--username", "pit", "--auth", "trust",
		"--no-sync", "--encoding", "UTF8", "--locale", "C")
	if out, err := initdb.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %v\n%s", initdb.Args, err, out)
	}
	p.Start()
	return p
}

// newServer has a folder and an address, and no data yet.
func newServer(tb testing.TB, settings []string) *Postgres {
	tb.Helper()
	folder, err := os.MkdirTemp(disk(settings), "sabot-postgres-")
	if err != nil {
		tb.Fatal(err)
	}
	p := &Postgres{tb: tb, folder: folder, address: system.Address(tb), as: nobody(tb, folder), settings: settings}
	tb.Cleanup(func() {
		p.Stop()
		if err := os.RemoveAll(folder); err != nil {
			tb.Error(err)
		}
	})
	return p
}

// disk is where a server keeps its files: in memory where the system offers that, unless the
// disk is what is tested.
func disk(settings []string) string {
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err == nil && info.IsDir() && !slices.Contains(settings, "fsync=on") {
		return memory
	}
	return ""
}

// nobody lets the server run as somebody else, since it refuses to run as root.
func nobody(tb testing.TB, folder string) *syscall.SysProcAttr {
	tb.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	who, err := user.Lookup("nobody")
	if err != nil {
		tb.Fatal(err)
	}
	uid, errUser := strconv.Atoi(who.Uid)
	gid, errGroup := strconv.Atoi(who.Gid)
	if errUser != nil || errGroup != nil {
		tb.Fatalf("user nobody has the numbers %s and %s", who.Uid, who.Gid)
	}
	if err := os.Chown(folder, uid, gid); err != nil {
		tb.Fatal(err)
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
}

// command is one of PostgreSQL's own programs, of its newest version on this machine.
func (p *Postgres) command(name string, args ...string) *exec.Cmd {
	p.tb.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
		if len(found) == 0 {
			p.tb.Fatalf("PostgreSQL's %s is not installed: run .ci/needs, or install the package postgresql", name)
		}
		slices.Sort(found)
		path = found[len(found)-1]
	}
	c := exec.Command(path, args...)
	c.Dir, c.SysProcAttr = p.folder, p.as
	return c
}

// Start starts the server, and waits until it answers.
func (p *Postgres) Start() {
	p.tb.Helper()
	host, port, err := net.SplitHostPort(p.address)
	if err != nil {
		p.tb.Fatal(err)
	}
	args := []string{"-D", filepath.Join(p.folder, "data")}
	for _, setting := range append([]string{"listen_addresses=" + host, "port=" + port, "unix_socket_directories="},
		p.settings...) {
		args = append(args, "-c", setting)
	}
	p.server = p.command("postgres", args...)
	p.log = &bytes.Buffer{}
	p.server.Stderr, p.server.Stdout = p.log, p.log
	if err := p.server.Start(); err != nil {
		p.tb.Fatal(err)
	}
	db, err := sql.Open("pgx", p.source("postgres"))
	if err != nil {
		p.tb.Fatal(err)
	}
	defer db.Close()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) { // a server says nothing when it is ready
		err := db.PingContext(context.Background())
		if err == nil {
			return
		}
		if time.Since(begun) > time.Minute {
			p.Stop()
			p.tb.Fatalf("PostgreSQL does not answer on %s: %v\n%s", p.address, err, p.log)
		}
	}
}

// Stop stops the server as its service does; what runs is broken off.
func (p *Postgres) Stop() { p.end(syscall.SIGINT) }

// Kill stops it as a crash does, with all of its processes.
func (p *Postgres) Kill() { p.end(syscall.SIGQUIT) }

func (p *Postgres) end(signal syscall.Signal) {
	if p.server == nil {
		return
	}
	if p.frozen {
		signal, p.frozen = syscall.SIGKILL, false
		p.signal(syscall.SIGKILL)
	}
	if err := p.server.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.tb.Error(err)
	}
	if err := p.server.Wait(); err != nil && signal == syscall.SIGINT {
		p.tb.Errorf("PostgreSQL: %v\n%s", err, p.log)
	}
	p.server = nil
}

// Source makes an empty database, and returns its address.
func (p *Postgres) Source() string {
	p.tb.Helper()
	return p.create("template1")
}

// Copy makes a database with all that another one has, which nobody has open, and returns its address.
func (p *Postgres) Copy(source string) string {
	p.tb.Helper()
	address, err := url.Parse(source)
	if err != nil {
		p.tb.Fatal(err)
	}
	return p.create(strings.TrimPrefix(address.Path, "/"))
}

func (p *Postgres) create(template string) string {
	p.tb.Helper()
	db, err := sql.Open("pgx", p.source("postgres"))
	if err != nil {
		p.tb.Fatal(err)
	}
	defer db.Close()
	p.made++
	name := fmt.Sprintf("pit%d", p.made)
	if _, err := db.Exec(`CREATE DATABASE ` + name + ` TEMPLATE ` + template); err != nil {
		p.tb.Fatal(err)
	}
	return p.source(name)
}

func (p *Postgres) source(database string) string {
	return fmt.Sprintf("postgres://pit@%s/%s?sslmode=disable", p.address, database)
}
