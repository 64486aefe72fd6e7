package web_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// counter is a table that takes every key but those it is told to refuse.
type counter struct {
	taken   []vocab.Input
	refused vocab.Reason
	err     error
}

func (c *counter) press(_ context.Context, in vocab.Input, _ string) (uint64, vocab.Reason, error) {
	if c.err != nil {
		return 0, 0, c.err
	}
	c.taken = append(c.taken, in)
	return uint64(len(c.taken)), c.refused, nil
}

// post is a key press as the page sends it, changed by with.
func post(t *testing.T, page *httptest.Server, line string, with func(*http.Request)) (int, http.Header, string) {
	t.Helper()
	return postTo(t, page.URL+"/input", line, with)
}

func postTo(t *testing.T, url, line string, with func(*http.Request)) (int, http.Header, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if with != nil {
		with(r)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, string(body)
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// TestInputTaken: a key press goes in as it stands in a transcript, and is answered
// with its number in the journal.
func TestInputTaken(t *testing.T) {
	keys := &counter{}
	_, page := serve(t, web.Options{Press: keys.press})
	for i, c := range []struct {
		line string
		want vocab.Input
		with func(*http.Request)
	}{
		{`{"in":"open"}`, vocab.Input{Kind: vocab.InOpen}, nil},
		{`{"in":"close"}`, vocab.Input{Kind: vocab.InClose}, header("Content-Type", "application/json; charset=utf-8")},
		{
			`{"in":"call","call":"rest"}`,
			vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest},
			header("Origin", page.URL),
		},
		{`{"in":"undo"}`, vocab.Input{Kind: vocab.InUndo}, nil},
		{`{"in":"hole","event":"look"}`, vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleLook}, nil},
		{`{"in":"paid"}` + "\n", vocab.Input{Kind: vocab.InPaid}, nil},
		{`{"in":"stake","wager":"main","box":2,"bettor":"a","amount":1000}`, vocab.Input{
			Kind: vocab.InStake, Wager: vocab.WagerMain, Box: 2, Bettor: "a", Amount: 1000, Stated: true,
		}, nil},
		{`{"in":"acknowledge","code":"unread-card","by":"anna"}`, vocab.Input{
			Kind: vocab.InAcknowledge, Irregularity: irregularity.UnreadCard, By: "anna",
		}, nil},
		{`{"in":"resolve","with":"burn","by":"s1"}`, vocab.Input{
			Kind: vocab.InResolve, With: irregularity.Burn,
			By: "s1",
		}, nil},
	} {
		status, headers, body := post(t, page, c.line, c.with)
		var answer web.Answer
		if err := json.Unmarshal([]byte(body), &answer); err != nil || answer != (web.Answer{Seq: uint64(i + 1)}) ||
			status != http.StatusOK {
			t.Errorf("%s was answered %d %s", c.line, status, body)
		}
		if got := headers.Get("Content-Type"); got != "application/json" {
			t.Errorf("the answer's content type is %q", got)
		}
		if len(keys.taken) != i+1 {
			t.Fatalf("%s did not reach the table", c.line)
		}
		got := keys.taken[i]
		got.Line = 0
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s reached the table as %+v", c.line, got)
		}
	}
}

// TestInputRefused: what the page may not do does not reach the table, and the
// answer says why.
func TestInputRefused(t *testing.T) {
	keys := &counter{}
	_, page := serve(t, web.Options{Press: keys.press})
	const open = `{"in":"open"}`
	for _, c := range []struct {
		name, line string
		with       func(*http.Request)
		status     int
		want       string
	}{
		{"a card", `{"in":"card","card":"TH"}`, nil, http.StatusBadRequest, `"card\" is not put in from a screen`},
		{
			"the shoe", `{"in":"shoe","event":"online"}`, nil, http.StatusBadRequest,
			`"shoe\" is not put in from a screen`,
		},
		{"a setup", `{"in":"setup","house":"wiesbaden"}`, nil, http.StatusBadRequest, "column "},
		{"no JSON", `open`, nil, http.StatusBadRequest, "column 1"},
		{"unknown field", `{"in":"open","box":1}`, nil, http.StatusBadRequest, `no field \"box\"`},
		{"two lines", open + "\n" + open, nil, http.StatusBadRequest, "column "},
		{"nothing", "", nil, http.StatusBadRequest, "column 1"},
		{"too much", strings.Repeat(" ", 5000) + open, nil, http.StatusBadRequest, "too large"},
		{
			"a form", "in=open", header("Content-Type", "application/x-www-form-urlencoded"),
			http.StatusUnsupportedMediaType, "application/json",
		},
		{
			"no type", open, func(r *http.Request) { r.Header.Del("Content-Type") }, http.StatusUnsupportedMediaType,
			"application/json",
		},
		{"plain text", open, header("Content-Type", "text/plain"), http.StatusUnsupportedMediaType, "application/json"},
		{"another page", open, header("Origin", "http://evil.example"), http.StatusForbidden, "http://evil.example"},
		{"another port", open, header("Origin", "http://127.0.0.1:1"), http.StatusForbidden, "http://127.0.0.1:1"},
		{"no page at all", open, header("Origin", "null"), http.StatusForbidden, "null"},
		{
			"another host", open, func(r *http.Request) { r.Host = "table.example" }, http.StatusMisdirectedRequest,
			"localhost",
		},
		{
			"another method", open, func(r *http.Request) { r.Method = http.MethodPut },
			http.StatusMethodNotAllowed, "GET",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, _, body := post(t, page, c.line, c.with)
			if status != c.status || !strings.Contains(body, c.want) {
				t.Errorf("answered %d %s, want %d and %q", status, body, c.status, c.want)
			}
			if len(keys.taken) != 0 {
				t.Fatalf("it reached the table as %+v", keys.taken)
			}
		})
	}
}

// TestInputRejected: what the rules refuse is an answer of its own.
func TestInputRejected(t *testing.T) {
	keys := &counter{refused: vocab.BelowMinimum}
	_, page := serve(t, web.Options{Press: keys.press})
	if status, _, body := post(t, page, `{"in":"open"}`, nil); status != http.StatusConflict ||
		body != `{"seq":1,"rejected":"below-minimum"}` {
		t.Errorf("answered %d %s", status, body)
	}
}

// TestInputToAStoppedTable tells what the table says.
func TestInputToAStoppedTable(t *testing.T) {
	keys := &counter{err: errors.New("the table has stopped")}
	_, page := serve(t, web.Options{Press: keys.press})
	if status, _, body := post(t, page, `{"in":"open"}`, nil); status != http.StatusServiceUnavailable ||
		body != `{"error":"the table has stopped"}` {
		t.Errorf("answered %d %s", status, body)
	}
}

// TestInputByNobody: what only a supervisor may put in says what to do.
func TestInputByNobody(t *testing.T) {
	keys := &counter{err: &authority.Refusal{Why: "needs-pin"}}
	_, page := serve(t, web.Options{Press: keys.press})
	status, _, body := post(t, page, `{"in":"resolve","with":"burn"}`, nil)
	if status != http.StatusForbidden || body != `{"refused":"needs-pin"}` {
		t.Errorf("answered %d %s", status, body)
	}
}

// TestDisplayWithoutKeys takes nothing.
func TestDisplayWithoutKeys(t *testing.T) {
	_, page := serve(t, web.Options{})
	if status, _, _ := post(t, page, `{"in":"open"}`, nil); status != http.StatusMethodNotAllowed {
		t.Errorf("answered %d", status)
	}
}
