package display_test

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// said is a step in English.
type said struct {
	headline, detail, note string
	stop                   bool
}

func say(s display.Step) said {
	l := display.English
	return said{l.Say(s.Headline), l.Say(s.Detail), l.Say(s.Note), s.Stop}
}

func TestPromptOfSamples(t *testing.T) {
	tests := []struct {
		sample string
		want   said
	}{
		{"idle", said{headline: "Open the bets"}},
		{"bets", said{headline: "Place your bets", detail: "Then press No more bets"}},
		{"deal", said{headline: "Card to box 7"}},
		{"insurance", said{
			headline: "Insurance or Even money?",
			detail:   "Up to half the stake – then press Insurance closed",
		}},
		{"play", said{headline: "Box 4: Card or Stand?"}},
		{"split", said{headline: "Box 7, hand 3: Card, Stand or Double?"}},
		{"bank", said{headline: "Bank draws"}},
		{"payment", said{headline: "Pay and press Paid", detail: "In all 375.00 EUR"}},
		{"held", said{headline: "STOP – unread card", detail: "Supervisor: identify, burn or void round", stop: true}},
		{"held-both", said{
			headline: "STOP – card without a call",
			detail:   "Dealer: accept – Supervisor: next card or burn", stop: true,
		}},
		{"offline", said{
			headline: "STOP – shoe offline",
			detail:   "Deal no card: the round goes on when the shoe is back", stop: true,
		}},
		{"rejected", said{
			headline: "Place your bets", detail: "Then press No more bets",
			note: "Not taken: below the minimum",
		}},
		{"surrender", said{headline: "Give back on box 2: 10.00", detail: "Box 2: Card, Stand, Double or Surrender?"}},
		{"six-hands", said{headline: "Box 2, hand 6: Card, Stand or Double?"}},
		{"jackpot", said{headline: "Take Progressive on boxes 1, 4, 7: 15.00", detail: "Insurance or Even money?"}},
		{"pay-now", said{headline: "Pay Twins on box 3: 330.00", detail: "Box 1: Card or Stand?"}},
		{"take-now", said{
			headline: "Take Perfect Pairs on boxes 1, 3: 15.00",
			detail:   "Box 1: Card, Stand, Double or Surrender?",
		}},
		{"take-hand", said{headline: "Take box 2, hand 1: 20.00", detail: "Card to box 2, hand 2"}},
		{"pay-marks", said{headline: "Pay Twins on box 2: 11:1", detail: "Box 1: Card or Stand?"}},
		{"moved", said{headline: "Box 3: Card, Stand or Split?"}},
		{"moved-paid", said{headline: "Pay and press Paid", detail: "In all 90.00 EUR"}},
		{"forecast", said{headline: "Box 7: Higher, Lower or Stand?"}},
		{"marks-paid", said{headline: "Pay and press Paid", detail: "By the odds shown on each box"}},
		{"cut-card", said{
			headline: "Shuffle and load the shoe",
			detail:   "The cut card came. Press Shoe loaded before the next round",
		}},
		{"long", said{headline: "Pay and press Paid", detail: "The shoe reports: cover open cover open cover open "}},
	}
	for _, tt := range tests {
		if got := say(display.Prompt(displaytest.Named(tt.sample))); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.sample, got, tt.want)
		}
	}
}

func TestPromptOfDue(t *testing.T) {
	one := []display.Box{{Number: 3, Hands: make([]display.Hand, 1)}}
	two := []display.Box{{Number: 3, Hands: make([]display.Hand, 2)}}
	tests := []struct {
		name  string
		phase vocab.Phase
		due   display.Due
		boxes []display.Box
		want  string
	}{
		{"first card of a box", vocab.Deal, display.Due{To: vocab.ToBox, Box: 3, Hand: 1}, nil, "Card to box 3"},
		{"card to a hand", vocab.Play, display.Due{To: vocab.ToBox, Box: 3, Hand: 2}, two, "Card to box 3, hand 2"},
		{
			"one call", vocab.Play,
			display.Due{To: vocab.ToCall, Box: 3, Hand: 1, Allowed: []vocab.Call{vocab.CallRest}},
			one, "Box 3: Stand?",
		},
		{
			"forecast", vocab.Play,
			display.Due{
				To: vocab.ToCall, Box: 3, Hand: 1,
				Allowed: []vocab.Call{vocab.CallRest, vocab.CallHigher, vocab.CallLower},
			},
			one,
			"Box 3: Higher, Lower or Stand?",
		},
		{"surrender", vocab.Play, display.Due{
			To: vocab.ToCall, Box: 3, Hand: 1,
			Allowed: []vocab.Call{vocab.CallCard, vocab.CallSurrender},
		}, one, "Box 3: Card or Surrender?"},
		{"first card of the bank", vocab.Deal, display.Due{To: vocab.ToBank}, one, "Card to the bank"},
		{"bank's turn", vocab.BankDraws, display.Due{To: vocab.ToBank}, one, "Bank draws"},
		{"nothing, between phases", vocab.Play, display.Due{To: vocab.ToNothing}, one, "Wait"},
		{"no view yet", 0, display.Due{}, nil, "Wait"},
	}
	for _, tt := range tests {
		v := display.View{Phase: tt.phase, Due: tt.due, Boxes: tt.boxes, Shoe: display.Shoe{Online: true}}
		if got := say(display.Prompt(v)).headline; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPromptOfHeld(t *testing.T) {
	tests := []struct {
		held display.Held
		want said
	}{
		{
			display.Held{Code: irregularity.ForeignJoker, Choices: []irregularity.Choice{irregularity.Burn}},
			said{"STOP – foreign Joker", "Supervisor: burn", "", true},
		},
		{
			display.Held{
				Code: irregularity.CardWithoutCall, Choices: []irregularity.Choice{irregularity.Accept},
				Dealer: []irregularity.Choice{irregularity.Accept},
			},
			said{"STOP – card without a call", "Dealer: accept", "", true},
		},
		{
			display.Held{Code: irregularity.StorageFailing},
			said{"STOP – storage failing", "Deal no card: the table cannot record. Call a technician", "", true},
		},
		{
			display.Held{Code: irregularity.ContradictoryKeys},
			said{"STOP – contradictory keys", "Two keys at once: press again", "", true},
		},
	}
	for _, tt := range tests {
		v := displaytest.Named("play")
		v.Held = &tt.held
		if got := say(display.Prompt(v)); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.held.Code, got, tt.want)
		}
	}
}

