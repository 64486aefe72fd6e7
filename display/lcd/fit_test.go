package lcd

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// inEvery yields the languages that this display writes, Swiss ones included.
func inEvery(t *testing.T, check func(t *testing.T, l *Language)) {
	for _, name := range display.Spoken() {
		l, _ := display.BuiltIn().With(profile.Built().Words()).Speak(name)
		if roomy, _ := l.OnCharacters(); roomy.Code() == l.Code() {
			t.Run(name, func(t *testing.T) { check(t, Speaking(l)) })
		}
	}
}

// wantWhole: nothing that Prompt says is cut off on this display.
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
			continue // the shoe's own words, of any length
		}
		rows, whole := d.say(part.message, part.most)
		if !whole {
			t.Errorf("%s: the %s %q does not fit: %q; give it a form that takes %d rows at most",
				where, part.name, part.message.Key, rows, part.most)
		}
	}
}

// wantPicture: four rows of twenty characters that the display has.
func wantPicture(t *testing.T, where string, l *Language, v display.View) {
	t.Helper()
	for _, line := range (Screen{l}).Lines(v) {
		if width(line) != Columns || strings.ContainsFunc(line, func(sign rune) bool { return !Has(sign) }) {
			t.Errorf("%s: the row %q is not %d characters that the display has", where, line, Columns)
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

// TestEveryHouseFits plays all houses with random guests, and checks every view.
func TestEveryHouseFits(t *testing.T) { inEvery(t, everyHouseFits) }

func everyHouseFits(t *testing.T, l *Language) {
	for _, house := range profile.Built().Names() {
		for seed := range uint64(3) {
			dice := rand.New(rand.NewPCG(seed, 20))
			player := &tabletest.Player{Dice: dice, Boxes: 3 + 3*int(seed), Freely: seed > 0}
			var tab table.Table
			tab.Step(tabletest.SetUp(rules.Setup{House: house}))
			for step := range tier.Times(120, 600) {
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

// TestEveryNameFits: every name of the engine has a form that fits in its place.
func TestEveryNameFits(t *testing.T) { inEvery(t, everyNameFits) }

func everyNameFits(t *testing.T, l *Language) {
	v := display.View{
		Boxes: []display.Box{{Number: 9, Hands: make([]display.Hand, 12)}},
		Shoe:  display.Shoe{Online: true},
	}
	for reason := range vocab.EveryReason {
		v.Rejected = reason
		wantWhole(t, reason.String(), l, v)
	}
	v.Rejected = 0
	for code := range irregularity.EveryCode {
		v.Held = &display.Held{Code: code}
		wantWhole(t, code.String(), l, v)
	}
	v.Held = nil
	for code := range irregularity.EveryCode {
		v.Alerts = []display.Alert{{Code: code, Times: 1}}
		wantWhole(t, code.String(), l, v)
	}
	v.Alerts = nil
	for choice := range irregularity.EveryChoice {
		v.Held = &display.Held{
			Code:    irregularity.UnreadCard,
			Choices: []irregularity.Choice{choice, irregularity.NextRound, irregularity.Identify},
		}
		wantWhole(t, choice.String(), l, v)
	}
	v.Held = nil
	for call := range vocab.EveryCall {
		v.Due = display.Due{
			To: vocab.ToCall, Box: 9, Hand: 12,
			Allowed: []vocab.Call{call, vocab.CallCard, vocab.CallRest},
		}
		wantWhole(t, call.String(), l, v)
	}
}

// TestEveryPromptHasAForm: every text that Prompt can say has an English form for this display.
func TestEveryPromptHasAForm(t *testing.T) {
	english := words.BuiltIn("en")
	for _, e := range english.Entries {
		for _, kind := range []string{"prompt.", "detail.", "held.", "irregularity.", "choice."} {
			if strings.HasPrefix(e.Key, kind) && english.Text("lcd."+e.Key) == "" {
				t.Errorf("no short form lcd.%s of %q: add it beside that text, in words/en.properties or words/topics",
					e.Key, e.Text)
			}
		}
	}
}

// texts returns a file's texts by their keys.
func texts(f words.File) map[string]string {
	all := map[string]string{}
	for _, e := range f.Entries {
		all[e.Key] = e.Text
	}
	return all
}

// TestLanguagesFit: check-words finds no fault that concerns this display.
func TestLanguagesFit(t *testing.T) {
	for _, name := range display.Spoken() {
		l, _ := display.Speak(name)
		for _, m := range Check(l, texts(words.BuiltIn(name))) {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestCheck: every kind of text that does not fit is found.
func TestCheck(t *testing.T) {
	const long = "EINSATZVERDOPPELUNGSANSAGE"
	for key, text := range map[string]string{
		"lcd.call.double":             long,
		"lcd.call.double.short":       long,
		"lcd.irregularity.lost-cards": "ES FEHLEN KARTEN",
		"lcd.choice.void-round":       `DEN\u00a0COUP\u00a0ANNULLIEREN!`,
		"lcd.rejected.below-minimum":  "unter dem Minimum",
		"lcd.prompt.box":              "DIE NAECHSTE KARTE KOMMT AUF DIE BOX {box} ZU LIEGEN",
		"lcd.detail.bets":             "UND DANN WIRD DAS SPIEL ABGESAGT, WIE IMMER",
		"lcd.held.call":               "AUFSICHTSPERSON RUFEN, DIE DANN KOMMT UND ENTSCHEIDET, WAS WIRD",
		"lcd.word.nothing":            "HIER IST NICHTS ZU ZAHLEN",
		"lcd.count.round":             "DIES IST DER COUP {n}",
		"lcd.word.bank":               "庄家",
	} {
		got := checked("lcd.call.card = CARD\n" + key + " = " + text)
		if len(got) != 1 || got[0].Key != key {
			t.Errorf("%s = %s gives %+v", key, text, got)
		}
	}
	const shorter = "lcd.prompt.wait = WARTEN, BIS ETWAS KOMMT, UND NICHTS TUN\nlcd.prompt.wait.short = WARTEN"
	if got := checked(shorter); len(got) > 0 {
		t.Errorf("a text with a shorter form that fits gives %+v", got)
	}
}

func checked(file string) []Misfit {
	f := words.Parse("xx", []byte("language.code = xx\n"+file))
	l, _ := display.BuiltIn().Add(f).Speak("xx")
	return Check(l, texts(f))
}

// TestHouseWordsAreHereToo: a house's own words are on this display as on the page.
func TestHouseWordsAreHereToo(t *testing.T) {
	german, _ := display.BuiltIn().With(profile.Built().Words()).Speak("de-CH")
	v := displaytest.Named("play")
	v.House = "schaffhausen"
	if got := (Screen{Speaking(german)}).Lines(v)[0]; !strings.Contains(got, "STAY") {
		t.Errorf("Schaffhausen asks %q", got)
	}
	v.House = "wiesbaden"
	if got := (Screen{Speaking(german)}).Lines(v)[0]; !strings.Contains(got, "REST") {
		t.Errorf("Wiesbaden asks %q", got)
	}
}

// TestChineseIsEnglish: these displays cannot write Chinese.
func TestChineseIsEnglish(t *testing.T) {
	chinese, _ := display.Speak("zh")
	v := displaytest.Named("idle")
	if got, want := (Screen{Speaking(chinese)}).Lines(v), (Screen{}).Lines(v); got != want {
		t.Errorf("in Chinese %q, want %q", got, want)
	}
}
