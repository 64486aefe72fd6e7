package publish

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"time"
)

// RefusedError is returned if the broker answers but refuses the table.
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
		reason, todo = "not authorised", "check user name and password, and the broker's access list for this table"
	}
	return fmt.Sprintf("the broker refused the connection: %s (CONNACK %d): %s", reason, e.Code, todo)
}

// silentError is returned if the broker does not acknowledge messages.
type silentError struct {
	waited   time.Duration
	underway int
}

func (e silentError) Error() string {
	return fmt.Sprintf("the broker acknowledged none of %d messages within %s: look at its log, its load and its disk", e.underway, e.waited)
}

// explain adds to a network error what to do about it.
func explain(err error, address string) error {
	switch {
	case isA[RefusedError](err), isA[silentError](err):
		return err
	case isA[x509.UnknownAuthorityError](err):
		return fmt.Errorf("%w: give the certificate of the authority that signed the broker's", err)
	case isA[x509.HostnameError](err):
		return fmt.Errorf("%w: use the name that is in the broker's certificate", err)
	case isA[*tls.CertificateVerificationError](err):
		return fmt.Errorf("%w: check the broker's certificate and this computer's clock", err)
	case isA[*net.DNSError](err):
		return fmt.Errorf("%w: check the broker's name and the network", err)
	}
	todo := fmt.Sprintf("check that a broker runs at %s, and the network to it; "+
		"if it comes and goes, look for a second daemon with the same site and table", address)
	if hungUp(err) {
		todo += ", and for a topic that the broker's access list denies"
	}
	return fmt.Errorf("%w: %s", err, todo)
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// causeOf is the part of an error that distinguishes it from others in the log. Network
// errors contain port numbers that change with every attempt.
func causeOf(err error) string {
	if network, ok := errors.AsType[*net.OpError](err); ok {
		return network.Op + ": " + network.Err.Error()
	}
	return err.Error()
}

// UnacknowledgedError is returned if a publisher leaves events for the next one.
type UnacknowledgedError struct{ Events uint64 }

// Error says how many events wait, and where.
func (e *UnacknowledgedError) Error() string {
	return fmt.Sprintf("the MQTT broker has not acknowledged %d events; they stay in the journal and go out at the next start", e.Events)
}
