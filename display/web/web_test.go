package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/table/vocab"
)

const deadline = 20 * time.Second

// serve starts a page and ends it with the test, open streams included.
func serve(t *testing.T, o web.Options) (*web.Server, *httptest.Server) {
	t.Helper()
	s := web.New(o)
	page := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		page.CloseClientConnections()
		page.Close()
	})
	return s, page
}

// stream opens a page's stream and returns its messages, heartbeats as "beat".
func stream(t *testing.T, url string) <-chan string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("content type %q", got)
	}
	messages := make(chan string, 100)
	go func() {
		defer close(messages)
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				messages <- data
			} else if lines.Text() == "event: beat" {
				messages <- "beat"
			}
		}
	}()
	return messages
}

// next returns the stream's next message that is no heartbeat.
func next(t *testing.T, messages <-chan string) string {
	t.Helper()
	for m := range messages {
		if m != "beat" {
			return m
		}
	}
	t.Fatal("the stream ended")
	return ""
}

var sectionID = regexp.MustCompile(`<(?:section|div|main) id="([a-z0-9-]+)"`)

// ids lists the sections that a message carries.
func ids(message string) []string {
	var all []string
	for _, m := range sectionID.FindAllStringSubmatch(message, -1) {
		all = append(all, m[1])
	}
	return all
}

func TestStreamSendsAllThenWhatChanged(t *testing.T) {
	s, page := serve(t, web.Options{})
	v := displaytest.Named("deal")
	s.Show(v)
	messages := stream(t, page.URL+"/events")

	want := []string{
		"table", "prompt", "status", "alarm", "held", "near", "bank", "keys", "sheets", "which", "floor",
		"correct", "pay", "float", "people", "shift", "bets", "box-1", "box-2", "box-3", "box-4", "box-5", "box-6",
		"box-7",
	}
	if got := ids(next(t, messages)); !reflect.DeepEqual(got, want) {
		t.Fatalf("first %v, want %v", got, want)
	}

	dealt := displaytest.Named("deal")
	dealt.Boxes[6].Hands[0].Cards = displaytest.Cards("8C")
	dealt.Boxes[6].Hands[0].Total = 8
	s.Show(dealt)
	m := next(t, messages)
	if got := ids(m); !reflect.DeepEqual(got, []string{"box-7"}) || !strings.Contains(m, `href="#c-8C"`) {
		t.Errorf("a card to box 7 sent %v: %s", got, m)
	}

	dealt.Boxes = append([]display.Box(nil), dealt.Boxes...)
	dealt.Due = display.Due{To: vocab.ToBank}
	dealt.Boxes[6].Hands = []display.Hand{{Cards: displaytest.Cards("8C"), Total: 8}}
	s.Show(dealt)
	if got := ids(next(t, messages)); !reflect.DeepEqual(got, []string{"prompt", "bank", "box-7"}) {
		t.Errorf("the bank's turn sent %v", got)
	}
}

func TestStreamStartsAnewWhenTheBoxesChange(t *testing.T) {
	s, page := serve(t, web.Options{})
	s.Show(displaytest.Named("play"))
	messages := stream(t, page.URL+"/events")
	next(t, messages)
	s.Show(displaytest.Named("nine"))
	if got := ids(next(t, messages)); got[0] != "table" || len(got) != 26 {
		t.Errorf("nine boxes sent %v", got)
	}
}

func TestStreamBeatsWhileNothingHappens(t *testing.T) {
	_, page := serve(t, web.Options{Heartbeat: time.Millisecond})
	messages := stream(t, page.URL+"/events")
	next(t, messages)
	for range 3 {
		if m, ok := <-messages; !ok || m != "beat" {
			t.Fatalf("got %q, open %v", m, ok)
		}
	}
}

