package page

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/settings"
	"github.com/sabot-table/sabot/sim-hardware/broker"
)

// TestKeptPassword: a broker that has not changed is tried with the password that is kept, and no other one is told it.
func TestKeptPassword(t *testing.T) {
	login := broker.NewLogin("bj-1")
	brokers := make([]string, 2)
	for i := range brokers {
		b, err := broker.ListenFor(login, "127.0.0.1:0", nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		brokers[i] = "tcp://" + b.Addr()
	}
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(login.Password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, false)
	d.options.Text = func() ([]byte, error) {
		return fmt.Appendf(nil, "mqtt: {broker: %q, username: bj-1, password_file: %q}\n", brokers[0], secret), nil
	}
	d.serve()
	for _, c := range []struct {
		what, broker, user string
		typed              bool
		reached            bool
	}{
		{"nothing changed", brokers[0], "bj-1", false, true},
		{"another broker", brokers[1], "bj-1", false, false},
		{"another user", brokers[0], "bj-2", false, false},
		{"another password", brokers[0], "bj-1", true, false},
	} {
		answers := []settings.Answer{{Key: "mqtt.broker", Text: c.broker}, {Key: "mqtt.username", Text: c.user}}
		if c.typed {
			answers = append(answers, settings.Answer{Key: "mqtt.password_file", Text: "wrong"})
		}
		body := d.permitted(t, given{Answers: answers}, annas)
		if _, said := answered(d, request("POST", "/settings/broker", body)); (said.Wrong == "") != c.reached {
			t.Errorf("%s: %+v", c.what, said)
		}
	}
}

// TestKeptPasswordAuthority: whoever is vouched for by another authority is not told it either.
func TestKeptPasswordAuthority(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("58219\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t, false)
	d.options.Text = func() ([]byte, error) {
		return fmt.Appendf(nil, "mqtt: {broker: \"ssl://pit:8883\", username: bj-1, password_file: %q}\n", secret), nil
	}
	p := &page{Options: d.options}
	for authority, want := range map[string]string{"": "58219", "another": ""} {
		g := given{Answers: []settings.Answer{
			{Key: "mqtt.broker", Text: "ssl://pit:8883"},
			{Key: "mqtt.ca_file", Text: authority},
		}}
		tried, err := p.with(g.Answers)
		if err != nil {
			t.Fatal(err)
		}
		if password, err := p.password(g, tried); password != want || err != nil {
			t.Errorf("with the authority %q it is told %q, %v", authority, password, err)
		}
	}
}
