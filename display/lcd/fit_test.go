package lcd

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
	"github.com/sabot-table/sabot/table/vocab"
)

// inEvery goes through the languages that this display writes, as they are written
// everywhere.
func inEvery(t *testing.T, check func(t *testing.T, l *Language)) {
	for _, name := range display.Spoken() {
		l, _ := display.Speak(name)
		if _, ok := spoken[l.Code()]; ok {
			t.Run(name, func(t *testing.T) { check(t, Speaking(l)) })
		}
	}
}

// wantWhole: of what Prompt says, nothing is cut off on this display.
func wantWhole(t *testing.T, where string, l *Language, v display.View) {
	t.Helper()
	d := drawing{language: l.in(v.House), view: v, step: display.Prompt(v)}
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
		own := part.message.Key == "" || spoken[l.roomy.Code()].roomy[part.message.Key] != ""
		if !whole || !own {
			t.Errorf("%s: the %s %q does not fit: %q; give it a form that takes %d rows at most",
				where, part.name, part.message.Key, rows, part.most)
		}
	}
}

// wantPicture: four rows of twenty signs that the display has.
func wantPicture(t *testing.T, where string, l *Language, v display.View) {
	t.Helper()
	for _, line := range (Screen{l}).Lines(v) {
		if width(line) != Columns || strings.ContainsFunc(line, func(sign rune) bool { return !Has(sign) }) {
			t.Errorf("%s: the row %q is not %d signs that the display has", where, line, Columns)
		}
	}
}

func TestEverySampleFits(t *testing.T) {
	inEvery(t, func(t *testing.T, l *Language) {
		for _, s := range displaytest.Samples() {
			wantWhole(t, s.Name, l, s.View)
			wantPicture(t, s.Name, l, s.View)
			wantDebts(t, s.Name, l, s.View)
		}
	})
}

// TestEveryHouseFits plays all houses with guests who do what they like, and looks at
// every view.
func TestEveryHouseFits(t *testing.T) { inEvery(t, everyHouseFits) }

func everyHouseFits(t *testing.T, l *Language) {
	for _, house := range profile.Built().Names() {
		for seed := range uint64(3) {
			dice := rand.New(rand.NewPCG(seed, 20))
			player := &tabletest.Player{Dice: dice, Boxes: 3 + 3*int(seed), Freely: seed > 0}
			var tab table.Table
			tab.Step(tabletest.SetUp(rules.Setup{House: house}))
			for step := range 600 {
				in := player.Next(&tab)
				if any := player.Anything(&tab); dice.IntN(6) == 0 && any.Kind != vocab.InSetup {
					in = any
				}
				tab.Step(&in)
				where := fmt.Sprintf("%s, seed %d, step %d", house, seed, step)
				v := display.From(&tab, "BJ 4", uint64(step))
				wantWhole(t, where, l, v)
				wantPicture(t, where, l, v)
				wantDebts(t, where, l, v)
				if t.Failed() {
					return
				}
			}
		}
	}
}

// TestEveryNameFits: whatever the engine can name has a form that fits where it stands.
func TestEveryNameFits(t *testing.T) { inEvery(t, everyNameFits) }

func everyNameFits(t *testing.T, l *Language) {
	v := display.View{Boxes: []display.Box{{Number: 9, Hands: make([]display.Hand, 12)}}, Shoe: display.Shoe{Online: true}}
	for reason := range vocab.EveryReason {
		v.Rejected = reason.String()
		wantWhole(t, v.Rejected, l, v)
	}
	v.Rejected = ""
	for code := range irregularity.EveryCode {
		v.Held = &display.Held{Code: code.String()}
		wantWhole(t, code.String(), l, v)
	}
	for choice := range irregularity.EveryChoice {
		v.Held = &display.Held{Code: "unread-card", Choices: []string{choice.String(), "next-round", "identify"}}
		wantWhole(t, choice.String(), l, v)
	}
	v.Held = nil
	for call := range vocab.EveryCall {
		v.Due = display.Due{To: "call", Box: 9, Hand: 12, Allowed: []string{call.String(), "card", "rest"}}
		wantWhole(t, call.String(), l, v)
	}
}

// TestEveryPromptHasAForm: each text that Prompt can say is among this display's English.
func TestEveryPromptHasAForm(t *testing.T) {
	for key := range display.English {
		for _, kind := range []string{"prompt.", "detail.", "held.", "irregularity.", "choice."} {
			if _, ok := englishRoomy[key]; strings.HasPrefix(key, kind) && !ok {
				t.Errorf("english.go has no short form of %q: %q", key, display.English[key])
			}
		}
	}
}

// TestNoFormIsMissing: each language has the forms of English, with the same {names}
// and in signs that the display has.
func TestNoFormIsMissing(t *testing.T) {
	for code, own := range spoken {
		for key := range englishRoomy {
			if _, ok := own.roomy[key]; !ok {
				t.Errorf("%s has no form of %s, in English %q", code, key, englishRoomy[key])
			}
		}
		for key, text := range own.roomy {
			if want := known(key); holes(text) != holes(want) {
				t.Errorf("%s: %s says %q, which must hold %s", code, key, text, holes(want))
			}
			wantSigns(t, code, key, text)
		}
		for key, text := range own.tight {
			if was, ours := own.roomy[key]; !ours || holes(text) != holes(was) {
				t.Errorf("%s: the shorter form of %s is %q, of %q", code, key, text, was)
			}
			wantSigns(t, code, key, text)
		}
	}
}

// known is a text that the English of this display has, or that of the others.
func known(key string) string {
	if text, ok := englishRoomy[key]; ok {
		return text
	}
	return display.English[key]
}

var hole = regexp.MustCompile(`\{[a-z]+\}`)

func holes(text string) string {
	return strings.Join(slices.Sorted(slices.Values(hole.FindAllString(text, -1))), " ")
}

func wantSigns(t *testing.T, code, key, text string) {
	t.Helper()
	if strings.Contains(plain(text), "?") && !strings.Contains(text, "?") {
		t.Errorf("%s: %s is %q, which the display shows as %q", code, key, text, plain(text))
	}
}

// TestHouseWordsAreHereToo: what a house calls otherwise on the page, it does here.
func TestHouseWordsAreHereToo(t *testing.T) {
	for _, house := range profile.Built().Names() {
		for code, own := range spoken {
			for key := range display.HouseWords(house, code) {
				if _, ours := own.roomy[key]; ours && houseWords[house][code][key] == "" {
					t.Errorf("%s has a word for %s in %s, but not on this display", house, key, code)
				}
			}
		}
	}
	german, _ := display.Speak("de-CH")
	v := displaytest.Named("play")
	v.House = "schaffhausen"
	if got := (Screen{Speaking(german)}).Lines(v)[0]; !strings.Contains(got, "STAY") {
		t.Errorf("Schaffhausen asks %q", got)
	}
}

// TestChineseIsEnglish: these displays cannot write Chinese.
func TestChineseIsEnglish(t *testing.T) {
	v := displaytest.Named("idle")
	if got, want := (Screen{Speaking(display.Chinese)}).Lines(v), (Screen{}).Lines(v); got != want {
		t.Errorf("in Chinese %q, want %q", got, want)
	}
}
