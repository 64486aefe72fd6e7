package display_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/profile"
)

// room is how many columns a text of a kind may take, its placeholders counted as two.
var room = map[string]int{
	"language": 10, "number": 6, "time": 10, "currency": 8, "list": 6, "count": 20,
	"prompt": 36, "detail": 76, "held": 76, "past": 64,
	"wager": 18, "outcome": 12, "why": 28, "done": 15, "call": 18,
	"irregularity": 26, "choice": 22, "rejected": 34,
	"shoe": 22, "alarm": 28, "storage": 20, "note": 32, "input": 18,
	"word": 18,

	"key": 18, "menu": 18, "ask": 14, "enter": 72, "toast": 80, "stakes": 64,
	"story": 100, "effect": 70, "decides": 36, "pin": 50, "cards": 30, "alerts": 40, "dealer": 24, "card": 16,
}

// sentences are texts that have more room than others of their kind.
var sentences = map[string]int{
	"key.paid-box": 24, "key.undo": 20, "key.insure": 30, "key.stakes": 26, "key.box": 26, "key.back-box": 24, "key.same": 24, "key.sign-in": 24, "enter.later": 92,
	"word.higher": 48, "word.lost": 32, "word.lost-detail": 84, "word.script": 68,
}

// columns counts a text's width.
func columns(text string) int { return display.Columns(placeholder.ReplaceAllString(text, "00")) }

// TestEveryTextFits: a key on the screen is 6 rem wide, a headline one row.
func TestEveryTextFits(t *testing.T) {
	for _, l := range display.Languages(false) {
		for key, text := range l {
			kind, _, _ := strings.Cut(key, ".")
			most, ok := sentences[key]
			if !ok {
				most, ok = room[kind]
			}
			if !ok {
				t.Errorf("the test does not know how long a text of the kind %s may be: add it to room", kind)
			}
			if n := columns(text); n > most {
				t.Errorf("%s: %s takes %d columns of %d: %q", l.Name(), key, n, most, text)
			}
		}
	}
}

// TestNoTranslationIsMissing: each language has the texts of English, and no others.
func TestNoTranslationIsMissing(t *testing.T) {
	for _, l := range append(display.Languages(false), display.Languages(true)...) {
		for _, key := range slices.Sorted(maps.Keys(display.English)) {
			text, ok := l[key]
			if !ok {
				t.Errorf("%s lacks %s, in English %q", l.Tag(), key, display.English[key])
			}
			if want := holes(display.English[key]); ok && !slices.Equal(holes(text), want) {
				t.Errorf("%s: %s says %q, which must hold %q", l.Tag(), key, text, want)
			}
		}
		for key := range l {
			if _, ok := display.English[key]; !ok {
				t.Errorf("%s has %s, which English lacks", l.Tag(), key)
			}
		}
	}
}

// holes are the {names} in a text, sorted.
func holes(text string) []string {
	return slices.Sorted(slices.Values(placeholder.FindAllString(text, -1)))
}

// mayBeEmpty are texts that say something by being empty.
var mayBeEmpty = []string{"number.singular"}

func TestNoTextIsEmpty(t *testing.T) {
	for _, l := range append(display.Languages(false), display.Languages(true)...) {
		for key, text := range l {
			if strings.TrimSpace(text) == "" && !slices.Contains(mayBeEmpty, key) && key != "number.group" {
				t.Errorf("%s: %s is empty", l.Tag(), key)
			}
			if strings.HasPrefix(key, "list.") || key == "past.because" || key == "past.by" || key == "past.by-dealer" {
				continue // they join
			}
			if strings.TrimSpace(text) != text && key != "number.group" {
				t.Errorf("%s: %s begins or ends with a space: %q", l.Tag(), key, text)
			}
		}
	}
}

// alike are the texts that a language has in common with English on purpose: names of
// wagers, what dealers say in English everywhere, and what is written the same.
var alike = map[string]string{
	"de": `
		call.card call.rest call.surrender done.rest done.surrender held.dealer outcome.stand-off
		outcome.surrender past.bank past.box past.dealer prompt.call wager.insurance wager.progressive
		key.dealer why.surrender word.bank word.dealer` + european,
	"it": `
		call.even-money held.stop wager.insurance wager.progressive why.even-money` + european,
	"fr": `
		call.even-money held.stop shoe.note why.even-money why.points word.point word.points word.pt
		word.pts` + european,
	"zh": `
		wager.3-card-wins wager.admiral-jack wager.bust wager.crazy-twins wager.perfect-pairs
		wager.queens-trio wager.swiss-casinos-jack wager.twins pin.pin`,
}

