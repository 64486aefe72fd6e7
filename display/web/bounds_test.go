package web_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/table/vocab"
)

// most is what a pace lets through in the time since it began.
func most(p web.Pace, began time.Time) int { return p.Burst + int(time.Since(began)/p.Every) + 1 }

// tooOften checks that an answer says so, and after how long to come again.
func tooOften(t *testing.T, got answer) {
	t.Helper()
	var said web.Answer
	if err := json.Unmarshal([]byte(got.body), &said); err != nil || said.Refused != "too-often" || said.Wait < 1 ||
		got.header.Get("Retry-After") != strconv.Itoa(said.Wait) {
		t.Errorf("who asks too often is answered %q with %v: %v", got.body, got.header, err)
	}
}

// TestAttackPaces: a screen that does one thing again and again is held to its pace, whatever it does; what was let
// through is counted. Other screens notice nothing.
func TestAttackPaces(t *testing.T) {
	for _, c := range []struct {
		name, method, path, body string
		by                       web.Role
		pace                     web.Pace
	}{
		{"requests", http.MethodGet, "/view.json", "", web.View, web.Pace{Every: 50 * time.Millisecond, Burst: 300}},
		{
			"what its role may not do", http.MethodPost, "/input", `{"in":"open"}`, web.View,
			web.Pace{Every: 50 * time.Millisecond, Burst: 300},
		},
		{"inputs", http.MethodPost, "/touch", `{"moment":"","put":[` + strings.Repeat(`{"in":"open"},`, 99) +
			`{"in":"open"}]}`, web.Dealer, web.Pace{Every: 10 * time.Second, Burst: 5}},
		{
			"sign-ins", http.MethodPost, "/dealer", `{"name":"dora"}`, web.Dealer,
			web.Pace{Every: 3 * time.Second, Burst: 15},
		},
		{
			"PINs", http.MethodPost, "/supervisor", `{"name":"anna","pin":"1"}`, web.Supervisor,
			web.Pace{Every: 3 * time.Second, Burst: 15},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := guard(t)
			by, other := g.entered(c.by), g.entered(web.Guest)
			const tries = 600
			let, began := 0, time.Now()
			for range tries {
				got := g.ask(by, c.method, c.path, c.body)
				if got.status == http.StatusTooManyRequests {
					tooOften(t, got)
				} else {
					let++
				}
			}
			through := max(0, let-most(c.pace, began))
			if got := g.ask(other, http.MethodGet, "/guest", ""); got.status != http.StatusOK {
				through++
				t.Errorf("another screen was answered %d", got.status)
			}
			attack.Report(t, c.name+" of one screen beyond its pace", tries, through)
		})
	}
}

// TestAttackRefusals: inputs that come to nothing are taken seldom, and the first that is right again after a while.
func TestAttackRefusals(t *testing.T) {
	g := guard(t)
	g.table.refused = vocab.BetsClosed
	dealer := g.entered(web.Dealer)
	const tries = 500
	began := time.Now()
	for range tries {
		g.ask(dealer, http.MethodPost, "/input", `{"in":"open"}`)
	}
	limit := most(web.Pace{Every: time.Second, Burst: 30}, began)
	attack.Report(t, "refused inputs of one screen beyond its pace", tries, max(0, len(g.table.taken)-limit))
}

// TestAttackEntries: a screen's own key gives it a session a few times, and then seldom; the session that it has lasts,
// and another screen's key is taken.
func TestAttackEntries(t *testing.T) {
	g := guard(t)
	const tries = 200 // fewer than their place may ask
	let, began := 0, time.Now()
	view := g.screen()
	for range tries {
		got := g.ask(view, http.MethodPost, "/enter", `{"key":"`+g.keys[web.View].String()+`"}`)
		switch got.status {
		case http.StatusOK:
			let++
		case http.StatusTooManyRequests:
			tooOften(t, got)
		default:
			t.Fatalf("a right key was answered %d %s", got.status, got.body)
		}
	}
	through := max(0, let-most(web.Pace{Every: 3 * time.Second, Burst: 15}, began))
	if got := g.ask(view, http.MethodGet, "/view.json", ""); got.status != http.StatusOK {
		t.Errorf("who had entered was answered %d", got.status)
	}
	g.entered(web.Dealer)
	attack.Report(t, "entries of one screen beyond its pace", tries, through)
}

// TestStreams: of a screen's streams that are too many, the oldest ends; those of others last.
func TestStreams(t *testing.T) {
	g := guard(t)
	open := func(by *http.Client, path string) io.Reader {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, g.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := by.Do(r)
		if err != nil || response.StatusCode != http.StatusOK {
			t.Fatalf("a stream was answered %v, %v", response, err)
		}
		t.Cleanup(func() { response.Body.Close() })
		return response.Body
	}
	view := g.entered(web.View)
	other := open(g.entered(web.Guest), "/guest/events")
	var streams []io.Reader
	for range 11 {
		streams = append(streams, open(view, "/events"))
	}
	for _, ended := range streams[:3] {
		if _, err := io.Copy(io.Discard, ended); err != nil {
			t.Errorf("the oldest ended with %v", err)
		}
	}
	for _, lasts := range append(streams[3:], other) {
		for beat := bufio.NewReader(lasts); ; {
			line, err := beat.ReadString('\n')
			if err != nil {
				t.Fatalf("one of the newest ended: %v", err)
			}
			if line == "event: beat\n" {
				break
			}
		}
	}
}

// TestTooOftenForPeople: somebody whose browser asks too often reads that in the screen's language.
func TestTooOftenForPeople(t *testing.T) {
	g := &guarded{t: t, keys: map[web.Role]web.Key{}}
	for _, role := range roles {
		g.keys[role] = web.NewKey()
	}
	seldom := web.Pace{Every: time.Hour, Burst: 3}
	g.paces = web.Paces{Asks: seldom, Puts: seldom, Refused: seldom, People: seldom, Streams: 1}
	g.open()
	view := g.entered(web.View)
	begun := time.Now()
	for i := range 4 {
		got := g.ask(view, http.MethodGet, "/?lang=de", "", header("Accept", "text/html"))
		wait, _ := strconv.Atoi(got.header.Get("Retry-After"))
		switch {
		case i < 3 && got.status != http.StatusSeeOther:
			t.Errorf("page %d was answered %d", i, got.status)
		case i == 3 && (got.status != http.StatusTooManyRequests || !strings.Contains(got.body, "zu oft") ||
			wait > 3600 || wait < 3600-int(time.Since(begun).Seconds())):
			t.Errorf("the page too many was answered %d %q with %v", got.status, got.body, got.header)
		}
	}
}
