package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/command"
	"github.com/sabot-table/sabot/table/irregularity"
)

var badPerSecond = flag.Int("commands.attack", 1900,
	"how many bad commands come each second to a table, which hears 2,000")

// pitDesk is a manager at the pages of a sabot-pit.
type pitDesk struct {
	t    *testing.T
	url  string
	http *http.Client
}

// pit runs the built sabot-pit, whose commands the world's table takes, and lets a manager in, called berta.
func (w *world) pit() *pitDesk {
	t := w.t
	t.Helper()
	binary := processes.Binary(t, "sabot-pit")
	config := filepath.Join(w.dir, "pit.yaml")
	write(t, config,
		fmt.Sprintf("site: test\nmqtt:\n  broker: tcp://%s\nstore:\n  source: %s\n  time_zone: "+
			"Europe/Berlin\nweb:\n  listen: 127.0.0.1:0\ncommands:\n  keys: [{name: desk, file: %s}]\n",
			w.broker.Addr(), filepath.Join(w.dir, "pit.db"), filepath.Join(w.dir, "desk.key")))
	added := processes.Run(t, binary, "person", "--config", config, "add", "berta", "manager")
	password, _, _ := strings.Cut(added.Out, "\n")
	if added.Status != 0 {
		t.Fatalf("person add: %s%s", added.Out, added.Err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := processes.Start(t, binary, "--config", config)
	t.Cleanup(p.Stop)
	d := &pitDesk{t, strings.TrimSuffix(p.URL, "/"), &http.Client{Jar: jar}}
	d.post("/enter", map[string]string{"name": "berta", "password": password})
	d.post("/password", map[string]string{"had": password, "password": "quite a long password of mine"})
	return d
}

func (d *pitDesk) get(path string) string {
	d.t.Helper()
	ask, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, d.url+path, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	ask.Header.Set("Accept", "text/html")
	return d.text(d.http.Do(ask))
}

func (d *pitDesk) post(path string, fields map[string]string) string {
	d.t.Helper()
	body, err := json.Marshal(fields)
	if err != nil {
		d.t.Fatal(err)
	}
	return d.text(d.http.Post(d.url+path, "application/json", bytes.NewReader(body)))
}

func (d *pitDesk) text(resp *http.Response, err error) string {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// managers is how many commands the manager gives at the pit's pages that are carried out.
const managers = 6

// attacked is how many rounds are dealt during the attack.
var attacked = tier.Times[uint64](3, 20)

var commandID = regexp.MustCompile(`"id":"([0-9a-f]{32})"`)

const bj1 = "/table/test/bj-1/"

// tells gives the table a command, and returns what the page says of it.
func (d *pitDesk) tells(what string, fields map[string]string) (state, text string) {
	d.t.Helper()
	var b struct{ State, Text string }
	got := d.post(bj1+"command/"+what, fields)
	lines := strings.Split(strings.TrimSpace(got), "\n") // the last is what it came to
	if json.Unmarshal([]byte(lines[len(lines)-1]), &b) != nil {
		d.t.Fatalf("%s %v is answered with %s", what, fields, got)
	}
	return b.State, b.Text
}

// must gives a command that the table must carry out.
func (d *pitDesk) must(what string, fields map[string]string) {
	d.t.Helper()
	if state, text := d.tells(what, fields); state != "done" {
		d.t.Fatalf("%s %v ends as %s: %s", what, fields, state, text)
	}
}

// sees waits until a page has something.
func (d *pitDesk) sees(path, what string) {
	d.t.Helper()
	brokertest.Until(d.t, fmt.Sprintf("%s shows %s", path, what), func() bool {
		return strings.Contains(d.get(path), what)
	})
}

// TestAttackOnAFloor: a manager at the pit's pages tells the table things; then somebody who can write to the broker
// sends it forged commands, replayed and expired ones, another table's, halves, what a key may not do, thousands a
// second. None is taken, the dealer's rounds go on to their end, the pit's pages tell of it, and afterwards the manager
// is heard again.
func TestAttackOnAFloor(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	tier.Landing(t, "it needs a pit, too")
	t.Parallel()
	w := newWorld(t, nil)
	desk, anna := w.commands()
	process := w.start()
	v := w.look()
	desk.ready()
	anna.ready()
	pit := w.pit()
	pit.sees(bj1, `data-order="limits"`)

	pit.must("limits", map[string]string{"min": "20", "box_max": "1000"})
	v.await("the limits", func(v display.View) bool { return v.Min == 2000 && v.BoxMax == 100_000 })
	pit.must("message", map[string]string{"text": "Bitte „Limits“"})
	v.await("the message", func(v display.View) bool {
		a := display.PitMessage(v)
		return a != nil && a.Caller == "berta"
	})
	pit.sees(bj1, "the dealer has not seen it yet")
	pit.must("close", nil)
	if state, text := pit.tells("close", nil); state != "refused" || text != "bj-1 refuses: the table is closed" {
		t.Errorf("a closed table is closed again: %s: %s", state, text)
	}
	pit.must("open", nil)
	pit.must("resend", map[string]string{"from": "1", "to": "3"})

	desk.does(command.Command{What: command.Message, Text: "the last one that is real"}, "")
	desk.mu.Lock()
	replayed := desk.copied[0]
	desk.mu.Unlock()
	bad := append(desk.bad(replayed),
		anna.seal(anna.key, "anna", func(*command.Command) {}),
		anna.seal(anna.key, "anna", func(one *command.Command) {
			one.What, one.Text, one.Person = command.Message, "x", "bruno"
		}),
		desk.seal(desk.key, "desk", func(one *command.Command) { one.Expires += 3_600_000 }))
	stop, flooded, began := make(chan struct{}), make(chan uint64, 1), time.Now()
	go func() { flooded <- desk.flood(bad, *badPerSecond, stop) }()
	told := w.deal(attacked).finish()
	pit.sees("/alerts", "Command refused")
	pit.sees(bj1, "Command refused")
	close(stop)
	sent := processes.Take(t, "the end of the flood", flooded)
	took := time.Since(began)

	brokertest.Until(t, "the manager is heard again", func() bool {
		state, _ := pit.tells("close", nil)
		return state == "done"
	})
	pit.must("acknowledge", map[string]string{"code": irregularity.CommandRefused.String()})
	v.await("the alert seen", func(v display.View) bool {
		for _, a := range v.Alerts {
			if a.Code == irregularity.CommandRefused {
				return a.AcknowledgedBy == "berta"
			}
		}
		return true // put right and seen: it is over
	})
	brokertest.Until(t, "all are counted", func() bool { return desk.lastHealth().Commands.Refused >= sent })
	log := pit.get("/log")
	for _, what := range []string{
		"<td>bj-1: Change the limits</td><td>20.00 – 1,000.00 EUR</td>", "<td>Bitte „Limits“</td>", "<td>done</td>",
		"<td>refused: the table is closed</td>", `<td class="who">berta</td>`,
	} {
		if !strings.Contains(log, what) {
			t.Errorf("the pit's log of what people do lacks %q:\n%s", what, log)
		}
	}
	process.Stop()

	inputs, outputs := w.records()
	if got := cardsOf(inputs); got != names(told) {
		t.Error("the journal has other cards than the shoe told")
	}
	if n := strings.Count(outputs, `{"out":"finished"`); n != int(attacked) {
		t.Errorf("%d rounds were finished", n)
	}
	for _, one := range bad {
		id, want := commandID.FindSubmatch(one), 0
		if bytes.Equal(one, replayed) {
			want = 1
		}
		if id != nil && strings.Count(inputs, string(id[1])) != want {
			t.Errorf("%d times on record is what the table was sent as\n%s", strings.Count(inputs, string(id[1])), one)
		}
	}
	carriedOut := strings.Count(outputs, `{"out":"message","event":"sent"`) + strings.Count(outputs,
		`{"out":"table"`) + strings.Count(outputs, `{"out":"limits"`)
	attack.Report(t, "forged commands, beside those of a manager", int(sent), carriedOut-managers)
	if n := strings.Count(inputs, `{"in":"command"`); n < 1 || n > 5 {
		t.Errorf("%d bad commands are in %d records", sent, n)
	}
	w.audited(attacked)
	t.Logf("%d bad commands were sent, %.0f a second; %+v", sent, float64(sent)/took.Seconds(),
		desk.lastHealth().Commands)
}
