package page

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/sim-hardware/broker"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/profile"
)

// secured is a broker with TLS.
func secured(t *testing.T, shows tls.Certificate) *brokertest.Secured {
	t.Helper()
	b, err := broker.Listen("127.0.0.1:0", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return brokertest.Secure(t, b.Addr(), shows)
}

// annas is what proves anna.
var annas = authority.Given{Name: "anna", PIN: "58219"}

// permitted has the page try a broker for somebody, if anybody.
func (d *asked) permitted(t *testing.T, g given, by ...authority.Given) string {
	t.Helper()
	if len(by) > 0 {
		leave := given{Answers: g.Answers, About: "pit", Given: by[0]}
		body, err := json.Marshal(leave)
		if err != nil {
			t.Fatal(err)
		}
		_, said := answered(d, request("POST", "/settings/permit", string(body)))
		g.Permit = said.Permit
	}
	body, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// tries has the page try a broker, by what is trusted.
func tries(t *testing.T, d *asked, addr, trusted string, by ...authority.Given) answer {
	t.Helper()
	body := d.permitted(t, given{Answers: pitAnswers(addr, trusted)}, by...)
	status, said := answered(d, request("POST", "/settings/broker", body))
	if status != http.StatusOK {
		t.Fatalf("it answers %d", status)
	}
	return said
}

func pitAnswers(addr, trusted string) []settings.Answer {
	all := []settings.Answer{{Key: "mqtt.broker", Text: "ssl://" + addr}}
	if trusted != "" {
		all = append(all, settings.Answer{Key: "mqtt.ca_file", Text: trusted})
	}
	return all
}

// TestTrust: what an unknown broker could be believed by is shown as openssl shows it, and once it is trusted the
// broker is reached, by the page as by the table.
func TestTrust(t *testing.T) {
	root := brokertest.NewAuthority(t, "Pit CA", nil)
	leaf := brokertest.NewBroker(t, root)
	for what, c := range map[string]struct {
		shows tls.Certificate
		want  *brokertest.Signed
		own   bool
	}{
		"an own authority": {leaf.Shown(true), root, false},
		"a leaf alone":     {leaf.Shown(false), leaf, true},
	} {
		t.Run(what, func(t *testing.T) {
			d, gate := newDesk(t, true), secured(t, c.shows)
			said := tries(t, d, gate.Addr, "")
			if said.Wrong == "" || said.Trust == nil || said.Never != "" {
				t.Fatalf("an unknown broker is told as %+v", said)
			}
			shown, x := *said.Trust, c.want.Certificate
			if shown.Name != x.Subject.CommonName || shown.Own != c.own ||
				shown.From != x.NotBefore.Format("2006-01-02") || shown.Until != x.NotAfter.Format("2006-01-02") {
				t.Errorf("it shows %+v", shown)
			}
			if !strings.HasSuffix(openssl(t, shown.PEM), "="+shown.SHA256) {
				t.Errorf("openssl says %s, the page %s", openssl(t, shown.PEM), shown.SHA256)
			}
			if said := tries(t, d, gate.Addr, shown.PEM); !reflect.DeepEqual(said, answer{}) {
				t.Errorf("once it is trusted: %+v", said)
			}
		})
	}
}

// openssl is the fingerprint that docs/first-start.md has people print.
func openssl(t *testing.T, certificate string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(file, []byte(certificate), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("openssl", "x509", "-in", file, "-noout", "-fingerprint", "-sha256").CombinedOutput()
	if err != nil {
		t.Fatalf("this test needs Debian's package openssl: %v: %s", err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestNeverTrusted: neither another name nor a date can be trusted away.
func TestNeverTrusted(t *testing.T) {
	root := brokertest.NewAuthority(t, "Pit CA", nil)
	ended := brokertest.NewAuthority(t, "Pit CA", nil, brokertest.Expired)
	for what, c := range map[string]struct {
		shows   *brokertest.Signed
		trusted *brokertest.Signed
		want    never
	}{
		"another name":               {brokertest.NewBroker(t, root, brokertest.Elsewhere), nil, otherName},
		"another name, trusted":      {brokertest.NewBroker(t, root, brokertest.Elsewhere), root, otherName},
		"expired":                    {brokertest.NewBroker(t, root, brokertest.Expired), nil, notNow},
		"expired, trusted":           {brokertest.NewBroker(t, root, brokertest.Expired), root, notNow},
		"an ended authority":         {brokertest.NewBroker(t, ended), nil, notNow},
		"an ended authority trusted": {brokertest.NewBroker(t, ended), ended, notNow},
		"no name, as of old": {
			brokertest.NewBroker(t, root, func(c *x509.Certificate) { c.IPAddresses = nil }),
			root, otherName,
		},
	} {
		trusted := ""
		if c.trusted != nil {
			trusted = pemOf(c.trusted)
		}
		for _, whole := range []bool{true, false} {
			gate := secured(t, c.shows.Shown(whole))
			if !whole && what == "an ended authority" {
				continue // it is not shown, so that nobody can say that it is ended
			}
			if said := tries(t, newDesk(t, true), gate.Addr, trusted); said.Wrong == "" || said.Trust != nil ||
				said.Never != c.want {
				t.Errorf("%s, the whole chain %t: %+v", what, whole, said)
			}
		}
	}
}

func pemOf(s *brokertest.Signed) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate.Raw}))
}

// TestAnotherIsShown: if the broker shows another certificate between the question and the touch, that which was shown
// is trusted, and the other one is asked about anew.
func TestAnotherIsShown(t *testing.T) {
	first, second := brokertest.NewAuthority(t, "Pit CA", nil), brokertest.NewAuthority(t, "Pit CA", nil)
	d, gate := newDesk(t, true), secured(t, brokertest.NewBroker(t, first).Shown(true))
	shown := tries(t, d, gate.Addr, "").Trust
	gate.Show(brokertest.NewBroker(t, second).Shown(true))
	said := tries(t, d, gate.Addr, shown.PEM)
	if said.Wrong == "" || said.Trust == nil || said.Trust.PEM != pemOf(second) || shown.PEM != pemOf(first) {
		t.Errorf("another certificate than that which was trusted is told as %+v", said)
	}
}

// TestTrustIsProven: later, a broker is neither asked nor trusted without a supervisor; with one, what is trusted is
// the configuration's.
func TestTrustIsProven(t *testing.T) {
	root := brokertest.NewAuthority(t, "Pit CA", nil)
	d, gate := newDesk(t, false), secured(t, brokertest.NewBroker(t, root).Shown(true))
	if said := tries(t, d, gate.Addr, ""); !said.Untried || said.Trust != nil || gate.Connections.Load() > 0 {
		t.Errorf("nobody is proven, and after %d connections is said %+v", gate.Connections.Load(), said)
	}
	body, err := json.Marshal(given{Answers: pitAnswers(gate.Addr, pemOf(root))})
	if err != nil {
		t.Fatal(err)
	}
	if status, _ := answered(d, request("POST", "/settings/save", string(body))); status != http.StatusConflict ||
		d.saved != nil {
		t.Errorf("nobody is proven: %d, and %v is saved", status, d.saved)
	}
	said := tries(t, d, gate.Addr, "", annas)
	if said.Trust == nil {
		t.Fatalf("to a supervisor is said %+v", said)
	}
	path := filepath.Join(t.TempDir(), "sabot.yaml")
	answers := append(pitAnswers(gate.Addr, said.Trust.PEM),
		settings.Answer{Key: "supervisors.names", Text: "anna", PIN: "58219"})
	c, err := settings.Change(path, profile.Built(), answers)
	if err != nil {
		t.Fatal(err)
	}
	d.options.Text = settings.At(path).Read
	d.serve()
	if said := tries(t, d, gate.Addr, "", annas); !reflect.DeepEqual(said, answer{}) || c.MQTT.CAFile == "" {
		t.Errorf("with %q in the file is said %+v", c.MQTT.CAFile, said)
	}
}

// A name comes from a stranger: nothing in it is hidden, and it fits.
func TestNameIsShortened(t *testing.T) {
	root := brokertest.NewAuthority(t, "Pit\u202e\n"+strings.Repeat("x", 40), nil, func(c *x509.Certificate) {
		c.Subject.CommonName += strings.Repeat("y", 20)
	})
	gate := secured(t, brokertest.NewBroker(t, root).Shown(true))
	said := tries(t, newDesk(t, true), gate.Addr, "")
	if said.Trust == nil {
		t.Fatalf("it says %+v", said)
	}
	if name := said.Trust.Name; strings.ContainsAny(name, "\u202e\n") || len([]rune(name)) > mostName+1 ||
		!strings.HasSuffix(name, "…") {
		t.Errorf("the name is %q", name)
	}
}
