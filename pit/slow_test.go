package pit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/peopletest"
)

// TestWhoDoesNotRead: a browser, also a stranger's, that asks and takes no answer does not keep its connection for
// good; a stream that gives each of its messages a time of its own goes on.
func TestWhoDoesNotRead(t *testing.T) {
	w, p := webDefault()
	w.Listen = "127.0.0.1:0"
	c := Config{Web: w, People: p}
	e, err := OpenEntrance(c, peopletest.NewMemory(), display.English, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	address := e.listener.Addr().String()
	if err := e.listener.Close(); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		listener := bubble.Listen()
		e.listener = listener
		gone, streamed := make(chan error, 1), make(chan error, 1)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- e.Serve(ctx, peopletest.AnySite(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/stream" {
					control := http.NewResponseController(w)
					<-time.After(2 * e.slow)
					_ = control.SetWriteDeadline(time.Now().Add(time.Minute))
					_, err := fmt.Fprintln(w, "still here")
					streamed <- errors.Join(err, control.Flush())
					return
				}
				var err error
				for page := make([]byte, 1<<16); err == nil; {
					_, err = w.Write(page)
				}
				gone <- err
			}))
		}()
		for path, over := range map[string]chan error{"/": gone, "/stream": streamed} {
			c, err := listener.Dial(t.Context(), "", "")
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, address); err != nil {
				t.Fatal(err)
			}
			if path == "/stream" {
				go io.Copy(io.Discard, c)
			}
			select {
			case err := <-over:
				if (err != nil) != (path == "/") {
					t.Errorf("%s ends with %v", path, err)
				}
			case <-time.After(time.Hour):
				t.Errorf("%s is written for good", path)
			}
		}
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
