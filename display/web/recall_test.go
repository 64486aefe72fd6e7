package web_test

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
)

// TestRecallPages: each page says what it is, what the table wants meanwhile, and has
// the way back.
func TestRecallPages(t *testing.T) {
	s, page := serve(t, web.Options{Recall: displaytest.Rounds()})
	s.Show(displaytest.Named("held"))
	for path, want := range map[string][]string{
		"/": {`href="/recall"`},
		"/recall": {
			"<h1>PAST ROUNDS</h1>", `href="/recall/23"`, `href="/recall/1"`, "Bank 17", "not finished", "void",
			"! unread card, card without a call, cards lost",
		},
		"/recall/21": {
			"<h1>PAST ROUND 21</h1>", "Not the round on the table", "d7 late", "Wiesbaden, 10.00 – 500.00 EUR",
			`href="/recall/20"`, "STOP – unread card", "unread card: identify – by anna", "Taken back: Stand",
			"<s>Call: Stand</s>",
			"card without a call: accept – by the dealer d7 – “the guest had asked”", "Not taken: below the minimum",
			"Maximiliana &lt;b&gt;von&lt;/b&gt; Hohenstein: Twins 10.00 – Wins, Twins – gets 120.00", "After the round",
		},
		"/recall/22": {"PAST ROUND 22", `class="state">void<`, "void round – by anna", "gets 20.00"},
		"/recall/23": {"<h1>Round 23 so far</h1>", "not finished", "STOP – unread card"},
	} {
		body := get(t, page.URL+path)
		if path != "/" {
			want = append(want, `id="back"`, `<footer id="now" class="stop"`, "<b>STOP – unread card</b>")
		}
		for _, words := range want {
			if !strings.Contains(body, words) {
				t.Errorf("%s does not say %q", path, words)
			}
		}
		for _, forbidden := range []string{"<style", " style=", " onclick", "http:", "https:", "ZgotmplZ", "<b>von"} {
			if strings.Contains(body, forbidden) {
				t.Errorf("%s holds %q", path, forbidden)
			}
		}
	}
	if body := get(t, page.URL+"/recall/23"); strings.Contains(body, "PAST") ||
		strings.Contains(body, "Not the round") {
		t.Error("the round on the table is called a past one")
	}
}

// TestRecallOfABox: what concerns other boxes is left out, the bank's cards and what
// stopped the table are not; the way to other rounds keeps the box.
func TestRecallOfABox(t *testing.T) {
	_, page := serve(t, web.Options{Recall: displaytest.Rounds()})
	body := get(t, page.URL+"/recall/21?box=1")
	for _, words := range []string{
		"a: Main 20.00", "<b>Bank</b>", "STOP – cards lost (1)", `href="/recall/20?box=1"`,
		`href="/recall/21?box=3"`,
	} {
		if !strings.Contains(body, words) {
			t.Errorf("box 1 has no %q", words)
		}
	}
	if strings.Contains(body, "Maximiliana") {
		t.Error("box 1 tells of a guest on box 3")
	}
	if body := get(t, page.URL+"/recall/21?box=6"); !strings.Contains(body, `aria-label="Box 6"`) {
		t.Error("a box that was not played is not named")
	}
}

// unreadable is a record that cannot be read.
type unreadable struct{}

var errDisk = errors.New("the disk <does> not read")

func (unreadable) Last(int) ([]history.Round, error)   { return nil, errDisk }
func (unreadable) Round(uint64) (history.Round, error) { return history.Round{}, errDisk }
func (unreadable) State(uint64) (string, error)        { return "", errDisk }

func (unreadable) Table(uint64) (*table.Table, error)         { return nil, errDisk }
func (unreadable) Proof(history.Round) (history.Proof, error) { return history.Proof{}, errDisk }

// TestRecallFails: what cannot be shown is said, with the way back.
func TestRecallFails(t *testing.T) {
	log := &system.Text{}
	for _, c := range []struct {
		recall web.Recall
		path   string
		status int
		words  string
	}{
		{displaytest.Past{}, "/recall", 200, "No round has been recorded yet"},
		{displaytest.Past{}, "/recall/1", 404, "no round has been opened yet"},
		{displaytest.Rounds(), "/recall/99", 404, "no such round as 99: the last round is 23"},
		{displaytest.Rounds(), "/recall/0", 404, ""},
		{displaytest.Rounds(), "/recall/last", 404, ""},
		{displaytest.Rounds(), "/recall/3?box=x", 400, "A box is a number from 1."},
		{displaytest.Rounds(), "/recall/3?box=0", 400, "A box is a number from 1."},
		{displaytest.Rounds(), "/state", 200, "rules wiesbaden EUR | round 3 bets\n"},
		{displaytest.Rounds(), "/state?record=17", 200, "rules wiesbaden"},
		{displaytest.Rounds(), "/state?record=0", 400, "A record is a number from 1."},
		{displaytest.Rounds(), "/state?record=1001", 404, "no such round"},
		{unreadable{}, "/recall", 500, "the disk &lt;does&gt; not read"},
		{unreadable{}, "/recall/3", 500, "The record cannot be read"},
		{nil, "/recall", 404, ""},
	} {
		_, page := serve(t, web.Options{Recall: c.recall, Logger: slog.New(slog.NewTextHandler(log, nil))})
		resp, err := http.Get(page.URL + c.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || !strings.Contains(string(body), c.words) {
			t.Errorf("%s: %s, %v, want %d and %q in\n%s", c.path, resp.Status, err, c.status, c.words, body)
		}
		if c.recall != nil && c.words != "" && c.status != 400 && strings.HasPrefix(c.path, "/recall") &&
			!strings.Contains(string(body), `id="back"`) {
			t.Errorf("%s has no way back", c.path)
		}
	}
	if strings.Count(log.String(), errDisk.Error()) != 2 {
		t.Errorf("the log says %s", log)
	}
	w := httptest.NewRecorder()
	post := httptest.NewRequest(http.MethodPost, "/recall/3", nil)
	post.Host = "localhost"
	web.New(web.Options{Recall: displaytest.Rounds()}).Handler().ServeHTTP(w, post)
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("a POST is answered %d", w.Code)
	}
	if body := get(t, func() string { _, p := serve(t, web.Options{}); return p.URL }()); strings.Contains(body,
		"/recall") {
		t.Error("a display without a record shows a way to it")
	}
}
