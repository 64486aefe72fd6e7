package brokertest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"math/big"
	"net"
	"sync/atomic"
	"testing"
	"time"
)

// Signed is a certificate with its key, and what vouches for it; one without a signer has signed itself.
type Signed struct {
	Certificate *x509.Certificate
	key         crypto.Signer
	by          *Signed
}

// NewAuthority makes an authority, which another one vouches for unless that is nil.
func NewAuthority(t testing.TB, name string, by *Signed, change ...func(*x509.Certificate)) *Signed {
	t.Helper()
	authority := func(c *x509.Certificate) {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
	}
	return sign(t, name, by, append([]func(*x509.Certificate){authority}, change...))
}

// NewBroker makes the certificate of a broker at 127.0.0.1.
func NewBroker(t testing.TB, by *Signed, change ...func(*x509.Certificate)) *Signed {
	t.Helper()
	broker := func(c *x509.Certificate) {
		c.IPAddresses, c.KeyUsage = []net.IP{net.IPv4(127, 0, 0, 1)}, x509.KeyUsageDigitalSignature
		c.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	}
	return sign(t, "broker.pit", by, append([]func(*x509.Certificate){broker}, change...))
}

// Expired has ended an hour ago.
func Expired(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Hour) }

// Elsewhere is for another address.
func Elsewhere(c *x509.Certificate) { c.IPAddresses = []net.IP{net.IPv4(192, 0, 2, 7)} }

// Renew makes a certificate of the same name and key, by the same signer.
func (s *Signed) Renew(t testing.TB) *Signed {
	t.Helper()
	return signed(t, s.key, s.by, func(c *x509.Certificate) {
		same := *s.Certificate
		same.SerialNumber, same.NotBefore, same.NotAfter = c.SerialNumber, c.NotBefore, c.NotAfter
		*c = same
	})
}

func sign(t testing.TB, name string, by *Signed, changes []func(*x509.Certificate)) *Signed {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	named := func(c *x509.Certificate) { c.Subject = pkix.Name{CommonName: name} }
	return signed(t, key, by, append([]func(*x509.Certificate){named}, changes...)...)
}

func signed(t testing.TB, key crypto.Signer, by *Signed, changes ...func(*x509.Certificate)) *Signed {
	t.Helper()
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		t.Fatal(err)
	}
	draft := &x509.Certificate{
		SerialNumber: serial, NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * time.Hour),
	}
	for _, change := range changes {
		change(draft)
	}
	signer, signerKey := draft, key
	if by != nil {
		signer, signerKey = by.Certificate, by.key
	}
	raw, err := x509.CreateCertificate(rand.Reader, draft, signer, key.Public(), signerKey)
	if err != nil {
		t.Fatal(err)
	}
	made, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return &Signed{made, key, by}
}

// Shown is what a broker shows of a certificate: with what vouches for it, or alone.
func (s *Signed) Shown(whole bool) tls.Certificate {
	shown := tls.Certificate{PrivateKey: s.key, Certificate: [][]byte{s.Certificate.Raw}}
	for one := s.by; whole && one != nil; one = one.by {
		shown.Certificate = append(shown.Certificate, one.Certificate.Raw)
	}
	return shown
}

// Secured is TLS before a broker.
type Secured struct {
	Addr  string
	shows atomic.Pointer[tls.Certificate]
	// Connections counts those that were made, whatever became of them.
	Connections atomic.Int64
}

// Secure puts TLS before the broker at an address.
func Secure(t testing.TB, target string, shows tls.Certificate) *Secured {
	t.Helper()
	s := &Secured{}
	s.Show(shows)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return s.shows.Load(), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	s.Addr = listener.Addr().String()
	go s.unwrap(listener, target)
	return s
}

// Show has the broker show another certificate from now on.
func (s *Secured) Show(shows tls.Certificate) { s.shows.Store(&shows) }

// unwrap carries what comes through TLS to the target.
func (s *Secured) unwrap(listener net.Listener, target string) {
	for {
		near, err := listener.Accept()
		if err != nil {
			return
		}
		s.Connections.Add(1)
		far, err := net.Dial("tcp", target)
		if err != nil {
			_ = near.Close()
			continue
		}
		for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
			go func() {
				_, _ = io.Copy(pair[0], pair[1]) // it ends with either side
				_ = pair[0].Close()
				_ = pair[1].Close()
			}()
		}
	}
}
