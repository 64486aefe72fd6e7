package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
)

// The PINs are words here: a journal full of times contains any digits somewhere.
const (
	annasPIN   = `{"name":"anna","pin":"opensesame"}`
	noPIN      = `{"name":"anna","pin":"abracadabra"}`
	identified = `{"in":"resolve","with":"identify","card":%q%s}`
)

// supervisedBy is the configuration's group of supervisors who all have anna's PIN, with lock-outs that outlast a test.
func supervisedBy(names ...string) string {
	var all []string
	for _, name := range names {
		all = append(all, fmt.Sprintf("{name: %s, pin: %q}", name, authority.NewHash("opensesame")))
	}
	return fmt.Sprintf("{names: [%s], lock_out: 1h, lock_out_most: 1h}", strings.Join(all, ", "))
}

// post posts to the page, and reads the answer into one.
func (w *world) post(path, body string, answer any) (status int) {
	w.t.Helper()
	response, err := http.Post("http://"+w.page+path, "application/json", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		w.t.Fatalf("%s answered %s: %v", path, text, err)
	}
	return response.StatusCode
}

// enter enters a PIN, and wants this answer.
func (w *world) enter(body string, status int, why authority.Why) web.Standing {
	w.t.Helper()
	var now web.Standing
	if got := w.post("/supervisor", body, &now); got != status || now.Refused != why ||
		(now.Error == "") != (why == "") {
		w.t.Errorf("a PIN was answered %d %+v; want %d, %q", got, now, status, why)
	}
	return now
}

// lockOut enters wrong PINs of a name until no more are accepted, not even the right one.
func (w *world) lockOut(name string) {
	w.t.Helper()
	of := strings.NewReplacer("anna", name)
	for left := 2; left > 0; left-- {
		if now := w.enter(of.Replace(noPIN), http.StatusForbidden, authority.WhyWrongPIN); now.Left != left {
			w.t.Errorf("%d tries are left, not %d", now.Left, left)
		}
	}
	w.enter(of.Replace(noPIN), http.StatusTooManyRequests, authority.WhyLockedOut)
	w.enter(of.Replace(annasPIN), http.StatusTooManyRequests, authority.WhyLockedOut)
}

// resolve posts a resolution, which must be refused for this reason, or accepted.
func (w *world) resolve(body string, why authority.Why) {
	w.t.Helper()
	status := http.StatusForbidden
	if why == "" {
		status = http.StatusOK
	}
	w.puts("/input", body, status, why)
}

// resolveAs is resolve with anna's PIN.
func (w *world) resolveAs(body string, why authority.Why) {
	w.t.Helper()
	status := http.StatusForbidden
	if why == "" {
		status = http.StatusOK
	}
	w.puts("/touch", putBy(body), status, why)
}

func (w *world) puts(path, body string, status int, why authority.Why) {
	w.t.Helper()
	var answer web.Answer
	got := 0
	brokertest.Until(w.t, "the pace allows it", func() bool { // what went before has used it up
		answer = web.Answer{}
		got = w.post(path, body, &answer)
		return answer.Refused != "too-often"
	})
	if got != status || answer.Refused != why || answer.Rejected != "" {
		w.t.Errorf("%s was answered %d %+v; want %d, %q", body, got, answer, status, why)
	}
}

// holdUnread makes the dealer draw a card that the shoe cannot read, and returns it.
func (d *dealing) holdUnread() card.Card {
	d.t.Helper()
	d.stop(3)
	drawn := make(chan card.Card, 1)
	d.goOn(func(s *shoesim.Shoe) (card.Card, []card.Card, error) {
		c, err := s.DrawUnread()
		drawn <- c
		return c, []card.Card{card.Unread}, err
	})
	d.awaitHeld(irregularity.UnreadCard, irregularity.Identify, irregularity.Burn, irregularity.VoidRound)
	return processes.Take(d.t, "the card", drawn)
}

