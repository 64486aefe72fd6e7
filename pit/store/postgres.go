package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// PostgreSQL is reached within this time, says something of an answer within this one, and sends no longer message: a
// row has one record at the most, or a few figures. An index that a migration makes over years of rounds takes minutes.
const (
	connectWithin  = 10 * time.Second
	answerWithin   = 15 * time.Minute
	longestMessage = 64 << 20
)

// postgresOf is how a database is reached. A server on another machine has to prove who it is, by TLS, unless the
// address says otherwise by its own sslmode: it is told the password, and all that the tables say.
func postgresOf(source string, patience time.Duration) (*pgx.ConnConfig, error) {
	address, err := url.Parse(source)
	if err != nil {
		// not with what is in it
		return nil,
			errors.New("the address of the database cannot be read: write it as postgres://user:password@host/database")
	}
	asked := address.Query()
	if !asked.Has("sslmode") && !here(hostsOf(address), asked.Get("host")) {
		asked.Set("sslmode", "verify-full")
		address.RawQuery = asked.Encode()
	}
	c, err := pgx.ParseConfig(address.String())
	if err != nil {
		return nil, err
	}
	if _, has := address.User.Password(); !has && os.Getenv("PGPASSWORD") != "" {
		return nil,
			errors.New("the password in PGPASSWORD would be told to whatever database is named: write the address " +
				"with the password into store.source_file")
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectWithin
	}
	build := c.BuildFrontend
	c.BuildFrontend = func(r io.Reader, w io.Writer) *pgproto3.Frontend {
		front := build(r, w)
		front.SetMaxBodyLen(longestMessage)
		return front
	}
	dial := c.DialFunc
	c.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &patient{Conn: conn, patience: patience}, nil
	}
	return c, nil
}

// hostsOf are the hosts of an address, without their ports: there may be several, of which one takes what is written.
func hostsOf(address *url.URL) string {
	if !strings.Contains(address.Host, ",") {
		return address.Hostname()
	}
	var hosts []string
	for one := range strings.SplitSeq(address.Host, ",") {
		if host, _, err := net.SplitHostPort(one); err == nil {
			one = host
		}
		hosts = append(hosts, one)
	}
	return strings.Join(hosts, ",")
}

// here reports whether all hosts of an address are this machine: a name or address of its own, or a socket's folder.
func here(hosts ...string) bool {
	for _, list := range hosts {
		for host := range strings.SplitSeq(list, ",") {
			ip := net.ParseIP(host)
			if host != "" && host != "localhost" && host[0] != '/' && host[0] != '@' &&
				(ip == nil || !ip.IsLoopback()) {
				return false
			}
		}
	}
	return true
}

// patient is a connection that is given up when nothing is heard for long: a server may be there, and never answer.
type patient struct {
	net.Conn
	patience time.Duration

	mu sync.Mutex
	// bounded says that somebody else has set how long it is read.
	bounded bool
}

func (p *patient) SetDeadline(t time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bounded = !t.IsZero()
	return p.Conn.SetDeadline(t)
}

func (p *patient) SetReadDeadline(t time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bounded = !t.IsZero()
	return p.Conn.SetReadDeadline(t)
}

func (p *patient) Read(b []byte) (int, error) {
	if err := p.begin(); err != nil {
		return 0, err
	}
	n, err := p.Conn.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = fmt.Errorf("the database does not answer: %w", err)
	}
	return n, err
}

// begin gives what is read next its time.
func (p *patient) begin() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bounded {
		return nil
	}
	return p.Conn.SetReadDeadline(time.Now().Add(p.patience))
}

// lines are the connections to a database.
type lines struct {
	mu sync.Mutex
	// only is the one server that takes what is written, "" while that is not known.
	only string
	open map[*line]bool
}

// line is one of them.
type line struct {
	net.Conn
	of *lines
	to string
}

// errNotThere is one of several servers that was found not to take what is written.
var errNotThere = errors.New("another server of the list takes what is written")

// through dials no server but the one that takes what is written: one that has lost its power costs its time each time.
func (l *lines) through(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if !l.mayDial(address) {
			return nil, errNotThere
		}
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		one := &line{conn, l, address}
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.may(address) { // meanwhile
			return nil, errors.Join(errNotThere, conn.Close())
		}
		if l.open == nil {
			l.open = map[*line]bool{}
		}
		l.open[one] = true
		return one, nil
	}
}

func (l *lines) mayDial(address string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.may(address)
}

// may says whether a server may be connected to. The lines are locked.
func (l *lines) may(address string) bool { return l.only == "" || l.only == address }

// use says which server takes what is written, "" for nobody knows, and cuts the connections to all others: whoever
// waits for an answer of one that has lost its power would wait for long.
func (l *lines) use(only string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.only = only
	for one := range l.open {
		if one.to != only {
			delete(l.open, one)
			one.Conn.Close() //nolint:errcheck // whoever uses it finds out
		}
	}
}

func (l *line) Close() error {
	l.of.mu.Lock()
	delete(l.of.open, l)
	l.of.mu.Unlock()
	if err := l.Conn.Close(); !errors.Is(err, net.ErrClosed) { // else it was cut
		return err
	}
	return nil
}
