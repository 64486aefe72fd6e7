package figures

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
)

// TestShortDay: a day without its year is written in the order of the language.
func TestShortDay(t *testing.T) {
	day := time.Date(2026, time.November, 3, 0, 0, 0, 0, time.UTC)
	for name, want := range map[string]string{
		"en": "3 Nov", "de": "03.11.", "de-CH": "03.11.", "fr": "03/11", "fr-CH": "03.11.", "it": "03/11",
		"it-CH": "03.11.", "zh": "11-03",
	} {
		l, _ := display.Speak(name)
		if got := (speaker{language: l}).day(day); got != want {
			t.Errorf("in %s it is %q, want %q", name, got, want)
		}
	}
	if display.Capital("") != "" || display.Capital("éclair") != "Éclair" {
		t.Error("a capital letter")
	}
}
