package transport

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// attacked connects to a broker that accepts the connection, waits for a subscription, and
// answers it with anything. It returns why the connection ended, once all that belonged to it has.
func attacked(t testing.TB, answer []byte) (lost error) {
	t.Helper()
	client, broker := net.Pipe()
	d, err := New(Config{
		Broker: "tcp://pit", Dial: func(context.Context, string) (net.Conn, error) { return client, nil },
		Limits: Limits{
			Message: 4 << 10, Packets: Rate{Burst: 1000, PerSecond: 1},
			Bytes: Rate{Burst: 1 << 20, PerSecond: 1},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer broker.Close()
		in := bufio.NewReader(broker)
		if _, err := packets.ReadPacket(in); err != nil {
			return
		}
		if err := packets.NewControlPacket(packets.Connack).Write(broker); err != nil {
			return
		}
		if _, err := packets.ReadPacket(in); err != nil { // the subscription, which has the number 1
			return
		}
		go func() { _, _ = io.Copy(io.Discard, in) }() // whatever the client says to it
		_, _ = broker.Write(answer)
	}()
	conn, err := d.Connect(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.Subscribe("a", 1, func(mqtt.Client, mqtt.Message) {})
	lost = <-conn.Lost
	conn.Drop()
	return d.Explain(lost)
}

// FuzzBroker: whatever a broker answers, the connection ends and the program does not.
func FuzzBroker(f *testing.F) {
	for _, answer := range [][]byte{
		{0x90, 3, 0, 1, 0},
		{0x90, 3, 0, 1, 0x80},
		{0x90, 4, 0, 1, 0, 0},
		{0x30, 0xff, 0xff, 0xff, 0x7f},
		{0x30, 3, 0, 1, 'a'},
		{0x32, 5, 0, 1, 'a', 0, 7},
		{0x34, 5, 0, 1, 'a', 0, 7, 0x62, 2, 0, 7},
		{0x40, 2, 0, 1},
		{0xd0, 0},
		{0x20, 2, 0, 5},
	} {
		f.Add(answer)
	}
	f.Fuzz(func(t *testing.T, answer []byte) { attacked(t, answer) })
}

// TestABreachEndsTheConnection: the error names the broker, and what to look at; nothing of the client library is left.
func TestABreachEndsTheConnection(t *testing.T) {
	for _, answer := range [][]byte{
		{0x90, 4, 0, 1, 0, 0},
		{0x90, 2, 0, 1},
		{0xc0, 0},
		{0x34, 5, 0, 1, 'a', 0, 7},
		{0x40, 2, 0, 9},
	} {
		lost := attacked(t, answer)
		if !isA[*Breach](lost) || !strings.Contains(lost.Error(), "pit:1883") || HungUp(lost) {
			t.Errorf("%x: lost by %v", answer, lost)
		}
	}
	brokertest.Until(t, "nothing of the client library runs", func() bool {
		stacks := make([]byte, 1<<20)
		return !strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "paho.mqtt.golang.")
	})
}

// TestABrokerThatRefusesOddly: a return code that does not exist is no acceptance.
func TestABrokerThatRefusesOddly(t *testing.T) {
	for _, answer := range []string{
		"\x20\x02\x00\x06", "\x20\x02\x00\xfe", "\x30\x03\x00\x01a",
		"\x20\xff\xff\xff\x7f",
	} {
		client, broker := net.Pipe()
		d, err := New(Config{Broker: "tcp://pit", Dial: func(context.Context, string) (net.Conn, error) {
			return client, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			if _, err := packets.ReadPacket(broker); err == nil {
				_, _ = io.WriteString(broker, answer)
			}
		}()
		if conn, err := d.Connect(t.Context(), nil); !isA[*Breach](err) {
			t.Errorf("%q: %v, %v", answer, conn, err)
		}
		_ = broker.Close()
	}
}

// TestFiveBytes: a length alone takes no memory. MQTT allows 256 MiB.
func TestFiveBytes(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	lost := attacked(t, []byte{0x30, 0xff, 0xff, 0xff, 0x7f})
	runtime.ReadMemStats(&after)
	if !isA[*Breach](lost) {
		t.Errorf("lost by %v", lost)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("five bytes took %d bytes of memory", took)
	}
}

// TestPassedIsSaidNowAndThen: the log is not written full by whoever writes to a table's topics.
func TestPassedIsSaidNowAndThen(t *testing.T) {
	var log brokertest.Log
	passed := Passed(log.Logger(), "passed over")
	for range 1000 {
		passed(TooLong, 1<<20)
	}
	if log.Count("level="+slog.LevelWarn.String()) != 1 || log.Count(TooLong) != 1 {
		t.Errorf("the log says:\n%s", log.String())
	}
}

// TestABreachIsNotHastened: after it comes the longest pause.
func TestABreachIsNotHastened(t *testing.T) {
	b := Backoff{Least: 1, Most: 1 << 30}
	b.Failed(&Breach{})
	if got := b.Next(); got < 1<<29 {
		t.Errorf("a pause of %s", got)
	}
	b.Reset()
	b.Failed(io.EOF)
	if got := b.Next(); got > 1 {
		t.Errorf("after another end a pause of %s", got)
	}
}
