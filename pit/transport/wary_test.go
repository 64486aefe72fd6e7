package transport_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/pit/transport"
)

// limits are those of these tests.
var limits = transport.Limits{
	Message: 64, Messages: transport.Rate{Burst: 5, PerSecond: 1}, Packets: transport.Rate{Burst: 20, PerSecond: 1},
	Bytes: transport.Rate{Burst: 4096, PerSecond: 64}, Write: time.Second,
}

// wire is a connection from which a script is read.
type wire struct {
	net.Conn
	from    io.Reader
	written bytes.Buffer
	closed  bool
}

func (w *wire) Read(p []byte) (int, error)       { return w.from.Read(p) }
func (w *wire) Write(p []byte) (int, error)      { return w.written.Write(p) }
func (w *wire) SetWriteDeadline(time.Time) error { return nil }
func (w *wire) Close() error                     { w.closed = true; return nil }

// said is what the client says before the broker does: it introduces itself, subscribes to a/+ with quality 1 as number
// 1, to b with quality 0 as number 2, gives up b and c as number 3, and publishes as numbers 7 and 8; it pings once.
func said(t testing.TB, c *transport.Guarded) {
	t.Helper()
	hello := packets.NewControlPacket(packets.Connect).(*packets.ConnectPacket)
	hello.ProtocolName, hello.ProtocolVersion, hello.CleanSession, hello.ClientIdentifier = "MQTT", 4, true, "table"
	subscribe := func(number uint16, topic string, quality byte) packets.ControlPacket {
		p := packets.NewControlPacket(packets.Subscribe).(*packets.SubscribePacket)
		p.MessageID, p.Topics, p.Qoss = number, []string{topic}, []byte{quality}
		return p
	}
	give := packets.NewControlPacket(packets.Unsubscribe).(*packets.UnsubscribePacket)
	give.MessageID, give.Topics = 3, []string{"b", "c"}
	publish := func(number uint16) packets.ControlPacket {
		p := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
		p.Qos, p.TopicName, p.MessageID, p.Payload = 1, "x", number, make([]byte, 300)
		return p
	}
	for _, p := range []packets.ControlPacket{
		hello, subscribe(1, "a/+", 1), subscribe(2, "b", 0), give, publish(7), publish(8),
		packets.NewControlPacket(packets.Pingreq),
	} {
		if err := p.Write(c); err != nil {
			t.Fatal(err)
		}
	}
}

// accepted is the answer to the introduction.
const accepted = "\x20\x02\x00\x00"

// TestWhatABrokerMaySend: each answer that somebody waits for, and messages that were subscribed to.
func TestWhatABrokerMaySend(t *testing.T) {
	for name, sends := range map[string]string{
		"granted":           "\x90\x03\x00\x01\x01",
		"denied":            "\x90\x03\x00\x01\x80",
		"acknowledged":      "\x40\x02\x00\x07\x40\x02\x00\x08",
		"given up":          "\xb0\x02\x00\x03",
		"buffered before":   "\xb0\x02\x00\x03\x30\x03\x00\x01b",
		"pong":              "\xd0\x00",
		"message":           "\x30\x06\x00\x03a/bx",
		"empty message":     "\x30\x03\x00\x01b",
		"retained":          "\x31\x06\x00\x03a/bx",
		"quality 1":         "\x32\x07\x00\x03a/b\x00\x09",
		"again":             "\x3a\x07\x00\x03a/b\x00\x09",
		"before the answer": "\x30\x06\x00\x03a/bx\x90\x03\x00\x01\x01",
	} {
		t.Run(name, func(t *testing.T) {
			w := &wire{from: strings.NewReader(accepted + sends)}
			c := transport.Guard(w, limits)
			said(t, c)
			got, err := io.ReadAll(c)
			if err != nil || string(got) != accepted+sends || c.Breach() != nil {
				t.Errorf("handed on %q: %v, %v", got, err, c.Breach())
			}
		})
	}
}

