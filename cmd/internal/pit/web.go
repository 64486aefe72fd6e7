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
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/door"
	"github.com/sabot-table/sabot/table/profile"
)

// site is the pit's pages on a port.
type site struct {
	listener    net.Listener
	certificate *certificate.Certificate // nil without TLS
	people      *people.People
	pages       http.Handler
	log         *slog.Logger
}

// closing is how long pages may take to close.
const closing = 2 * time.Second

// Serve runs the pit of a configuration, with its pages, until the context ends. It calls ready with their
// address once they can be asked for.
func Serve(ctx context.Context, c Config, log *slog.Logger, ready func(url string)) (err error) {
	p, err := Open(ctx, c, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	s, err := openSite(c, p, log)
	if err != nil {
		return err
	}
	ready(s.url())
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	served := make(chan error, 1)
	go func() {
		defer stop()
		served <- s.serve(ctx)
	}()
	err = p.Run(ctx)
	stop()
	return errors.Join(err, <-served)
}

// openSite gets the pages ready, and their port.
func openSite(c Config, p *Pit, log *slog.Logger) (*site, error) {
	s := &site{log: log}
	houses := profile.Built()
	language, ok := display.BuiltIn().With(houses.Words(), houses.Shufflers()...).Speak(c.Language)
	if !ok {
		return nil, fmt.Errorf("the language %q is not known", c.Language)
	}
	var err error
	if s.people, err = people.New(people.Options{Store: p.Store, Log: log}); err != nil {
		return nil, err
	}
	in, err := door.New(door.Options{People: s.people, Public: c.Web.Public, Proxies: c.Web.proxies(), Language: language, Log: log})
	if err != nil {
		return nil, err
	}
	pages, err := p.Pages(PagesOptions{Name: c.Name, Language: language, Houses: houses, People: asking{in}})
	if err != nil {
		return nil, err
	}
	s.pages = in.Around(pages)
	if c.Web.CertFile != "" {
		if s.certificate, err = certificate.Open(c.Web.CertFile, c.Web.KeyFile, log); err != nil {
			return nil, err
		}
	}
	if s.listener, err = net.Listen("tcp", c.Web.Listen); err != nil {
		return nil, fmt.Errorf("the pages cannot be served on %s: %w; see web.listen in the configuration, and whether another sabot-pit runs", c.Web.Listen, err)
	}
	return s, nil
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
func (s *site) url() string {
	scheme := "http"
	if s.certificate != nil {
		scheme = "https"
	}
	return scheme + "://" + s.listener.Addr().String() + "/"
}

// serve serves the pages until the context ends.
func (s *site) serve(ctx context.Context) error {
	server := &http.Server{
		Handler: s.pages, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	listener := s.listener
	if s.certificate != nil {
		go s.certificate.Watch(ctx)
		listener = tls.NewListener(listener, s.certificate.TLS())
	}
	go s.people.Run(ctx)
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
