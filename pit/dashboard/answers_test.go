package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/dashboard"
)

// TestAnswersAreTranslated: what cannot be done is said in the screen's language, and so is what an alert means.
func TestAnswersAreTranslated(t *testing.T) {
	p := open(t, "bad", func(o *dashboard.Options) { o.Language, _ = display.Speak("de") })
	for _, c := range []struct {
		method, path, host, kind, body string
		want                           int
		says                           string
	}{
		{"GET", "/nowhere", "localhost", "", "", 404, "Diese Seite gibt es nicht"},
		{"GET", "/?lang=xx", "localhost", "", "", 400, "Diese Sprache spricht der Pit nicht"},
		{"GET", "/", "pit.example", "", "", 421, "Dieser Pit antwortet nur unter localhost"},
		{"GET", "/table/a/b!/", "localhost", "", "", 404, "Von diesem Tisch noch nichts gehört"},
		{"POST", "/alerts/x/seen", "localhost", "text/plain", "{}", 415, "Der Pit hat das nicht verstanden"},
		{"POST", "/alerts/x/seen", "localhost", "application/json", "{", 400, "Der Pit hat das nicht verstanden"},
		{"POST", "/alerts/x/seen", "localhost", "application/json", "{}", 400, "Sagen Sie, wer Sie sind"},
	} {
		w := p.ask(c.method, c.path, c.body, func(r *http.Request) {
			r.Host = c.host
			r.Header.Set("Content-Type", c.kind)
		})
		if w.Code != c.want || !strings.HasPrefix(w.Body.String(), c.says) {
			t.Errorf("%s %s is answered with %d %q, want %d %q", c.method, c.path, w.Code, w.Body, c.want, c.says)
		}
	}
	if body := p.get("/alerts"); !strings.Contains(body, "Journal nicht anrühren") ||
		!strings.Contains(body, `<small lang="en">record 611`) {
		t.Error("a journal that was rewritten is not explained in German, with what was found")
	}
}

// TestNumbersOfTheFleet: what a technician reads has the numbers of the language.
func TestNumbersOfTheFleet(t *testing.T) {
	for language, want := range map[string]string{
		"de": "1,0 GiB, 3\u202f%", "de-CH": "1.0 GiB, 3\u202f%",
		"fr": "1,0 GiB, 3\u202f%", "en": "1.0 GiB, 3\u202f%",
	} {
		p := open(t, "bad", func(o *dashboard.Options) { o.Language, _ = display.Speak(language) })
		if body := p.get("/fleet"); !strings.Contains(body, want) {
			t.Errorf("in %s the page lacks %q", language, want)
		}
	}
}
