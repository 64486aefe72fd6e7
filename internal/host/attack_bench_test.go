package host_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
)

// BenchmarkCardUnderAttack times cards as BenchmarkCard does, at a table whose page is on a network: in quiet, and
// while it is attacked in every way at once. The attackers share the computer's cores with the table, and their work is
// in what the second figures have more: view-p99/quiet says by how much.
func BenchmarkCardUnderAttack(b *testing.B) {
	var quiet time.Duration // 99 of 100 cards were shown by then
	for _, attacked := range []bool{false, true} {
		name := "quiet"
		if attacked {
			name = "attacked"
		}
		b.Run(name, func(b *testing.B) {
			broker := brokertest.StartMosquitto(b)
			n := newNetworked(b)
			with := timing{change: n.configure, views: func(all []time.Duration) { quiet = quantile(all, 0.99) }}
			if attacked {
				with.beside = n.attack
				with.views = func(all []time.Duration) {
					if quiet > 0 { // it was measured before, in the same run
						b.ReportMetric(float64(quantile(all, 0.99))/float64(quiet), "view-p99/quiet")
					}
				}
			}
			timeCardsAt(b, processes.FastDir(b), broker.Addr(), with)
		})
	}
}

// networked is a page on a network, with a screen for a guest and one with the PIN pad.
type networked struct {
	b         *testing.B
	cert, key string
	pem       []byte
	keys      map[web.Role]web.Key
}

func newNetworked(b *testing.B) *networked {
	dir := b.TempDir()
	n := &networked{
		b: b, cert: filepath.Join(dir, "page.crt"), key: filepath.Join(dir, "page.key"),
		keys: map[web.Role]web.Key{web.View: web.NewKey(), web.Supervisor: web.NewKey()},
	}
	cert, key, err := site.SelfSigned([]string{"127.0.0.1"}, time.Now().AddDate(0, -1, 0),
		time.Now().AddDate(1, 0, 0))
	if err != nil {
		b.Fatal(err)
	}
	n.pem = cert
	for path, text := range map[string][]byte{n.cert: cert, n.key: key} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			b.Fatal(err)
		}
	}
	return n
}

func (n *networked) configure(c *config.Config) {
	c.Web.CertFile, c.Web.KeyFile = n.cert, n.key
	for role, key := range n.keys {
		c.Web.Screens = append(c.Web.Screens,
			config.Screen{Name: role.String(), Role: role, Key: config.ScreenKeyHash(key.Hash().String())})
	}
}

// attack attacks until ctx ends. That something gets through is what TestAttackAllAtOnce looks for.
func (n *networked) attack(ctx context.Context, d *host.Daemon) error {
	page, err := url.Parse(d.URL())
	if err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(n.pem)
	trusting := &tls.Config{RootCAs: roots}
	target := attack.Target{Address: page.Host, URL: "https://" + page.Host, TLS: trusting}
	if target.View, err = n.enter(ctx, target, web.View); err != nil {
		return err
	}
	if target.Supervisor, err = n.enter(ctx, target, web.Supervisor); err != nil {
		return err
	}
	target.Lay(ctx)
	return nil
}

// enter is the browser of a screen that has entered.
func (n *networked) enter(ctx context.Context, at attack.Target, role web.Role) (*http.Client, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	browser := &http.Client{Jar: jar, Transport: &http.Transport{
		TLSClientConfig:   at.TLS.Clone(),
		ForceAttemptHTTP2: true,
	}}
	body, err := json.Marshal(map[string]string{"key": n.keys[role].String()})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, at.URL+"/enter", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := browser.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the screen for %s was answered %s", role, response.Status)
	}
	return browser, nil
}
