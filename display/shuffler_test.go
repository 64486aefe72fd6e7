package display

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/words"
)

// TestShuffler: where a shuffler deals, no text speaks of a shoe, and what is filled in stays.
func TestShuffler(t *testing.T) {
	for code, shoe := range map[string]string{
		"en": "shoe", "de": "schlitten", "de-CH": "schlitten", "fr": "sabot",
		"it": "sabot", "zh": "牌靴",
	} {
		l, _ := BuiltIn().With(nil, "wiesbaden").Speak(code)
		for _, e := range words.BuiltIn(words.English).Entries {
			key, at := placed(e.Key)
			text, _ := Language{texts: l.In("wiesbaden").texts, place: at}.Lookup(key)
			if bare := placeholder.ReplaceAllString(text, ""); strings.Contains(strings.ToLower(bare), shoe) &&
				key != words.Shuffler {
				t.Errorf("%s: %s says %q at a shuffler", code, e.Key, text)
			}
			if what, _ := misworded(e.Key, text); what != "" && !strings.HasPrefix(key, "language.") {
				t.Errorf("%s: %s: %q %s", code, e.Key, text, what)
			}
		}
		if wrong := misquoted(l.In("wiesbaden"), nil); len(wrong) > 0 {
			t.Errorf("%s: texts name keys that are not there: %v", code, wrong)
		}
	}
}

// TestShufflerInTheHousesOwnWords: what a house calls otherwise comes before that.
func TestShufflerInTheHousesOwnWords(t *testing.T) {
	own := Houses{"here": {"de": {"word.shoe": "Automat ok"}}}
	l, _ := BuiltIn().With(own, "here").Speak("de")
	for key, want := range map[string]string{
		"word.shoe": "Automat ok", "word.shoe-offline": "Mischmaschine weg",
		"prompt.bank": "Karte an die Bank",
	} {
		if got, _ := l.In("here").Lookup(key); got != want {
			t.Errorf("%s says %q, want %q", key, got, want)
		}
	}
	if got, _ := l.In("elsewhere").Lookup("word.shoe-offline"); got != "Schlitten weg" {
		t.Errorf("a house with a shoe says %q", got)
	}
}
