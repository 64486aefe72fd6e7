package journaltest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Standby starts a server that follows this one: from then on nothing is confirmed that it does not have, too.
func (p *Postgres) Standby() *Postgres {
	p.tb.Helper()
	host, port, err := net.SplitHostPort(p.address)
	if err != nil {
		p.tb.Fatal(err)
	}
	follows := newServer(p.tb, p.settings)
	from := fmt.Sprintf("host=%s port=%s user=pit sslmode=disable application_name=standby", host, port)
	follows.run("pg_basebackup", "--dbname", from, "--pgdata", filepath.Join(follows.folder, "data"),
		"--write-recovery-conf", "--wal-method", "stream", "--checkpoint", "fast", "--no-sync")
	follows.settings = append(follows.settings, "wal_retrieve_retry_interval=200ms")
	follows.Start()
	p.await(`SELECT count(*) = 1 FROM pg_stat_replication WHERE state = 'streaming'`)
	p.Exec(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
	p.Exec(`SELECT pg_reload_conf()`)
	p.await(`SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)
	return follows
}

// Promote has a standby take what is written from now on.
func (p *Postgres) Promote() {
	p.tb.Helper()
	p.Exec(`SELECT pg_promote(true, 60)`)
	p.await(`SELECT NOT pg_is_in_recovery()`)
}

// Freeze stops the server without a word, as the loss of its power or its network does; it does not come back.
func (p *Postgres) Freeze() {
	p.tb.Helper()
	p.frozen = true
	p.signal(syscall.SIGSTOP)
}

// Pause has the server wait, as it does for a disk that does not answer, until Resume.
func (p *Postgres) Pause() { p.signal(syscall.SIGSTOP) }

// Resume lets it go on.
func (p *Postgres) Resume() { p.signal(syscall.SIGCONT) }

// signal tells the server and all of its processes.
func (p *Postgres) signal(signal syscall.Signal) {
	for _, one := range p.processes() {
		_ = syscall.Kill(one, signal) // it may have ended
	}
}

// processes are the server's.
func (p *Postgres) processes() []int {
	main := p.server.Process.Pid
	all := []int{main}
	found, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", main))
	if err != nil {
		p.tb.Fatal(err)
	}
	for _, file := range found {
		text, err := os.ReadFile(file)
		if err != nil {
			p.tb.Fatal(err)
		}
		for child := range strings.FieldsSeq(string(text)) {
			if number, err := strconv.Atoi(child); err == nil {
				all = append(all, number)
			}
		}
	}
	return all
}

// Exec runs a statement as the server's owner.
func (p *Postgres) Exec(statement string) {
	p.tb.Helper()
	db, err := sql.Open("pgx", p.source("postgres"))
	if err != nil {
		p.tb.Fatal(err)
	}
	_, err = db.Exec(statement)
	if err := errors.Join(err, db.Close()); err != nil {
		p.tb.Fatalf("%s: %v", statement, err)
	}
}

// await waits until a question is answered with yes.
func (p *Postgres) await(question string) {
	p.tb.Helper()
	db, err := sql.Open("pgx", p.source("postgres"))
	if err != nil {
		p.tb.Fatal(err)
	}
	defer db.Close()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) { // a server tells nobody
		var yes bool
		if err := db.QueryRowContext(context.Background(), question).Scan(&yes); err == nil && yes {
			return
		}
		if time.Since(begun) > time.Minute {
			p.tb.Fatalf("%s: it never becomes true", question)
		}
	}
}

// Either is the address of a database of this server that a standby has, too: of whichever takes what is written.
func (p *Postgres) Either(source string, standby *Postgres) string {
	return strings.Replace(source, p.address, p.address+","+standby.address, 1) +
		"&target_session_attrs=read-write&connect_timeout=2"
}

// Owned makes a database that belongs to a user who may do nothing else at the server, and returns its address.
func (p *Postgres) Owned(user, database string) (source string) {
	p.tb.Helper()
	p.Shell("createuser " + user)
	p.Shell("createdb --owner " + user + " " + database)
	return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable", user, p.address, database)
}

// Shell runs a line of a shell as the server's administrator does, in the server's folder.
func (p *Postgres) Shell(line string) {
	p.tb.Helper()
	host, port, err := net.SplitHostPort(p.address)
	if err != nil {
		p.tb.Fatal(err)
	}
	does := p.command("psql") // it is where the others are
	does.Env = append(os.Environ(),
		"PATH="+filepath.Dir(does.Path)+":"+os.Getenv("PATH"), "PGHOST="+host, "PGPORT="+port,
		"PGUSER=pit")
	does.Path, does.Args = "/bin/sh", []string{"sh", "-c", line}
	if out, err := does.CombinedOutput(); err != nil {
		p.tb.Fatalf("%s: %v\n%s", line, err, out)
	}
}

func (p *Postgres) run(name string, args ...string) {
	p.tb.Helper()
	does := p.command(name, args...)
	if out, err := does.CombinedOutput(); err != nil {
		p.tb.Fatalf("%v: %v\n%s", does.Args, err, out)
	}
}

// Address is where the server listens.
func (p *Postgres) Address() string { return p.address }

// Discard ends the server for good, and removes what it has.
func (p *Postgres) Discard() {
	p.tb.Helper()
	p.Kill()
	if err := os.RemoveAll(p.folder); err != nil {
		p.tb.Error(err)
	}
}
