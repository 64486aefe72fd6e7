package transport

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"slices"
)

// Anchor is the one certificate that has to be trusted for a broker to be believed.
type Anchor struct {
	*x509.Certificate
	// Own says that it is the broker's own: nothing that the broker showed has signed it. The broker's next certificate
	// will not be believed by it.
	Own bool
}

// mostShown is how many certificates of a broker are looked at; longer chains are nobody's.
const mostShown = 16

// Anchor is what would have to be trusted after a connection has failed because the broker's certificate is not
// believed: the authority at the end of the chain that the broker showed, or else its own certificate. Nothing is
// trusted by asking. The error is why the connection would fail all the same, such as for another name or a date, or
// why it has failed if that was something else.
func (d *Dialer) Anchor(failed error) (Anchor, error) {
	unbelieved, ok := errors.AsType[*tls.CertificateVerificationError](failed)
	if !ok || len(unbelieved.UnverifiedCertificates) == 0 {
		return Anchor{}, failed
	}
	shown := unbelieved.UnverifiedCertificates[:min(len(unbelieved.UnverifiedCertificates), mostShown)]
	known := slices.Concat(shown, d.turn().vouch) // one that is ended is no reason to trust what it has signed
	end := endOf(known)
	return Anchor{end, end == shown[0]}, believed(known, end, d.turn().tls.ServerName)
}

// endOf is the authority at the end of the chain that begins with the first certificate, which it is itself if none of
// the others has signed it.
func endOf(known []*x509.Certificate) *x509.Certificate {
	end := known[0]
	for range known {
		next := signerOf(end, known)
		if next == nil {
			break
		}
		end = next
	}
	return end
}

// signerOf is the certificate, of those that are known, that has signed one; nil if it has signed itself.
func signerOf(signed *x509.Certificate, known []*x509.Certificate) *x509.Certificate {
	if signed.CheckSignatureFrom(signed) == nil {
		return nil // another one of the same name and key is an earlier one of the same authority
	}
	for _, c := range known {
		if !c.Equal(signed) && bytes.Equal(c.RawSubject, signed.RawIssuer) && signed.CheckSignatureFrom(c) == nil {
			return c
		}
	}
	return nil
}

// believed is why the broker whose certificate is the first is not believed even if one of them is trusted.
func believed(known []*x509.Certificate, trusted *x509.Certificate, name string) error {
	_, err := known[0].Verify(x509.VerifyOptions{
		Roots: pool([]*x509.Certificate{trusted}), Intermediates: pool(known),
		DNSName: name,
	})
	return err
}
