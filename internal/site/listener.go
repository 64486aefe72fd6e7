package site

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"
)

// ConnLimits bound the connections of a Listener. All but Trusted and Log are required.
type ConnLimits struct {
	// Each is how many connections one place may have at a time, and All how many all places of the network may.
	Each, All int
	// Own is how many this computer may have itself, whatever the network does.
	Own int
	// EachNew and AllNew are how often a place, and all of them, may open one: what a handshake costs.
	EachNew, AllNew Pace
	// First is until when the first read of a connection must end. From then on the server's own deadlines count, such
	// as the ReadHeaderTimeout of an http.Server, which also bounds its handshakes: a server without any must set some.
	First time.Duration
	// Trusted says that an address is a proxy, through which many come: it counts among All, and neither as one place
	// nor as this computer.
	Trusted func(netip.Addr) bool
	// Log is told when connections are refused, and how many; nil is slog.Default.
	Log *slog.Logger
}

// HeaderTime is how long a handshake may take, and the head of a request. A browser on a small computer that has much
// to do, such as one that starts, takes that long from opening a connection to asking for a file; and a file that it
// does not get then is missing from its page. Whoever takes so long on purpose keeps nobody out: the oldest makes room.
const HeaderTime = 30 * time.Second

// mostPlaces is how many places have a pace of their own at a time.
const mostPlaces = 4096

// What a connection was refused for, as the log says it.
const (
	eachHas = "one address has as many connections as it may have"
	allHave = "the network has as many connections as it may have"
	ownHas  = "this computer has as many connections to itself as it may have"
	eachNew = "one address opens connections too often"
	allNew  = "connections are opened too often"
)

// Listener accepts connections within its ConnLimits and closes all others at once, before they cost more than that.
//
// Where there is no room, the oldest connection makes room for which nobody has vouched: see Vouch. So who opens
// connections and asks for nothing keeps nobody out, from however many addresses; and who is served is left alone.
type Listener struct {
	net.Listener

	limits  ConnLimits
	refused *Bursts[string]
	each    *Rate[netip.Prefix]
	all     *Rate[struct{}]

	mu    sync.Mutex
	conns []*conn // the oldest first
}

// Listen puts limits before a listener.
func Listen(inner net.Listener, limits ConnLimits) *Listener {
	if limits.Each < 1 || limits.All < limits.Each || limits.Own < 1 || limits.First <= 0 {
		panic("site: a listener needs limits for each, all and its own, and a time for the first bytes")
	}
	if limits.Trusted == nil {
		limits.Trusted = func(netip.Addr) bool { return false }
	}
	if limits.Log == nil {
		limits.Log = slog.Default()
	}
	l := &Listener{
		Listener: inner, limits: limits,
		each: NewRate[netip.Prefix](limits.EachNew, mostPlaces), all: NewRate[struct{}](limits.AllNew, 1),
	}
	l.refused = NewBursts(BurstsOptions[string]{
		Window: 10 * time.Second, Longest: time.Hour, Most: 8, Other: allHave,
		Again: l.refusedAgain,
	})
	return l
}

// Accept returns the next connection that is within the limits.
func (l *Listener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if admitted := l.admit(c); admitted != nil {
			return admitted, nil
		}
	}
}

// Close closes the listener, and tells how many connections were refused last.
func (l *Listener) Close() error {
	l.refused.Flush()
	return l.Listener.Close()
}

// admit returns the connection as the server gets it, nil for one that was refused.
func (l *Listener) admit(c net.Conn) net.Conn {
	ip, _ := ipOf(c.RemoteAddr())
	one := &conn{Conn: c, of: l, place: placeOfIP(ip), kind: network}
	switch {
	case l.limits.Trusted(ip):
		one.kind = proxy
	case ownConn(c):
		one.kind = own
	}
	if why := l.often(one); why != "" {
		return l.refuse(c, why)
	}
	why, gone := l.enter(one)
	if gone != nil {
		l.refuse(gone, why)
		why = ""
	}
	if why != "" {
		return l.refuse(c, why)
	}
	if err := c.SetReadDeadline(time.Now().Add(l.limits.First)); err != nil {
		l.leave(one)
		return l.refuse(c, fmt.Sprintf("a connection cannot be given a time: %v", err))
	}
	return one
}

