package web_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// crowd is a table's people as a test has them. It notes what was asked of it.
type crowd struct {
	asked  []string
	err    error // of whatever is asked
	status authority.Status
	shift  authority.Shift
}

func (c *crowd) Enter(_ context.Context, at authority.Place, name, pin string) error {
	c.asked = append(c.asked, "enter "+string(at)+name+" "+pin)
	return c.err
}

func (c *crowd) Once(ctx context.Context, at authority.Place, g authority.Given) (context.Context, error) {
	c.asked = append(c.asked, "once "+string(at)+" "+g.Name+" "+g.PIN)
	return authority.Vouched(ctx, authority.Voucher{By: g.Name}), c.err
}

func (c *crowd) Leave(context.Context) error {
	c.asked = append(c.asked, "leave")
	return nil
}

func (c *crowd) Status(authority.Place) authority.Status { return c.status }

func (c *crowd) SignIn(_ context.Context, dealer string) error {
	c.asked = append(c.asked, "sign in "+dealer)
	return c.err
}

func (c *crowd) Prove(_ context.Context, _ authority.Place, dealer, pin string) error {
	c.asked = append(c.asked, "prove "+dealer+" "+pin)
	return c.err
}

func (c *crowd) ReadBadge(_ context.Context, _ authority.Place, number string) error {
	c.asked = append(c.asked, "badge "+number)
	return c.err
}

func (c *crowd) SignOut(context.Context) error {
	c.asked = append(c.asked, "sign out")
	return c.err
}

func (c *crowd) Shift() authority.Shift { return c.shift }

var nine = time.Date(2026, 3, 14, 21, 0, 0, 0, time.UTC)

