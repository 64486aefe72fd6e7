package dashboard_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/pittest"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/pit/dashboard"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// audit is the log of what people do.
type audit struct {
	noted, ended []string
	fails        error
}

func (a *audit) Note(_ *http.Request, about, detail string) error {
	a.noted = append(a.noted, about+" "+detail)
	return a.fails
}

func (a *audit) Outcome(_ *http.Request, detail string) { a.ended = append(a.ended, detail) }

// says is what the page is told of a command, which must be answered with a status.
func (p *pit) says(path, body string, status int) (state, text string) {
	p.t.Helper()
	w := p.ask(http.MethodPost, path, body, nil)
	if w.Code != status {
		p.t.Fatalf("%s %s is answered with %d: %s", path, body, w.Code, w.Body)
	}
	if status != http.StatusOK {
		return "", strings.TrimSpace(w.Body.String())
	}
	var b struct{ State, Text string }
	for line := range bytes.Lines(w.Body.Bytes()) { // the last is what it came to
		b.Text = ""
		if err := json.Unmarshal(line, &b); err != nil {
			p.t.Fatal(err)
		}
	}
	return b.State, b.Text
}

// TestOrders: each command reaches the table as it was given, in the person's name, and the log says before and after.
func TestOrders(t *testing.T) {
	for _, c := range []struct {
		what, body string
		want       command.Command
		log        string
	}{
		{"open", `{"by":"somebody else"}`, command.Command{What: command.OpenTable}, "open"},
		{"close", `{}`, command.Command{What: command.CloseTable}, "close"},
		{
			"limits", `{"min":"20","box_max":"1.000,50"}`,
			command.Command{What: command.Limits, Min: 2000, BoxMax: 100050},
			"limits min 2000 box_max 100050 CHF",
		},
		{
			"message", `{"text":" Bitte  \"20\" "}`,
			command.Command{What: command.Message, Text: `Bitte "20"`},
			`message "Bitte \"20\""`,
		},
		{"resend", `{"from":"7"}`, command.Command{What: command.Resend, From: 7}, "resend from 7"},
		{
			"resend", `{"from":"7","to":"9"}`,
			command.Command{What: command.Resend, From: 7, To: 9},
			"resend from 7 to 9",
		},
		{
			"acknowledge", `{"code":"unread-card"}`,
			command.Command{What: command.Acknowledge, Code: irregularity.UnreadCard},
			"acknowledge unread-card",
		},
		{"coming", `{}`, command.Command{What: command.Coming}, "coming"},
	} {
		log := &audit{}
		p := open(t, "calm", func(o *dashboard.Options) { o.People, o.Audit = role("manager"), log })
		p.floor.Rest(3)
		state, text := p.says(bj3+"command/"+c.what, c.body, http.StatusOK)
		c.want.Person = "Anna"
		if got := p.orders.Sent(); state != "done" || text != "bj-3 has done it" || len(got) != 1 || got[0] != c.want {
			t.Errorf("%s %s sends %+v, and the page is told %s: %s", c.what, c.body, got, state, text)
		}
		if len(log.noted) != 1 || log.noted[0] != "kursaal/bj-3 "+c.log || len(log.ended) != 1 ||
			!strings.HasSuffix(log.ended[0], ": done, record 6111") {
			t.Errorf("%s: the log has %q and %q", c.what, log.noted, log.ended)
		}
	}
}