// breaches are what a broker may not send, each with a word of the reason.
var breaches = map[string]struct{ sends, why string }{
	"nothing first":            {"\x30\x06\x00\x03a/bx", "before it has accepted"},
	"pong first":               {"\xd0\x00", "before it has accepted"},
	"refused, and then more":   {"\x20\x02\x00\x05\xd0\x00", "before it has accepted"},
	"a long CONNACK":           {"\x20\x03\x00\x00\x00", "answer to the connection"},
	"CONNACK 6":                {"\x20\x02\x00\x06", "answer to the connection"},
	"CONNACK with flags":       {"\x20\x02\x02\x00", "answer to the connection"},
	"CONNACK twice":            {accepted + accepted, "accepted before"},
	"CONNECT":                  {accepted + "\x10\x00", "only clients send"},
	"SUBSCRIBE":                {accepted + "\x82\x00", "only clients send"},
	"PINGREQ":                  {accepted + "\xc0\x00", "only clients send"},
	"DISCONNECT":               {accepted + "\xe0\x00", "only clients send"},
	"kind 0":                   {accepted + "\x00\x00", "only clients send"},
	"kind 15":                  {accepted + "\xf0\x00", "only clients send"},
	"PUBREC":                   {accepted + "\x50\x02\x00\x07", "nobody asked for"},
	"PUBREL":                   {accepted + "\x62\x02\x00\x07", "nobody asked for"},
	"PUBCOMP":                  {accepted + "\x70\x02\x00\x07", "nobody asked for"},
	"five bytes":               {accepted + "\x30\xff\xff\xff\x7f", "more than is wanted"},
	"five bytes of an answer":  {accepted + "\x90\xff\xff\xff\x7f", "at a wrong length"},
	"a length of five bytes":   {accepted + "\x30\xff\xff\xff\xff\x7f", "not MQTT"},
	"a length in vain":         {accepted + "\xd0\x80\x00", "not MQTT"},
	"flags on a pong":          {accepted + "\xd1\x00", "not MQTT"},
	"a pong too many":          {accepted + "\xd0\x00\xd0\x00", "not sent to it"},
	"a long pong":              {accepted + "\xd0\x01x", "wrong length"},
	"an answer to nothing":     {accepted + "\x90\x03\x00\x09\x00", "not sent to it"},
	"an answer twice":          {accepted + "\x90\x03\x00\x01\x00\x90\x03\x00\x01\x00", "or twice"},
	"an answer to a message":   {accepted + "\x90\x03\x00\x07\x00", "not sent to it"},
	"two codes for one filter": {accepted + "\x90\x04\x00\x01\x00\x00", "not sent to it"},
	"no code":                  {accepted + "\x90\x02\x00\x01", "wrong length"},
	"a code that is none":      {accepted + "\x90\x03\x00\x01\x03", "answer to a subscription"},
	"acknowledges nothing":     {accepted + "\x40\x02\x00\x09", "not sent to it"},
	"acknowledges twice":       {accepted + "\x40\x02\x00\x07\x40\x02\x00\x07", "or twice"},
	"acknowledges shortly":     {accepted + "\x40\x01\x07", "wrong length"},
	"gives up another":         {accepted + "\xb0\x02\x00\x01", "not sent to it"},
	"another topic":            {accepted + "\x30\x03\x00\x01z", "not subscribed to"},
	"given up before":          {accepted + "\xb0\x02\x00\x03\x30\x03\x00\x01c", "not subscribed to"},
	"no topic":                 {accepted + "\x30\x03\x00\x00x", "not a topic"},
	"a topic past the end":     {accepted + "\x30\x04\x00\x03a/", "not a topic"},
	"a topic over the number":  {accepted + "\x32\x05\x00\x03a/b", "not a topic"},
	"no body":                  {accepted + "\x30\x00", "not a topic"},
	"NUL in a topic":           {accepted + "\x30\x05\x00\x03a/\x00", "not a topic"},
	"a wildcard in a topic":    {accepted + "\x30\x05\x00\x03a/+", "not a topic"},
	"a hash in a topic":        {accepted + "\x30\x05\x00\x03a/#", "not a topic"},
	"a topic not in UTF-8":     {accepted + "\x30\x05\x00\x03a/\xff", "not a topic"},
	"quality 2":                {accepted + "\x34\x07\x00\x03a/b\x00\x09", "quality of service"},
	"quality 3":                {accepted + "\x36\x07\x00\x03a/b\x00\x09", "quality of service"},
	"quality 1 where 0 was":    {accepted + "\x32\x05\x00\x01b\x00\x09", "quality of service"},
	"again with quality 0":     {accepted + "\x38\x06\x00\x03a/bx", "quality of service"},
	"number 0":                 {accepted + "\x32\x07\x00\x03a/b\x00\x00", "not free"},
	"a number twice":           {accepted + "\x32\x07\x00\x03a/b\x00\x09\x32\x07\x00\x03a/b\x00\x09", "not free"},
	"a flood":                  {accepted + strings.Repeat("\x30\x03\x00\x01b", 21), "more than is wanted"},
	"a flood of bytes": {
		accepted + strings.Repeat("\x30\xdc\x0b\x00\x01b"+strings.Repeat("x", 1497), 3),
		"more than is wanted",
	},
	"another protocol": {"HTTP/1.1 400 Bad Request\r\n\r\n", "before it has accepted"},
}

