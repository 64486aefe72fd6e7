package site

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Bounds are what a server gives those who connect; the zero value is what a page for this computer needs.
type Bounds struct {
	// Write and Idle are how long an answer may take, and how long a connection may wait for the next request; 0 is for
	// ever.
	Write, Idle time.Duration
	// Context is that of all requests; nil is one that never ends.
	Context context.Context
	HTTP2   *http.HTTP2Config
	// TLS is nil for a server without.
	TLS *tls.Config
	Log *slog.Logger
}

// headBytes is how long the head of a request may be.
const headBytes = 16 << 10

// Server serves one Site.
type Server struct {
	inner http.Server
	tls   bool
}

// Server returns what serves the site.
func (s *Site) Server(b Bounds) *Server {
	one := &Server{tls: b.TLS != nil, inner: http.Server{
		Handler: s, ReadHeaderTimeout: HeaderTime, WriteTimeout: b.Write, IdleTimeout: b.Idle,
		MaxHeaderBytes: headBytes,
		HTTP2:          b.HTTP2, TLSConfig: b.TLS, ConnContext: connContext,
	}}
	if b.Context != nil {
		one.inner.BaseContext = func(net.Listener) context.Context { return b.Context }
	}
	if b.Log != nil {
		one.inner.ErrorLog = slog.NewLogLogger(b.Log.Handler(), slog.LevelDebug)
	}
	return one
}

// Serve answers what comes to a listener, until the server is closed.
func (s *Server) Serve(l net.Listener) error {
	if s.tls {
		return s.inner.ServeTLS(l, "", "")
	}
	return s.inner.Serve(l)
}

// Shutdown ends the server once what was asked is answered, or ctx ends.
func (s *Server) Shutdown(ctx context.Context) error { return s.inner.Shutdown(ctx) }

// Close ends the server at once.
func (s *Server) Close() error { return s.inner.Close() }