// often says which pace a new connection exceeds.
func (l *Listener) often(one *conn) (why string) {
	switch {
	case one.kind == own:
	case one.kind == network && l.each.Take(one.place) > 0:
		return eachNew
	case l.all.Take(struct{}{}) > 0:
		return allNew
	}
	return ""
}

// enter counts a connection. gone has to make room for it; with a reason and nobody to make room it is not counted.
func (l *Listener) enter(one *conn) (why string, gone *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, limit := range one.limits() {
		if l.count(limit.counts) < limit.most {
			continue
		}
		why = limit.why
		if gone = l.oldest(limit.counts); gone == nil {
			return why, nil
		}
		l.remove(gone)
	}
	l.conns = append(l.conns, one)
	return why, gone
}

type limit struct {
	why    string
	most   int
	counts func(*conn) bool
}

// limits are what a connection must be within, the narrowest first: what makes room in it makes room in the next.
func (c *conn) limits() []limit {
	if c.kind == own {
		return []limit{{ownHas, c.of.limits.Own, func(other *conn) bool { return other.kind == own }}}
	}
	all := limit{allHave, c.of.limits.All, func(other *conn) bool { return other.kind != own }}
	if c.kind == proxy {
		return []limit{all}
	}
	return []limit{{eachHas, c.of.limits.Each, func(other *conn) bool {
		return other.kind == network &&
			other.place == c.place
	}}, all}
}

func (l *Listener) count(of func(*conn) bool) (n int) {
	for _, c := range l.conns {
		if of(c) {
			n++
		}
	}
	return n
}

// oldest is the oldest connection of some for which nobody vouches, nil for none.
func (l *Listener) oldest(of func(*conn) bool) *conn {
	for _, c := range l.conns {
		if of(c) && !c.vouched {
			return c
		}
	}
	return nil
}

func (l *Listener) leave(one *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.remove(one)
}

func (l *Listener) remove(one *conn) {
	for i, c := range l.conns {
		if c == one {
			l.conns = append(l.conns[:i], l.conns[i+1:]...)
			return
		}
	}
}

// refuse closes a connection with a reset, so that nothing of it stays in the kernel. It returns nil.
func (l *Listener) refuse(c net.Conn, why string) net.Conn {
	if l.refused.First(why) {
		l.limits.Log.Warn("connections are refused: look at where they come from; those that there are go on",
			"on", l.Addr().String(), "why", why, "from", c.RemoteAddr().String())
	}
	inner := c
	if one, is := c.(*conn); is {
		inner = one.Conn
	}
	if tcp, is := inner.(*net.TCPConn); is {
		tcp.SetLinger(0) //nolint:errcheck // a connection that is gone needs no reset
	}
	c.Close() //nolint:errcheck // it is of no use any more
	return nil
}

func (l *Listener) refusedAgain(why string, b Burst) {
	l.limits.Log.Warn("connections were refused: look at where they come from; those that there are go on",
		"on", l.Addr().String(), "why", why, "count", b.Count,
		"first", b.First.UTC().Format(time.RFC3339), "last", b.Last.UTC().Format(time.RFC3339))
}

// conn is a connection that is counted until it is closed.
type conn struct {
	net.Conn

	of      *Listener
	place   netip.Prefix
	kind    origin
	vouched bool // under of.mu
}

// origin is where a connection comes from.
type origin uint8

const (
	network origin = iota
	proxy
	own
)

func (c *conn) Close() error {
	c.of.leave(c)
	return c.Conn.Close()
}

type connKey struct{}

// connContext is for http.Server: requests then know their connection, for Vouch.
func connContext(ctx context.Context, c net.Conn) context.Context {
	if secured, is := c.(interface{ NetConn() net.Conn }); is {
		c = secured.NetConn()
	}
	if one, is := c.(*conn); is {
		return context.WithValue(ctx, connKey{}, one)
	}
	return ctx
}

// Vouch keeps the connection of a request until it is closed: whoever it belongs to is known, and is being served.
func Vouch(ctx context.Context) {
	if one, is := ctx.Value(connKey{}).(*conn); is {
		one.of.mu.Lock()
		defer one.of.mu.Unlock()
		one.vouched = true
	}
}
