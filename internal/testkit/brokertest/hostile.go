package brokertest

import (
	"bufio"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// Hostile is a broker that attacks its clients: it plays one [Attack] on each connection. With an honest broker behind
// it, it can stop that and lead them there.
type Hostile struct {
	listener net.Listener
	attack   Attack
	work     sync.WaitGroup

	mu      sync.Mutex
	honest  string // where connections are led, "" while it attacks
	conns   map[net.Conn]struct{}
	visits  int
	played  int // to the attack's end
	hungUp  int // by the client, while or after the attack was played
	changed chan struct{}
}

// Attack is what a hostile broker does with a client.
type Attack struct {
	Name string
	// Ends says that a client must hang up for it.
	Ends bool
	Play func(*Victim)
}

// NewHostile listens on loopback, and attacks whoever connects until the test ends.
func NewHostile(t testing.TB, attack Attack) *Hostile {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := &Hostile{listener: listener, attack: attack, conns: map[net.Conn]struct{}{}, changed: make(chan struct{})}
	h.work.Go(h.accept)
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Errorf("close the hostile broker: %v", err)
		}
		h.drop()
		h.work.Wait()
	})
	return h
}

// Addr is where it listens.
func (h *Hostile) Addr() string { return h.listener.Addr().String() }

// Reform cuts all connections, and leads those that come from now on to an honest broker.
func (h *Hostile) Reform(honest string) {
	h.mu.Lock()
	h.honest = honest
	h.mu.Unlock()
	h.drop()
}

func (h *Hostile) drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for conn := range h.conns {
		_ = conn.Close() // it may have ended by itself
	}
	clear(h.conns)
}

// Await waits until the attack was played to its end, and, where that must be, the client has hung up on it. While it
// is played, whatever the client takes begins the wait anew: some send hundreds of megabytes.
func (h *Hostile) Await(t testing.TB) {
	t.Helper()
	deadline := time.NewTimer(Deadline)
	defer deadline.Stop()
	for {
		h.mu.Lock()
		visits, played, hungUp, changed := h.visits, h.played, h.hungUp, h.changed
		h.mu.Unlock()
		if hungUp > 0 || played > 0 && !h.attack.Ends {
			return
		}
		select {
		case <-changed:
			if played == 0 {
				deadline.Reset(Deadline)
			}
		case <-deadline.C:
			t.Fatalf("%s: of %d connections it was played to its end on %d, and the client hung up on %d",
				h.attack.Name, visits, played, hungUp)
		}
	}
}

// note changes what is counted.
func (h *Hostile) note(what func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	what()
	close(h.changed)
	h.changed = make(chan struct{})
}

func (h *Hostile) accept() {
	for {
		conn, err := h.listener.Accept()
		if err != nil {
			return
		}
		h.mu.Lock()
		honest := h.honest
		h.conns[conn] = struct{}{}
		h.mu.Unlock()
		if honest == "" {
			h.work.Go(func() { h.meet(conn) })
		} else {
			h.lead(conn, honest)
		}
	}
}

// lead lets a client speak to the honest broker.
func (h *Hostile) lead(near net.Conn, honest string) {
	far, err := net.Dial("tcp", honest)
	if err != nil {
		_ = near.Close() // the client sees a broker that is not there
		return
	}
	h.mu.Lock()
	h.conns[far] = struct{}{}
	h.mu.Unlock()
	h.work.Go(func() { carry(near, far) })
	h.work.Go(func() { carry(far, near) })
}

// meet plays the attack, and keeps the connection until the client ends it.
func (h *Hostile) meet(conn net.Conn) {
	defer conn.Close()
	h.note(func() { h.visits++ })
	v := &Victim{
		conn: conn, in: bufio.NewReader(conn), gone: make(chan struct{}), subscribed: make(chan struct{}, 1),
		took: func() { h.note(func() {}) },
	}
	h.attack.Play(v)
	h.note(func() { h.played++ })
	if v.greeted {
		<-v.gone
	} else if !v.closed {
		_, _ = io.Copy(io.Discard, v.in)
	}
	if !v.closed {
		h.note(func() { h.hungUp++ })
	}
}

