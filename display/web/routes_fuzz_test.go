package web_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/profile"
)

// FuzzRoutes: whatever is asked for, however, is answered, and without a character that nobody sees; a stranger on the
// network gets nothing but the page that asks for a key.
func FuzzRoutes(f *testing.F) {
	f.Add("GET", "/recall/21?box=1&key=3", "", "en")
	f.Add("GET", "/recall/21/replay?step=9223372036854775807", "", "de")
	f.Add("GET", "/help?topic=split&lang=zh", "", "zh")
	f.Add("POST", "/input", `{"in":"stake","box":1,"bettor":"x","wager":"main","amount":"5"}`, "fr")
	f.Add("POST", "/correct", `{"in":"correct","what":"rename","nth":1,"card":"AS"}`, "it")
	f.Add("POST", "/supervisor", `{"name":"anna","pin":"1234"}`, "en")
	f.Add("POST", "/dealer", `{"badge":"0000000001"}`, "en")
	f.Add("POST", "/enter", `{"key":"x"}`, "en")
	f.Add("GET", "/assets/../enter%00", "", "")
	f.Fuzz(func(t *testing.T, method, path, body, language string) {
		at, err := url.ParseRequestURI(path)
		if err != nil || at.Path == "/events" || strings.HasSuffix(at.Path, "/events") {
			return // a stream goes on
		}
		var pressed counter
		o := web.Options{
			Logger: slog.New(slog.DiscardHandler), Press: pressed.press, People: &crowd{},
			Recall: displaytest.Rounds(), Houses: profile.Built(),
		}
		ask := func(o web.Options) *httptest.ResponseRecorder {
			s := web.New(o)
			s.Show(displaytest.Named("play"))
			r, err := http.NewRequest(method, "http://localhost", io.NopCloser(strings.NewReader(body)))
			if err != nil {
				t.Skip()
			}
			r.URL, r.Host, r.RemoteAddr = at, "localhost", "127.0.0.1:1"
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept-Language", language)
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code >= 500 && w.Code != http.StatusServiceUnavailable && w.Code != http.StatusNotImplemented {
				t.Fatalf("%s %q is answered with %d %.200s", method, path, w.Code, w.Body)
			}
			return w
		}
		w := ask(o)
		if kind := w.Header().Get("Content-Type"); strings.HasPrefix(kind, "text/html") ||
			strings.HasPrefix(kind, "text/plain") {
			for _, c := range w.Body.String() {
				if plaintext.Hidden(c) && c != '\n' && c != '\t' {
					t.Fatalf("%s %q is answered with %q", method, path, w.Body)
				}
			}
		}
		if o.Access, err = web.NewAccess(web.AccessOptions{
			Keep:  func([]web.Kept) error { return nil },
			Noted: func(web.AccessNotice) {}, Host: func(string) bool {
				return true
			},
		}); err != nil {
			t.Fatal(err)
		}
		before := len(pressed.taken)
		w = ask(o)
		public := strings.HasPrefix(at.Path, "/assets/") || at.Path == "/enter" || at.Path == "/health"
		if w.Code < 300 && !public || len(pressed.taken) != before {
			t.Fatalf("a stranger's %s %q is answered with %d %.200s", method, path, w.Code, w.Body)
		}
	})
}
