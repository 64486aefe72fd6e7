package doctor

import (
	"crypto/x509"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// TestNeeded: each certificate that a connection needs is looked at once, whether the server shows what vouches for it
// or not.
func TestNeeded(t *testing.T) {
	authority, other := brokertest.NewAuthority(t, "Pit CA", nil).Certificate,
		brokertest.NewAuthority(t, "another", nil).Certificate
	signer := brokertest.NewAuthority(t, "Pit CA 2", nil)
	leaf := brokertest.NewBroker(t, signer).Certificate
	for what, c := range map[string]struct{ shown, trusted, want []*x509.Certificate }{
		"the system vouches": {[]*x509.Certificate{leaf}, nil, []*x509.Certificate{leaf}},
		"an authority, not shown": {
			[]*x509.Certificate{leaf},
			[]*x509.Certificate{other, signer.Certificate},
			[]*x509.Certificate{leaf, signer.Certificate},
		},
		"an authority, shown": {
			[]*x509.Certificate{leaf, signer.Certificate},
			[]*x509.Certificate{signer.Certificate},
			[]*x509.Certificate{leaf, signer.Certificate},
		},
		"the broker's own": {[]*x509.Certificate{leaf}, []*x509.Certificate{leaf}, []*x509.Certificate{leaf}},
		"nothing is shown": {nil, []*x509.Certificate{authority}, []*x509.Certificate{authority}},
	} {
		if got := needed(c.shown, c.trusted); !slices.EqualFunc(got, c.want, (*x509.Certificate).Equal) {
			t.Errorf("%s: %d certificates are looked at, not %d", what, len(got), len(c.want))
		}
	}
}
