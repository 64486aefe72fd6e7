package lcd

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
)

// wantWhole: of what Prompt says, nothing is cut off on this display.
func wantWhole(t *testing.T, where string, v display.View) {
	t.Helper()
	d := drawing{language: English, view: v, step: display.Prompt(v)}
	headlines, details := headlineMost, detailMost
	if d.step.Stop {
		headlines, details = stopMost, wayOutMost
	}
	for _, part := range []struct {
		name    string
		message display.Message
		most    int
	}{{"headline", d.step.Headline, headlines}, {"detail", d.step.Detail, details}, {"note", d.step.Note, noteMost}} {
		if part.message.Key == "detail.shoe-alarm" {
			continue // the shoe's own words, as many as it likes
		}
		rows, whole := d.say(part.message, part.most)
		own := part.message.Key == "" || English.roomy[part.message.Key] != ""
		if !whole || !own {
			t.Errorf("%s: the %s %q does not fit: %q; give it a form in english.go that takes %d rows at most",
				where, part.name, part.message.Key, rows, part.most)
		}
	}
}

// wantPicture: four rows of twenty signs that the display has.
func wantPicture(t *testing.T, where string, v display.View) {
	t.Helper()
	for _, line := range (Screen{}).Lines(v) {
		if width(line) != Columns || strings.ContainsFunc(line, func(sign rune) bool { return !Has(sign) }) {
			t.Errorf("%s: the row %q is not %d signs that the display has", where, line, Columns)
		}
	}
}

func TestEverySampleFits(t *testing.T) {
	for _, s := range displaytest.Samples() {
		wantWhole(t, s.Name, s.View)
		wantPicture(t, s.Name, s.View)
		wantDebts(t, s.Name, s.View)
	}
}

// TestEveryHouseFits plays all houses with guests who do what they like, and looks at
// every view.
func TestEveryHouseFits(t *testing.T) {
	for _, house := range rules.Built().Names() {
		for seed := range uint64(3) {
			dice := rand.New(rand.NewPCG(seed, 20))
			player := &tabletest.Player{Dice: dice, Boxes: 3 + 3*int(seed), Freely: seed > 0}
			var tab table.Table
			tab.Step(tabletest.SetUp(rules.Setup{House: house}))
			for step := range 600 {
				in := player.Next(&tab)
				if any := player.Anything(&tab); dice.IntN(6) == 0 && any.Kind != table.InSetup {
					in = any
				}
				tab.Step(&in)
				where := fmt.Sprintf("%s, seed %d, step %d", house, seed, step)
				v := display.From(&tab, "BJ 4", uint64(step))
				wantWhole(t, where, v)
				wantPicture(t, where, v)
				wantDebts(t, where, v)
				if t.Failed() {
					return
				}
			}
		}
	}
}

// TestEveryNameFits: whatever the engine can name has a form that fits where it stands.
func TestEveryNameFits(t *testing.T) {
	v := display.View{Boxes: []display.Box{{Number: 9, Hands: make([]display.Hand, 12)}}, Shoe: display.Shoe{Online: true}}
	for reason := range table.EveryReason {
		v.Rejected = reason.String()
		wantWhole(t, v.Rejected, v)
	}
	v.Rejected = ""
	for code := range table.EveryCode {
		v.Held = &display.Held{Code: code.String()}
		wantWhole(t, code.String(), v)
	}
	for choice := range table.EveryChoice {
		v.Held = &display.Held{Code: "unread-card", Choices: []string{choice.String(), "next-round", "identify"}}
		wantWhole(t, choice.String(), v)
	}
	v.Held = nil
	for call := range table.EveryCall {
		v.Due = display.Due{To: "call", Box: 9, Hand: 12, Allowed: []string{call.String(), "card", "rest"}}
		wantWhole(t, call.String(), v)
	}
}

// TestEveryPromptHasAForm: each text that Prompt can say is in this display's English.
func TestEveryPromptHasAForm(t *testing.T) {
	for key := range display.English {
		for _, kind := range []string{"prompt.", "detail.", "held.", "irregularity.", "choice."} {
			if _, ok := English.roomy[key]; strings.HasPrefix(key, kind) && !ok {
				t.Errorf("english.go has no short form of %q: %q", key, display.English[key])
			}
		}
	}
	for key := range English.tight {
		if _, ours := English.roomy[key]; !ours {
			t.Errorf("%q is in the shorter forms alone", key)
		}
	}
}
