package host

import (
	"errors"
	"log/slog"
	"net"
	"testing"

	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/system"
)

// TestMayCome: an address that may come is waited for, and what waiting does not mend ends the start.
func TestMayCome(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for address, want := range map[string]bool{
		"192.0.2.7:8443":         true,
		"[2001:db8::7]:8443":     true,
		"[fe80::1%no-such]:8443": true,
		"table-1.invalid:8443":   true,
		taken.Addr().String():    false,
		"no port":                false,
	} {
		if l, err := net.Listen("tcp", address); err == nil {
			l.Close()
			t.Errorf("this machine has %s", address)
		} else if got := mayCome(err); got != want {
			t.Errorf("%s may come: %t, not %t: %v", address, got, want, err)
		}
	}
}

// TestBeside: only a page that this machine could not reach without the network is served beside it.
func TestBeside(t *testing.T) {
	for listen, want := range map[string]string{
		"192.0.2.7:8443":       "127.0.0.1:8443",
		"[2001:db8::7]:8443":   "127.0.0.1:8443",
		"table-1.example:8443": "127.0.0.1:8443",
		"0.0.0.0:8443":         "",
		"[::]:8443":            "",
		":8443":                "",
		"127.0.0.1:8080":       "",
		"localhost:8080":       "",
		"192.0.2.7:0":          "",
		"nonsense":             "",
	} {
		if got := besideOf(config.Web{Listen: listen}); got != want {
			t.Errorf("%s is served at %q, too, and not at %q", listen, got, want)
		}
	}
}

// TestPageWaits: a listener whose address is not there accepts at this machine's own, and ends as others do.
func TestPageWaits(t *testing.T) {
	own := system.Address(t)
	_, port, err := net.SplitHostPort(own)
	if err != nil {
		t.Fatal(err)
	}
	w := config.Web{Listen: net.JoinHostPort("192.0.2.7", port), Screens: []config.Screen{{Name: "touch"}}}
	var missing []error // told before anybody looks for the address, so that nothing is told out of turn
	l, err := listenPage(w, func(err error) {
		if len(missing) > 0 {
			t.Errorf("the address changed: %v", err)
			return
		}
		missing = append(missing, err)
	}, slog.New(slog.DiscardHandler))
	if err != nil || l.Addr().String() != w.Listen || l.Addr().Network() != "tcp" {
		t.Fatalf("%v, %v", l, err)
	}
	if len(missing) != 1 || missing[0] == nil {
		t.Fatalf("told %v", missing)
	}
	sent, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	defer sent.Close()
	got, err := l.Accept()
	if err != nil || got.RemoteAddr().String() != sent.LocalAddr().String() {
		t.Fatalf("%v, %v", got, err)
	}
	got.Close()
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed listener says %v", err)
	}
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a listener that is closed twice says %v", err)
	}
}
