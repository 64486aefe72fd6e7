package practice

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display/words"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/profile"
)

var braces = regexp.MustCompile(`\{[a-z]+\}`)

// TestWords: every language has every text, in the order of the English, with the same {names}, and translated.
func TestWords(t *testing.T) {
	measure := wordFile(words.English)
	for _, code := range words.Menu {
		f := wordFile(code)
		if err := f.Faults.Err(); err != nil {
			t.Fatal(err)
		}
		if len(f.Entries) != len(measure.Entries) {
			t.Fatalf("%s has %d texts, not %d", code, len(f.Entries), len(measure.Entries))
		}
		for i, e := range f.Entries {
			english := measure.Entries[i]
			names, want := braces.FindAllString(e.Text, -1), braces.FindAllString(english.Text, -1)
			slices.Sort(names)
			slices.Sort(want)
			switch {
			case e.Key != english.Key:
				t.Fatalf("%s:%d: %s stands where English has %s", f.Name, e.Line, e.Key, english.Key)
			case code != words.English && (!e.Noted && !e.Kept || e.English != english.Text):
				t.Errorf("%s:%d: %s was translated from %q, and the English is %q", f.Name, e.Line, e.Key, e.English,
					english.Text)
			case !slices.Equal(names, want):
				t.Errorf("%s:%d: %s has %v, English has %v", f.Name, e.Line, e.Key, names, want)
			case code != words.English && e.Text == english.Text && !e.Kept && !strings.HasPrefix(e.Text, "{"):
				t.Errorf("%s:%d: %s is left in English; write # en, kept: above it if that is meant", f.Name,
					e.Line, e.Key)
			case !e.Kept && len(displaytest.Foreign(code, e.Text, nil)) > 0:
				t.Errorf("%s:%d: %s says %q in %q", f.Name, e.Line, e.Key,
					displaytest.Foreign(code, e.Text, nil), e.Text)
			}
		}
	}
}

// TestWordsAreSaid: the pages say each text, and each topic has its words.
func TestWordsAreSaid(t *testing.T) {
	var source strings.Builder
	for _, pattern := range []string{"*.go", "../bench/practice*.go", "../bench/templates/practice.html"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(text)
		}
	}
	topics := map[string]bool{"calls": true}
	hole, err := profile.WhatIf(ofKeys(t), []string{"bank.hole_card=ace-and-ten"})
	if err != nil {
		t.Fatal(err)
	}
	for _, house := range append(slices.Collect(maps.Values(profile.Built())), ofKeys(t), hole) {
		for _, k := range Kinds() {
			for _, topic := range Topics(house.Rules, k, Levels) {
				topics[strings.TrimSuffix(KeyOf("", topic)[1:], "-unkept")] = true
			}
		}
	}
	for _, e := range wordFile(words.English).Entries {
		start, rest, _ := strings.Cut(e.Key, ".")
		made := slices.Contains([]string{"kind", "ask", "tray", "rounded", "mistake", "step"}, start) &&
			strings.Contains(source.String(), `"`+start+`."`)
		if !made && !strings.Contains(source.String(), `"`+e.Key+`"`) &&
			!(slices.Contains([]string{"why", "topic", "story", "right", "mend"}, start) &&
				topics[strings.TrimSuffix(rest, "-unkept")]) {
			t.Errorf("nobody says %s", e.Key)
		}
	}
	for topic := range topics {
		kind, _, _ := strings.Cut(topic, ".")
		for _, what := range map[string][]string{
			"bank":     {"why", "topic"},
			"hole":     {"why", "topic"},
			"incident": {"topic", "story", "right"},
		}[kind] {
			if !english().Has(what + "." + topic) {
				t.Errorf("%s has no words for %s", topic, what)
			}
		}
	}
	if said := Speak("xx").Say("level", "n", "3"); said != "Level 3" {
		t.Errorf("an unknown language says %q", said)
	}
}
