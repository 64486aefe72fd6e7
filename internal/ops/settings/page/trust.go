package page

import (
	"cmp"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"time"

	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/pit/transport"
)

// trust is a certificate that a person may trust, once they have compared its fingerprint.
type trust struct {
	// Name is whose it is, as the certificate itself says.
	Name string `json:"name"`
	// SHA256 is its fingerprint, as openssl writes it.
	SHA256 string `json:"sha256"`
	// From and Until are days, in UTC.
	From  string `json:"from"`
	Until string `json:"until"`
	// Own says that it is the broker's own, and not what the broker's next certificate will be signed by.
	Own bool `json:"own,omitempty"`
	// PEM is what is trusted: the page gives it back, so that it is what was shown.
	PEM string `json:"pem"`
}

// never is what nothing at the page puts right.
type never string

// A certificate that cannot be trusted, and a supervisor who cannot be removed.
const (
	notNow    never = "date"
	otherName never = "name"
	lastOne   never = "last"
	oneself   never = "self"
)

// mostName is how many signs of a name are shown, and mostPEM how long a certificate may be: the page posts it with all
// else.
const mostName, mostPEM = 60, mostGiven / 2

// unreached is the answer to a connection that has failed: what is wrong, and what could be trusted to put it right.
func unreached(d *transport.Dialer, failed error) answer {
	anchor, why := d.Anchor(failed)
	if why != nil {
		said := wrong(d.Explain(why))
		said.Never = neverOf(why)
		return said
	}
	said := wrong(d.Explain(failed))
	if one := trustOf(anchor); len(one.PEM) <= mostPEM {
		said.Trust = &one
	}
	return said
}

func neverOf(why error) never {
	if _, is := errors.AsType[x509.HostnameError](why); is {
		return otherName
	}
	if invalid, is := errors.AsType[x509.CertificateInvalidError](why); is && invalid.Reason == x509.Expired {
		return notNow
	}
	return ""
}

func trustOf(a transport.Anchor) trust {
	return trust{
		Name:   shortened(terminal.Visible(cmp.Or(a.Subject.CommonName, a.Subject.String(), "?"))),
		SHA256: settings.Fingerprint(a.Raw),
		From:   a.NotBefore.UTC().Format(time.DateOnly), Until: a.NotAfter.UTC().Format(time.DateOnly),
		Own: a.Own, PEM: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Raw})),
	}
}

func shortened(name string) string {
	if signs := []rune(name); len(signs) > mostName {
		return string(signs[:mostName]) + "…"
	}
	return name
}
