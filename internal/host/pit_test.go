package host_test

import (
	"context"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/figure"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/sim-hardware/broker"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestPitOnTheScreen: the dealer sees whether the pit hears, also while nothing happens
// at the table; and that a table has none.
func TestPitOnTheScreen(t *testing.T) {
	inBubble(t, "a pit", func(t *testing.T) {
		pit := &takingAll{listener: bubble.Listen()}
		go pit.serve()
		sees := pitSeenBy(t, "tcp://simulated", pit.listener)
		sees(display.PitUp)
		pit.close(t)
		sees(display.PitDown)
	})
	inBubble(t, "none", func(t *testing.T) { pitSeenBy(t, "", nil)("") })
}

// TestPitHearsOfSettings: what a supervisor changes of the settings is told over a real broker: who, at which screen,
// to whom, what was and what is. In make soak the broker is mosquitto, too.
func TestPitHearsOfSettings(t *testing.T) {
	t.Run("embedded", func(t *testing.T) {
		if figure.RaceDetector { // for which the embedded broker is no program of ours to look at
			settingsHeard(t, brokertest.StartMosquitto(t).Addr())
			return
		}
		b, err := broker.Listen("127.0.0.1:0", nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := b.Close(); err != nil {
				t.Error(err)
			}
		})
		settingsHeard(t, b.Addr())
	})
	t.Run("mosquitto", func(t *testing.T) {
		tier.Soak(t, "it is the same over the other broker")
		settingsHeard(t, brokertest.StartMosquitto(t).Addr())
	})
}

func settingsHeard(t *testing.T, addr string) {
	t.Helper()
	hears := brokertest.Subscribe(t, addr, "sabot/v1/test/bj-1/#")
	s := staff(t, filepath.Join(processes.FastDir(t), "journal"), authority.PIN, func(c *config.Config) {
		c.MQTT.Broker = "tcp://" + addr
	})
	if err := s.Changes(t.Context(), "anna", []vocab.Setting{
		{Key: "box_max", Did: vocab.SettingChanged, Was: "500.00", Now: "1000.00"},
		{Key: "supervisors.names", Did: vocab.SettingRenewed, Of: "bert", Also: "carl"},
	}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"what":"box_max","event":"changed","was":"500.00","now":"1000.00","by":"anna","from":"screen","at":"table"`,
		`"what":"supervisors.names","event":"renewed","name":"bert","by":"anna","with":"carl","from":"screen","at":"table"`,
		`"settings-changed"`,
	} {
		brokertest.Until(t, want, func() bool {
			return slices.ContainsFunc(hears.Messages(), func(m brokertest.Message) bool {
				return strings.Contains(string(m.Payload), want)
			})
		})
	}
}

// takingAll is a broker that takes whatever it is sent, and gives it to nobody.
type takingAll struct {
	listener *bubble.Listener
	kept     func(*packets.PublishPacket) // gets what is published, nil for nobody
	mu       sync.Mutex
	conns    []net.Conn
}

func (b *takingAll) serve() {
	for {
		c, err := b.listener.Accept()
		if err != nil {
			return
		}
		b.mu.Lock()
		b.conns = append(b.conns, c)
		b.mu.Unlock()
		go b.answer(c)
	}
}

func (b *takingAll) close(t *testing.T) {
	t.Helper()
	if err := b.listener.Close(); err != nil {
		t.Error(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.conns {
		c.Close()
	}
}

// answer acknowledges what comes over a connection until it ends.
func (b *takingAll) answer(c net.Conn) {
	defer c.Close()
	for {
		packet, err := packets.ReadPacket(c)
		if err != nil {
			return
		}
		if p, is := packet.(*packets.PublishPacket); is && b.kept != nil {
			b.kept(p)
		}
		if answer := acknowledges(packet); answer != nil && answer.Write(c) != nil {
			return
		}
	}
}

// acknowledges is what a broker answers to a packet, nil for nothing.
func acknowledges(packet packets.ControlPacket) packets.ControlPacket {
	switch p := packet.(type) {
	case *packets.ConnectPacket:
		return packets.NewControlPacket(packets.Connack)
	case *packets.PublishPacket:
		ack := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
		ack.MessageID = p.MessageID
		return ack
	case *packets.SubscribePacket:
		ack := packets.NewControlPacket(packets.Suback).(*packets.SubackPacket)
		ack.MessageID, ack.ReturnCodes = p.MessageID, p.Qoss
		return ack
	case *packets.PingreqPacket:
		return packets.NewControlPacket(packets.Pingresp)
	}
	return nil
}

// pitSeenBy runs a table in a bubble, and returns what waits until its view says so of the pit.
func pitSeenBy(t *testing.T, address string, broker *bubble.Listener) func(want string) {
	t.Helper()
	t.Cleanup(func() { bubble.Settle(time.Minute) }) // what the table has left behind ends
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Seed: 1, Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { shoe.Close() })
	c := config.Default()
	c.Site, c.Table, c.House = "test", "bj-1", "wiesbaden"
	c.Shoe.Port, c.Journal.Path = "/dev/simulated", filepath.Join(processes.FastDir(t), "journal")
	c.Web.Listen, c.MQTT.Broker = "127.0.0.1:0", address
	d, err := host.Open(c, profile.Built(), "test", slog.New(slog.DiscardHandler), host.WithOutside(host.Outside{
		Shoe: shoe.Open, Page: bubble.Listen(), Broker: func(ctx context.Context, _ string) (net.Conn, error) {
			return broker.Dial(ctx, "", "")
		},
	}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var parts errgroup.Group
	parts.Go(func() error { return d.Run(ctx) })
	t.Cleanup(func() {
		stop()
		if err := parts.Wait(); err != nil {
			t.Error(err)
		}
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return func(want string) {
		t.Helper()
		limit, done := context.WithTimeout(t.Context(), processes.Deadline)
		defer done()
		v, err := d.Board.Await(limit, func(v display.View) bool { return v.Table != "" && v.Pit == want })
		if err != nil {
			t.Fatalf("of the pit the screen says %q, not %q: %v", v.Pit, want, err)
		}
	}
}
