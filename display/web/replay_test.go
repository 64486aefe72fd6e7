package web_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/web"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/profile"
)

// felt is the part of a page on which boxes and bank are.
var felt = regexp.MustCompile(`(?s)<div class="boxes.*<nav`)

// whole undoes that the decimals which say nothing are smaller.
var whole = strings.NewReplacer(`<i class="nil">`, "", "</i></b>", "</b>")

// TestReplayIsTheTable: at every record of a round of every house, the felt holds the cards, the
// totals and the stakes of the table as the engine had it.
func TestReplayIsTheTable(t *testing.T) {
	for house := range profile.Built() {
		t.Run(house, func(t *testing.T) {
			night := displaytest.Night(house)
			_, page := serve(t, web.Options{Recall: night})
			round, err := night.Round(3)
			if err != nil {
				t.Fatal(err)
			}
			for _, step := range round.Steps {
				body := whole.Replace(felt.FindString(get(t,
					fmt.Sprintf("%s/recall/3/replay?record=%d", page.URL, step.Seq))))
				was, err := night.Table(step.Seq)
				if err != nil {
					t.Fatal(err)
				}
				for _, words := range lying(was) {
					if !strings.Contains(body, words) {
						t.Fatalf("after record %d there is no %q in\n%s", step.Seq, words, body)
					}
				}
				if got := strings.Count(body, ` class="box `); got != was.Boxes() {
					t.Fatalf("after record %d there are %d boxes", step.Seq, got)
				}
			}
		})
	}
}

// lying are the cards on a table and what they count, and the stakes of its bettors, as a page
// has them.
func lying(t *table.Table) (all []string) {
	v := display.From(t, "", 0)
	hands := []display.Hand{v.Bank}
	for _, b := range v.Boxes {
		hands = append(hands, b.Hands...)
		if len(b.Hands) == 1 && len(b.Payouts) == 0 {
			for _, s := range b.Hands[0].Stakes {
				if s.Amount > 0 {
					all = append(all, s.Bettor+"</span><b>"+display.English.Money(s.Amount, 2))
				}
			}
		}
	}
	for _, h := range hands {
		if len(h.Cards) > 0 {
			all = append(all, `aria-label="`+strings.Trim(fmt.Sprint(h.Cards), "[]")+`"`,
				fmt.Sprintf("<b>%d</b>", h.Total))
		}
	}
	return all
}

// TestReplayPages: a page says that it is past, what happened, what the table said then, and
// where the steps beside it are; what was taken back is struck out, and says when.
func TestReplayPages(t *testing.T) {
	s, page := serve(t, web.Options{Recall: displaytest.Rounds()})
	s.Show(displaytest.Named("held"))
	round, err := displaytest.Rounds().Round(21)
	if err != nil {
		t.Fatal(err)
	}
	var stop, back *history.Step
	for i := range round.Steps {
		step := &round.Steps[i]
		if stop == nil && strings.Contains(step.Input.Text(), `"??"`) {
			stop = step
		}
		if step.TakenBack != 0 {
			back = step
		}
	}
	undone := slices.IndexFunc(round.Steps, func(s history.Step) bool { return s.Seq == back.TakenBack })
	at := func(seq uint64) string { return fmt.Sprintf("/recall/21/replay?record=%d", seq) }
	for path, want := range map[string][]string{
		"/recall/21": {`href="/recall/21/replay"`, `href="/recall/21/sheet"`, `<a href="` + at(stop.Seq) + `">`},
		"/recall/21/replay": {
			"Step 1 of 32", "Bets open, round 21", `id="to-forward" href="` + at(round.Steps[1].Seq) + `"`,
			`class="button off backward"`,
			`id="to-wrong-after" href="` + at(stop.Seq) + `"`, `id="play"`, `data-wait="2142"`, "next after 2.1 s",
		},
		at(stop.Seq): {"STOP – unread card", `<section id="asked" class="stop">`, `id="to-backward" href="` +
			at(stop.Seq-1) + `"`, `class="button off wrong-before"`},
		at(back.Seq): {
			"<s>Call: Stand</s>", "Taken back at " + round.Steps[undone].At.Format("15:04"), `id="to-wrong-before"`,
		},
		"/recall/21/replay?record=" + fmt.Sprint(round.Steps[31].Seq): {
			"Step 32 of 32", `class="button off forward"`,
			`class="button off last"`,
		},
	} {
		body := get(t, page.URL+path)
		if path != "/recall/21" {
			want = append(want, "<h1>PAST ROUND 21</h1>", "Not the round on the table",
				`id="back" class="button" href="/recall/21"`, "<b>STOP – unread card</b></footer>",
				`href="/recall/21/sheet"`)
		}
		for _, words := range want {
			if !strings.Contains(body, words) {
				t.Errorf("%s does not say %q", path, words)
			}
		}
		for _, forbidden := range []string{
			"<style", " style=", " onclick", "http:", "https:", "<b>von", "data-put",
			"data-moment",
		} {
			if strings.Contains(body, forbidden) {
				t.Errorf("%s holds %q", path, forbidden)
			}
		}
	}
	if body := get(t, page.URL+"/recall/23/replay"); strings.Contains(body, "PAST") ||
		!strings.Contains(body, "<h1>Round 23 so far</h1>") {
		t.Error("the round on the table is called a past one")
	}
}