// TestBadOrders: what cannot be meant is not sent.
func TestBadOrders(t *testing.T) {
	p := open(t, "calm", nil)
	for body, what := range map[string]string{
		`{"by":""}`: "open", `{"by":"\u202eanna"}`: "close", `{"by":"anna","code":"nothing"}`: "acknowledge",
		`{"by":"anna","min":"20"}`: "limits", `{"by":"anna","min":"0","box_max":"500"}`: "limits",
		`{"by":"anna","min":"-5","box_max":"500"}`:     "limits",
		`{"by":"anna","min":"1.00.0","box_max":"500"}`: "limits",
		`{"by":"anna","min":"20.5.0","box_max":"1"}`:   "limits",
		`{"by":"anna","min":"20","box_max":"10"}`:      "limits",
		`{"by":"anna","min":"20.25","box_max":"500"}`:  "limits",
		`{"by":"anna","text":" "}`:                     "message", `{"by":"anna","text":"a\u202eb"}`: "message",
		`{"by":"anna","text":"` + strings.Repeat("x", 121) + `"}`: "message",
		`{"by":"anna","from":"0"}`:                                "resend",
		`{"by":"anna","from":"5","to":"4"}`:                       "resend",
		`{"by":"anna","from":"5","to":"x"}`:                       "resend",
		`{"by":"anna","else":1}`:                                  "open",
	} {
		if _, text := p.says(bj3+"command/"+what, body, http.StatusBadRequest); text == "" {
			t.Errorf("%s %s is refused without a word", what, body)
		}
	}
	p.says("/table/kursaal/bj-77/command/open", `{"by":"anna"}`, http.StatusNotFound)
	if got := p.orders.Sent(); len(got) != 0 {
		t.Errorf("%+v were sent", got)
	}
}

// TestWhatBecameOfAnOrder is said in words, and is in the log.
func TestWhatBecameOfAnOrder(t *testing.T) {
	for how, want := range map[string][3]string{
		command.Unauthorised.String(): {
			"refused", "bj-3 refuses: its configuration does not allow you this",
			"refused, unauthorised",
		},
		command.OtherSession.String(): {
			"refused", "bj-3 refuses: the table was started anew meanwhile: send it again",
			"other-session",
		},
		vocab.TableIsClosed.String():  {"refused", "bj-3 refuses: the table is closed", "refused, table-closed"},
		"a reason of a newer table's": {"refused", "bj-3 refuses: a reason of a newer table's", "newer"},
		"silent":                      {"unknown", "No answer from bj-3 after 0 s.", "no answer"},
		"away":                        {"not-sent", "Not sent: the broker is away", "not sent"},
	} {
		log := &audit{}
		p := open(t, "calm", func(o *dashboard.Options) {
			o.Answer, o.People, o.Audit = time.Millisecond, role("supervisor"), log
		})
		p.floor.Rest(3)
		p.orders.Answer(how)
		state, text := p.says(bj3+"command/close", `{}`, http.StatusOK)
		if state != want[0] || !strings.HasPrefix(text, want[1]) {
			t.Errorf("%s: the page is told %s: %s", how, state, text)
		}
		if len(log.noted) != 1 || len(log.ended) != 1 || !strings.Contains(log.ended[0], want[2]) {
			t.Errorf("%s: the log has %q and %q", how, log.noted, log.ended)
		}
	}
	log := &audit{fails: errors.New("the database is away")}
	p := open(t, "calm", func(o *dashboard.Options) { o.People, o.Audit = role("supervisor"), log })
	p.floor.Rest(3)
	if p.says(bj3+"command/close", `{}`, http.StatusServiceUnavailable); len(p.orders.Sent()) != 0 {
		t.Error("what could not be noted was sent")
	}
}

