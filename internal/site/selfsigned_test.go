package site_test

import (
	"crypto/tls"
	"crypto/x509"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/site"
)

// TestSelfSigned: a client that trusts the certificate trusts a server with its names while it is
// valid, and no other certificate signed by it.
func TestSelfSigned(t *testing.T) {
	from, until := time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	cert, key, err := site.SelfSigned([]string{"table-1.example", "*.pit.example", "192.0.2.1", "2001:db8::1"},
		from, until)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(cert) {
		t.Fatal("the certificate is not PEM")
	}
	for name, want := range map[string]bool{
		"table-1.example": true, "one.pit.example": true, "192.0.2.1": true, "2001:db8::1": true,
		"table-2.example": false, "192.0.2.2": false,
	} {
		if _, err := pair.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name}); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := pair.Leaf.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: until.Add(time.Minute)}); err == nil {
		t.Error("it is valid after its end")
	}
	if pair.Leaf.IsCA {
		t.Error("it vouches for others")
	}
}

// TestSelfSignedRefuses what is not a name.
func TestSelfSignedRefuses(t *testing.T) {
	for _, names := range [][]string{
		nil,
		{""},
		{"table 1"},
		{"table_1.example"},
		{"-table"},
		{"table."},
		{"https://table"},
		{"192.0.2.1:8443"},
	} {
		if _, _, err := site.SelfSigned(names, time.Now(), time.Now()); err == nil || len(names) > 0 &&
			!strings.Contains(err.Error(), "write it as") {
			t.Errorf("%q: %v", names, err)
		}
	}
}
