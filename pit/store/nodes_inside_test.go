package store

import (
	"context"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/sabot-table/sabot/internal/testkit/journaltest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
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