// A client that reads nothing must neither hold up Show nor the others; when it
// reads again, the newest view is what it gets.
func TestSlowClientHoldsUpNobody(t *testing.T) {
	s, page := serve(t, web.Options{WriteTimeout: deadline})
	slow, err := net.Dial("tcp", page.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	if _, err := io.WriteString(slow, "GET /events?as=json HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := slow.Read(make([]byte, 1)); err != nil {
		t.Fatal(err) // it is served, and reads no more
	}
	quick := stream(t, page.URL+"/events?as=json")
	next(t, quick)

	const last = 3000 // many times what the slow connection's buffers hold
	v := displaytest.Named("payment-full")
	for seq := range uint64(last) {
		v.Seq = 1000 + seq
		s.Show(v)
	}
	v.Seq = 999_999
	s.Show(v)
	for !strings.Contains(next(t, quick), `"seq":999999`) {
	}

	if err := slow.SetReadDeadline(time.Now().Add(deadline)); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(slow)
	lines.Buffer(nil, 1<<20)
	views := 0
	for lines.Scan() {
		if strings.Contains(lines.Text(), `"seq":`) {
			views++
		}
		if strings.Contains(lines.Text(), `"seq":999999`) {
			if views >= last {
				t.Errorf("the slow client was sent %d views: none was left out", views)
			}
			return
		}
	}
	t.Fatalf("the newest view never came: %v", lines.Err())
}

// A client that takes nothing at all is given up, so that it does not stay for ever. A few views fill what lies between
// the two: all that a connection holds by itself takes a slow machine a while.
func TestDeadClientIsGivenUp(t *testing.T) {
	var log system.Text
	s := web.New(web.Options{WriteTimeout: 10 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	page := httptest.NewUnstartedServer(s.Handler())
	page.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if err := c.(*net.TCPConn).SetWriteBuffer(1); err != nil {
			t.Error(err)
		}
		return ctx
	}
	page.Start()
	defer page.Close()
	dead, err := net.Dial("tcp", page.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer dead.Close()
	if err := dead.(*net.TCPConn).SetReadBuffer(1); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(dead, "GET /events?as=json HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	v := displaytest.Named("payment-full")
	for give := time.Now().Add(deadline); !strings.Contains(log.String(), "given up"); {
		if time.Now().After(give) {
			t.Fatal("the client is still served")
		}
		v.Seq++
		s.Show(v)
	}
}

func TestMarkupInNamesIsText(t *testing.T) {
	s, page := serve(t, web.Options{})
	s.Show(displaytest.Named("long"))
	v := displaytest.Named("long")
	v.Table, v.House = `"><img src=x onerror=alert(1)>`, "</p><script>"
	s.Show(v)
	for _, body := range []string{get(t, page.URL+"/"), next(t, stream(t, page.URL+"/events"))} {
		if strings.Contains(body, "<script>") || strings.Contains(body, "<img") {
			t.Errorf("markup of a name came through:\n%s", body)
		}
		if !strings.Contains(body, "&lt;script&gt;alert(1)&lt;/script&gt;") {
			t.Error("the name is not shown")
		}
	}
}

// A line break in a name would end a message early.
func TestLineBreaksInNamesKeepTheMessageWhole(t *testing.T) {
	s, page := serve(t, web.Options{})
	v := displaytest.Named("bets")
	v.Boxes[0].Bettors[0].Name = "a\n\ndata: <b>x</b>\r\nevent: beat"
	s.Show(v)
	if m := next(t, stream(t, page.URL+"/events")); !strings.HasSuffix(m, "</main>") {
		t.Errorf("broken message: %q", m)
	}
}

func get(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", url, resp.Status, err)
	}
	return string(b)
}

func TestPageHasEverythingAtOnce(t *testing.T) {
	s, page := serve(t, web.Options{})
	for _, sample := range displaytest.Samples() {
		s.Show(sample.View)
		body := get(t, page.URL+"/")
		prompt := display.English.Say(display.Prompt(sample.View).Headline)
		if !strings.Contains(body, "<h1>"+prompt+"</h1>") {
			t.Errorf("%s: no prompt %q", sample.Name, prompt)
		}
		for _, forbidden := range []string{"<style", " style=", " onclick", "http:", "https:", "ZgotmplZ"} {
			if strings.Contains(body, forbidden) {
				t.Errorf("%s: the page holds %q", sample.Name, forbidden)
			}
		}
	}
}

// Every card that a hand can refer to must be in the page's deck.
func TestDeckHasEveryCard(t *testing.T) {
	s, page := serve(t, web.Options{})
	v := displaytest.Named("play")
	v.Aside = displaytest.Cards("JOKER ??")
	for _, suit := range "SHDC" {
		for _, rank := range "A23456789TJQK" {
			v.Aside = append(v.Aside, displaytest.Cards(string(rank)+string(suit))...)
		}
	}
	s.Show(v)
	body := get(t, page.URL+"/")
	refs := regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(body, -1)
	if len(refs) < 54 {
		t.Fatalf("%d references", len(refs))
	}
	for _, ref := range refs {
		if !strings.Contains(body, ` id="`+ref[1]+`"`) {
			t.Errorf("nothing drawn for %s", ref[1])
		}
	}
}

func TestViewJSONIsTheView(t *testing.T) {
	s, page := serve(t, web.Options{})
	want := displaytest.Named("payment-split")
	s.Show(want)
	var got display.View
	if err := json.Unmarshal([]byte(get(t, page.URL+"/view.json")), &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestHeaders(t *testing.T) {
	_, page := serve(t, web.Options{Recall: displaytest.Rounds()})
	for _, path := range []string{"/", "/view.json", "/assets/display.js", "/nothing", "/recall", "/recall/3"} {
		resp, err := http.Get(page.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		h := resp.Header
		csp := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(csp, "default-src 'none'; ") || strings.Contains(csp, "unsafe") ||
			!strings.Contains(csp, "frame-ancestors 'none'") {
			t.Errorf("%s: policy %q", path, csp)
		}
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other origins may read it", path)
		}
	}
}

func TestRequestsThatAreRefused(t *testing.T) {
	handler := web.New(web.Options{}).Handler()
	tests := []struct {
		method, host, path string
		want               int
	}{
		{"GET", "localhost", "/", 200},
		{"GET", "localhost:8080", "/", 200},
		{"GET", "LocalHost:8080", "/", 200},
		{"GET", "127.0.0.1:8080", "/", 200},
		{"GET", "127.1.2.3", "/", 200},
		{"GET", "[::1]:8080", "/", 200},
		{"GET", "[::1]", "/", 200},
		{"GET", "table.example", "/", 421},
		{"GET", "localhost.example:8080", "/", 421},
		{"GET", "127.0.0.1.example", "/", 421},
		{"GET", "192.168.1.5:8080", "/view.json", 421},
		{"GET", "", "/events", 421},
		{"POST", "localhost", "/", 405},
		{"HEAD", "localhost", "/", 405},
		{"OPTIONS", "localhost", "/events", 405},
		{"GET", "localhost", "/assets/display.css", 200},
		{"GET", "localhost", "/assets/page.html", 404},
		{"GET", "localhost", "/assets/", 404},
		{"GET", "localhost", "/assets/..%2fserver.go", 404},
		{"GET", "localhost", "/other", 404},
	}
	for _, tt := range tests {
		req := httptest.NewRequest(tt.method, tt.path, nil)
		req.Host = tt.host
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		if w.Code != tt.want {
			t.Errorf("%s %s at %q: %d, want %d", tt.method, tt.path, tt.host, w.Code, tt.want)
		}
	}
}