// european are alike in German, Italian and French.
const european = `
		card.joker currency.CHF currency.EUR done.blackjack done.five-card-trick done.stop outcome.bonus
		wager.3-card-wins wager.admiral-jack wager.bust wager.crazy-twins wager.perfect-pairs
		wager.queens-trio wager.swiss-casinos-jack wager.twins why.blackjack why.bonus-blackjack
		why.crazy-twins why.five-card-trick why.jackpot why.mix word.jackpot word.soft pin.pin word.pit`

// TestNoTextIsLeftInEnglish: what is the same as in English is so on purpose.
func TestNoTextIsLeftInEnglish(t *testing.T) {
	for _, l := range display.Languages(false) {
		listed := strings.Fields(alike[l.Code()])
		for _, key := range slices.Sorted(maps.Keys(display.English)) {
			same := l[key] == display.English[key] && strings.ContainsFunc(placeholder.ReplaceAllString(l[key], ""), unicode.IsLetter)
			if l.Code() != "en" && same != slices.Contains(listed, key) {
				t.Errorf("%s: %s is %q, in English %q: translate it, or correct the list of those that are alike", l.Code(), key, l[key], display.English[key])
			}
		}
	}
}

var quoted = regexp.MustCompile(`[„“«]\s*([^„“”«»]+?)\s*[“”»]`)

// TestKeysAreCalledByTheirNames: what a text tells a dealer to press in quotes is what
// stands on a key, in the words of every house.
func TestKeysAreCalledByTheirNames(t *testing.T) {
	found := 0
	for _, house := range append(profile.Built().Names(), "nowhere") {
		for _, l := range display.Languages(true) {
			l = l.In(house)
			var keys []string
			for key, text := range l {
				if strings.HasPrefix(key, "key.") {
					keys = append(keys, text)
				}
			}
			for key, text := range l {
				for _, name := range quoted.FindAllStringSubmatch(text, -1) {
					found++
					if key != "past.because" && !slices.Contains(keys, strings.TrimSpace(name[1])) {
						t.Errorf("%s, %s: %s tells to press %q, which is on no key", house, l.Tag(), key, name[1])
					}
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d keys are named", found)
	}
}

// TestHouseWords: a house's own words are of a house that there is, and differ from
// those of its language.
func TestHouseWords(t *testing.T) {
	found := 0
	for _, house := range append(profile.Built().Names(), "nowhere") {
		for _, l := range display.Languages(false) {
			own := display.HouseWords(house, l.Code())
			for key, text := range own {
				found++
				if base, ok := l[key]; !ok || base == text || !slices.Equal(holes(base), holes(text)) {
					t.Errorf("%s calls %s %q, its language %q", house, key, text, base)
				}
				if got := l.In(house)[key]; got != text {
					t.Errorf("in %s %s is %q, want %q", house, key, got, text)
				}
			}
			if len(l.In(house)) != len(l) {
				t.Errorf("%s has texts that %s lacks", house, l.Name())
			}
		}
	}
	if found != 10 {
		t.Errorf("%d words of houses are found, want 10: is a house called otherwise now?", found)
	}
}

// TestSwissGerman: the sheets of Baden and Schaffhausen have no ß and quote with «».
func TestSwissGerman(t *testing.T) {
	german, _ := display.Speak("de-CH")
	for key, text := range german {
		if strings.ContainsAny(text, "ß„“") {
			t.Errorf("%s: %q", key, text)
		}
	}
	if got := german.Say(display.Message{Key: "detail.insurance-none"}); got != "Danach «Versicherung zu» drücken" {
		t.Error(got)
	}
}

func TestSpeak(t *testing.T) {
	for name, want := range map[string][2]string{
		"de": {"de", "Deutsch"}, "de-CH": {"de-CH", "Deutsch"}, "it": {"it", "Italiano"}, "it-CH": {"it-CH", "Italiano"},
		"fr": {"fr", "Français"}, "fr-CH": {"fr-CH", "Français"}, "en": {"en", "English"}, "en-CH": {"en-CH", "English"},
		"zh": {"zh-Hans", "中文"}, "zh-CH": {"zh-Hans-CH", "中文"},
	} {
		l, ok := display.Speak(name)
		if !ok || l.Tag() != want[0] || l.Name() != want[1] || l.Swiss() != strings.HasSuffix(name, "-CH") {
			t.Errorf("%s: %q %q %t", name, l.Tag(), l.Name(), ok)
		}
		if !slices.Contains(display.Spoken(), name) {
			t.Errorf("%s is not among %q", name, display.Spoken())
		}
	}
	for _, name := range []string{"", "DE", "de-AT", "zh-Hans", "tlh"} {
		if _, ok := display.Speak(name); ok {
			t.Errorf("%q is spoken", name)
		}
	}
}
