package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
)

// RefusedError is returned if the broker answers but refuses the client.
type RefusedError struct {
	// Code is the return code of the broker's CONNACK.
	Code byte
}

// Error names the broker's reason and what to do about it.
func (e RefusedError) Error() string {
	reason, todo := "unknown reason", "look at the broker's log"
	switch e.Code {
	case 1:
		reason, todo = "unacceptable protocol version", "use a broker that speaks MQTT 3.1.1"
	case 2:
		reason, todo = "client identifier rejected", "let the broker accept identifiers that begin with sabot-"
	case 3:
		reason = "server unavailable"
	case 4:
		reason, todo = "bad user name or password", "check user name and password on both sides"
	case 5:
		reason, todo = "not authorised", "check user name and password, and the broker's access list"
	}
	return fmt.Sprintf("the broker refused the connection: %s (CONNACK %d): %s", reason, e.Code, todo)
}

// Explain adds to a network error what to do about it.
func (d *Dialer) Explain(err error) error {
	switch {
	case isA[RefusedError](err):
		return err
	case isA[*Breach](err):
		return fmt.Errorf("%w: look at what listens at %s, and at the broker's version", err, d.Address())
	case isA[x509.UnknownAuthorityError](err):
		return fmt.Errorf("%w: give the certificate of the authority that signed the broker's", err)
	case isA[x509.HostnameError](err):
		return fmt.Errorf("%w: use the name that is in the broker's certificate", err)
	case isA[*tls.CertificateVerificationError](err), isA[x509.CertificateInvalidError](err):
		return fmt.Errorf("%w: check the broker's certificate and this computer's clock", err)
	case isA[*net.DNSError](err):
		return fmt.Errorf("%w: check the broker's name and the network", err)
	}
	todo := fmt.Sprintf("check that a broker runs at %s, and the network to it", d.Address())
	if d.config.Twin != "" {
		todo += "; if it comes and goes, look for " + d.config.Twin
	}
	if HungUp(err) {
		todo += ", and for a topic that the broker's access list denies"
	}
	return fmt.Errorf("%w: %s", err, todo)
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// Cause is the part of an error that distinguishes it from others in the log. Network
// errors contain port numbers that change with every attempt.
func Cause(err error) string {
	if network, ok := errors.AsType[*net.OpError](err); ok {
		return network.Op + ": " + network.Err.Error()
	}
	return err.Error()
}

// HungUp reports whether a connection ended because the broker closed it, or something on
// the way to it did.
func HungUp(err error) bool {
	for _, end := range []error{
		io.EOF, io.ErrUnexpectedEOF, io.ErrClosedPipe, syscall.ECONNRESET, syscall.EPIPE,
		syscall.ECONNABORTED,
	} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}
