package term_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/term"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

const deadline = 20 * time.Second

// follow starts following and returns what it is told, and an end that waits.
func follow(t *testing.T, url string, o term.FollowOptions) (views chan display.View, lost chan error) {
	t.Helper()
	views, lost = make(chan display.View), make(chan error)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- term.Follow(ctx, url, term.Follower{
			View: func(v display.View) {
				select {
				case views <- v:
				case <-ctx.Done():
				}
			},
			Lost: func(err error) {
				select {
				case lost <- err:
				case <-ctx.Done():
				}
			},
		}, o)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Follow ended with %v", err)
		}
	})
	return views, lost
}

func next[T any](t *testing.T, from <-chan T) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(deadline):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

func TestFollowGetsViewsAsTheyAre(t *testing.T) {
	s := web.New(web.Options{})
	want := displaytest.Named("payment")
	s.Show(want)
	page := httptest.NewServer(s.Handler())
	defer page.Close()
	defer page.CloseClientConnections()
	views, _ := follow(t, page.URL, term.FollowOptions{Silence: deadline})

	if got := next(t, views); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	s.Show(displaytest.Named("held"))
	if got := next(t, views); got.Held == nil {
		t.Errorf("no held view: %+v", got)
	}
}

func TestFollowComesBack(t *testing.T) {
	s := web.New(web.Options{})
	s.Show(displaytest.Named("play"))
	page := httptest.NewServer(s.Handler())
	defer page.Close()
	defer page.CloseClientConnections()
	views, lost := follow(t, page.URL, term.FollowOptions{Silence: deadline, Pause: time.Millisecond})

	next(t, views)
	page.CloseClientConnections()
	next(t, lost)
	if got := next(t, views); got.Round != 17 {
		t.Errorf("after the reconnect: %+v", got)
	}
}

func TestFollowTakesSilenceForLoss(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusOK)
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	}))
	defer silent.Close()
	_, lost := follow(t, silent.URL, term.FollowOptions{Silence: 50 * time.Millisecond})
	if err := next(t, lost); !strings.Contains(err.Error(), "nothing heard for 50ms") {
		t.Error(err)
	}
}

func TestFollowSaysWhatIsWrongWithTheStream(t *testing.T) {
	tests := []struct {
		name, body, want string
	}{
		{"ended", "", "ended the stream"},
		{"no view", "data: {\"seq\":true}\n\n", "no view"},
		{"no card", "data: {\"aside\":[\"1X\"]}\n\n", "is not a card"},
		{"too long", "data: " + strings.Repeat("x", 2<<20), "a line of more than"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, tt.body)
			}))
			defer odd.Close()
			_, lost := follow(t, odd.URL, term.FollowOptions{Silence: deadline})
			if err := next(t, lost); !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestFollowEndsWhereNothingCanHeal(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	tests := []struct{ url, want string }{
		{other.URL, "no table's display"},
		{"localhost:8080", "write it as"},
		{"ftp://localhost/", "write it as"},
		{"http://[::1", "write it as"},
	}
	for _, tt := range tests {
		err := term.Follow(context.Background(), tt.url, term.Follower{View: func(display.View) {}},
			term.FollowOptions{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.url, err, tt.want)
		}
	}
}
