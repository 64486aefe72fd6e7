package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"syscall"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/site"
)

// listen opens the page's port. A page that does not ask who connects is only for this
// machine, whatever configured it.
func listen(w config.Web) (net.Listener, error) {
	address := w.Listen
	if !w.Guarded() && !w.Local() {
		return nil,
			fmt.Errorf("the page's address %s can be reached from other machines, but the page would not ask who "+
				"connects: "+
				"give one that only this machine can reach, such as 127.0.0.1:8080 (web.listen in the "+
				"configuration, --web in the demonstration)", address)
	}
	l, err := net.Listen("tcp", address)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("the page's address %s is in use: another sabotd or another program listens there; "+
			"stop it, or give another address (web.listen in the configuration, --web in the demonstration): %w",
			address, err)
	}
	if err != nil {
		return nil, cannotServe(address, err)
	}
	return l, nil
}

func cannotServe(address string, err error) error {
	return fmt.Errorf("the page cannot be served on %s: %w", address, err)
}

// openPage opens the page's port, or begins to wait for its address.
func (d *Daemon) openPage() (err error) {
	if d.page.listener = d.given.outside.Page; d.page.listener == nil {
		if d.page.listener, err = listenPage(d.config.Web, d.pageLater, d.log); err != nil {
			return err
		}
	}
	d.page.listener = entrance{site.Listen(d.page.listener, connections(d.log)), &d.service}
	return nil
}

// serve serves the page.
func (d *Daemon) serve(ctx context.Context) error {
	with := site.Bounds{Idle: idleTime, HTTP2: perConnection(), Context: ctx, Log: d.log}
	if d.page.certificate != nil {
		with.TLS = d.page.certificate.TLS()
	}
	server := d.Site().Server(with)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(d.page.listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving the page on %s: %w", d.config.Web.Listen, err)
	case <-ctx.Done():
	}
	limit, done := context.WithTimeout(context.WithoutCancel(ctx), goodbye)
	defer done()
	err := server.Shutdown(limit)
	if errors.Is(err, context.DeadlineExceeded) { // whoever sends half a request makes no end a bad one
		d.log.Warn("connections to the page that did not come to an end were cut off: their screens ask again")
		err = server.Close()
	}
	if err != nil {
		return fmt.Errorf("closing the page: %w", err)
	}
	return nil
}
