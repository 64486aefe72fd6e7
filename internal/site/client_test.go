package site_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/internal/testkit/attack"
)

// TestBounded: an answer of the length that is allowed is read whole, one longer is an error.
func TestBounded(t *testing.T) {
	const most = 1000
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for range len(r.URL.Path) - 1 {
			io.WriteString(w, strings.Repeat("x", 100))
		}
	}))
	defer s.Close()
	c := site.Client(nil, time.Minute, most)
	for path, want := range map[string]int{"/": 0, "/xxxxx": 500, "/xxxxxxxxxx": most, "/xxxxxxxxxxx": -1} {
		answer, err := c.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if want < 0 && !errors.Is(err, site.ErrLongAnswer) || want >= 0 && (err != nil || len(text) != want) ||
			len(text) > most {
			t.Errorf("%s gives %d bytes, %v", path, len(text), err)
		}
	}
}

// TestAttackOutward: whoever is asked leads the pit nowhere else, and does not fill its memory.
func TestAttackOutward(t *testing.T) {
	inside := 0
	house := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { inside++ }))
	defer house.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		case "/head":
			for i := range 2000 {
				w.Header().Add("X", strings.Repeat("y", 100+i%2))
			}
		case "/slow":
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		default:
			http.Redirect(w, r, house.URL, map[string]int{
				"/301": 301, "/302": 302, "/303": 303, "/307": 307,
				"/308": 308,
			}[r.URL.Path])
		}
	}))
	defer s.Close()
	tries, through := 0, 0
	for _, path := range []string{"/endless", "/head", "/slow", "/301", "/302", "/303", "/307", "/308"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			within := time.Minute
			if path == "/slow" {
				within = 200 * time.Millisecond
			}
			r, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader("x"))
			if err != nil {
				t.Fatal(err)
			}
			tries++
			answer, err := site.Client(&http.Client{Timeout: time.Hour}, within, 1<<20).Do(r)
			if err != nil {
				continue
			}
			text, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK && err == nil || len(text) > 1<<20 {
				through++
				t.Errorf("%s %s gives %d bytes, %v", method, path, len(text), err)
			}
		}
	}
	attack.Report(t, "pit: answers of other programs", tries, through+inside)
}
