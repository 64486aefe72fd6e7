package settings

import (
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// certificate is one in PEM.
func certificate(t *testing.T) string {
	t.Helper()
	raw := brokertest.NewAuthority(t, "Pit CA", nil).Certificate.Raw
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw}))
}

// changed is a file that a first start has written, and what changes it.
func changed(t *testing.T) (path string, change func(answers ...Answer) (config.Config, error)) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "sabot.yaml")
	change = func(answers ...Answer) (config.Config, error) { return Change(path, houses, answers) }
	if _, err := change(least...); err != nil {
		t.Fatal(err)
	}
	return path, change
}

// apartFrom lists the files beside the configuration that are no snapshots of it.
func apartFrom(t *testing.T, path string) (names []string) {
	t.Helper()
	all, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		if !strings.HasPrefix(one.Name(), filepath.Base(path)) {
			names = append(names, one.Name())
		}
	}
	return names
}

// TestKeptApart: a password and a certificate that is trusted each go into a new file, for its owner and group, which
// the key names. Those before stay, for the snapshots name them.
func TestKeptApart(t *testing.T) {
	path, change := changed(t)
	broker, user := Answer{Key: "mqtt.broker", Text: "ssl://pit:8883"}, Answer{Key: "mqtt.username", Text: "bj-7"}
	first, second := certificate(t), certificate(t)
	if _, err := change(broker, user, Answer{Key: "mqtt.password_file", Text: "secret"},
		Answer{Key: "mqtt.ca_file", Text: first}); err != nil {
		t.Fatal(err)
	}
	c, err := change(Answer{Key: "mqtt.ca_file", Text: "\n" + second + "\n"},
		Answer{Key: "mqtt.password_file", Text: "other"})
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(path)
	if c.MQTT.CAFile != filepath.Join(folder, "mqtt-authority.0002") ||
		c.MQTT.PasswordFile != filepath.Join(folder, "mqtt-password.0002") {
		t.Errorf("the file names %s and %s", c.MQTT.CAFile, c.MQTT.PasswordFile)
	}
	for name, want := range map[string]string{
		"mqtt-password.0001": "secret\n", "mqtt-password.0002": "other\n",
		"mqtt-authority.0001": first, "mqtt-authority.0002": second,
	} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || string(text) != want {
			t.Errorf("%s holds %q, %v", name, text, err)
		}
		if info, err := os.Stat(filepath.Join(folder, name)); err != nil || info.Mode().Perm()&^0o640 != 0 {
			t.Errorf("%s has %v, %v", name, info.Mode(), err)
		}
	}
}

// TestAttackKeptPassword: whoever changes the broker, the user or what vouches for the broker does not have the
// password that is kept sent there, at a first start or later; what is put in with a password has that one.
func TestAttackKeptPassword(t *testing.T) {
	authority := certificate(t)
	kept := []Answer{
		{Key: "mqtt.broker", Text: "ssl://pit:8883"},
		{Key: "mqtt.username", Text: "bj-7"},
		{Key: "mqtt.ca_file", Text: certificate(t)},
	}
	tries, through := 0, 0
	for what, c := range map[string]struct {
		answers []Answer
		keeps   bool
	}{
		"another broker":    {[]Answer{{Key: "mqtt.broker", Text: "ssl://evil:8883"}}, false},
		"another port":      {[]Answer{{Key: "mqtt.broker", Text: "ssl://pit:8884"}}, false},
		"no TLS":            {[]Answer{{Key: "mqtt.broker", Text: "tcp://127.0.0.1:1883"}}, false},
		"another user":      {[]Answer{{Key: "mqtt.username", Text: "bj-8"}}, false},
		"another authority": {[]Answer{{Key: "mqtt.ca_file", Text: authority}}, false},
		"any authority":     {[]Answer{{Key: "mqtt.ca_file", Text: ""}}, false},
		"the same in between": {[]Answer{
			{Key: "mqtt.broker", Text: "ssl://pit:8883"},
			{Key: "mqtt.username", Text: "bj-7"},
		}, true},
		"something else": {[]Answer{{Key: "min", Text: "20"}}, true},
	} {
		path, change := changed(t)
		if _, err := change(append(kept, Answer{Key: "mqtt.password_file", Text: "secret"})...); err != nil {
			t.Fatal(err)
		}
		next, err := change(c.answers...)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		tries++
		switch has := next.MQTT.PasswordFile != ""; {
		case has && !c.keeps:
			through++
			t.Errorf("%s is told the password", what)
		case !has && c.keeps:
			t.Errorf("%s: the password is dropped", what)
		}
		given, err := change(append(c.answers, Answer{Key: "mqtt.password_file", Text: "new"})...)
		if err != nil || given.MQTT.PasswordFile != filepath.Join(filepath.Dir(path), "mqtt-password.0002") {
			t.Errorf("%s, with a password: it is in %q, %v", what, given.MQTT.PasswordFile, err)
		}
	}
	attack.Report(t, "the kept password at another broker", tries, through)
}

// TestOneCertificate: nothing but one certificate is trusted, and what is refused leaves no file.
func TestOneCertificate(t *testing.T) {
	path, change := changed(t)
	one := certificate(t)
	before := contents(t, At(path))
	const broker = "ssl://pit:8883"
	for what, c := range map[string]struct{ broker, text, want string }{
		"no certificate": {
			broker, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
			"is not a certificate",
		},
		"two of them":    {broker, one + certificate(t), "is not one certificate"},
		"more text":      {broker, one + "site: a\n", "is not one certificate"},
		"another kind":   {broker, strings.ReplaceAll(one, "CERTIFICATE", "PRIVATE KEY"), "is not one certificate"},
		"a path":         {broker, "/etc/ssl/certs/ca-certificates.crt", "is not one certificate"},
		"a wrong broker": {"ssl://pit:8883/x", one, "continues after the port"},
	} {
		_, err := change(Answer{Key: "mqtt.ca_file", Text: c.text}, Answer{Key: "mqtt.broker", Text: c.broker})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", what, err, c.want)
		}
		if left := apartFrom(t, path); left != nil || contents(t, At(path)) != before {
			t.Errorf("%s leaves %v", what, left)
		}
	}
}

// TestNothingVouchesWithoutTLS: what vouches for a broker goes with it, for a file that names it beside a broker
// without TLS is refused, and nobody at the screen could take it out.
func TestNothingVouchesWithoutTLS(t *testing.T) {
	for _, broker := range []string{"tcp://127.0.0.1:1883", ""} {
		_, change := changed(t)
		if _, err := change(Answer{Key: "mqtt.broker", Text: "ssl://pit:8883"},
			Answer{Key: "mqtt.ca_file", Text: certificate(t)}); err != nil {
			t.Fatal(err)
		}
		if c, err := change(Answer{Key: "mqtt.broker", Text: "ssl://pit2:8883"}); err != nil || c.MQTT.CAFile == "" {
			t.Errorf("with another broker with TLS, %q vouches, %v", c.MQTT.CAFile, err)
		}
		if c, err := change(Answer{Key: "mqtt.broker", Text: broker}); err != nil || c.MQTT.CAFile != "" {
			t.Errorf("with the broker %q, %q vouches, %v", broker, c.MQTT.CAFile, err)
		}
	}
}
