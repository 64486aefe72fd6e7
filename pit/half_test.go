package pit

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/peopletest"
)

// TestHalfAsked: a connection that asks for nothing, or for half of something, is over once a request must have been
// sent.
func TestHalfAsked(t *testing.T) {
	for name, c := range map[string]struct {
		sent   string
		within time.Duration
	}{
		"nothing":     {"", site.HeaderTime},
		"a letter":    {"G", site.HeaderTime},
		"half a head": {"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", site.HeaderTime},
		"half a form": {"POST /enter HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: " +
			"application/json\r\nContent-Length: 4000\r\n\r\n{", 10 * time.Second},
		"half a body": {"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000\r\n\r\n{", 10 * time.Second},
		"half of chunks": {
			"PUT /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n",
			10 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { halfAsked(t, c.sent, c.within) })
		})
	}
}

func halfAsked(t *testing.T, sent string, within time.Duration) {
	log := slog.New(slog.DiscardHandler)
	w, p := webDefault()
	w.Listen = "127.0.0.1:0"
	e, err := OpenEntrance(Config{Web: w, People: p}, peopletest.NewMemory(), display.English, log)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.listener.Close(); err != nil {
		t.Fatal(err)
	}
	inner := bubble.Listen()
	e.listener = site.Listen(inner, limits(nil, log))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- e.Serve(ctx, peopletest.AnySite(http.NotFound)) }()

	c, err := inner.Dial(ctx, "", "")
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if _, err := io.WriteString(c, sent); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(c); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > within {
		t.Errorf("it lasts %v, not %v", took, within)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
