package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	attacks "github.com/sabot-table/sabot/internal/testkit/attack"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// saidLoaded are the ways in which a screen may say that the shoe was loaded.
var saidLoaded = []struct{ path, body string }{
	{"/input", `{"in":"shoe","event":"loaded"}`},
	{"/input", `{"in":"shoe","event":"loaded","by":"anna","role":"supervisor"}`},
	{"/input", `{"in":"shoe","event":"loaded","role":"dealer"}`},
	{"/input", `{"in":"shoe","event":"loaded","packs":"red 1","by":"anna"}`},
	{"/input", `{"in":"shoe","event":"loaded","from":"shoe"}`},
	{"/input", `{"in":"shoe","event":"loaded","from":"screen","at":"supervisor-1","proven_at":"supervisor-1"}`},
	{"/touch", `{"moment":"","put":[{"in":"shoe","event":"loaded"}]}`},
	{"/touch", `{"moment":"","put":[{"in":"shoe","event":"loaded","from":"shoe"}]}`},
}

// loads tries all of them, and counts those that were taken.
func (n *network) loads(by ...*http.Client) (tries, through int) {
	n.t.Helper()
	for _, screen := range by {
		for _, said := range saidLoaded {
			tries++
			response := n.begin(screen, said.path, said.body)
			if response.StatusCode == http.StatusOK {
				through++
				n.t.Errorf("%s %s was taken", said.path, said.body)
			}
		}
	}
	return tries, through
}

// putBy is a touch that puts an input in with anna's PIN.
func putBy(input string) string {
	return fmt.Sprintf(`{"moment":"","put":[%s],%s`, input, annasPIN[1:])
}

// TestAttackLoaded: screens say in the middle of a round, and before the cut card without a supervisor, that the shoe
// was loaded. None of it is taken, a card too many still holds the round, and whose word is taken in the end is on
// record, and told to the pit.
func TestAttackLoaded(t *testing.T) {
	tier.Soak(t, "a built program is attacked for seconds")
	t.Parallel()
	n := newNetwork(t)
	n.house = "house: schaffhausen\ndecks: 1"
	n.may("view", "dealer", "supervisor")
	n.certify(time.Now().AddDate(0, 6, 0))
	events := brokertest.Subscribe(t, n.broker.Addr(), "sabot/v1/test/bj-1/#")
	process := n.start()
	dealer, supervisor := n.enter(n.keys["dealer"], http.StatusOK), n.enter(n.keys["supervisor"], http.StatusOK)
	await := func(part string) {
		t.Helper()
		brokertest.Until(t, "the view has "+part, func() bool {
			return strings.Contains(n.ask(dealer, "/view.json", "", http.StatusOK), part)
		})
	}
	await(`"online":true`)
	n.ask(dealer, "/dealer", `{"name":"mia"}`, http.StatusOK)
	for _, put := range []string{
		openBets, `{"in":"stake","wager":"main","box":1,"bettor":"a","amount":1000}`,
		`{"in":"stake","wager":"main","box":2,"bettor":"b","amount":1000}`, `{"in":"close"}`,
	} {
		n.ask(dealer, "/input", put, http.StatusOK)
	}
	tenOfSpades := card.Of(card.Ten, card.Spades)
	if err := n.shoe.DrawCard(tenOfSpades); err != nil {
		t.Fatal(err)
	}
	await(`"dealt":1`)
	tries, through := n.loads(dealer, supervisor)
	if err := n.shoe.DrawForeign(tenOfSpades); err != nil {
		t.Fatal(err)
	}
	await(`"foreign-card"`)

	n.ask(supervisor, "/supervisor", annasPIN, http.StatusOK) // to look alone
	n.ask(dealer, "/input", `{"in":"resolve","with":"void-round"}`, http.StatusForbidden)
	n.ask(dealer, "/touch", putBy(`{"in":"resolve","with":"void-round"}`), http.StatusForbidden)
	n.ask(supervisor, "/touch", putBy(`{"in":"resolve","with":"void-round"}`), http.StatusOK)
	n.awaitIn(`"from":"screen","at":"supervisor-1","who":"mia","with":"void-round","by":"anna"`)
	n.ask(dealer, "/input", `{"in":"paid"}`, http.StatusOK)
	await(`"load_supervised":true`)
	more, also := n.loads(dealer, supervisor)
	tries, through = tries+more, through+also

	n.ask(supervisor, "/touch", putBy(`{"in":"shoe","event":"loaded"}`), http.StatusOK)
	n.awaitIn(`"from":"screen","at":"supervisor-1","who":"mia","event":"loaded","by":"anna"`)
	var told string
	brokertest.Until(t, "the pit hears it", func() bool {
		for _, m := range events.Messages() {
			if strings.Contains(string(m.Payload), `"out":"loaded"`) {
				told = string(m.Payload)
			}
		}
		return told != ""
	})
	contains(t, told, `"out":"loaded"`, `"left":2`, `"by":"anna"`, `"at":"supervisor-1"`)
	contains(t, n.ask(dealer, "/recall/1", "", http.StatusOK), "by anna – screen supervisor-1, dealer mia")
	n.stop(process)

	inputs, _ := n.records()
	parser := transcript.NewParser(nil)
	for line := range strings.Lines(inputs) {
		in, ok := parser.ReadInput([]byte(strings.TrimSpace(line)))
		if !ok || in.Came().From == 0 {
			t.Errorf("nobody says where this came from: %s", line)
		}
		if in.Kind == vocab.InShoe && in.Shoe.Event == vocab.ShoeLoaded && in.Came().From == vocab.FromShoe {
			through++
			t.Errorf("a screen spoke for the shoe: %s", line)
		}
	}
	attacks.Report(t, "a shoe that is said to be loaded, in a round or before its cut card", tries, through)
}
