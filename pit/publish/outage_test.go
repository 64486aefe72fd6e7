package publish

import (
	"errors"
	"net"
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/broker/brokertest"
)

func TestAnOutageIsTalkedAboutSparingly(t *testing.T) {
	var log brokertest.Log
	o := outage{log: log.Logger(), broker: "tcp://pit"}
	now := time.Date(2026, 3, 29, 20, 0, 0, 0, time.UTC)
	fail := func(err error) {
		o.failed(now, err, 9)
		now = now.Add(10 * time.Second)
	}
	refused := errors.New("connection refused")
	for range 30 { // up to 4:50 after the first
		fail(refused)
	}
	if log.Count("level=WARN") != 1 || log.Count("connection refused") != 1 {
		t.Fatalf("in the first five minutes the log says:\n%s", log.String())
	}
	fail(refused) // 5:00
	if log.Count("level=WARN") != 2 || log.Count("still no MQTT connection") != 1 || log.Count("attempts=31") != 1 {
		t.Fatalf("after five minutes the log says:\n%s", log.String())
	}
	fail(errors.New("bad password"))
	fail(refused)
	fail(errors.New("bad password"))
	if log.Count("level=WARN") != 3 || log.Count("bad password") != 1 {
		t.Fatalf("with another cause the log says:\n%s", log.String())
	}
	o.over(now, 123)
	if log.Count("is back") != 1 || log.Count("to_catch_up=123") != 1 || log.Count("attempts=34") != 1 || log.Count("away=5m40s") != 1 {
		t.Fatalf("after the outage the log says:\n%s", log.String())
	}
	fail(refused)
	if log.Count("level=WARN") != 4 {
		t.Fatalf("a second outage is not told:\n%s", log.String())
	}
}

func TestACauseIsTheSameWhateverThePort(t *testing.T) {
	failure := func(port int) error {
		return &net.OpError{Op: "read", Source: &net.TCPAddr{Port: port}, Err: errors.New("connection reset")}
	}
	if a, b := explain(failure(1), "pit:1883"), explain(failure(2), "pit:1883"); a.Error() == b.Error() || causeOf(a) != causeOf(b) {
		t.Errorf("%v and %v have the causes %q and %q", a, b, causeOf(a), causeOf(b))
	}
}

func TestBackoff(t *testing.T) {
	b := backoff{least: 200 * time.Millisecond, most: 10 * time.Second}
	for range 2 {
		for _, step := range []float64{0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10} {
			if got := b.pause().Seconds(); got < step/2 || got > step {
				t.Errorf("the pause of %v s is %v s", step, got)
			}
		}
		b.reset()
	}
}
