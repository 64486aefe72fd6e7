package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// TestSlipHasEveryBigWin: who has won how much, on what, by which cards, who has confirmed it, and where the record can
// be checked. A round without a big win has no slip, and its page no way to one.
func TestSlipHasEveryBigWin(t *testing.T) {
	night := displaytest.Night("big-win")
	s, page := serve(t, web.Options{Recall: night})
	s.Show(displaytest.Named("play"))
	slips := 0
	for number := uint64(1); number <= 4; number++ {
		round, err := night.Round(number)
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("%s/recall/%d", page.URL, number)
		wins := round.BigWins()
		if way := strings.Contains(get(t, at), `id="slip"`); way != (len(wins) > 0) {
			t.Errorf("round %d has %d big wins; a way to their slip: %v", number, len(wins), way)
		}
		if len(wins) == 0 {
			if resp, err := http.Get(at + "/slip"); err != nil || resp.StatusCode != http.StatusNotFound {
				t.Errorf("round %d: a slip of no win: %v, %v", number, resp, err)
			}
			continue
		}
		body := get(t, at+"/slip")
		proof, err := night.Proof(round)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(body, `<article class="slip">`); got != len(wins) {
			t.Errorf("round %d: %d slips of %d wins", number, got, len(wins))
		}
		for _, win := range wins {
			slips++
			out := win.Line.Out
			for _, words := range []string{
				fmt.Sprintf("<dd>Box %d, %s</dd>", out.Box, out.Bettor),
				"<dd>" + display.English.Price(out.Won, 2, "CHF") + "</dd>",
				"<dd>" + display.English.Label(display.LabelWager, out.Wager.String()) + "</dd>", "<dd>s1, ",
				proof.First.Hash, proof.Last.Hash, proof.Seal.Hash, "Supervisor",
			} {
				if !strings.Contains(body, words) {
					t.Errorf("round %d: the slip lacks %q in\n%s", number, words, body)
				}
			}
		}
	}
	if slips < 2 {
		t.Errorf("%d big wins in four rounds are too few for a test", slips)
	}
}

// TestGuestsHearOfABigWin: where the house wants that, and as long as the table is held.
func TestGuestsHearOfABigWin(t *testing.T) {
	wants := map[string]string{"hold-big-win": "Big win: 330.00", "hold-big-win-hand": "One moment, please"}
	for _, sample := range displaytest.Holds() {
		want, asked := wants[sample.Name]
		if !asked {
			continue
		}
		delete(wants, sample.Name)
		s, page := serve(t, web.Options{})
		s.Show(sample.View)
		if body := get(t, page.URL+"/guest"); !strings.Contains(body, want) {
			t.Errorf("%s: the guests' display lacks %q in\n%s", sample.Name, want, body)
		}
	}
	if len(wants) > 0 {
		t.Errorf("there are no samples %v", wants)
	}
}
