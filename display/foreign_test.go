package display_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/irregularity"
)

// allowed are words that a text may have in any language, each for its reason.
var allowed = map[string]string{
	"Sabot": "the program", "ModemManager": "a program", "brltty": "a program",
	"JavaScript": "is called so everywhere", "iPhone": "is called so everywhere", "iPad": "is called so everywhere",
	"localhost": "an address", "https": "begins an address", "ssl": "begins an address", "tcp": "begins an address",
	"ace-king": "a word, too",
}

// except are the texts that may say what is of another language, each for its reason.
var except = map[string]string{
	"language.code":             "is a code",
	"language.tag":              "is a code",
	"why.jack-is-black":         "is what the sheets call that line",
	"fleet.do-silent":           "names a topic",
	"pit.odds-means-double":     "explains a sign of the table",
	"pit.odds-means-surrender":  "explains a sign of the table",
	"remedy.certificate-ends":   "names a heading of the documents, which are English",
	"remedy.configuration-lost": "names a heading of the documents, which are English",
	"remedy.journal-unsealed":   "names a heading of the documents, which are English",
	"remedy.screen-own-none":    "names a line of the configuration",
	"remedy.throttled":          "names two others of the list by their codes",
}

// TestNoTextIsOfAnotherLanguage: no text has a name of the program's own, or a word of another language than its own.
func TestNoTextIsOfAnotherLanguage(t *testing.T) {
	needed := map[string]bool{}
	for _, code := range words.Menu {
		for _, e := range words.BuiltIn(code).Entries {
			found := displaytest.Foreign(code, e.Text, allowed)
			needed[e.Key] = needed[e.Key] || len(found) > 0
			if len(found) > 0 && !e.Kept && except[e.Key] == "" {
				t.Errorf("%s: %s says %q in %q", code, e.Key, found, e.Text)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(except)) {
		if !needed[key] {
			t.Errorf("%s needs no exception", key)
		}
	}
}

// TestNoStopIsOfAnotherLanguage: what the screen says of each irregularity, with each alarm of the shoe filled in.
func TestNoStopIsOfAnotherLanguage(t *testing.T) {
	alarms := []string{""}
	for _, e := range words.BuiltIn(words.English).Entries {
		if code, ok := strings.CutPrefix(e.Key, "alarm."); ok {
			alarms = append(alarms, code)
		}
	}
	said := map[string]bool{}
	for _, l := range display.BuiltIn().Languages(false) {
		for code := range irregularity.EveryCode {
			for _, alarm := range alarms {
				for _, text := range stopSays(l, code, alarm) {
					if said[l.Code()+text] {
						continue
					}
					said[l.Code()+text] = true
					if found := displaytest.Foreign(l.Code(), text, allowed); len(found) > 0 {
						t.Errorf("%s: at %s, alarm %q, it says %q in %q", l.Code(), code, alarm, found, text)
					}
				}
			}
		}
	}
	if len(alarms) < 10 || len(said) < 500 {
		t.Errorf("only %d texts of %d alarms were said", len(said), len(alarms))
	}
}

// stopSays is what a screen says while an irregularity holds the round of a sample, and on its keys.
func stopSays(l display.Language, code irregularity.Code, alarm string) (texts []string) {
	v := displaytest.Named("split")
	v.Shoe.Online, v.Shoe.Alarm = true, alarm
	v.Held = &display.Held{
		Code: code, Missing: 2, Behind: 2, Arrived: 1,
		Choices: slices.Collect(irregularity.Possible(code).All),
	}
	step := display.Prompt(v)
	all := append(append(display.Story(v), display.Waits(v)...), step.Headline, step.Detail, step.Open)
	for _, k := range touch.Keys(v) {
		all = append(all, k.Label, k.Note)
	}
	for _, m := range all {
		texts = append(texts, l.Say(m))
	}
	return texts
}
