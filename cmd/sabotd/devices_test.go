package main

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
)

// sure is a restart without a PIN, and surely one with anna's.
const (
	sure   = `{"sure":true}`
	surely = `{"sure":true,"name":"anna","pin":"opensesame"}`
)

// TestDevicesAndLog: screens of supervisors see how a real table does once a PIN is entered, take copies and have it
// begin anew; that is on record with who, from where and where they were proven. In a round it is refused, and changes
// nothing.
func TestDevicesAndLog(t *testing.T) {
	t.Parallel()
	n := newNetwork(t)
	n.certify(time.Now().AddDate(0, 0, 10))
	n.keys["supervisor-b"] = web.NewKey()
	n.may("dealer", "supervisor", "supervisor-b")
	messages := brokertest.Subscribe(t, n.broker.Addr(), "#")
	process := n.start()
	n.awaitIn(`"event":"online"`)
	dealer, one, other := n.enter(n.keys["dealer"], http.StatusOK), n.enter(n.keys["supervisor"], http.StatusOK),
		n.enter(n.keys["supervisor-b"], http.StatusOK)
	n.ask(n.browser(), "/devices/", "", http.StatusUnauthorized)
	n.ask(dealer, "/devices/log?level=INFO", "", http.StatusForbidden)
	n.ask(dealer, "/devices/restart", sure, http.StatusForbidden)
	if page := n.ask(one, "/devices/", "", http.StatusOK); strings.Contains(page, "certificate-ends") ||
		!strings.Contains(page, `data-name="anna"`) {
		t.Errorf("without a PIN it says\n%s", page)
	}
	n.ask(one, "/devices/restart", sure, http.StatusForbidden)
	n.ask(one, "/devices/take", `{"what":"log"}`, http.StatusForbidden)

	n.prove(one)
	contains(t, n.ask(one, "/devices/", "", http.StatusOK), "certificate-ends", "serial ports", n.port)
	if page := n.ask(other, "/devices/", "", http.StatusOK); strings.Contains(page, "certificate-ends") {
		t.Errorf("a PIN that was entered elsewhere shows\n%s", page)
	}
	contains(t, n.ask(one, "/devices/log?level=INFO&text=IS+open", "", http.StatusOK), "the table is open")
	contains(t, n.ask(one, "/devices/take", `{"what":"configuration"}`, http.StatusOK), "site: test",
		"(secret, left out)")
	n.awaitIn(`"code":"took configuration","by":"anna"`)
	if log := n.ask(one, "/devices/take", `{"what":"log"}`, http.StatusOK); !strings.Contains(log,
		"the table is open") || strings.Contains(log, "argon2id") {
		t.Errorf("the copy of the log is\n%s", log)
	}

	n.ask(other, "/devices/restart", sure, http.StatusForbidden)
	contains(t, n.ask(one, "/devices/restart", sure, http.StatusForbidden), `"needs":true`) // the PIN was to look
	contains(t, n.ask(one, "/devices/restart", strings.Replace(surely, "opensesame", "abracadabra", 1),
		http.StatusForbidden), `"failed":true`)
	n.ask(one, "/devices/restart", surely, http.StatusOK)
	brokertest.Until(t, "the table has begun anew", func() bool {
		response, err := one.Get(n.url + "/devices/state")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		text := make([]byte, 100)
		size, _ := response.Body.Read(text) // what is cut off is no answer
		return strings.Contains(string(text[:size]), `"boot":"2"`)
	})
	n.awaitIn(`"from":"screen","at":"supervisor-1","code":"restart","by":"anna"`)
	logs(t, process, "a supervisor has the table begin anew", `msg="the table begins anew"`)

	n.ask(one, "/devices/restart", sure, http.StatusForbidden)
	n.ask(dealer, "/input", openBets, http.StatusOK)
	n.prove(one)
	before := n.acts()
	contains(t, n.ask(one, "/devices/restart", sure, http.StatusConflict), `"round":true`)
	if after := n.acts(); after != before {
		t.Errorf("a refused restart changed the journal from\n%s to\n%s", before, after)
	}
	contains(t, n.ask(one, "/devices/state", "", http.StatusOK), `"boot":"2"`)
	n.stop(process)
	n.nowhere([]string{n.keys["supervisor"].String(), "opensesame"}, process, messages)
}