// Victim is a client of a hostile broker, on one connection.
type Victim struct {
	conn    net.Conn
	in      *bufio.Reader
	greeted bool
	closed  bool

	took       func()        // the client has taken what was sent
	gone       chan struct{} // closed when a client that was greeted has hung up, or hung up before it could be
	subscribed chan struct{} // holds one: there is another filter

	mu      sync.Mutex
	writing sync.Mutex
	filters []string
	echo    func(*Victim)
}

// Send sends bytes as they are. It reports whether the client still takes them.
func (v *Victim) Send(raw string) bool {
	v.writing.Lock()
	defer v.writing.Unlock()
	if _, err := io.WriteString(v.conn, raw); err != nil {
		return false
	}
	v.took()
	return true
}

// Repeat sends the same again and again, at the most so often.
func (v *Victim) Repeat(raw string, times int) {
	batch := max(1, 16<<10/len(raw))
	for n := 0; n < times && v.Send(strings.Repeat(raw, min(batch, times-n))); n += batch {
	}
}

// Hear waits for the client's introduction, and answers nothing.
func (v *Victim) Hear() bool {
	_, err := packets.ReadPacket(v.in)
	return err == nil
}

// Close hangs up.
func (v *Victim) Close() {
	v.closed = true
	_ = v.conn.Close() // the client may have been first
}

// Greet accepts the client, and from then on answers properly whatever it says.
func (v *Victim) Greet() {
	if !v.Hear() || !v.Send("\x20\x02\x00\x00") {
		close(v.gone)
		return
	}
	v.greeted = true
	go v.serve()
}

// Dripping greets the client, and then calls drip after each packet that it sends, in place of an answer.
func (v *Victim) Dripping(drip func(*Victim)) {
	v.echo = drip
	v.Greet()
}

// Topic waits for a subscription to a kind of topic, and returns a topic of it. It is "" if the client hangs up before.
func (v *Victim) Topic(kind string) string {
	for {
		v.mu.Lock()
		for _, f := range v.filters {
			if strings.Contains(f+"/", "/"+kind+"/") {
				v.mu.Unlock()
				return strings.ReplaceAll(f, "+", "bj-1")
			}
		}
		v.mu.Unlock()
		select {
		case <-v.subscribed:
		case <-v.gone:
			return ""
		}
	}
}

// serve answers as a good broker does.
func (v *Victim) serve() {
	defer close(v.gone)
	for {
		p, err := packets.ReadPacket(v.in)
		if err != nil {
			return
		}
		if v.echo != nil {
			v.echo(v)
			continue
		}
		switch p := p.(type) {
		case *packets.SubscribePacket:
			v.mu.Lock()
			v.filters = append(v.filters, p.Topics...)
			v.mu.Unlock()
			v.Send(numbered(0x90, p.MessageID) + strings.Repeat("\x00", len(p.Topics)))
			select {
			case v.subscribed <- struct{}{}:
			default:
			}
		case *packets.UnsubscribePacket:
			v.Send(numbered(0xb0, p.MessageID))
		case *packets.PublishPacket:
			if p.Qos == 1 {
				v.Send(numbered(0x40, p.MessageID))
			}
		case *packets.PingreqPacket:
			v.Send("\xd0\x00")
		}
	}
}

// numbered is an answer to the packet with a number: without a code, or the beginning of one with a code.
func numbered(kind byte, number uint16) string {
	length := byte(2)
	if kind == 0x90 {
		length = 3
	}
	return string([]byte{kind, length, byte(number >> 8), byte(number)})
}

// Published is a message as a broker sends it: quality 0 where the number is 0.
func Published(topic string, number uint16, payload string) string {
	p := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
	p.TopicName, p.Payload = topic, []byte(payload)
	if number > 0 {
		p.Qos, p.MessageID = 1, number
	}
	var b strings.Builder
	_ = p.Write(&b) // a Builder takes everything
	return b.String()
}
