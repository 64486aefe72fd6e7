package doctor

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/internal/site"
)

const (
	// answerWithin is how long the daemon may take to answer.
	answerWithin = 5 * time.Second
	// mostAnswer is more than it answers, in bytes.
	mostAnswer = 4 << 20
)

// askDaemon asks the running daemon for its health and its metrics. Its reasons come first: it knows the table best.
func (x *exam) askDaemon(ctx context.Context) {
	if x.URL == "" && x.Inside == nil && x.withoutConfig(health.AreaDaemon, "whether it answers") {
		return
	}
	status, text, err := x.Get(ctx, x.config, "health")
	switch {
	case err != nil:
		x.wrong("daemon-silent", err.Error(), "")
		return
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		x.unseen(health.AreaDaemon, "its health",
			fmt.Sprintf("it answers %d: give a screen's key of role view, with --key FILE", status))
		return
	}
	report, err := health.Read(text)
	if err != nil {
		x.unseen(health.AreaDaemon, "its health", fmt.Sprintf("it answers %d: %v", status, err))
		return
	}
	for _, r := range report.Reasons {
		x.note(r)
	}
	if status, text, err = x.Get(ctx, x.config, "metrics"); err == nil && status == http.StatusOK {
		x.series, err = metrics.ReadText(text)
	}
	if err != nil || x.series == nil {
		x.unseen(health.AreaDaemon, "its metrics", fmt.Sprintf("it answers %d, %v", status, err))
		return
	}
	x.compareVersions()
}

// compareVersions looks whether the daemon that runs is the one that is installed.
func (x *exam) compareVersions() {
	if runs := strings.TrimSpace(x.series.Label("sabot_info", "version")); runs != "" && runs != x.Version {
		x.wrong("version-differs", fmt.Sprintf("%s runs, and this is %s", runs, x.Version), "")
	}
}

// Get asks the page of the table of a configuration for something. The key is sent to nobody but who has the page's
// certificate.
func (a *Ask) Get(ctx context.Context, c *config.Config, path string) (status int, body []byte, err error) {
	if a.Inside != nil {
		return a.Inside(path)
	}
	base, host, trust := a.URL, "", a.TLS
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
	if a.Key != "" && to.Scheme == "https" {
		ask.Header.Set("Authorization", "Bearer "+a.Key)
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

func firstCertificate(file string) (*x509.Certificate, error) {
	text, err := securefile.Read(file, mostText)
	if err != nil {
		return nil, err
	}
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" {
			return x509.ParseCertificate(block.Bytes)
		}
	}
	return nil, fmt.Errorf("%s holds no certificate in PEM form", file)
}