// TestInsuranceOfEachHouse: what the dealer asks when the bank shows an ace.
func TestInsuranceOfEachHouse(t *testing.T) {
	tests := []struct {
		name   string
		half   bool
		offers [][]vocab.Call
		want   said
	}{
		{
			"up to half", false,
			[][]vocab.Call{{vocab.CallInsurance}, {vocab.CallInsurance}},
			said{headline: "Insurance?", detail: "Up to half the stake – then press Insurance closed"},
		},
		{
			"half", true,
			[][]vocab.Call{nil, {vocab.CallInsurance}},
			said{headline: "Insurance?", detail: "Half the stake – then press Insurance closed"},
		},
		{
			"even money too", true,
			[][]vocab.Call{{vocab.CallEvenMoney}, {vocab.CallInsurance}},
			said{headline: "Insurance or Even money?", detail: "Half the stake – then press Insurance closed"},
		},
		{
			"even money alone", true,
			[][]vocab.Call{{vocab.CallEvenMoney}},
			said{headline: "Even money?", detail: "Then press Insurance closed"},
		},
	}
	for _, tt := range tests {
		v := display.View{
			Phase: vocab.InsuranceOffer, Due: display.Due{To: vocab.ToInsurance, Half: tt.half},
			Shoe: display.Shoe{Online: true},
		}
		for _, offers := range tt.offers {
			v.Boxes = append(v.Boxes, display.Box{Offers: offers})
		}
		if got := say(display.Prompt(v)); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.name, got, tt.want)
		}
	}
}

func TestPromptTellsOfTheShoe(t *testing.T) {
	v := displaytest.Named("idle")
	v.Shoe.Online = false
	if got := say(display.Prompt(v)).detail; got != "The shoe does not answer: deal no card" {
		t.Error(got)
	}
}

// TestAlarmsInWords: what the shoe reports is said in the words of each language in what a held round tells, and in no
// code of the shoe's.
func TestAlarmsInWords(t *testing.T) {
	v := displaytest.Named("idle")
	v.Held = &display.Held{Code: irregularity.ShoeAlarm}
	for _, l := range display.BuiltIn().Languages(false) {
		for _, code := range []string{"cover", "jam", "sensor", "reverse-pull"} {
			v.Shoe.Online, v.Shoe.Alarm = true, code
			word := l.Told(display.LabelAlarm, code)
			if story := l.Say(display.Story(v)[0]); !strings.Contains(story, word) {
				t.Errorf("%s: of %s (%s) it says %q", l.Code(), code, word, story)
			}
		}
	}
}

// TestTwoKeysAtOnce: the screen says that neither counts, whether the rules took the first back or the panel heard both
// together, until the next input.
// TestPromptTellsOfTheOrder: nothing holds the table, and the dealer is told until somebody of the pit has seen it. Why
// an input was refused is said in its place.
func TestPromptTellsOfTheOrder(t *testing.T) {
	var tab table.Table
	tab.Step(tabletest.SetUp(rules.Setup{House: "schaffhausen"}))
	const told = "The cards come in factory order: were they shuffled? Call the floor"
	for _, c := range []struct{ line, note string }{
		{"open; stake 1 a 20; stake 2 b 20; stake 3 c 20; close; from=shoe AS 2S 3S 4S 5S 6S 7S; rest; rest; rest", ""},
		{"from=shoe 8S", told},
		{"stake 1 a 20", "Not taken: no more bets"},
		{"from=shoe TC", told},
		{"acknowledge factory-order anna", ""},
	} {
		if _, err := tabletest.Play(&tab, c.line); err != nil {
			t.Fatal(err)
		}
		if got := say(display.Prompt(display.From(&tab, "BJ 4", 1))); got.note != c.note || got.stop {
			t.Errorf("after %s the note is %q, stop %t, want %q", c.line, got.note, got.stop, c.note)
		}
	}
}

