package site

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// files are where a configuration has the page's certificate and its key.
type files struct{ CertFile, KeyFile string }

// certified is a certificate in a test, with its files and its log.
type certified struct {
	*Certificate
	t   *testing.T
	web files
	log system.Text
	// heard is how much of the log was looked at.
	heard int
}

func newCertified(t *testing.T) *certified {
	t.Helper()
	dir := t.TempDir()
	return &certified{
		t: t, web: files{CertFile: filepath.Join(dir, "page.crt"), KeyFile: filepath.Join(dir, "page.key")},
	}
}

func (p *certified) write(from, until time.Time, names ...string) {
	p.t.Helper()
	cert, key, err := SelfSigned(names, from, until)
	if err != nil {
		p.t.Fatal(err)
	}
	for path, text := range map[string][]byte{p.web.CertFile: cert, p.web.KeyFile: key} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *certified) open() (err error) {
	p.Certificate, err = OpenCertificate(p.web.CertFile, p.web.KeyFile, slog.New(slog.NewTextHandler(&p.log, nil)))
	return err
}

// said returns what was logged since it was asked last.
func (p *certified) said() string {
	text := p.log.String()[p.heard:]
	p.heard += len(text)
	return text
}

// TestCertificateRunsOut is told in time, once a day, and louder and louder.
func TestCertificateRunsOut(t *testing.T) {
	p := newCertified(t)
	now := time.Now()
	until := now.AddDate(1, 0, 0).Truncate(time.Second)
	p.write(now, until, "table.example")
	if err := p.open(); err != nil || p.said() != "" {
		t.Fatalf("%v", err)
	}
	for _, c := range []struct {
		left time.Duration
		want string
	}{
		{31 * 24 * time.Hour, ""},
		{month, "within a month"},
		{month - 23*time.Hour, ""},
		{month - 24*time.Hour, "within a month"},
		{week + time.Hour, "within a month"},
		{week - 24*time.Hour, "within a week"},
		{week - 25*time.Hour, ""},
		{0, "HAS EXPIRED"},
		{-time.Hour, ""},
		{-25 * time.Hour, "HAS EXPIRED"},
	} {
		p.warn(until.Add(-c.left))
		if said := p.said(); (said == "") != (c.want == "") || !strings.Contains(said, c.want) ||
			strings.Count(said, "\n") > 1 {
			t.Errorf("%v before the end it said %q, want %q", c.left, said, c.want)
		}
	}
	p.warned = time.Time{}
	p.warn(now.AddDate(0, 0, -1))
	if said := p.said(); !strings.Contains(said, "NOT VALID YET") {
		t.Errorf("before the beginning it said %q", said)
	}
}

// TestTLS13: a browser that knows no TLS 1.3 is not let in, and one that does is.
func TestTLS13(t *testing.T) {
	p := newCertified(t)
	p.write(time.Now().AddDate(0, 0, -1), time.Now().AddDate(1, 0, 0), "127.0.0.1")
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	for version, taken := range map[uint16]bool{tls.VersionTLS12: false, tls.VersionTLS13: true} {
		near, far := net.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- errors.Join(tls.Server(far, p.TLS()).Handshake(), far.Close()) }()
		err := tls.Client(near, &tls.Config{MaxVersion: version, InsecureSkipVerify: true}).Handshake()
		if served := <-ended; (err == nil && served == nil) != taken {
			t.Errorf("%s: %v, %v", tls.VersionName(version), err, served)
		}
		if err := near.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestCertificateIsWatched also while no screen connects.
func TestCertificateIsWatched(t *testing.T) {
	p := newCertified(t)
	synctest.Test(t, func(t *testing.T) {
		p.write(time.Now(), time.Now().AddDate(0, 0, 40), "one.example")
		if err := p.open(); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			p.Watch(ctx)
			close(ended)
		}()
		bubble.Settle(9 * 24 * time.Hour)
		if said := p.said(); said != "" {
			t.Errorf("31 days before the end it said %q", said)
		}
		bubble.Settle(3 * 24 * time.Hour)
		if n := strings.Count(p.said(), "within a month"); n != 2 && n != 3 {
			t.Errorf("in two days of the month before the end it was told %d times", n)
		}
		p.write(time.Now(), time.Now().AddDate(1, 0, 0), "two.example")
		bubble.Settle(checkEvery)
		if said := p.said(); !strings.Contains(said, "was replaced") {
			t.Errorf("an hour after it was replaced it said %q", said)
		}
		cancel()
		<-ended
	})
}

