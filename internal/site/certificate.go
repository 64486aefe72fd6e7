package site

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/internal/securefile"
)

// The expiry of a certificate is logged once a day: as a warning from a month before, and
// as an error from a week before.
const (
	month, week = 30 * 24 * time.Hour, 7 * 24 * time.Hour
	warnEvery   = 24 * time.Hour
	checkEvery  = time.Hour
)

// Certificate is a page's certificate, as its two files have it now: they are checked
// whenever a screen connects. Its methods may be called from any goroutine.
type Certificate struct {
	certFile, keyFile string
	log               *slog.Logger

	mu     sync.Mutex
	pair   *tls.Certificate
	marks  [2]mark // of the files that pair was read from
	fault  string  // why they could not be read since
	warned time.Time
}

// mark changes when a file does.
type mark struct {
	size    int64
	changed time.Time
}

// OpenCertificate reads a page's certificate. An expired one is not an error: a warning
// in a browser is better than a table that does not start.
func OpenCertificate(certFile, keyFile string, log *slog.Logger) (*Certificate, error) {
	c := &Certificate{certFile: certFile, keyFile: keyFile, log: log}
	var err error
	if c.marks, err = c.look(); err == nil {
		c.pair, err = c.read()
	}
	if err != nil {
		return nil, fmt.Errorf("the page's certificate: %w", err)
	}
	c.warn(time.Now())
	return c, nil
}

// look returns the marks of both files.
func (c *Certificate) look() (marks [2]mark, err error) {
	for i, file := range []securefile.Item{
		{Kind: securefile.Certificate, Path: c.certFile},
		{Kind: securefile.PageKey, Path: c.keyFile},
	} {
		info, err := file.Stat()
		if wrong, is := errors.AsType[*securefile.Fault](err); is {
			return marks, fmt.Errorf("%s: %w", [...]string{"web.cert_file", "web.key_file"}[i], wrong)
		}
		if err != nil {
			return marks, fmt.Errorf("%w; let the user that runs this program read web.cert_file and web.key_file", err)
		}
		marks[i] = mark{info.Size(), info.ModTime()}
	}
	return marks, nil
}

func (c *Certificate) read() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return nil, fmt.Errorf("web.cert_file %s and web.key_file %s: %w", c.certFile, c.keyFile, err)
	}
	if len(pair.Leaf.DNSNames) == 0 && len(pair.Leaf.IPAddresses) == 0 {
		return nil,
			fmt.Errorf("web.cert_file %s has no names (subjectAltName), without which browsers do not accept it: "+
				"have one made with the page's name or address", c.certFile)
	}
	return &pair, nil
}

// now returns the certificate as the files have it, or the last good one while they cannot
// be used.
func (c *Certificate) now() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	marks, err := c.look()
	if err == nil && marks == c.marks && c.fault == "" {
		return c.pair
	}
	var pair *tls.Certificate
	if err == nil {
		pair, err = c.read()
	}
	switch {
	case err == nil:
		c.pair, c.marks, c.fault, c.warned = pair, marks, "", time.Time{}
		c.log.Info("the page's certificate was replaced",
			"names", CertificateNames(pair.Leaf), "until", pair.Leaf.NotAfter)
		c.warn(time.Now())
	case err.Error() != c.fault:
		c.fault = err.Error()
		c.log.Error("the page's new certificate cannot be used: the page continues with the old one", "err", err,
			"until", c.pair.Leaf.NotAfter)
	}
	return c.pair
}

// warn logs, once a day, what a browser says already or will soon say.
func (c *Certificate) warn(now time.Time) {
	leaf := c.pair.Leaf
	left := leaf.NotAfter.Sub(now)
	early := now.Before(leaf.NotBefore)
	if left > month && !early || now.Sub(c.warned) < warnEvery {
		return
	}
	c.warned = now
	about := []any{"file", c.certFile, "until", leaf.NotAfter, "days", int(left / (24 * time.Hour))}
	const replace = ": replace it by a new one; nothing need be restarted"
	switch {
	case early:
		c.log.Error("THE PAGE'S CERTIFICATE IS NOT VALID YET, and screens refuse it: is this machine's clock right?",
			"file", c.certFile, "from", leaf.NotBefore)
	case left <= 0:
		c.log.Error("THE PAGE'S CERTIFICATE HAS EXPIRED, and screens refuse it"+replace, about...)
	case left <= week:
		c.log.Error("the page's certificate expires within a week, and screens will then refuse it"+replace, about...)
	default:
		c.log.Warn("the page's certificate expires within a month"+replace, about...)
	}
}

// Watch checks files and time even while no screen connects, until ctx ends.
func (c *Certificate) Watch(ctx context.Context) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			c.now()
			c.mu.Lock()
			c.warn(now)
			c.mu.Unlock()
		}
	}
}

// TLS is the configuration of the page's server.
func (c *Certificate) TLS() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS13,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.now(), nil },
	}
}

// Has reports whether the certificate names a host or an address.
func (c *Certificate) Has(name string) bool { return c.now().Leaf.VerifyHostname(name) == nil }

// Until is when the certificate ends.
func (c *Certificate) Until() time.Time { return c.now().Leaf.NotAfter }

// Name is a name or an address that the certificate has.
func (c *Certificate) Name() string { return CertificateNames(c.now().Leaf)[0] }

// CertificateNames lists the names and addresses of a certificate.
func CertificateNames(leaf *x509.Certificate) []string {
	names := leaf.DNSNames
	for _, ip := range leaf.IPAddresses {
		names = append(names[:len(names):len(names)], ip.String())
	}
	return names
}
