package transport

import (
	"bufio"
	"context"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"github.com/eclipse/paho.mqtt.golang/packets"
)

// most is how long a packet may be in these tests.
const most = 4 << 10

// attacked connects to a broker that accepts the connection, waits for a subscription, and
// answers it with anything. It returns what was too long, and why the connection ended.
func attacked(t testing.TB, answer []byte) (tooLong []int, lost error) {
	t.Helper()
	client, broker := net.Pipe()
	d, err := New(Config{
		Broker: "tcp://pit", Dial: func(context.Context) (net.Conn, error) { return client, nil },
		MaxPacket: most, TooLong: func(n int) { tooLong = append(tooLong, n) },
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
	conn.Subscribe("a", 0, func(mqtt.Client, mqtt.Message) {})
	lost = <-conn.Lost
	conn.Drop()
	return tooLong, lost
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

// TestMoreAnswersThanFilters: an answer to a filter that nobody subscribed to ends the connection.
func TestMoreAnswersThanFilters(t *testing.T) {
	for _, answer := range [][]byte{{0x90, 4, 0, 1, 0, 0}, {0x90, 2, 0, 1}} {
		if _, lost := attacked(t, answer); lost == nil || !strings.Contains(lost.Error(), "answers a subscription") {
			t.Errorf("%x: lost by %v", answer, lost)
		}
	}
}

// TestFiveBytes: a length alone takes no memory. MQTT allows 256 MiB.
func TestFiveBytes(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	tooLong, _ := attacked(t, []byte{0x30, 0xff, 0xff, 0xff, 0x7f})
	runtime.ReadMemStats(&after)
	if !slices.Equal(tooLong, []int{1<<28 - 1}) {
		t.Errorf("too long: %v", tooLong)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("five bytes took %d bytes of memory", took)
	}
}
