package host

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"syscall"
	"time"

	"github.com/sabot-table/sabot/internal/ops/config"
)

// How long to wait before an address that this machine does not have is tried again: at first, and later.
const (
	firstAddress  = 250 * time.Millisecond
	latestAddress = 5 * time.Second
)

// pageListener accepts the page's connections: at its address, as soon as this machine has that, and at the same port
// of the machine itself. A network, or the resolver that knows the address's name, may come long after the table was
// switched on, and is no reason not to deal.
type pageListener struct {
	address string
	// later says with nil that the address is there now, and else why it is not, once for each cause.
	later    func(error)
	accepted chan accepted
	ended    context.Context
	end      context.CancelFunc

	mu   sync.Mutex
	open []net.Listener
	at   net.Addr // what the address came to; nil while it is missing
}

type accepted struct {
	conn net.Conn
	err  error
}

// listenPage opens the page's port. later is told why the address is not there, which is then tried again and again,
// and with nil that it is. It returns an error for an address that cannot be had by waiting.
func listenPage(w config.Web, later func(error), log *slog.Logger) (net.Listener, error) {
	l, err := listen(w)
	if err != nil && !mayCome(err) {
		return nil, err
	}
	beside := besideOf(w)
	if err == nil && beside == "" {
		return l, nil
	}
	p := &pageListener{address: w.Listen, later: later, accepted: make(chan accepted)}
	p.ended, p.end = context.WithCancel(context.Background())
	if beside != "" {
		if own, err := net.Listen("tcp", beside); err != nil {
			log.Warn("this computer itself can reach the page only over the network: look at what else uses its port",
				"err", cannotServe(beside, err))
		} else {
			p.takeListener(own)
		}
	}
	if err == nil {
		p.arrived(l)
		return p, nil
	}
	later(err)
	go p.seek(err)
	return p, nil
}

// besideOf is where a page that is served at one address of a network is served for this machine, too, whether the
// network is there or not; "" for a page that this machine reaches anyway.
func besideOf(w config.Web) string {
	host, port, err := net.SplitHostPort(w.Listen)
	if err != nil || port == "0" || host == "" || w.Local() {
		return ""
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		return ""
	}
	return net.JoinHostPort("127.0.0.1", port)
}

// mayCome says whether an address that cannot be listened on may be there later: this machine does not have it yet, nor
// its interface, or nothing knows its name.
func mayCome(err error) bool {
	var name *net.DNSError
	return errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, syscall.ENODEV) || errors.Is(err, syscall.EINVAL) ||
		errors.As(err, &name)
}

// seek tries the address again until it is there; err is why it was not.
func (p *pageListener) seek(err error) {
	said := err.Error()
	for wait := firstAddress; ; wait = min(2*wait, latestAddress) {
		select {
		case <-p.ended.Done():
			return
		case <-time.After(wait):
		}
		l, err := new(net.ListenConfig).Listen(p.ended, "tcp", p.address)
		if err == nil {
			p.arrived(l)
			p.later(nil)
			return
		}
		if err = cannotServe(p.address, err); err.Error() != said && p.ended.Err() == nil {
			said = err.Error()
			p.later(err)
		}
	}
}

// arrived takes the listener at the page's own address.
func (p *pageListener) arrived(l net.Listener) {
	p.mu.Lock()
	p.at = l.Addr()
	p.mu.Unlock()
	p.takeListener(l)
}

// takeListener accepts what comes to a listener.
func (p *pageListener) takeListener(l net.Listener) {
	p.mu.Lock()
	p.open = append(p.open, l)
	over := p.ended.Err() != nil
	p.mu.Unlock()
	if over {
		l.Close()
		return
	}
	go func() {
		for {
			conn, err := l.Accept()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			select {
			case p.accepted <- accepted{conn, err}:
			case <-p.ended.Done():
				if err == nil {
					conn.Close()
				}
				return
			}
		}
	}()
}

// Accept returns the next connection to any of the addresses.
func (p *pageListener) Accept() (net.Conn, error) {
	select {
	case a := <-p.accepted:
		return a.conn, a.err
	case <-p.ended.Done():
		return nil, net.ErrClosed
	}
}

// Close closes all of them.
func (p *pageListener) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended.Err() != nil {
		return net.ErrClosed
	}
	p.end()
	var errs []error
	for _, l := range p.open {
		errs = append(errs, l.Close())
	}
	return errors.Join(errs...)
}

// Addr is the page's address, as it is configured while it is missing.
func (p *pageListener) Addr() net.Addr {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == nil {
		return configuredAddress(p.address)
	}
	return p.at
}

// configuredAddress is an address that this machine does not have yet.
type configuredAddress string

func (configuredAddress) Network() string  { return "tcp" }
func (a configuredAddress) String() string { return string(a) }
