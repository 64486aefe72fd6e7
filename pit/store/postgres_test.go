package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// posing is a server that says what it is told, and keeps what it hears.
type posing struct {
	listener net.Listener
	says     func(conn net.Conn)

	mu    sync.Mutex
	heard bytes.Buffer
}

func pose(t *testing.T, says func(net.Conn)) *posing {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &posing{listener: l, says: says}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				p.says(&overheard{conn, p})
				_, _ = io.Copy(&overheard{conn, p}, conn) // what else it is told, until it is given up
			})
		}
	})
	t.Cleanup(func() { _ = l.Close(); all.Wait() })
	return p
}

// overheard keeps what is read.
type overheard struct {
	net.Conn
	by *posing
}

func (o *overheard) Read(b []byte) (int, error) {
	n, err := o.Conn.Read(b)
	o.by.mu.Lock()
	defer o.by.mu.Unlock()
	o.by.heard.Write(b[:n])
	return n, err
}

// Write takes what io.Copy reads.
func (o *overheard) Write(b []byte) (int, error) {
	o.by.mu.Lock()
	defer o.by.mu.Unlock()
	return o.by.heard.Write(b)
}

func (p *posing) knows(secret string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Contains(p.heard.String(), secret)
}

// message is one of the protocol.
func message(kind byte, body string) string {
	return string(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(body)+4))) + body
}

func number(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }

// The messages with which a server lets in.
var (
	ready   = message('R', number(0)) + message('Z', "I")
	refuses = "N" // a connection with TLS
)

// startup reads what a client begins with; a request for TLS is refused.
func startup(conn net.Conn) error {
	for {
		var head [8]byte
		if _, err := io.ReadFull(conn, head[:]); err != nil {
			return err
		}
		size, code := binary.BigEndian.Uint32(head[:4]), binary.BigEndian.Uint32(head[4:])
		if _, err := io.CopyN(io.Discard, conn, int64(size)-8); err != nil {
			return err
		}
		if code == 196608 { // version 3.0
			return nil
		}
		if _, err := io.WriteString(conn.(*overheard).Conn, refuses); err != nil {
			return err
		}
	}
}

// after says something once a client has begun.
func after(says string, times int) func(net.Conn) {
	return func(conn net.Conn) {
		if startup(conn) != nil {
			return
		}
		for range times {
			if _, err := io.WriteString(conn.(*overheard).Conn, says); err != nil {
				return
			}
		}
	}
}

const pitsPassword = "Xq7-wunderBar-9"

// TestAttackPostgres: a server that is not the house's, or is half dead, is told no password, fills no memory, and is
// waited for no longer than a while.
func TestAttackPostgres(t *testing.T) {
	tier.Soak(t, "servers that say nothing are waited for")
	servers := map[string]func(net.Conn){
		"says nothing":                 func(net.Conn) {},
		"says nothing after its start": after("", 0),
		"asks for the password":        after(message('R', number(3)), 1),
		"asks for its MD5":             after(message('R', number(5)+"salt"), 1),
		"asks for SCRAM, and no more":  after(message('R', number(10)+"SCRAM-SHA-256\x00\x00"), 1),
		"asks for what nobody knows":   after(message('R', number(99)), 1),
		"answers no question":          after(ready, 1),
		"is ready without end":         after(strings.Repeat(ready, 1000), 10_000),
		"tells settings without end": after(strings.Repeat(message('S', "a\x00"+strings.Repeat("b", 1000)+"\x00"),
			1000), 1000),
		"a message of two gigabytes": after("R\x7f\xff\xff\xff"+strings.Repeat("x", 1<<20), 100),
		"a message of no length":     after("R\x00\x00\x00\x00", 1000),
		"no PostgreSQL": func(conn net.Conn) {
			_, _ = io.WriteString(conn.(*overheard).Conn, strings.Repeat("HTTP/1.1 200 OK\r\n\r\n", 1000))
		},
	}
	tries, through := 0, 0
	for name, says := range servers {
		for _, host := range []string{"db.casino.example", "127.0.0.1"} {
			server := pose(t, says)
			c, err := postgresOf("postgres://pit:"+pitsPassword+"@"+host+"/pit?connect_timeout=1", 200*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			dial := c.DialFunc
			c.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"192.0.2.1"}, nil }
			c.DialFunc = func(ctx context.Context, network, _ string) (net.Conn, error) {
				return dial(ctx, network, server.listener.Addr().String())
			}
			tries++
			if err := asks(t.Context(), c); err == nil {
				through++
				t.Errorf("%s, as %s: it answers", name, host)
			} else if strings.Contains(err.Error(), pitsPassword) {
				through++
				t.Errorf("%s, as %s: the error says the password", name, host)
			}
			// A program on this very machine may ask for it: whoever listens at the house's own port is root there, or
			// the house's.
			if host != "127.0.0.1" && server.knows(pitsPassword) {
				through++
				t.Errorf("%s, as %s: it is told the password", name, host)
			}
		}
	}
	attack.Report(t, "pit: a PostgreSQL that is another's, or half dead", tries, through)
}

func asks(ctx context.Context, c *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, c)
	if err != nil {
		return err
	}
	var one int
	err = conn.QueryRow(ctx, "SELECT 1").Scan(&one)
	return errors.Join(err, conn.Close(ctx))
}

// TestPostgresProvesItself: another machine's database is believed by its certificate alone, unless its address says
// otherwise.
func TestPostgresProvesItself(t *testing.T) {
	for source, proves := range map[string]bool{
		"postgres://pit@db.casino.example/pit":                                                    true,
		"postgresql://pit@192.0.2.7:5433/pit":                                                     true,
		"postgres://pit@127.0.0.1,db.casino.example/pit":                                          true,
		"postgres:///pit?host=db.casino.example":                                                  true,
		"postgres://pit@db.casino.example/pit?sslmode=disable":                                    false,
		"postgres://pit@db.casino.example/pit?sslmode=prefer":                                     false,
		"postgres://pit@127.0.0.1:5432/pit":                                                       false,
		"postgres://pit@[::1]/pit":                                                                false,
		"postgres://pit@localhost/pit":                                                            false,
		"postgres:///pit?host=/run/postgresql":                                                    false,
		"postgres://pit@127.0.0.1:5432,127.0.0.2:5433/pit?target_session_attrs=read-write":        false,
		"postgres://pit@db-1.casino.example:5432,127.0.0.1:5433/pit?target_session_attrs=primary": true,
		"postgres:///pit?host=127.0.0.1,localhost&port=5432,5433":                                 false,
	} {
		c, err := postgresOf(source, time.Minute)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		verified := c.TLSConfig != nil && !c.TLSConfig.InsecureSkipVerify
		for _, other := range c.Fallbacks {
			verified = verified && other.TLSConfig != nil && !other.TLSConfig.InsecureSkipVerify
		}
		if verified != proves {
			t.Errorf("%s: it has to prove itself: %v", source, verified)
		}
	}
}