// TestBreaches: each ends the connection, with nothing of it handed on, and says why.
func TestBreaches(t *testing.T) {
	for name, b := range breaches {
		t.Run(name, func(t *testing.T) {
			w := &wire{from: strings.NewReader(b.sends + "\xd0\x00")}
			c := transport.Guard(w, limits)
			said(t, c)
			got, err := io.ReadAll(c)
			if breach, is := errors.AsType[*transport.Breach](err); !is || !strings.Contains(err.Error(), b.why) ||
				!errors.Is(c.Breach(), breach) {
				t.Errorf("ended by %v, not with %q", err, b.why)
			}
			if !w.closed {
				t.Error("the connection is open")
			}
			if _, err := c.Read(make([]byte, 1)); !errors.Is(err, c.Breach()) {
				t.Errorf("after that: %v", err)
			}
			checkHanded(t, got)
		})
	}
}

// TestBeforeTheIntroduction: a broker does not begin.
func TestBeforeTheIntroduction(t *testing.T) {
	c := transport.Guard(&wire{from: strings.NewReader(accepted)}, limits)
	if _, err := io.ReadAll(c); err == nil || !strings.Contains(err.Error(), "before it has accepted") {
		t.Errorf("ended by %v", err)
	}
}

// TestOwnPackets: what the client library would write otherwise than as whole packets does not leave.
func TestOwnPackets(t *testing.T) {
	for _, b := range []string{
		"", "\xc0", "\xc0\x01", "\xc0\x00\xc0\x00", "\x32\x02\x00\x01", "\x32\x01\x00", "\x40\x01\x00",
		"\x82\x03\x00\x01\x00", "\xc0\xff\xff\xff\xff\x7f",
	} {
		w := &wire{}
		if n, err := transport.Guard(w, limits).Write([]byte(b)); err == nil || n != 0 || w.written.Len() > 0 {
			t.Errorf("%q: %d bytes written, %v", b, n, err)
		}
	}
}

// TestCutOff: a connection that ends within a packet.
func TestCutOff(t *testing.T) {
	for _, sends := range []string{
		"\x20", "\x20\x02", "\x20\x02\x00", accepted + "\x30", accepted + "\x30\x05\x00",
		accepted + "\x30\x05\x00\x03a/", accepted + "\x30\x06\x00\x03a/b",
	} {
		c := transport.Guard(&wire{from: strings.NewReader(sends)}, limits)
		said(t, c)
		if _, err := io.ReadAll(c); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: %v", sends, err)
		}
	}
}

// TestPassedOver: what is too long or too much is passed over, acknowledged where the broker waits for that, and what
// comes after it is handed on.
func TestPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := "\x32\x80\x01\x00\x03a/b\x00\x09" + strings.Repeat("x", 121)
		odd := "\x30\xb0\x02\x01\x2d" + strings.Repeat("a", 301) + "x"
		w := &wire{from: strings.NewReader(accepted + long + odd + strings.Repeat("\x30\x03\x00\x01b", 7) + "\xd0\x00")}
		l := limits
		var passed []string
		l.Passed = func(why string, _ int) { passed = append(passed, why) }
		c := transport.Guard(w, l)
		said(t, c)
		w.written.Reset()
		got, err := io.ReadAll(c)
		if want := accepted + strings.Repeat("\x30\x03\x00\x01b", 5) + "\xd0\x00"; err != nil || string(got) != want {
			t.Errorf("handed on %q: %v", got, err)
		}
		if want := []string{
			transport.TooLong, transport.OddTopic, transport.TooMany,
			transport.TooMany,
		}; !slices.Equal(passed, want) {
			t.Errorf("passed over %q", passed)
		}
		if w.written.String() != "\x40\x02\x00\x09" {
			t.Errorf("acknowledged by %q", w.written.String())
		}
	})
}

