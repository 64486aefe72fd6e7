package store

import (
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/floor"
)

// TestWhereASessionIs: of two servers of which the first breaks off, a node knows that its session is at the other one.
// With the first one it would dial nothing that takes what is written, until the session ends.
func TestWhereASessionIs(t *testing.T) {
	tier.Landing(t, "a PostgreSQL server")
	server := journaltest.NewPostgres(t)
	source := server.Source()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = gone.Close() })
	go func() {
		for {
			conn, err := gone.Accept()
			if err != nil {
				return
			}
			_ = conn.(*net.TCPConn).SetLinger(0) // as one whose program has ended
			_ = conn.Close()
		}
	}()
	either := strings.Replace(source, server.Address(), gone.Addr().String()+","+server.Address(), 1) +
		"&target_session_attrs=read-write"
	for range 50 {
		s := share{Nodes: newNodes(nil, Options{Source: either, Node: "a", Silence: time.Minute})}
		if err := s.connect(t.Context()); err != nil {
			t.Fatal(err)
		}
		at := s.at
		s.close()
		if at != server.Address() {
			t.Fatalf("the session is at %s, and the node looks for it at %s", server.Address(), at)
		}
	}
}

// TestAnOrderlyEnd: a node that is ended just while it asks the database gives all back as at any other moment. Whoever
// takes it over would take the node for dead, and tell people again what it has told them.
func TestAnOrderlyEnd(t *testing.T) {
	tier.Landing(t, "a PostgreSQL server")
	source := journaltest.NewPostgres(t).Source()
	s, err := Open(t.Context(), Options{Source: source, Node: "a", Silence: time.Minute, Day: Day{Zone: time.UTC}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // what it says is not asked here
	ctx, end := context.WithCancel(t.Context())
	s.Nodes().Run(ctx, ends{s.Nodes(), end})
	var held int
	const asked = `SELECT count(*) FROM part WHERE node <> ''`
	if err := s.write.QueryRowContext(t.Context(), asked).Scan(&held); err != nil || held != 0 {
		t.Errorf("a node that has ended holds %d parts, %v", held, err)
	}
}

// ends is told of the first parts, and ends the node.
type ends struct {
	node *Nodes
	end  func()
}

func (e ends) Moved() {
	if e.node.Held() > 0 {
		e.end()
	}
}

func (ends) Alerts([]floor.Alert) {}
func (ends) Words([]floor.Word)   {}
func (ends) Database(error)       {}

// TestALineToAnotherServer: a connection to a server that another one has replaced while it was dialled is given up.
func TestALineToAnotherServer(t *testing.T) {
	var l lines
	near, far := net.Pipe()
	dial := l.through(func(context.Context, string, string) (net.Conn, error) {
		l.use("new")
		return near, nil
	})
	if _, err := dial(t.Context(), "tcp", "old"); !errors.Is(err, errNotThere) {
		t.Fatalf("it is connected to the server that was replaced: %v", err)
	}
	if _, err := far.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("the connection that is given up is open: %v", err)
	}
}

// TestHeardAtTheLastMoment: what another node says just when it is time to look again is not lost with the wait.
func TestHeardAtTheLastMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := share{Nodes: newNodes(nil, Options{Node: "a"})}
		said := lastMoment{&pgconn.Notification{Channel: alertChannel, Payload: "of another node"}}
		if err := s.listen(t.Context(), &said); err != nil {
			t.Fatal(err)
		}
		if want := []string{"of another node"}; !slices.Equal(s.others, want) {
			t.Errorf("heard %q, not %q", s.others, want)
		}
	})
}

// lastMoment is a session that hears something once nobody is to wait for it any more.
type lastMoment struct{ said *pgconn.Notification }

func (l *lastMoment) WaitForNotification(ctx context.Context) (said *pgconn.Notification, err error) {
	<-ctx.Done()
	if said, l.said = l.said, nil; said == nil {
		err = ctx.Err()
	}
	return said, err
}

func (l *lastMoment) IsClosed() bool { return false }