// TestCertificateFiles: replaced ones are taken over, and what cannot be used is not.
func TestCertificateFiles(t *testing.T) {
	p := newCertified(t)
	now := time.Now()
	p.write(now, now.AddDate(1, 0, 0), "one.example", "192.0.2.1", "2001:db8::1")
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{
		"one.example": true, "ONE.example": true, "192.0.2.1": true, "2001:db8::1": true,
		"": false, "two.example": false, "x.one.example": false, "192.0.2.2": false, "127.0.0.1": false,
		"localhost": false,
	} {
		if p.Has(name) != want {
			t.Errorf("that it has %q is %v", name, !want)
		}
	}
	first := p.now()
	if p.now() != first || p.said() != "" || p.Name() != "one.example" {
		t.Error("files that did not change were read again")
	}

	p.write(now, now.AddDate(2, 0, 0), "two.example")
	got, err := p.TLS().GetCertificate(&tls.ClientHelloInfo{})
	if err != nil || got.Leaf.DNSNames[0] != "two.example" || !p.Has("two.example") || p.Has("one.example") {
		t.Errorf("the new certificate is of %v, %v", got.Leaf.DNSNames, err)
	}
	if said := p.said(); !strings.Contains(said, "was replaced") || !strings.Contains(said, "two.example") {
		t.Errorf("it said %q", said)
	}

	if err := os.Remove(p.web.KeyFile); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if p.now() != got {
			t.Error("without a key the old certificate is gone")
		}
	}
	if said := p.said(); strings.Count(said, "cannot be used") != 1 || !strings.Contains(said, p.web.KeyFile) {
		t.Errorf("it said %q", said)
	}
	p.write(now, now.AddDate(2, 0, 0), "three.example")
	if !p.Has("three.example") || !strings.Contains(p.said(), "was replaced") {
		t.Error("what was mended is not taken over")
	}
}

// nameless makes a certificate as they were made long ago, with a common name alone.
func nameless(p *certified) error {
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		return err
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "one.example"}}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, public, private)
	if err != nil {
		return err
	}
	key, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(p.web.CertFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), 0o600),
		os.WriteFile(p.web.KeyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
}

// TestCertificateRefused: a page does not start with what no browser takes, or with a
// key that others may have read.
func TestCertificateRefused(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		spoil func(p *certified) error
		want  string
	}{
		"no certificate": {
			func(p *certified) error { return os.Remove(p.web.CertFile) },
			"let the user that runs this program read",
		},
		"no key":   {func(p *certified) error { return os.Remove(p.web.KeyFile) }, "page.key"},
		"open key": {func(p *certified) error { return os.Chmod(p.web.KeyFile, 0o644) }, "chmod 640 "},
		"no PEM":   {func(p *certified) error { return os.WriteFile(p.web.CertFile, []byte("x"), 0o600) }, "page.crt"},
		"another's key": {func(p *certified) error {
			other := newCertified(p.t)
			other.write(now, now.AddDate(1, 0, 0), "other.example")
			p.web.KeyFile = other.web.KeyFile
			return nil
		}, "does not match"},
		"no names": {nameless, "has no names"},
	} {
		p := newCertified(t)
		p.write(now, now.AddDate(1, 0, 0), "one.example")
		if err := c.spoil(p); err != nil {
			t.Fatal(err)
		}
		if err := p.open(); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "the page's certificate: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	p := newCertified(t)
	p.write(now.AddDate(-1, 0, 0), now.AddDate(0, 0, -1), "one.example")
	if err := p.open(); err != nil || !strings.Contains(p.said(), "HAS EXPIRED") {
		t.Errorf("one that has run out keeps the table from starting: %v", err)
	}
}
