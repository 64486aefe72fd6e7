package broker

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

// TestHostToDial: a broker that listens at the address of a name is reached there alone.
func TestHostToDial(t *testing.T) {
	for host, want := range map[string]string{
		"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "127.0.0.1", "::1": "::1", "10.0.0.1": "10.0.0.1",
		"localhost": "localhost", "pit.casino.example": "pit.casino.example",
	} {
		if got := hostToDial(host); got != want {
			t.Errorf("%q is dialled at %s", host, got)
		}
	}
}

// TestLogOfAFlood: whatever a client says that is refused, and under however many names, a kind of line is logged some
// times a minute, and the next one says how many were left out. Another kind is logged all the same.
func TestLogOfAFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		l := newLogger(slog.New(slog.NewTextHandler(&text, nil)))
		refuse := func(n int) {
			name := fmt.Sprintf("a \"- %d", n)
			l.Errorf(fmt.Sprintf("10.0.0.9:%d - mid:%d - %q - Publish Violation - Subject %%q", n, n, name),
				fmt.Sprintf("sabot.v1.kursaal.bj-%d.event", n))
		}
		for n := range 1000 {
			refuse(n)
		}
		l.Warnf("JetStream is %s", "slow")
		lines := strings.Count(text.String(), "\n")
		if lines != oftenTold+1 || !strings.Contains(text.String(), "is slow") {
			t.Errorf("%d lines:\n%s", lines, text.String())
		}
		bubble.Pass(quietFor)
		text.Reset()
		refuse(7)
		if !strings.Contains(text.String(), "more_like_it=990") {
			t.Errorf("it does not say how many there were: %s", text.String())
		}
	})
}

// TestKindsOfLines: lines that are all of another kind are no way around it.
func TestKindsOfLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		l := newLogger(slog.New(slog.NewTextHandler(&text, nil)))
		for n := range 300 {
			l.Errorf("%s", strings.Repeat("x", 1+n))
		}
		if lines := strings.Count(text.String(), "\n"); lines != mostKinds+oftenTold || len(l.told) > mostKinds+1 {
			t.Errorf("%d lines of %d kinds", lines, len(l.told))
		}
	})
}
