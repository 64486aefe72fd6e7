package web_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// browser is a screen that keeps what it chose, and goes where it is sent.
func browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar}
}

// visit returns a page that is there, and the address that it came from in the end.
func visit(t *testing.T, who *http.Client, url string) (page, from string) {
	t.Helper()
	resp, err := who.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s %v\n%s", url, resp.Status, err, body)
	}
	return string(body), resp.Request.URL.RequestURI()
}

// wantSpoken: the page is in the language that its markup names, and its stream too.
func wantSpoken(t *testing.T, page string, l display.Language, v display.View) {
	t.Helper()
	for _, part := range []string{
		`<html lang="` + l.Tag() + `"`,
		`<h1>` + l.Say(display.Prompt(v).Headline) + `</h1>`,
	} {
		if !strings.Contains(page, part) {
			t.Errorf("the page in %s lacks %s", l.Name(), part)
		}
	}
}

func TestScreenChoosesItsLanguage(t *testing.T) {
	italian, _ := display.Speak("it")
	german, _ := display.Speak("de")
	s, page := serve(t, web.Options{Language: italian})
	v := displaytest.Named("payment")
	s.Show(v)
	mine, other := browser(t), browser(t)

	first, _ := visit(t, mine, page.URL+"/")
	wantSpoken(t, first, italian, v)
	chosen, from := visit(t, mine, page.URL+"/?lang=de")
	wantSpoken(t, chosen, german, v)
	if from != "/" {
		t.Errorf("the choice is left in the address %s", from)
	}
	again, _ := visit(t, mine, page.URL+"/")
	wantSpoken(t, again, german, v)
	theirs, _ := visit(t, other, page.URL+"/")
	wantSpoken(t, theirs, italian, v)
}

// TestSwissTable: whatever a screen chooses is written as the table's country writes it.
func TestSwissTable(t *testing.T) {
	home, _ := display.Speak("it-CH")
	s, page := serve(t, web.Options{Language: home})
	v := displaytest.Named("payment")
	s.Show(v)
	for _, l := range display.BuiltIn().Languages(true) {
		got, _ := visit(t, browser(t), page.URL+"/?lang="+l.Code())
		wantSpoken(t, got, l, v)
	}
}

// TestStreamSpeaksTheScreensLanguage: each client gets its own, of the same view.
func TestStreamSpeaksTheScreensLanguage(t *testing.T) {
	s, page := serve(t, web.Options{})
	v := displaytest.Named("payment")
	s.Show(v)
	for _, l := range display.BuiltIn().Languages(false) {
		got := next(t, stream(t, page.URL+"/events?lang="+l.Code()))
		if headline := l.Say(display.Prompt(v).Headline); !strings.Contains(got, headline) {
			t.Errorf("the stream in %s lacks %q", l.Name(), headline)
		}
		if mark := l.Tag() + `">`; !strings.Contains(got[:strings.Index(got, ">")+1], mark) {
			t.Errorf("the stream in %s does not say so: a page of another language would keep it", l.Name())
		}
	}
}

func TestLanguageCookie(t *testing.T) {
	handler := web.New(web.Options{Recall: displaytest.Rounds()}).Handler()
	for _, tt := range []struct {
		target, cookie string
		status         int
		where, sets    string
		lang           string
	}{
		{
			target: "/?lang=fr", status: 303, where: "/",
			sets: "sabot-language=fr; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict",
		},
		{
			target: "/?lang=fr-CH", status: 303, where: "/",
			sets: "sabot-language=fr; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict",
		},
		{
			target: "/?x=1&lang=zh-Hans", status: 303, where: "/?x=1",
			sets: "sabot-language=zh; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict",
		},
		{
			target: "/recall/21?box=3&lang=de", status: 303, where: "/recall/21?box=3",
			sets: "sabot-language=de; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict",
		},
		{target: "/recall/21?box=3", cookie: "de", status: 200, lang: "de"},
		{target: "/recall", cookie: "it", status: 200, lang: "it"},
		{target: "/?lang=", status: 400},
		{target: "/?lang=tlh", status: 400},
		{target: "/", cookie: "fr", status: 200, lang: "fr"},
		{target: "/", cookie: "zh", status: 200, lang: "zh-Hans"},
		{target: "/", cookie: "tlh", status: 200, lang: "en"},
		{target: "/", status: 200, lang: "en"},
	} {
		w := ask(handler, tt.target, tt.cookie)
		h := w.Header()
		if w.Code != tt.status || h.Get("Location") != tt.where || h.Get("Set-Cookie") != tt.sets {
			t.Errorf("%s with %q: %d %q %q", tt.target, tt.cookie, w.Code, h.Get("Location"), h.Get("Set-Cookie"))
		}
		if tt.lang != "" && !strings.Contains(w.Body.String(), `<html lang="`+tt.lang+`"`) {
			t.Errorf("%s with %q is not in %s", tt.target, tt.cookie, tt.lang)
		}
		if tt.status == 400 && !strings.Contains(w.Body.String(), "de, it, fr, en, zh") {
			t.Errorf("%s does not say what may be chosen: %s", tt.target, w.Body)
		}
	}
}

// ask sends a request of a screen that has a cookie, or none.
func ask(handler http.Handler, target, cookie string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	r.Host = "localhost"
	if cookie != "" {
		r.AddCookie(&http.Cookie{Name: "sabot-language", Value: cookie})
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w
}
