package pit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/pit/people/login"
)

// Entrance serves the pit's pages to those who may enter.
type Entrance struct {
	People *people.People
	Door   *login.Door

	// slow is how long a browser may take for an answer, unless what is asked sets a time of its own, as streams do.
	slow        time.Duration
	listener    net.Listener
	certificate *site.Certificate
	log         *slog.Logger
}

// OpenEntrance reads the files that the settings name, and opens the port. Serve closes it.
func OpenEntrance(c Config, store people.Store, language display.Language, log *slog.Logger) (*Entrance, error) {
	w, p := c.Web, c.People
	all, err := people.New(people.Options{
		Store: store, Idle: time.Duration(p.IdleMinutes) * time.Minute,
		Longest:       time.Duration(p.LongestHours) * time.Hour,
		LongestViewer: time.Duration(p.LongestDaysViewer) * 24 * time.Hour, Log: log,
	})
	if err != nil {
		return nil, err
	}
	o := login.Options{
		People: all, Sites: p.sites, Public: w.Public, Proxies: networks(w.TrustedProxies),
		Language: language, Zone: c.Store.TimeZone.Location, Log: log,
	}
	if p.OpenID != nil {
		if o.Provider, err = p.OpenID.provider(w); err != nil {
			return nil, err
		}
		o.ProviderName = p.OpenID.Name
	}
	e := &Entrance{People: all, log: log, slow: 2 * time.Minute}
	if e.Door, err = login.New(o); err != nil {
		return nil, err
	}
	if w.CertFile != "" {
		if e.certificate, err = site.OpenCertificate(w.CertFile, w.KeyFile, log); err != nil {
			return nil, err
		}
	}
	inner, err := net.Listen("tcp", w.Listen)
	if err != nil {
		return nil, fmt.Errorf("the pit's pages cannot be served on %s: %w; give another address in web.listen",
			w.Listen, err)
	}
	e.listener = site.Listen(inner, limits(networks(w.TrustedProxies), log))
	return e, nil
}

func networks(all []Network) (list []netip.Prefix) {
	for _, one := range all {
		list = append(list, one.Prefix)
	}
	return list
}

// URL is where the pages are served.
func (e *Entrance) URL() string {
	if e.certificate != nil {
		return "https://" + e.listener.Addr().String() + "/"
	}
	return "http://" + e.listener.Addr().String() + "/"
}

// Serve serves a site behind the door until ctx ends.
func (e *Entrance) Serve(ctx context.Context, pages *site.Site) error {
	running, stop := context.WithCancel(ctx)
	defer stop()
	with := site.Bounds{
		Write: e.slow, Idle: 2 * time.Minute, Context: running,
		HTTP2: &http.HTTP2Config{MaxConcurrentStreams: mostAtOnce}, Log: e.log,
	}
	if e.certificate != nil {
		with.TLS = e.certificate.TLS()
		go e.certificate.Watch(running)
	}
	server := e.Door.Around(pages).Server(with)
	go e.People.Run(running)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(e.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("the pit's pages: %w", err)
	case <-ctx.Done():
	}
	stop() // streams end
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	defer e.Door.Close()
	if err := server.Shutdown(last); err != nil {
		return errors.Join(fmt.Errorf("the pit's pages: %w", err), server.Close())
	}
	return nil
}
