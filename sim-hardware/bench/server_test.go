package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
)

// request is a request as the bench's page sends it.
func request(method, path, body string) *http.Request {
	r := httptest.NewRequest(method, "http://localhost:8080"+path, strings.NewReader(body))
	r.RemoteAddr = "127.0.0.1:4711"
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Origin", "http://localhost:8080")
	}
	return r
}

// site is the bench as a table serves it.
func (b *Bench) site() http.Handler { return web.Bare(web.Options{}, b.Routes()...) }

// TestGuard: from elsewhere the bench can be neither seen nor used.
func TestGuard(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		site := s.site()
		for _, c := range []struct {
			what   string
			r      *http.Request
			change func(*http.Request)
			want   int
		}{
			{"the page", request("GET", "/bench", ""), nil, 200},
			{"its style", request("GET", "/bench/assets/bench.css", ""), nil, 200},
			{"no asset", request("GET", "/bench/assets/page.go", ""), nil, 404},
			{"a foreign name", request("GET", "/bench", ""), func(r *http.Request) { r.Host = "evil.example" }, 421},
			{
				"another machine", request("GET", "/bench", ""), func(r *http.Request) {
					r.RemoteAddr = "192.0.2.7:80"
				},
				421,
			},
			{"a card", request("POST", "/bench/shoe", `{"Steps":"draw 7H"}`), nil, 200},
			{
				"from another page", request("POST", "/bench/shoe", `{"Steps":"draw"}`),
				func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403,
			},
			{
				"as a form", request("POST", "/bench/shoe", `Steps=draw`),
				func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") }, 415,
			},
			{"unknown fields", request("POST", "/bench/shoe", `{"Steps":"draw","x":1}`), nil, 400},
			{"more than one", request("POST", "/bench/shoe", `{"Steps":"draw"}{}`), nil, 400},
			{"too much", request("POST", "/bench/script", `{"Text":"`+strings.Repeat("#", maxBody)+`"}`), nil, 413},
			{"no step", request("POST", "/bench/shoe", `{"Steps":"shuffle"}`), nil, 409},
			{"no card", request("POST", "/bench/right", `{"With":"identify","Card":"11H"}`), nil, 409},
			{"by GET", request("GET", "/bench/shoe", ""), nil, 404},
		} {
			if c.change != nil {
				c.change(c.r)
			}
			w := httptest.NewRecorder()
			site.ServeHTTP(w, c.r)
			if w.Code != c.want {
				t.Errorf("%s: %d, want %d: %s", c.what, w.Code, c.want, w.Body)
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") {
				t.Errorf("%s: the policy is %q", c.what, policy)
			}
		}
	})
}

// TestDone: each key of the page does what it says, or the answer says why not.
func TestDone(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		for _, c := range []struct{ path, body, want string }{
			{"/bench/keys", `{"How":"press","Keys":["card","rest"]}`, ""},
			{"/bench/keys", `{"How":"press","Keys":["fire"]}`, `"fire"`},
			{"/bench/keys", `{"How":"down","Keys":["undo"]}`, ""},
			{"/bench/keys", `{"How":"up","Keys":["undo"],"Held":60}`, ""},
			{"/bench/keys", `{"How":"up","Keys":["fire"],"Held":60}`, `"fire"`},
			{"/bench/script", `{"Text":"wait 1h"}`, ""},
			{"/bench/dealer", `{"Deal":true}`, sayScriptRuns},
			{"/bench/script/stop", `{}`, ""},
			{"/bench/dealer", `{"Deal":false}`, ""},
			{"/bench/right", `{"With":"burn","Card":""}`, sayNoChoice},
		} {
			w := httptest.NewRecorder()
			s.site().ServeHTTP(w, request("POST", c.path, c.body))
			var got answer
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
				t.Fatalf("%s: %v", c.path, err)
			}
			if !strings.Contains(got.Error, c.want) || (got.Error == "") != (w.Code == 200) {
				t.Errorf("%s %s: %d %q", c.path, c.body, w.Code, got.Error)
			}
			synctest.Wait()
		}
	})
}

var ids = regexp.MustCompile(` id="([^"]+)"`)

// TestPage: every part is on the page once, and its markup contains no scripts.
func TestPage(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		v := idle
		v.Table = "<script>alert(1)</script>"
		s.table.show(v)
		w := httptest.NewRecorder()
		s.site().ServeHTTP(w, request("GET", "/bench", ""))
		page := w.Body.String()
		times := map[string]int{}
		for _, found := range ids.FindAllStringSubmatch(page, -1) {
			times[found[1]]++
		}
		parts, err := s.draw()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			if times[p.id] != 1 || !strings.Contains(page, p.html) {
				t.Errorf("%s is on the page %d times", p.id, times[p.id])
			}
		}
		for _, no := range []string{"<script>", "<style", "style=", "onclick", "javascript:", "http://", "https://"} {
			if strings.Contains(page, no) {
				t.Errorf("the page has %s", no)
			}
		}
	})
}

// TestEvents: a page is sent everything, then what has changed, and in between heartbeats.
func TestEvents(t *testing.T) {
	atShoe(t, shoesim.BeeTek, true, func(t *testing.T, s *stand) {
		ctx, leave := context.WithCancel(t.Context())
		to, from := newStream()
		go func() {
			s.site().ServeHTTP(to, request("GET", "/bench/events", "").WithContext(ctx))
			to.Close()
		}()
		messages := bufio.NewReader(from)
		parts, err := s.draw()
		if err != nil {
			t.Fatal(err)
		}
		first := next(t, messages)
		for _, p := range parts {
			if !strings.Contains(first, p.html) {
				t.Errorf("the first message lacks %s", p.id)
			}
		}
		v := idle
		v.Held = &display.Held{Code: irregularity.UnreadCard, Choices: []irregularity.Choice{irregularity.Burn}}
		s.table.show(v)
		if diff := next(t, messages); !strings.Contains(diff, `id="ways"`) || strings.Contains(diff, `id="key-card"`) {
			t.Errorf("what has changed came as %s", diff)
		}
		for beat := ""; !strings.HasPrefix(beat, "event: beat"); {
			beat = next(t, messages)
		}
		leave()
		if _, err := io.Copy(io.Discard, messages); err != nil {
			t.Error(err)
		}
	})
}

// next reads a message.
func next(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	var all strings.Builder
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line == "\n" {
			return all.String()
		}
		all.WriteString(line)
	}
}
