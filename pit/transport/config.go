package transport

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"time"
)

// Config says which broker to connect to, and as whom.
type Config struct {
	// Broker is tcp://host:1883, or ssl://host:8883 for TLS; these ports are the defaults. Several brokers of one
	// cluster are separated by spaces, in the order in which they are preferred.
	Broker             string
	Username, Password string
	// ClientID is the connection's name at the broker.
	ClientID string
	// CAFile holds the certificates, in PEM, of the authorities that may sign the broker's.
	// Without it, those that the system trusts may.
	CAFile string
	// CA are such certificates, in place of those of a file.
	CA []byte
	// Dial connects to the broker at an address, such as to a simulated one; nil for the network.
	Dial func(ctx context.Context, address string) (net.Conn, error)
	// BackoffMin and BackoffMax limit the pause before the next attempt to connect to a broker that failed. Default 0.2
	// s and 10 s.
	BackoffMin, BackoffMax time.Duration
	// ReturnEvery is how often a client of a later broker looks whether an earlier one answers again. Default 5 min.
	ReturnEvery time.Duration
	// Limits are what the broker may send. Their Write is transport's own.
	Limits Limits
	// Twin is what else may connect with the same ClientID, for errors.
	Twin string
}

// fill fills in the defaults.
func (c *Config) fill() {
	c.BackoffMin = cmp.Or(c.BackoffMin, 200*time.Millisecond)
	c.BackoffMax = cmp.Or(c.BackoffMax, 10*time.Second)
	c.ReturnEvery = cmp.Or(c.ReturnEvery, 5*time.Minute)
}

// endpoint is where the broker is, and how to trust it.
type endpoint struct {
	address string
	tls     *tls.Config // nil without TLS
	// vouch are the certificates of the authorities; nil means the system's.
	vouch []*x509.Certificate
}

// endpoint reads a broker's address and the certificates.
func (c *Config) endpoint(broker string) (endpoint, error) {
	const example = "use tcp://host:1883, or ssl://host:8883 for TLS"
	at, err := url.Parse(broker)
	if err != nil {
		// The parser's own error repeats the address, which may hold a password.
		return endpoint{}, errors.New("the MQTT broker's address is not a URL: " + example)
	}
	switch {
	case at.User != nil:
		return endpoint{},
			errors.New("the MQTT broker's address holds a user: user name and password have settings of their own")
	case at.Hostname() == "" || (at.Path != "" && at.Path != "/") || at.RawQuery != "" || at.Fragment != "":
		return endpoint{}, fmt.Errorf("the MQTT broker's address %q is not a scheme, a host and a port: %s",
			broker, example)
	}
	switch at.Scheme {
	case "tcp", "mqtt":
		if c.CAFile != "" || len(c.CA) > 0 {
			return endpoint{},
				fmt.Errorf("there are certificates for the MQTT broker, but %q does not use TLS: use ssl://host:8883",
					broker)
		}
		return endpoint{address: withPort(at, "1883")}, nil
	case "ssl", "tls", "mqtts":
		vouch, err := c.vouch()
		return endpoint{withPort(at, "8883"), &tls.Config{
			MinVersion: tls.VersionTLS12, ServerName: at.Hostname(), RootCAs: pool(vouch),
		}, vouch}, err
	}
	return endpoint{}, fmt.Errorf("the MQTT broker's address %q has an unknown scheme: %s", broker, example)
}

func withPort(at *url.URL, standard string) string {
	if port := at.Port(); port != "" {
		standard = port
	}
	return net.JoinHostPort(at.Hostname(), standard)
}

// vouch reads the certificates of the authorities; none means the system's.
func (c *Config) vouch() (all []*x509.Certificate, err error) {
	text, from := c.CA, "what vouches for the MQTT broker"
	if len(text) == 0 {
		if c.CAFile == "" {
			return nil, nil
		}
		if text, err = os.ReadFile(c.CAFile); err != nil {
			return nil, fmt.Errorf("the certificates for the MQTT broker: %w", err)
		}
		from = "the file " + c.CAFile
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		// others may stand beside it
		if one, err := x509.ParseCertificate(block.Bytes); err == nil && block.Type == "CERTIFICATE" {
			all = append(all, one)
		}
	}
	if all == nil {
		return nil,
			fmt.Errorf("%s holds no certificate in PEM: give the certificate of the authority that signed the MQTT "+
				"broker's", from)
	}
	return all, nil
}

// pool holds certificates; of none it is the system's.
func pool(all []*x509.Certificate) *x509.CertPool {
	if all == nil {
		return nil
	}
	pool := x509.NewCertPool()
	for _, one := range all {
		pool.AddCert(one)
	}
	return pool
}
