package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
)

// TestBench: the demonstration has a bench, and says where it is.
func TestBench(t *testing.T) {
	t.Parallel()
	demo := processes.Start(t, processes.Binary(t, "sabot-demo"), "--by-hand", "--web", "127.0.0.1:0", "--broker",
		"127.0.0.1:0")
	if status, page := get(t, demo.URL+"bench"); status != http.StatusOK || !strings.Contains(page, "<title>Bench") {
		t.Errorf("the demonstration answers /bench with %d", status)
	}
	contains(t, demo.Out(), demo.URL+"bench")
	demo.End(syscall.SIGINT)
}

// mischief is what a person does at the bench, besides drawing the next card.
var mischief = []struct{ path, body string }{
	{"keys", `{"How":"press","Keys":["bets"]}`},
	{"keys", `{"How":"press","Keys":["card"]}`},
	{"keys", `{"How":"press","Keys":["rest"]}`},
	{"keys", `{"How":"press","Keys":["double","split"]}`},
	{"keys", `{"How":"press","Keys":["paid"]}`},
	{"keys", `{"How":"press","Keys":["undo"]}`},
	{"keys", `{"How":"turn","Keys":["box_1"]}`},
	{"keys", `{"How":"turn","Keys":["box_4"]}`},
	{"keys", `{"How":"turn","Keys":["supervisor"]}`},
	{"shoe", `{"Steps":"unread"}`},
	{"shoe", `{"Steps":"overdraw"}`},
	{"shoe", `{"Steps":"foreign 7H"}`},
	{"shoe", `{"Steps":"cut-card"}`},
	{"shoe", `{"Steps":"pull"}`},
	{"shoe", `{"Steps":"plug"}`},
	{"shoe", `{"Steps":"hang 20ms"}`},
	{"shoe", `{"Steps":"garbage 20"}`},
	{"shoe", `{"Steps":"reboot"}`},
	{"shoe", `{"Steps":"pull after 5\ndraw\nplug"}`},
	{"right", `{"With":"burn"}`},
	{"right", `{"With":"next-card"}`},
	{"right", `{"With":"identify","Card":"9C"}`},
	{"script", `{"Text":"random 2"}`},
}

// TestHandedBack does at the bench whatever a person might, and hands the table back: the
// simulated dealer finishes the round, and continues.
func TestHandedBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ house, shoe string }{
		{"wiesbaden", "sabot"},
		{"st-moritz", "bee-tek"},
		{"mendrisio", "angel-eye"},
		{"baden", "sabot"},
	} {
		t.Run(c.house+" "+c.shoe, func(t *testing.T) {
			t.Parallel()
			process := processes.Start(t, processes.Binary(t, "sabot-demo"), "--by-hand", "--pace", "1ms", "--house",
				c.house, "--shoe", c.shoe,
				"--web", "127.0.0.1:0", "--broker", "127.0.0.1:0")
			screen := look(t, process)
			t.Cleanup(func() {
				if t.Failed() {
					_, view := get(t, process.URL+"view.json")
					_, page := get(t, process.URL+"bench")
					t.Logf("the table is %s\nthe bench is %s\n%s", view, page, process.Log())
				}
			})
			chance := rand.New(rand.NewPCG(11, 3))
			for turn := range tier.Times(1, 5) {
				post(t, process.URL+"bench/dealer", `{"Deal":false}`)
				var did []string
				for range chance.IntN(25) {
					what := struct{ path, body string }{"shoe", `{"Steps":"draw"}`}
					if chance.IntN(3) > 0 {
						what = mischief[chance.IntN(len(mischief))]
					}
					post(t, process.URL+"bench/"+what.path, what.body)
					did = append(did, what.path+" "+what.body)
				}
				handBack(t, process.URL)
				v := screen.Sees(t, "a view", func(display.View) bool { return true })
				screen.Sees(t, fmt.Sprintf("turn %d, two more rounds after\n%s", turn, strings.Join(did, "\n")),
					func(now display.View) bool {
						return now.Round >= v.Round+2
					})
			}
			process.End(syscall.SIGINT)
			if strings.Contains(process.Log(), "does not know how to continue") {
				t.Errorf("the simulated dealer could not continue:\n%s", process.Log())
			}
		})
	}
}

// handBack removes what would stop the simulated dealer, and hands the table back.
func handBack(t *testing.T, page string) {
	t.Helper()
	var said string
	until(t, "the table is handed back", func() bool {
		post(t, page+"bench/script/stop", `{}`)
		post(t, page+"bench/shoe", `{"Steps":"plug"}`)
		post(t, page+"bench/shoe", `{"Steps":"line good"}`)
		status, answer := post(t, page+"bench/dealer", `{"Deal":true}`)
		if answer != said {
			said = answer
			t.Log("handing back:", strings.TrimSpace(said))
		}
		return status == http.StatusOK
	})
}

// until asks a page until it answers as it should. A page does not say when it has changed, and each question takes the
// program time: so there is a pause between two.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	brokertest.UntilEvery(t, 25*time.Millisecond, what, holds)
}

func get(t *testing.T, url string) (status int, body string) {
	t.Helper()
	return ask(t, http.MethodGet, url, "")
}

func post(t *testing.T, url, body string) (status int, answer string) {
	t.Helper()
	return ask(t, http.MethodPost, url, body)
}

// ask returns what a page answers; for a stream, only that it does.
func ask(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method, url, bytes.NewReader([]byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost && answer.StatusCode == http.StatusOK && !json.Valid(text) {
		t.Errorf("%s answers %s", url, text)
	}
	return answer.StatusCode, string(text)
}