// TestSheetHasEverything: each line of the round is on paper, every card, who put right what went
// wrong, the hashes, the seal, and the lines to sign on.
func TestSheetHasEverything(t *testing.T) {
	for house, night := range map[string]displaytest.Past{
		"wiesbaden": displaytest.Rounds(),
		"baden":     displaytest.Night("baden"),
	} {
		s, page := serve(t, web.Options{Recall: night})
		s.Show(displaytest.Named("play"))
		for number := range uint64(23) {
			round, err := night.Round(number + 1)
			if err != nil {
				break
			}
			body := get(t, fmt.Sprintf("%s/recall/%d/sheet", page.URL, number+1))
			proof, err := night.Proof(round)
			if err != nil {
				t.Fatal(err)
			}
			want := []string{
				proof.First.Hash, proof.Last.Hash, proof.Journal, "BJ 4", display.HouseName(house) + ", ",
				"Guest", "Supervisor", fmt.Sprintf("sabot journal recall --proof JOURNAL %d", number+1),
			}
			if round.Finished() {
				want = append(want, proof.Seal.Signature, proof.Seal.Key)
			} else {
				want = append(want, "Not sealed")
			}
			for _, told := range display.Once(display.English.Tell(round)) {
				if told.Kind == display.ToldSettled && !told.Back {
					continue // it stands with the boxes
				}
				record := fmt.Sprintf("<td>%d</td><td>%s</td>", told.Seq, told.Time)
				if n := strings.Count(body, record); n != 1 {
					t.Errorf("%s, round %d: record %d stands there %d times", house, number+1, told.Seq, n)
				}
				want = append(want, escaped.Replace(told.Text))
			}
			for _, words := range want {
				if !strings.Contains(body, words) {
					t.Errorf("%s, round %d: the sheet lacks %q", house, number+1, words)
				}
			}
		}
	}
	_, page := serve(t, web.Options{Recall: displaytest.Rounds()})
	body := get(t, page.URL+"/recall/21/sheet")
	for _, words := range []string{
		"unread card: identify – by anna", "↶ <s>Call: Stand</s>", `<b class="card">10♠</b>`,
		`<b class="card">7♦</b>`, "d7 late",
	} {
		if !strings.Contains(body, words) {
			t.Errorf("the sheet lacks %q", words)
		}
	}
}

var escaped = strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&#34;")

// TestReplayFails: what cannot be shown is said.
func TestReplayFails(t *testing.T) {
	log := &system.Text{}
	for _, c := range []struct {
		recall web.Recall
		path   string
		status int
		words  string
	}{
		{displaytest.Rounds(), "/recall/99/replay", 404, "no such round as 99: the last round is 23"},
		{displaytest.Rounds(), "/recall/99/sheet", 404, "no such round as 99"},
		{displaytest.Rounds(), "/recall/0/replay", 404, ""},
		{displaytest.Rounds(), "/recall/21/replay?record=1", 404, "The round has no such record"},
		{displaytest.Rounds(), "/recall/21/replay?record=x", 404, "The round has no such record"},
		{unreadable{}, "/recall/3/replay", 500, "The record cannot be read"},
		{
			unprovable{displaytest.Rounds()},
			"/recall/3/replay", 200,
			"The table of that moment cannot be shown: the disk &lt;does&gt; not read",
		},
		{unprovable{displaytest.Rounds()}, "/recall/3/sheet", 500, "The record cannot be read"},
		{nil, "/recall/3/replay", 404, ""},
	} {
		_, page := serve(t, web.Options{Recall: c.recall, Logger: slog.New(slog.NewTextHandler(log, nil))})
		resp, err := http.Get(page.URL + c.path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != c.status || !strings.Contains(string(body), c.words) {
			t.Errorf("%s: %s, %v, want %d and %q in\n%s", c.path, resp.Status, err, c.status, c.words, body)
		}
	}
	if strings.Count(log.String(), errDisk.Error()) != 3 {
		t.Errorf("the log says %s", log)
	}
}

// unprovable has the lines of its rounds, and cannot deal them again.
type unprovable struct{ displaytest.Past }

func (unprovable) Table(uint64) (*table.Table, error)         { return nil, errDisk }
func (unprovable) Proof(history.Round) (history.Proof, error) { return history.Proof{}, errDisk }