// TestSupervisorsPIN holds a round and tries to put it right at the page: without a PIN, after three wrong PINs, which
// lock out the name that they were entered for and nobody else, by another name, and by the supervisor, whose name is
// in the journal and reaches the pit. No PIN is in anything that is written or sent.
func TestSupervisorsPIN(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.supervisors = supervisedBy("anna", "berta")
	messages := brokertest.Subscribe(t, w.broker.Addr(), "#")
	process := w.start()
	d := w.deal(2)
	unread := d.holdUnread()
	w.resolve(fmt.Sprintf(identified, unread, `,"by":"anna"`), "needs-pin")
	w.lockOut("berta")
	d.await("that berta is locked out", func(v display.View) bool {
		return v.Supervisor != nil && len(v.Supervisor.Locked) == 1 && v.Supervisor.Locked[0].Name == "berta"
	})
	if now := w.enter(annasPIN, http.StatusOK, ""); now.Present != "anna" || now.Needs != 0 {
		t.Errorf("with the right PIN it is %+v", now)
	}
	w.resolve(fmt.Sprintf(identified, unread, ""), "needs-pin") // who may look decides nothing
	w.resolveAs(fmt.Sprintf(identified, unread, `,"by":"bruno"`), "another-name")
	w.resolveAs(fmt.Sprintf(identified, unread, ""), "")
	w.check(d.finish(), 2, "unread-card")
	process.Stop()

	w.written(`"with":"identify","by":"anna","card":"`+unread.String()+`"`,
		`"code":"unread-card","with":"identify","by":"anna"`)
	logs(t, process, "what=wrong-pin who=berta", "what=locked-out who=berta", "what=tried-while-locked",
		"what=proven who=anna", "why=another-name")
	w.nowhere([]string{"opensesame", "abracadabra"}, process, messages)
}

// written wants part of an input in the journal, and part of an output in the journal and
// at the pit.
func (w *world) written(input, output string) {
	w.t.Helper()
	inputs, outputs := w.records()
	if !strings.Contains(inputs, input) || !strings.Contains(outputs, output) {
		w.t.Errorf("the journal has no %s, or no %s", input, output)
	}
	heard := w.floor.Lines(w.t, uint64(strings.Count(outputs, "\n")))
	if !slices.ContainsFunc(heard, func(line []byte) bool { return bytes.Contains(line, []byte(output)) }) {
		w.t.Errorf("the pit did not hear %s", output)
	}
}

// nowhere looks for PINs in everything that the daemon wrote and sent.
func (w *world) nowhere(texts []string, p *processes.Process, sent *brokertest.Subscriber) {
	w.t.Helper()
	all := []string{p.Log(), p.Out()}
	files := processes.Files(w.t, w.path)
	if files[w.path+".people"] == "" {
		w.t.Fatalf("no file keeps who stands at the table, there are %d others", len(files))
	}
	for _, text := range files {
		all = append(all, text)
	}
	for _, m := range sent.Messages() {
		all = append(all, string(m.Payload))
	}
	for _, text := range texts {
		if slices.ContainsFunc(all, func(one string) bool { return strings.Contains(one, text) }) {
			w.t.Errorf("the PIN %s was written or sent", text)
		}
	}
}

// TestLockOutOutlivesAKill: after a kill a locked name is still locked, the dealer's name is
// the same, and nobody is proven.
func TestLockOutOutlivesAKill(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.supervisors = supervisedBy("anna")
	process := w.start()
	var shift authority.Shift
	if status := w.post("/dealer", `{"name":"dora"}`, &shift); status != http.StatusOK || shift.Dealer != "dora" ||
		shift.Since.IsZero() {
		t.Errorf("the dealer's name was answered %d %+v", status, shift)
	}
	w.enter(annasPIN, http.StatusOK, "")
	w.lockOut("anna")
	process.Kill()
	process = w.start()
	now := w.enter(annasPIN, http.StatusTooManyRequests, authority.WhyLockedOut)
	if now.Present != "" || now.Wait < 3000 || len(now.Locked) != 1 {
		t.Errorf("after a kill it is %+v", now)
	}
	v := w.look().await("dora", func(v display.View) bool { return v.Shift.Dealer == "dora" })
	if v.Supervisor.Needs != authority.PIN {
		t.Errorf("after a kill the screens have %+v", v.Supervisor)
	}
	process.Stop()
}
