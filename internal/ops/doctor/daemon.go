package doctor

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/internal/ops/metrics"
	"github.com/sabot-table/sabot/internal/securefile"
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

// Get asks the page of the table of a configuration for its health or its metrics.
func (a *Ask) Get(ctx context.Context, c *config.Config, path string) (status int, body []byte, err error) {
	if a.Inside != nil {
		return a.Inside(path)
	}
	return a.Outside(ctx, a.URL, c, path)
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