// TestPeople: what is posted reaches the table, and its answer the screen.
func TestPeople(t *testing.T) {
	anna := authority.Status{Proof: authority.PIN, Names: []string{"anna"}, Present: "anna", Until: nine}
	nobody := authority.Status{
		Proof: authority.PIN, Names: []string{"anna"}, Needs: authority.PIN,
		Locked: []authority.Locked{{Name: "anna", Until: nine}},
	}
	const (
		here = `{"proof":"pin","names":["anna"],"present":"anna","until":"2026-03-14T21:00:00Z"}`
		gone = `{"proof":"pin","names":["anna"],"needs":"pin","locked":[{"name":"anna","until":"2026-03-14T21:00:00Z"}]`
	)
	for _, c := range []struct {
		path, body, asked string
		crowd             crowd
		status            int
		want              string
		wait              string // Retry-After
	}{
		{
			path: "/supervisor", body: `{"name":"anna","pin":"2580"}`, asked: "enter anna 2580",
			crowd: crowd{status: anna}, status: 200, want: here,
		},
		{
			path: "/supervisor", body: `{"pin":"2580"}` + "\n", asked: "enter  2580", crowd: crowd{status: anna},
			status: 200, want: here,
		},
		{
			path: "/supervisor", body: `{"name":"anna","pin":"1"}`, asked: "enter anna 1", status: 403,
			crowd: crowd{status: nobody, err: &authority.Refusal{Why: authority.WhyWrongPIN, Left: 2}},
			want:  gone + `,"refused":"wrong-pin","left":2}`,
		},
		{
			path: "/supervisor", body: `{"name":"anna","pin":"1"}`, asked: "enter anna 1", status: 429, wait: "30",
			crowd: crowd{status: nobody, err: &authority.Refusal{Why: authority.WhyLockedOut, Wait: 30 * time.Second}},
			want:  gone + `,"refused":"locked-out","wait":30}`,
		},
		{
			path: "/supervisor", body: `{"name":"anna","pin":"1"}`, asked: "enter anna 1", status: 429, wait: "1",
			crowd: crowd{status: nobody, err: &authority.Refusal{Why: authority.WhyBusy, Wait: time.Second}},
			want:  gone + `,"refused":"busy","wait":1}`,
		},
		{
			path: "/supervisor", body: `{"name":"bob","pin":"1"}`, asked: "enter bob 1", status: 400,
			crowd: crowd{status: nobody, err: &authority.Refusal{Why: authority.WhyUnknownName}}, want: gone +
				`,"refused":"unknown-name"}`,
		},
		{
			path: "/supervisor", body: `{"pin":"1"}`, asked: "enter  1", status: 409,
			crowd: crowd{status: nobody, err: &authority.Refusal{Why: authority.WhyNoPINAsked}}, want: gone +
				`,"refused":"no-pin-asked"}`,
		},
		{
			path: "/supervisor", body: `{"pin":"1"}`, asked: "enter  1", status: 503,
			crowd: crowd{status: nobody, err: errors.New("the disk is full")}, want: gone +
				`,"error":"the disk is full"}`,
		},
		{
			path: "/supervisor/leave", body: ``, asked: "leave", crowd: crowd{status: nobody}, status: 200,
			want: gone + `}`,
		},
		{
			path: "/dealer", body: `{"name":"dora"}`, asked: "sign in dora",
			crowd: crowd{shift: authority.Shift{Dealer: "dora", Since: nine}}, status: 200,
			want: `{"dealer":"dora","since":"2026-03-14T21:00:00Z"}`,
		},
		{
			path: "/dealer", body: `{"name":""}`, asked: "sign in ", status: 400,
			crowd: crowd{err: &authority.Refusal{Why: authority.WhyBadName}}, want: `{"refused":"bad-name"}`,
		},
		{
			path: "/dealer", body: `{"name":"dora"}`, asked: "sign in dora",
			crowd: crowd{err: errors.New("the disk is full")}, status: 503, want: `{"error":"the disk is full"}`,
		},
		{
			path: "/dealer", body: `{"name":"dora","pin":"2580"}`, asked: "prove dora 2580",
			crowd: crowd{shift: authority.Shift{Dealer: "dora", Since: nine, Proof: vocab.ByPIN}}, status: 200,
			want: `{"dealer":"dora","since":"2026-03-14T21:00:00Z","proof":"pin"}`,
		},
		{
			path: "/dealer", body: `{"name":"dora","pin":"1"}`, asked: "prove dora 1", status: 403,
			crowd: crowd{err: &authority.Refusal{Why: authority.WhyWrongPIN, Left: 2}},
			want:  `{"refused":"wrong-pin","left":2}`,
		},
		{
			path: "/dealer/badge", body: `{"badge":"00417788"}`, asked: "badge 00417788",
			crowd: crowd{shift: authority.Shift{Dealer: "dora", Since: nine, Proof: vocab.ByBadge}}, status: 200,
			want: `{"dealer":"dora","since":"2026-03-14T21:00:00Z","proof":"badge"}`,
		},
		{
			path: "/dealer/badge", body: `{"badge":"1"}`, asked: "badge 1", status: 429, wait: "30",
			crowd: crowd{err: &authority.Refusal{Why: authority.WhyLockedOut, Wait: 30 * time.Second}},
			want:  `{"refused":"locked-out","wait":30}`,
		},
		{
			path: "/dealer/badge", body: `{"badge":"1"}`, asked: "badge 1", status: 409,
			crowd: crowd{err: authority.RoundRunning()},
			want:  `{"refused":"round-running","error":"dealers take turns between two rounds: finish this one first"}`,
		},
		{path: "/dealer/leave", body: `{}`, asked: "sign out", status: 200, want: `{}`},
	} {
		people := &c.crowd
		_, page := serve(t, web.Options{People: people})
		status, headers, body := postTo(t, page.URL+c.path, c.body, nil)
		if status != c.status || body != c.want || headers.Get("Retry-After") != c.wait {
			t.Errorf("%s %s was answered %d %s, wait %q; want %d %s", c.path, c.body, status, body,
				headers.Get("Retry-After"), c.status, c.want)
		}
		if len(people.asked) != 1 || people.asked[0] != c.asked {
			t.Errorf("%s %s reached the table as %q", c.path, c.body, people.asked)
		}
	}
}

