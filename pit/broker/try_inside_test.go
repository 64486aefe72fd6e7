package broker

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
)

func alone(t *testing.T) (*Broker, topic.Table) {
	t.Helper()
	one, err := topic.NewTable("kursaal", "bj-1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := Start(Config{
		Site: "kursaal", Tables: []topic.Table{one}, Listen: "127.0.0.1:0", Folder: t.TempDir(),
		Secret: bytes.Repeat([]byte{7}, SecretLength), Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b, one
}

// TestTryAfterAKill: a pit that was killed while it tried its broker has left a message that is retained. NATS may give
// that to whoever subscribes while the next one is retained, and then for two minutes to all who come after.
func TestTryAfterAKill(t *testing.T) {
	b, one := alone(t)
	table, err := b.trial().connect(t.Context(), b.config.table(one))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Part()
	for range tier.Times(200, 1000) { // one in a hundred did
		if err := retain(t.Context(), table, one.Answer(tried), "last of who was killed"); err != nil {
			t.Fatal(err)
		}
		ctx, done := context.WithTimeout(t.Context(), brokertest.Deadline) // which is less than two minutes
		err := b.trial().readLast(ctx)
		done()
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestTryOnALostConnection: what is retained last may be lost with its connection, and is said again.
func TestTryOnALostConnection(t *testing.T) {
	b, _ := alone(t)
	y := b.trial()
	var losses atomic.Int32
	y.dial = func(ctx context.Context, to string) (net.Conn, error) {
		conn, err := b.Dial(ctx, to)
		return &losing{conn, &losses}, err
	}
	if err := y.readRetained(t.Context()); err != nil {
		t.Fatal(err)
	}
	if losses.Load() != 1 {
		t.Errorf("%d connections were lost, one was to be", losses.Load())
	}
}

// losing loses the first message that is retained, with the connection.
type losing struct {
	net.Conn
	losses *atomic.Int32
}

func (l *losing) Write(packet []byte) (int, error) {
	if strings.Contains(string(packet), "last ") && l.losses.CompareAndSwap(0, 1) {
		return len(packet), l.Conn.(*net.TCPConn).CloseWrite() // the broker closes it then
	}
	return l.Conn.Write(packet)
}
