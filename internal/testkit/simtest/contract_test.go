package simtest_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/simtest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
)

// published collects what tables publish.
type published struct {
	mu       sync.Mutex
	messages []*packets.PublishPacket
}

// tap is a connection to a broker on which somebody listens.
type tap struct {
	net.Conn
	to *published

	mu   sync.Mutex // the client's pings come from a goroutine of their own
	rest []byte
}

func (c *tap) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rest = append(c.rest, b...)
	for {
		in := bytes.NewReader(c.rest)
		packet, err := packets.ReadPacket(in)
		if err != nil {
			break // it is not whole yet
		}
		c.rest = c.rest[len(c.rest)-in.Len():]
		if p, ok := packet.(*packets.PublishPacket); ok {
			c.to.mu.Lock()
			c.to.messages = append(c.to.messages, p)
			c.to.mu.Unlock()
		}
	}
	return c.Conn.Write(b)
}

// stormTapped plays a storm, and returns what the table published, and the journal in the end.
func stormTapped(t *testing.T, s simtest.Script) ([]*packets.PublishPacket, *journal.Reader) {
	t.Helper()
	var all published
	var last simtest.Surroundings
	start := func(around simtest.Surroundings) (simtest.Table, error) {
		last = around
		dial := around.Broker
		around.Broker = func(ctx context.Context, address string) (net.Conn, error) {
			conn, err := dial(ctx, address)
			if err != nil {
				return nil, err
			}
			return &tap{Conn: conn, to: &all}, nil
		}
		return startStorm(around)
	}
	folder := tabletest.FastDir(t)
	synctest.Test(t, func(t *testing.T) {
		for _, f := range simtest.Run(context.Background(), s, start, folder,
			slog.New(slog.NewTextHandler(io.Discard, nil))).Findings {
			t.Error(f)
		}
	})
	kept, err := journal.NewReader(last.Folder+"/journal", last.Disk)
	if err != nil {
		t.Fatal(err)
	}
	return all.messages, kept
}

// TestContract: whatever a real table publishes, with every make of shoe, at every house, in the
// worst of nights, fits the schemas, in which every field is named and typed.
func TestContract(t *testing.T) {
	seen := map[topic.Kind]int{}
	types := map[string]int{}
	houses := profile.Built().Names()
	for night := range tier.Times(1, 2) * len(houses) {
		s := simtest.Plan(uint64(night+1), makes())
		s.House = houses[night%len(houses)]
		s.Rounds = tier.Times(4, s.Rounds)
		t.Run(s.House, func(t *testing.T) {
			messages, _ := stormTapped(t, s)
			for _, p := range messages {
				if err := brokertest.ValidSchema(p.TopicName, p.Payload); err != nil {
					t.Fatalf("seed %d: %v", s.Seed, err)
				}
				_, kind, _ := topic.Parse(p.TopicName)
				if seen[kind]++; p.Retain != kind.Retained() || p.Qos != 1 {
					t.Fatalf("seed %d: %s is retained: %t, with QoS %d", s.Seed, p.TopicName, p.Retain, p.Qos)
				}
				if kind == topic.KindEvent {
					types[brokertest.Decode[topic.Event](t, p.Payload).Type]++
				}
			}
		})
	}
	t.Logf("%v, %v", seen, types)
	for _, kind := range topic.Kinds() {
		if !kind.ByReaders() && kind != topic.KindRecords && kind != topic.KindAnswer && seen[kind] == 0 {
			t.Errorf("nothing was published of the kind %s", kind)
		}
	}
}
