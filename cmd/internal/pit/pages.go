package pit

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/sabot-table/sabot/cmd/internal/certificate"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/pit/dashboard/kept"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/door"
	"github.com/sabot-table/sabot/pit/store"
	"github.com/sabot-table/sabot/table/profile"
)

// pages are the pit's pages on a port.
type pages struct {
	listener    net.Listener
	certificate *certificate.Certificate // nil without TLS
	people      *people.People
	handler     http.Handler
	log         *slog.Logger
}

// closing is how long pages may take to close.
const closing = 2 * time.Second

// openPages gets the pages ready, and their port.
func openPages(c Config, f *floor.Floor, s *store.Store, log *slog.Logger) (*pages, error) {
	p := &pages{log: log}
	language, ok := display.Speak(c.Language)
	if !ok {
		return nil, fmt.Errorf("the language %q is not known", c.Language)
	}
	var err error
	if p.people, err = people.New(people.Options{Store: s, Log: log}); err != nil {
		return nil, err
	}
	in, err := door.New(door.Options{People: p.people, Public: c.Web.Public, Proxies: c.Web.proxies(), Language: language, Log: log})
	if err != nil {
		return nil, err
	}
	past := kept.Store{Store: s, Houses: profile.Built()}
	board, err := dashboard.New(dashboard.Options{Floor: f, Past: past, Rooms: past, People: asking{in}, Menu: own, Name: c.Name, Language: language, Log: log})
	if err != nil {
		return nil, err
	}
	p.handler = in.Around(board.Handler())
	if c.Web.CertFile != "" {
		if p.certificate, err = certificate.Open(c.Web.CertFile, c.Web.KeyFile, log); err != nil {
			return nil, err
		}
	}
	if p.listener, err = net.Listen("tcp", c.Web.Listen); err != nil {
		return nil, fmt.Errorf("the pages cannot be served on %s: %w; see web.listen in the configuration, and whether another sabot-pit runs", c.Web.Listen, err)
	}
	return p, nil
}

// own is what people may do about themselves and others, at the door's pages.
var own = []dashboard.Link{
	{Key: "people.title", Where: "/people", Least: dashboard.Manager},
	{Key: "people.log-title", Where: "/log", Least: dashboard.Manager},
	{Key: "people.password", Where: "/password", Least: dashboard.Viewer},
	{Key: "people.leave", Where: "/leave", Least: dashboard.Viewer, Posts: true},
}

// asking tells the pages who asks.
type asking struct{ door *door.Door }

func (a asking) Who(r *http.Request, watches bool) (dashboard.Person, context.Context, func(), bool) {
	who, during, done, known := a.door.Who(r, watches)
	if !known {
		return dashboard.Person{}, nil, nil, false
	}
	return dashboard.Person{Name: who.Person.Name, Role: dashboard.Role(who.Person.Role.String())}, during, done, true
}

// url is the address of the pages on this machine.
func (p *pages) url() string {
	scheme := "http"
	if p.certificate != nil {
		scheme = "https"
	}
	return scheme + "://" + p.listener.Addr().String() + "/"
}

// serve serves the pages until the context ends.
func (p *pages) serve(ctx context.Context) error {
	server := &http.Server{
		Handler: p.handler, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(p.log.Handler(), slog.LevelDebug),
	}
	listener := p.listener
	if p.certificate != nil {
		go p.certificate.Watch(ctx)
		listener = tls.NewListener(listener, p.certificate.TLS())
	}
	go p.people.Run(ctx)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving the pages: %w", err)
	case <-ctx.Done():
	}
	limit, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	if err := server.Shutdown(limit); err != nil {
		return errors.Join(fmt.Errorf("closing the pages: %w", err), server.Close())
	}
	return nil
}