// TestBetweenRounds: what a table takes between two rounds is sent once the round is over, not before, and not at all
// if nobody waits any more.
func TestBetweenRounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &audit{}
		p := open(t, "calm", func(o *dashboard.Options) { o.People, o.Audit = role("supervisor"), log })
		ask := func(ctx context.Context) <-chan string {
			said := make(chan string, 1)
			go func() {
				w := p.ask(http.MethodPost, bj3+"command/close", `{}`, func(r *http.Request) {
					*r = *r.WithContext(ctx)
				})
				said <- w.Body.String()
			}()
			bubble.Settle(time.Minute)
			return said
		}
		said := ask(t.Context())
		p.floor.Deal(3, "payment")
		synctest.Wait()
		if len(p.orders.Sent()) != 0 {
			t.Error("it was sent while the round was running")
		}
		p.floor.Rest(3)
		if got, want := <-said, `{"state":"waits"}`+"\n"+`{"state":"sent"}`+"\n"+
			`{"state":"done","text":"bj-3 has done it"}`+"\n"; got != want || len(p.orders.Sent()) != 1 {
			t.Errorf("the page is told\n%sand %d were sent", got, len(p.orders.Sent()))
		}

		p.floor.Deal(3, "play")
		ctx, leave := context.WithCancel(t.Context())
		said = ask(ctx)
		leave()
		if got := <-said; !strings.Contains(got, "the round did not end") {
			t.Errorf("who has left is told %s", got)
		}
		said = ask(t.Context())
		bubble.Pass(10 * time.Minute)
		if got := <-said; !strings.Contains(got, "the round did not end") || len(p.orders.Sent()) != 1 {
			t.Errorf("after ten minutes the page is told %s", got)
		}

		// Another round is quicker, again and again.
		p.orders.Answer(vocab.RoundRunning.String())
		p.floor.Rest(3)
		said = ask(t.Context())
		for range 9 {
			p.floor.Deal(3, "bets")
			p.floor.Rest(3)
			synctest.Wait()
		}
		if got := <-said; !strings.Contains(got, "a round is running") || len(p.orders.Sent()) != 1+5 {
			t.Errorf("after %d commands the page is told %s", len(p.orders.Sent()), got)
		}
		if last := log.ended[len(log.ended)-1]; !strings.Contains(last, "round-running") {
			t.Errorf("the log has %q", log.ended)
		}
	})
}

// TestOrderKeys: a table has a key for each command that it may be told now, and an alert says what the table is told.
func TestOrderKeys(t *testing.T) {
	p := open(t, "bad", nil)
	has := func(path, what string, want bool) {
		t.Helper()
		if got := strings.Contains(p.get(path), what); got != want {
			t.Errorf("%s has %s: %t", path, what, got)
		}
	}
	const bj2, bj6, bj12 = "/table/kursaal/bj-2/", "/table/kursaal/bj-6/", "/table/kursaal/bj-12/"
	has(bj2, `data-order="close"`, true)
	has(bj2, `data-order="open"`, false)
	has(bj2, `data-min="25.00" data-box_max="2,000.00"`, true)
	has(bj6, `data-order="open"`, true)
	has(bj6, `data-order="close"`, false)
	has(bj12, `data-order=`, false)
	has(bj12, "This table takes nothing from the pit", true)
	has(bj3, `data-code="unread-card" data-at="/table/kursaal/bj-3/"`, true)
	has("/alerts", `data-code="floor-called" data-at="/table/kursaal/bj-1/" data-table="bj-1" data-called`, true)
	has("/alerts", `data-code="table-offline"`, false)
	has("/table/kursaal/bj-9/", "The table is not heard", true)

	p.says(bj2+"command/message", `{"by":"anna","text":"Bitte <b>Limits</b>"}`, http.StatusOK)
	has(bj2, "Bitte &lt;b&gt;Limits&lt;/b&gt;", true)
	has(bj2, "the dealer has not seen it yet", true)

	p = open(t, "bad", func(o *dashboard.Options) { o.Commands = nil })
	for _, what := range []string{`data-order=`, "takes nothing", `class="order"`, `data-code=`} {
		has(bj2, what, false)
	}
	p.says(bj3+"command/open", `{"by":"anna"}`, http.StatusNotFound)
}

// TestWordsAreNoBreaches: who is called or told something has done nothing wrong.
func TestWordsAreNoBreaches(t *testing.T) {
	p := open(t, "calm", nil)
	v, _ := p.floor.View(pittest.Table(3))
	v.Shift.Irregularities = map[irregularity.Code]int{
		irregularity.FloorCalled: 91, irregularity.PitMessage: 92,
		irregularity.UnreadCard: 93,
	}
	p.floor.Look(pittest.Table(3), v)
	body := p.get(bj3)
	if strings.Contains(body, ">91<") || strings.Contains(body, ">92<") || !strings.Contains(body, ">93<") {
		t.Errorf("the page counts\n%s", body)
	}
	search := p.get(bj3 + "recall")
	for _, code := range []irregularity.Code{irregularity.FloorCalled, irregularity.PitMessage} {
		if strings.Contains(search, `value="`+code.String()+`"`) {
			t.Errorf("past rounds are found by %s", code)
		}
	}
}
