package display_test

import (
	"regexp"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/displaytest"
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
		{"bets", said{headline: "Take bets", detail: "Then press No more bets"}},
		{"deal", said{headline: "Card to box 7"}},
		{"insurance", said{headline: "Insurance?", detail: "Then press Insurance closed"}},
		{"play", said{headline: "Box 4: Card or Rest?"}},
		{"split", said{headline: "Box 7, hand 3: Card, Rest or Double?"}},
		{"bank", said{headline: "Bank draws"}},
		{"payment", said{headline: "Pay and press Paid", detail: "In all 375.00 EUR"}},
		{"held", said{headline: "STOP – unread card", detail: "Supervisor: identify, burn or void round", stop: true}},
		{"held-both", said{headline: "STOP – card without a call", detail: "Dealer: accept – Supervisor: next card or burn", stop: true}},
		{"offline", said{headline: "STOP – shoe offline", detail: "Deal no card: the round goes on when the shoe is back", stop: true}},
		{"rejected", said{headline: "Take bets", detail: "Then press No more bets", note: "Not taken: below the minimum"}},
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
		phase string
		due   display.Due
		boxes []display.Box
		want  string
	}{
		{"first card of a box", display.PhaseDeal, display.Due{To: "box", Box: 3, Hand: 1}, nil, "Card to box 3"},
		{"card to a hand", display.PhasePlay, display.Due{To: "box", Box: 3, Hand: 2}, two, "Card to box 3, hand 2"},
		{"one call", display.PhasePlay, display.Due{To: "call", Box: 3, Hand: 1, Allowed: []string{"rest"}}, one, "Box 3: Rest?"},
		{"forecast", display.PhasePlay, display.Due{To: "call", Box: 3, Hand: 1, Allowed: []string{"higher", "lower", "rest"}}, one, "Box 3: Higher, Lower or Rest?"},
		{"surrender", display.PhasePlay, display.Due{To: "call", Box: 3, Hand: 1, Allowed: []string{"card", "surrender"}}, one, "Box 3: Card or Surrender?"},
		{"first card of the bank", display.PhaseDeal, display.Due{To: "bank"}, one, "Card to the bank"},
		{"bank's turn", display.PhaseBank, display.Due{To: "bank"}, one, "Bank draws"},
		{"nothing, between phases", display.PhasePlay, display.Due{To: "nothing"}, one, "Wait"},
		{"no view yet", "", display.Due{}, nil, "Wait"},
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
		{display.Held{Code: "foreign-joker", Choices: []string{"burn"}}, said{"STOP – Joker not of this shoe", "Supervisor: burn", "", true}},
		{display.Held{Code: "card-without-call", Choices: []string{"accept"}}, said{"STOP – card without a call", "Dealer: accept", "", true}},
		{display.Held{Code: "storage-failing"}, said{"STOP – storage failing", "Deal no card: the table cannot record. Call a technician", "", true}},
		{display.Held{Code: "made-up"}, said{"STOP – made up", "Call a supervisor", "", true}},
	}
	for _, tt := range tests {
		v := displaytest.Named("play")
		v.Held = &tt.held
		if got := say(display.Prompt(v)); got != tt.want {
			t.Errorf("%s:\n got %+v\nwant %+v", tt.held.Code, got, tt.want)
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

// known are the names of the engine's vocabulary that a dealer may meet.
var known = map[display.Kind][]string{
	display.LabelWager: {
		"main", "insurance", "perfect-pairs", "swiss-casinos-jack", "bust", "twins", "crazy-twins",
		"3-card-wins", "queens-trio", "admiral-jack", "progressive",
	},
	display.LabelOutcome: {"win", "lose", "stand-off", "surrender", "void", "bonus"},
	display.LabelWhy: {
		"blackjack", "bonus-blackjack", "even-money", "higher-total", "bank-bust", "bust", "lower-total",
		"bank-blackjack", "no-bank-blackjack", "tie", "surrender", "void-round", "wrong-forecast-blackjack", "wrong-forecast",
		"points", "five-card-trick", "three-sevens", "no-match", "mixed-pair", "coloured-pair", "perfect-pair",
		"jack-is-black", "all-red", "mix", "twins", "twins-joker", "crazy-twins", "crazy-twins-joker",
		"three-aces-of-spades", "three-red-jacks", "three-of-a-kind", "three-black", "three-queens-of-spades",
		"three-queens", "two-queens-of-spades", "two-queens", "queen-of-spades", "one-queen", "jackpot",
		"suited-ace-king", "coloured-ace-king", "ace-king", "envy",
	},
	display.LabelDone: {
		"rest", "auto-rest", "bust", "blackjack", "double", "split-ace", "surrender",
		"wrong-forecast", "five-card-trick", "stands",
	},
	display.LabelCall: {"card", "rest", "double", "split", "surrender", "higher", "lower", "insurance", "even-money", "insurance-closed"},
	display.LabelHeld: {
		"unread-card", "unexpected-card", "card-without-call", "bank-overdraw", "bank-must-draw", "foreign-card",
		"foreign-joker", "lost-cards", "contradictory-keys", "payout-mismatch", "shoe-offline", "shoe-alarm",
		"shoe-exhausted", "storage-failing",
	},
	display.LabelChoice: {
		"identify", "burn", "void-round", "next-card", "accept", "next-round", "none-drawn", "corrected", "reload",
	},
	display.LabelRejected: {
		"bets-closed", "bets-open", "no-round", "round-running", "below-minimum", "above-maximum", "not-the-amount",
		"not-a-multiple", "box-not-played", "unknown-box", "unknown-bettor", "unknown-wager", "not-offered",
		"not-seated", "holders-only", "one-per-bettor", "single-player-two-boxes", "call-not-allowed",
		"holder-must-join", "nothing-to-undo", "not-held", "round-held", "bank-must-draw", "no-stakes",
	},
}

func TestEnglishHasEveryName(t *testing.T) {
	for kind, names := range known {
		for _, name := range names {
			if _, ok := display.English[string(kind)+"."+name]; !ok {
				t.Errorf("English has no %s %q", kind, name)
			}
		}
	}
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
	other := display.Language{"wager.twins": "Zwillinge"}
	tests := []struct {
		language display.Language
		kind     display.Kind
		name     string
		want     string
	}{
		{display.English, display.LabelWager, "crazy-twins", "Crazy Twins"},
		{display.English, display.LabelWhy, "never-heard-of", "never heard of"},
		{display.English, display.LabelDone, "", ""},
		{other, display.LabelWager, "twins", "Zwillinge"},
		{other, display.LabelOutcome, "win", "Win"},
	}
	for _, tt := range tests {
		if got := tt.language.Label(tt.kind, tt.name); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.kind, tt.name, got, tt.want)
		}
	}
}
