package transport

import (
	"errors"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

func TestAnOutageIsTalkedAboutSparingly(t *testing.T) {
	var log brokertest.Log
	o := Outage{
		Log: log.Logger(), Lost: "no MQTT connection", Still: "still no MQTT connection",
		Back: "it is back",
	}
	now := time.Date(2026, 3, 29, 20, 0, 0, 0, time.UTC)
	fail := func(err error) {
		o.Failed(now, "tcp://pit", err, "waiting", 9)
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
	o.Over(now, "tcp://pit", "to_catch_up", 123)
	if log.Count("is back") != 1 || log.Count("to_catch_up=123") != 1 || log.Count("attempts=34") != 1 ||
		log.Count("away=5m40s") != 1 {
		t.Fatalf("after the outage the log says:\n%s", log.String())
	}
	fail(refused)
	if log.Count("level=WARN") != 4 {
		t.Fatalf("a second outage is not told:\n%s", log.String())
	}
}
