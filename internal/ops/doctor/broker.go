package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/internal/ops/health"
)

const (
	// manyDrops of the connection, and more than dropsAnHour on average, are too many.
	manyDrops   = 3
	dropsAnHour = 1
)

// lookAtBroker looks whether the pit's brokers can be reached, how the connection to them lasts, and how long their
// certificates do.
func (x *exam) lookAtBroker(ctx context.Context) {
	x.countDrops()
	if x.withoutConfig(health.AreaPit, "the broker") {
		return
	}
	var failed []error
	brokers := strings.Fields(x.config.MQTT.Broker)
	for _, broker := range brokers {
		u, err := url.Parse(broker)
		if err != nil {
			x.unseen(health.AreaPit, "the broker", err.Error())
			return
		}
		secured := u.Scheme == "ssl" || u.Scheme == "tls" || u.Scheme == "mqtts"
		port := "1883"
		if secured {
			port = "8883"
		}
		address := net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port))
		if err := reach(ctx, address); err != nil {
			failed = append(failed, err)
		}
		if secured {
			x.lookAtCertificates(ctx, address, u.Hostname())
		}
	}
	x.reached(failed, len(brokers))
}

// reach tries to connect. Nothing is sent: who takes a table's name at the broker throws the table out. So whether the
// broker lets the table in is known only to the daemon.
func reach(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	return conn.Close()
}

// reached judges which of the brokers could not be reached. One that is left is enough.
func (x *exam) reached(failed []error, brokers int) {
	up, known := x.series.Value("sabot_pit_connected")
	switch {
	case brokers == 0 || x.page.Holds("pit-offline"): // the daemon has said it, with what it knows
	case len(failed) > 0 && (up > 0 || len(failed) < brokers):
		for _, err := range failed {
			x.unseen(health.AreaPit, "the broker from here", err.Error())
		}
	case len(failed) > 0:
		x.wrong("pit-offline", errors.Join(failed...).Error(), "")
	case !known:
		x.unseen(health.AreaPit, "whether the broker lets the table in", "only the running daemon tells")
	}
}

// lookAtCertificates looks how long those of the broker last.
func (x *exam) lookAtCertificates(ctx context.Context, address, name string) {
	shown, err := shownBy(ctx, address, name)
	if err != nil {
		x.unseen(health.AreaPit, "the broker's certificate", err.Error())
	}
	var trusted []*x509.Certificate
	if file := x.config.MQTT.CAFile; file != "" {
		if trusted, err = certificates(file); err != nil {
			x.unseen(health.AreaPit, "the certificates of mqtt.ca_file", why(err))
		}
	}
	for _, c := range needed(shown, trusted) {
		if c.NotAfter.Sub(x.Now) < health.EndsSoon {
			x.wrong("broker-certificate-ends",
				fmt.Sprintf("%s, on %s", cmp.Or(c.Subject.CommonName, x.config.MQTT.Broker),
					c.NotAfter.UTC().Format(time.DateOnly)), "")
		}
	}
}

// countDrops judges how often the daemon had to connect again since it started.
func (x *exam) countDrops() {
	drops, known := x.series.Value("sabot_pit_reconnects_total")
	started, dated := x.series.Value("process_start_time_seconds")
	if !known || !dated {
		return
	}
	up := x.Now.Sub(time.UnixMilli(int64(started * 1000)))
	if drops >= manyDrops && drops > dropsAnHour*up.Hours() {
		x.wrong("pit-drops", fmt.Sprintf("%.0f times in %s", drops, up.Round(time.Second)), "")
	}
}

// shownBy are the certificates that a server shows. Nothing is sent to it, and none of them is believed.
func shownBy(ctx context.Context, address, name string) ([]*x509.Certificate, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	dialer := tls.Dialer{Config: &tls.Config{ServerName: name, InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	shown := conn.(*tls.Conn).ConnectionState().PeerCertificates
	return shown, conn.Close()
}

// needed are the certificates that a connection needs: what the server shows, and the authority that vouches for it. If
// that cannot be said, it is the authority that ends last.
func needed(shown, trusted []*x509.Certificate) []*x509.Certificate {
	if len(trusted) == 0 {
		return shown
	}
	best := trusted[0]
	for _, c := range trusted {
		if c.NotAfter.After(best.NotAfter) {
			best = c
		}
	}
	for _, c := range trusted {
		if len(shown) > 0 && shown[len(shown)-1].CheckSignatureFrom(c) == nil {
			best = c
		}
	}
	if slices.ContainsFunc(shown, best.Equal) { // the server shows it, too
		return shown
	}
	return append(shown[:len(shown):len(shown)], best)
}
