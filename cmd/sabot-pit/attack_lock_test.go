package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/pit/people"
	"github.com/sabot-table/sabot/table/plaintext"
)

// TestAttackLockOut: whoever tries passwords for a manager's name, from one address and from many, finds none, is told
// to wait, and keeps the manager out neither from a browser that is known nor at the pit's own computer; nor does it
// fill the log.
func TestAttackLockOut(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	a := newAttacked(t, withBroker)
	enter := func(password string) request {
		return request{
			method: http.MethodPost, target: "/enter",
			body: fmt.Sprintf(`{"name":"manager","password":%q}`, password),
		}
	}
	known := ""
	for _, c := range a.ask(enter(housePass)).cookies {
		if c.Name == "sabot-pit-known" {
			known = c.Value
		}
	}
	tries, through, waits := 0, 0, 0
	for i := range tier.Times(160, 240) {
		address := "127.44.0.1"
		if i%2 == 1 {
			address = fmt.Sprintf("127.44.1.%d", 1+i%120)
		}
		tries++
		switch got := a.served(address, enter(fmt.Sprint("a guess ", i))); got.status {
		case http.StatusTooManyRequests:
			waits++
		case http.StatusOK:
			through++
		}
	}
	t.Logf("%d of %d were told to wait", waits, tries)
	if waits < tries/2 {
		through += tries/2 - waits
		t.Errorf("only %d of %d were told to wait", waits, tries)
	}
	fromKnown := enter(housePass)
	fromKnown.header = []string{"Cookie: sabot-pit-known=" + known}
	for who, got := range map[string]answered{
		"the manager at a browser that is known": a.served("127.44.0.1", fromKnown),
		"the manager at the pit's own computer":  a.served("127.0.0.1", enter(housePass)),
	} {
		tries++
		if got.status != http.StatusOK {
			through++
			t.Errorf("%s is answered with %d %s", who, got.status, got.text)
		}
	}
	a.typed("let-in", "manager")
	if got := a.served("127.44.9.9", enter(housePass)); got.status != http.StatusOK {
		through++
		t.Errorf("after let-in the manager is answered with %d %s", got.status, got.text)
	}
	a.people(func(all *people.People) {
		entries, err := all.Log(t.Context(), people.Query{Most: 1000})
		if err != nil || len(entries) > 200 {
			through++
			t.Errorf("the log has %d entries of it, %v", len(entries), err)
		}
	})
	attack.Report(t, "pit: guesses that would lock a manager out", tries, through)
}

// TestAttackPrintedLog: what strangers and pages write into the log of what people do does not steer the terminal on
// which it is printed, nor look like another line of it.
func TestAttackPrintedLog(t *testing.T) {
	a := newAttacked(t, withBroker)
	tries := 0
	for _, path := range []string{"/%1b[2J%0d%0aforged", "/table/%e2%80%ae/x", "/%c2%9b31m", "/a%0922%20%20manager"} {
		tries++
		a.ask(request{method: http.MethodPost, target: path, token: a.tokens["manager"], body: `{}`})
	}
	through := 0
	got := processes.Run(t, processes.Binary(t, "sabot-pit"), "person", "--config", a.config, "log")
	if !strings.Contains(got.Out, `\x1b[2J`) {
		t.Errorf("the log says\n%s%s", got.Out, got.Err)
	}
	for line := range strings.Lines(got.Out) {
		if text := strings.TrimSuffix(line, "\n"); plaintext.Visible(text) != text ||
			strings.HasPrefix(text, "forged") {
			through++
			t.Errorf("the log prints %q", line)
		}
	}
	attack.Report(t, "pit: lines of its log that steer a terminal", tries, through)
}