// TestPeopleRefused: what is no request of ours does not reach the table, and the
// answer repeats nothing of it.
func TestPeopleRefused(t *testing.T) {
	const good = `{"name":"anna","pin":"258013"}`
	for _, c := range []struct {
		name, path, body string
		with             func(*http.Request)
		status           int
		want             string
	}{
		{"a number", "/supervisor", `{"pin":258013}`, nil, 400, `\"pin\":\"…\"`},
		{"no PIN", "/supervisor", `{"name":"anna"}`, nil, 400, "the PIN is missing"},
		{"an empty PIN", "/supervisor", `{"name":"anna","pin":""}`, nil, 400, "the PIN is missing"},
		{"no PIN at all", "/supervisor", `{"pin":null}`, nil, 400, "the PIN is missing"},
		{"bare", "/supervisor", `258013`, nil, 400, "this cannot be read"},
		{"broken", "/supervisor", `{"pin":"258013`, nil, 400, "this cannot be read"},
		{"the PIN for a key", "/supervisor", `{"258013":"pin"}`, nil, 400, "this cannot be read"},
		{"two", "/supervisor", good + good, nil, 400, "this cannot be read"},
		{"something behind", "/supervisor", good + " 258013", nil, 400, "this cannot be read"},
		{
			"too much", "/supervisor", `{"pin":"` + strings.Repeat("258013", 1000) + `"}`, nil, 400,
			"this cannot be read",
		},
		{"nothing", "/supervisor", "", nil, 400, "this cannot be read"},
		{
			"a form", "/supervisor", "pin=258013", header("Content-Type", "application/x-www-form-urlencoded"), 415,
			"application/json",
		},
		{"another page", "/supervisor", good, header("Origin", "http://evil.example"), 403, "evil.example"},
		{"another host", "/supervisor", good, func(r *http.Request) { r.Host = "table.example" }, 421, "localhost"},
		{"another method", "/supervisor", good, func(r *http.Request) { r.Method = http.MethodPut }, 405, "GET"},
		{"a form that leaves", "/supervisor/leave", "", header("Content-Type", "text/plain"), 415, "application/json"},
		{"another page that leaves", "/supervisor/leave", "", header("Origin", "null"), 403, "null"},
		{"no object", "/dealer", `"dora"`, nil, 400, "this cannot be read"},
		{"more of a dealer", "/dealer", `{"name":"dora","badge":"258013"}`, nil, 400, "this cannot be read"},
		{
			"another page's dealer", "/dealer", `{"name":"dora"}`, header("Origin", "http://evil.example"), 403,
			"evil.example",
		},
		{"a bare badge", "/dealer/badge", `"258013"`, nil, 400, "this cannot be read"},
		{
			"another page's badge", "/dealer/badge", `{"badge":"258013"}`, header("Origin", "http://evil.example"), 403,
			"evil.example",
		},
		{"a form that signs out", "/dealer/leave", "", header("Content-Type", "text/plain"), 415, "application/json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			people := &crowd{}
			_, page := serve(t, web.Options{People: people})
			status, _, body := postTo(t, page.URL+c.path, c.body, c.with)
			if status != c.status || !strings.Contains(body, c.want) || strings.Contains(body, "258013") {
				t.Errorf("answered %d %s, want %d and %q", status, body, c.status, c.want)
			}
			if len(people.asked) != 0 {
				t.Errorf("it reached the table as %q", people.asked)
			}
		})
	}
}

// TestSupervisorStatus can be looked at; a display that knows nobody has none.
func TestSupervisorStatus(t *testing.T) {
	look := func(page *httptest.Server) (int, string) {
		response, err := http.Get(page.URL + "/supervisor")
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		return response.StatusCode, string(body)
	}
	_, page := serve(t, web.Options{People: &crowd{status: authority.Status{
		Proof: authority.Key, Key: true,
		Present: "pit-key",
	}}})
	if status, body := look(page); status != 200 || body != `{"proof":"key","key":true,"present":"pit-key"}` {
		t.Errorf("answered %d %s", status, body)
	}
	_, page = serve(t, web.Options{})
	if status, body := look(page); status != 404 {
		t.Errorf("answered %d %s", status, body)
	}
	if status, _, _ := postTo(t, page.URL+"/supervisor", `{"pin":"258013"}`, nil); status != 405 {
		t.Errorf("answered %d", status)
	}
}
