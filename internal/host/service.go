package host

import (
	"cmp"
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/systemd"
)

// statusEvery is how often the service manager is told in one line how the table does, if that has changed.
const statusEvery = 5 * time.Second

// ErrAnew is the cause with which Run's context is cancelled when the table begins anew in the same process. The
// service manager then waits, and would end a process that says that it stops.
var ErrAnew = errors.New("the table begins anew with other settings")

// WithService is an Option for a table that a service manager runs.
func WithService(m *systemd.Manager) Option { return func(d *Daemon) { d.service.manager = m } }

// service is what the table tells its service manager. It is told by a goroutine of its own: the runner must not wait
// for anybody.
type service struct {
	manager *systemd.Manager // nil for a table that nobody runs
	beats   chan struct{}    // holds one: the runner is alive
	serving chan struct{}    // closed when the page is served
	once    sync.Once
}

// aliveEvery is how often the runner is to say that it is alive; 0 is never.
func (s *service) aliveEvery() time.Duration {
	if s.manager == nil {
		return 0
	}
	return s.manager.AliveEvery()
}

// alive is called by the runner's own loop. The watchdog is told nothing that does not come from here.
func (s *service) alive() {
	select {
	case s.beats <- struct{}{}:
	default:
	}
}

// entrance is a listener that says when it is first asked for connections: then the page answers.
type entrance struct {
	net.Listener
	of *service
}

func (e entrance) Accept() (net.Conn, error) {
	e.of.once.Do(func() { close(e.of.serving) })
	return e.Listener.Accept()
}

// tellService tells the service manager how the table does, until ctx ends.
func (d *Daemon) tellService(ctx context.Context) {
	s := &d.service
	if s.manager == nil {
		return
	}
	if _, err := d.Board.Await(ctx, func(v display.View) bool { return v.Table != "" }); err != nil {
		return
	}
	select {
	case <-s.serving:
	case <-ctx.Done():
		return
	}
	status := d.status()
	s.manager.Ready(status)
	tick := time.NewTicker(cmp.Or(d.given.haste.Status, statusEvery))
	defer tick.Stop()
	for {
		select {
		case <-s.beats:
			s.manager.Alive()
		case <-tick.C:
			if now := d.status(); now != status {
				status = now
				s.manager.Status(status)
			}
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), ErrAnew) {
				s.manager.Reloading()
			} else {
				s.manager.Stopping()
			}
			return
		}
	}
}

// Reloading tells the service manager that the configuration is read again, and done that this is over.
func (d *Daemon) Reloading() (done func()) {
	if d.service.manager == nil {
		return func() {}
	}
	d.service.manager.Reloading()
	return func() { d.service.manager.Ready(d.status()) }
}

// status says in one line, for technicians, how the table does.
func (d *Daemon) status() string {
	v, _ := d.Board.Look()
	says := "table " + d.config.Table + ", page " + d.URL()
	if trouble, _ := d.kept.storage.look(); trouble != nil {
		return says + "; STANDS STILL: " + trouble.Text
	}
	if without := d.without(v); len(without) > 0 {
		return says + "; works without " + strings.Join(without, ", ")
	}
	return says + "; all is there"
}

// without lists what the table works without.
func (d *Daemon) without(v display.View) (list []string) {
	if up, _ := d.shoe.link.look(); !up {
		list = append(list, "the shoe ("+d.config.Shoe.Port+")")
	}
	if len(v.Missing) > 0 {
		list = append(list, "lines of the panel ("+strings.Join(v.Missing, ", ")+")")
	}
	if v.Pit == display.PitDown {
		list = append(list, "the pit ("+d.config.MQTT.Broker+")")
	}
	for _, a := range v.Away {
		list = append(list, a.Lack.String()+" ("+a.Of+")")
	}
	return list
}
