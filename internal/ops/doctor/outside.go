package doctor

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/site"
)

const (
	// answerWithin is how long the daemon may take to answer.
	answerWithin = 5 * time.Second
	// mostAnswer is more than it answers, in bytes.
	mostAnswer = 4 << 20
)

// OverHTTP asks a table's page as other programs do. Its Get is an Ask's Outside.
type OverHTTP struct {
	// Key is a screen's, with the role view; "" for a page that asks for none.
	Key string
	// TLS says whom to trust as the page; nil is the certificate that the configuration names.
	TLS *tls.Config
}

// Get asks the page at an address, "" for that of a configuration, for something. The key is sent to nobody but who has
// the page's certificate.
func (o *OverHTTP) Get(ctx context.Context, address string, c *config.Config, path string) (
	status int, body []byte, err error,
) {
	base, host, trust := address, "", o.TLS
	if base == "" {
		if base, err = c.Web.FromHere(); err != nil {
			return 0, nil, err
		}
	}
	if trust == nil && c != nil && c.Web.CertFile != "" {
		if trust, err = pinned(c.Web.CertFile); err != nil {
			return 0, nil, err
		}
		host = trust.ServerName
	}
	to, err := url.Parse(base)
	if err != nil || to.Host == "" {
		return 0, nil, fmt.Errorf("%q is no address of a page: write it as http://127.0.0.1:8080/", base)
	}
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, to.JoinPath(path).String(), http.NoBody)
	if err != nil {
		return 0, nil, err
	}
	if host != "" {
		ask.Host = net.JoinHostPort(host, to.Port())
	}
	if o.Key != "" && to.Scheme == "https" {
		ask.Header.Set("Authorization", "Bearer "+o.Key)
	}
	client := http.Client{
		Timeout:       answerWithin,
		Transport:     &http.Transport{TLSClientConfig: trust, DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(ask)
	if err != nil {
		return 0, nil, err
	}
	body, err = io.ReadAll(io.LimitReader(answer.Body, mostAnswer+1))
	if err = errors.Join(err, answer.Body.Close()); err == nil && len(body) > mostAnswer {
		err = fmt.Errorf("%s answered more than %d bytes", base, mostAnswer)
	}
	return answer.StatusCode, body, err
}

// pinned trusts whoever has the certificate of a file, by whatever address it is reached: it is this computer's.
func pinned(file string) (*tls.Config, error) {
	leaf, err := firstCertificate(file)
	if err != nil {
		return nil, err
	}
	name := ""
	if names := site.CertificateNames(leaf); len(names) > 0 {
		name = names[0]
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS13, ServerName: name,
		InsecureSkipVerify: true, // the certificate itself is compared instead
		VerifyConnection: func(s tls.ConnectionState) error {
			if len(s.PeerCertificates) == 0 || !bytes.Equal(s.PeerCertificates[0].Raw, leaf.Raw) {
				return fmt.Errorf("who answers has not the certificate of %s: give the page's with --ca", file)
			}
			return nil
		},
	}, nil
}
