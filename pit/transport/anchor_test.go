package transport_test

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/pit/transport"
	"github.com/sabot-table/sabot/sim-hardware/broker"
)

// embedded is a broker without TLS.
func embedded(t *testing.T) string {
	t.Helper()
	b, err := broker.Listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b.Addr()
}

// dialling connects to a broker with TLS, by what is trusted.
func dialling(t *testing.T, addr string, trusted []byte) (*transport.Dialer, error) {
	t.Helper()
	d, err := transport.New(transport.Config{Broker: "ssl://" + addr, ClientID: "sabot-try", CA: trusted})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := d.Connect(t.Context(), nil)
	if err == nil {
		conn.Part()
	}
	return d, err
}

// TestAnchor: what a broker shows leads to the one certificate that would have to be trusted, by which the next
// connection then succeeds; what no trust puts right is said instead.
func TestAnchor(t *testing.T) {
	root := brokertest.NewAuthority(t, "Pit CA", nil)
	between := brokertest.NewAuthority(t, "Pit CA 2", root)
	stranger := brokertest.NewAuthority(t, "Pit CA", nil) // of the same name
	leaf, deep := brokertest.NewBroker(t, root), brokertest.NewBroker(t, between)
	alone := brokertest.NewBroker(t, nil)
	renewed := brokertest.NewAuthority(t, "Pit CA 3", nil, brokertest.Expired)
	with := func(shown tls.Certificate, more *brokertest.Signed) tls.Certificate {
		shown.Certificate = append(slices.Clone(shown.Certificate), more.Certificate.Raw)
		return shown
	}
	mixed := deep.Shown(true)
	slices.Reverse(mixed.Certificate[1:])
	authority := brokertest.NewAuthority(t, "broker and authority", nil, func(c *x509.Certificate) {
		c.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	})
	const name, date = "for another name", "not valid today"
	for what, c := range map[string]struct {
		shows  tls.Certificate
		anchor *x509.Certificate
		own    bool
		wrong  string
	}{
		"an own authority":                {leaf.Shown(true), root.Certificate, false, ""},
		"two of them":                     {deep.Shown(true), root.Certificate, false, ""},
		"two of them in another order":    {mixed, root.Certificate, false, ""},
		"the end of the chain left out":   {with(deep.Shown(false), between), between.Certificate, false, ""},
		"a leaf alone":                    {leaf.Shown(false), leaf.Certificate, true, ""},
		"a leaf with somebody else's CA":  {with(leaf.Shown(false), stranger), leaf.Certificate, true, ""},
		"a leaf that has signed itself":   {alone.Shown(true), alone.Certificate, true, ""},
		"an authority that is the broker": {authority.Shown(true), authority.Certificate, true, ""},
		"another name": {
			brokertest.NewBroker(t, root, brokertest.Elsewhere).Shown(true), nil,
			false, name,
		},
		"another name, alone": {
			brokertest.NewBroker(t, nil, brokertest.Elsewhere).Shown(true), nil,
			false, name,
		},
		"expired": {
			brokertest.NewBroker(t, root, brokertest.Expired).Shown(true), nil,
			false, date,
		},
		"expired, alone": {
			brokertest.NewBroker(t, nil, brokertest.Expired).Shown(true), nil,
			false, date,
		},
		"not valid yet": {brokertest.NewBroker(t, root,
			func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Hour) }).Shown(true), nil, false, date},
		"signed by an authority that is ended": {brokertest.NewBroker(t, renewed).Shown(true), nil, false, date},
	} {
		t.Run(what, func(t *testing.T) {
			gate := brokertest.Secure(t, embedded(t), c.shows)
			d, failed := dialling(t, gate.Addr, nil)
			if failed == nil {
				t.Fatal("an unknown broker is believed")
			}
			anchor, wrong := d.Anchor(failed)
			if got := kindOf(wrong); got != c.wrong {
				t.Fatalf("it is %q, not %q: %v", got, c.wrong, wrong)
			}
			if wrong != nil {
				if told := d.Explain(wrong).Error(); strings.Contains(told, "check that a broker runs") {
					t.Errorf("it is told as %s", told)
				}
				return
			}
			if !anchor.Equal(c.anchor) || anchor.Own != c.own {
				t.Errorf("%v is to be trusted, its own: %t", anchor.Subject, anchor.Own)
			}
			trusted := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: anchor.Raw})
			if _, err := dialling(t, gate.Addr, trusted); err != nil {
				t.Errorf("once it is trusted: %v", err)
			}
			gate.Show(brokertest.NewBroker(t, stranger).Shown(true))
			if _, err := dialling(t, gate.Addr, trusted); err == nil {
				t.Error("another broker is believed by it")
			}
		})
	}
}

// TestRenewedAnchor: an authority that was made anew with its old key is asked about, though the ended one is known;
// where the ended one alone is known, nothing is.
func TestRenewedAnchor(t *testing.T) {
	ended := brokertest.NewAuthority(t, "Pit CA", nil, brokertest.Expired)
	renewed := ended.Renew(t)
	var known []byte
	for _, one := range []*brokertest.Signed{brokertest.NewAuthority(t, "another", nil), ended} {
		known = append(known, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: one.Certificate.Raw})...)
	}
	leaf := brokertest.NewBroker(t, renewed)
	gate := brokertest.Secure(t, embedded(t), leaf.Shown(true))
	d, failed := dialling(t, gate.Addr, known)
	if failed == nil {
		t.Fatal("an ended authority vouches")
	}
	if anchor, err := d.Anchor(failed); err != nil || !anchor.Equal(renewed.Certificate) || anchor.Own {
		t.Errorf("%v is to be trusted, its own: %t, %v", anchor.NotAfter, anchor.Own, err)
	}
	gate.Show(leaf.Shown(false))
	if d, failed = dialling(t, gate.Addr, known); failed == nil {
		t.Fatal("an ended authority vouches")
	}
	if _, err := d.Anchor(failed); kindOf(err) != "not valid today" {
		t.Errorf("what the ended one has signed can be trusted: %v", err)
	}
}

// kindOf is what is wrong with a certificate.
func kindOf(err error) string {
	if err == nil {
		return ""
	}
	if _, other := errors.AsType[x509.HostnameError](err); other {
		return "for another name"
	}
	if invalid, is := errors.AsType[x509.CertificateInvalidError](err); is && invalid.Reason == x509.Expired {
		return "not valid today"
	}
	return err.Error()
}

// A connection that fails for anything else leads to nothing that could be trusted.
func TestNoAnchor(t *testing.T) {
	d, failed := dialling(t, embedded(t), nil)
	if _, err := d.Anchor(failed); failed == nil || err != failed {
		t.Errorf("a broker without TLS: %v, and then %v", failed, err)
	}
}