func TestTwoKeysAtOnce(t *testing.T) {
	for name, second := range map[string]vocab.Input{
		"taken back": {Kind: vocab.InCall, Call: vocab.CallRest, Time: 2_050_000_000},
		"together":   {Kind: vocab.InNote, Code: "two-calls card rest", Time: 2_050_000_000},
	} {
		var tab table.Table
		tab.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
		if _, err := tabletest.Play(&tab, "open; stake 1 a 20; close; TS 7D 2H"); err != nil {
			t.Fatal(err)
		}
		tab.Step(&vocab.Input{Kind: vocab.InCall, Call: vocab.CallCard, Time: 2_000_000_000})
		tab.Step(&second)
		for code, want := range map[string]string{
			"en": "Two keys at once: press again",
			"de": "Zwei Tasten zugleich: noch einmal drücken", "zh": "同时按了两个键：请重按",
		} {
			l, _ := display.Speak(code)
			if got := l.Say(display.Prompt(display.From(&tab, "BJ 4", 1)).Note); got != want {
				t.Errorf("%s: the screen says %q, not %q", name, got, want)
			}
		}
		tab.Step(&vocab.Input{Kind: vocab.InCall, Call: vocab.CallCard, Time: 9_000_000_000})
		if note := display.Prompt(display.From(&tab, "BJ 4", 1)).Note; note.Key == "held.wait.contradictory-keys" {
			t.Errorf("%s: after the next input it says so still", name)
		}
	}
}

// ours are the names that the display knows beside the engine's.
var ours = map[display.Kind][]string{
	display.LabelOutcome: {display.Bonus},
	display.LabelDone:    {vocab.DoneStands.String(), vocab.DoneStop.String()},
}

// TestEnglishHasEveryName goes through all that the engine can name.
func TestEnglishHasEveryName(t *testing.T) {
	known := maps.Clone(ours)
	add := func(kind display.Kind, names []string) { known[kind] = append(names, known[kind]...) }
	add(display.LabelWager, names(vocab.EveryWager))
	add(display.LabelOutcome, names(vocab.EveryOutcome))
	add(display.LabelWhy, names(vocab.EveryWhy))
	add(display.LabelDone, names(vocab.EveryDone))
	add(display.LabelCall, names(vocab.EveryCall))
	add(display.LabelHeld, names(irregularity.EveryCode))
	add(display.LabelChoice, names(irregularity.EveryChoice))
	add(display.LabelRejected, names(vocab.EveryReason))
	for kind, names := range known {
		if len(names) < 5 {
			t.Errorf("only %d names of the kind %s: %q", len(names), kind, names)
		}
		for _, name := range names {
			if _, ok := display.English.Lookup(string(kind) + "." + name); !ok {
				t.Errorf("English has no %s %q", kind, name)
			}
		}
	}
}

// names are what transcripts call the members of an enumeration.
func names[T fmt.Stringer](every func(yield func(T) bool)) []string {
	var list []string
	for one := range every {
		list = append(list, one.String())
	}
	return list
}

var placeholder = regexp.MustCompile(`\{[^}]*\}`)

// Whatever is said, no {name} may be left in it.
func TestEverySampleIsSaidInFull(t *testing.T) {
	for _, s := range displaytest.Samples() {
		got := say(display.Prompt(s.View))
		if got.headline == "" || placeholder.MatchString(got.headline+got.detail+got.note) {
			t.Errorf("%s: %+v", s.Name, got)
		}
	}
}

func TestLabels(t *testing.T) {
	other := display.LanguageOf(map[string]string{"wager.twins": "Zwillinge"})
	tests := []struct {
		language display.Language
		kind     display.Kind
		name     string
		want     string
	}{
		{display.English, display.LabelWager, "crazy-twins", "Crazy Twins"},
		{display.English, display.LabelWhy, "never-heard-of", "Never heard of"},
		{display.English, display.LabelDone, "", ""},
		{other, display.LabelWager, "twins", "Zwillinge"},
		{other, display.LabelOutcome, "win", "Wins"},
	}
	for _, tt := range tests {
		if got := tt.language.Label(tt.kind, tt.name); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.kind, tt.name, got, tt.want)
		}
	}
}

// TestWhatHoldsIsPutRightFirst: while the round is held nothing is told that holds nothing, and it is told again after
// that.
func TestWhatHoldsIsPutRightFirst(t *testing.T) {
	v := displaytest.Named("held")
	v.Alerts = []display.Alert{{Code: irregularity.FactoryOrder, Round: 17, Times: 1}}
	if note := display.Prompt(v).Note; note.Key != "" {
		t.Errorf("beside what holds the round it is told that %s", note.Key)
	}
	v.Held = nil
	if note := display.Prompt(v).Note; note.Key != "held.wait.factory-order" {
		t.Errorf("it is told that %q", note.Key)
	}
}