// TestRate: a pause gives room again, but never more than at once.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, broker := net.Pipe()
		l, passed := limits, 0
		l.Passed = func(string, int) { passed++ }
		c := transport.Guard(client, l)
		go func() { _, _ = io.Copy(io.Discard, broker) }()
		said(t, c)
		handed := 0
		go func() {
			for {
				if _, err := packets.ReadPacket(c); err != nil {
					return
				}
				handed++
			}
		}()
		send := func(what string, n int) (got int) {
			before := handed
			for range n {
				if _, err := broker.Write([]byte(what)); err != nil {
					t.Fatal(err)
				}
			}
			synctest.Wait()
			return handed - before
		}
		send(accepted, 1)
		for _, step := range []struct {
			pause      time.Duration
			send, want int
		}{{0, 7, 5}, {time.Second, 2, 1}, {2 * time.Second, 2, 2}, {time.Hour, 9, 5}} {
			bubble.Pass(step.pause)
			if got := send("\x30\x03\x00\x01b", step.send); got != step.want {
				t.Errorf("after %s: %d of %d were handed on, not %d", step.pause, got, step.send, step.want)
			}
		}
		if passed != 7 {
			t.Errorf("%d were passed over", passed)
		}
		_ = client.Close()
		_ = broker.Close()
	})
}

// TestAcknowledgedNumbers: a number is free again once the client has acknowledged it.
func TestAcknowledgedNumbers(t *testing.T) {
	message := "\x32\x07\x00\x03a/b\x00\x09"
	feed, w := io.Pipe()
	c := transport.Guard(&wire{from: feed}, limits)
	said(t, c)
	go func() { _, _ = io.WriteString(w, accepted+message) }()
	for range 2 {
		if _, err := packets.ReadPacket(c); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Write([]byte("\x40\x02\x00\x09")); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(w, message) }()
	if _, err := packets.ReadPacket(c); err != nil {
		t.Error(err)
	}
}

// checkHanded checks that the client library can read what was handed on, but for what was cut off at the end.
func checkHanded(t testing.TB, handed []byte) {
	t.Helper()
	for in := bytes.NewReader(handed); ; {
		before := in.Len()
		p, err := packets.ReadPacket(in)
		switch {
		case errors.Is(err, io.EOF) && before == 0, errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
			return
		case err != nil:
			t.Fatalf("the client library cannot read what was handed on: %v\n%q", err, handed)
		}
		switch p := p.(type) {
		case *packets.PublishPacket:
			if len(p.TopicName)+len(p.Payload)+2 > limits.Message || p.Qos > 1 || p.TopicName != "b" &&
				p.TopicName != "c" && !strings.HasPrefix(p.TopicName, "a/") {
				t.Fatalf("handed on: %s", p)
			}
		case *packets.ConnackPacket, *packets.PubackPacket, *packets.SubackPacket, *packets.UnsubackPacket,
			*packets.PingrespPacket:
		default:
			t.Fatalf("handed on: %s", p)
		}
	}
}

// FuzzFromBroker: whatever a broker sends, and in whatever pieces, only what it may send is handed on.
func FuzzFromBroker(f *testing.F) {
	for _, b := range breaches {
		f.Add([]byte(b.sends), byte(3))
	}
	f.Add([]byte(accepted+"\x30\x06\x00\x03a/bx\x90\x03\x00\x01\x01"), byte(1))
	f.Fuzz(func(t *testing.T, sends []byte, piece byte) {
		c := transport.Guard(&wire{from: &pieces{sends, 1 + int(piece)}}, limits)
		said(t, c)
		got, err := io.ReadAll(c)
		if len(got) > len(sends) {
			t.Fatalf("%d bytes made %d", len(sends), len(got))
		}
		if (c.Breach() != nil) != errors.As(err, new(*transport.Breach)) {
			t.Fatalf("ended by %v, a breach %v", err, c.Breach())
		}
		checkHanded(t, got)
	})
}

// pieces returns a few bytes at a time.
type pieces struct {
	left []byte
	most int
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.left) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.most)], p.left)
	p.left = p.left[n:]
	return n, nil
}
