package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckWords(t *testing.T) {
	got := sabot(t, "", "config", "words")
	for _, want := range []string{
		"de.properties is in order: Deutsch, ", "de-CH.properties is in order: de-CH, ",
		"en.properties is in order: English, ",
	} {
		if got.Status != exitOK || !strings.Contains(got.Out, want) ||
			strings.Count(got.Out, "\n") != strings.Count(got.Out, " 0 not translated\n") {
			t.Errorf("of Sabot's own languages it says %q, %q", got.Out, got.Err)
		}
	}
	german := sabot(t, "", "config", "words", "--print", "de").Out
	path := filepath.Join(t.TempDir(), "de.properties")
	broken := strings.NewReplacer("call.rest = ", "call.rset = ", "an Box {box}\n", "an Box {bxo}\n", "word.paid = ",
		"word.paid = Paid\n# ").Replace(german)
	if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	got = sabot(t, "", "config", "words", path)
	told := got.Out
	got.Out = ""
	wantFailure(t, got, exitFailed, path, `call.rset: is not a known key; did you mean "call.rest"?`,
		"prompt.box: {bxo} is nothing that is filled in here")
	for _, want := range []string{
		path + ": not translated: call.rest = Stand\n",
		": as in English: word.paid; translate it", " is not in order, with 3 faults: Deutsch, ",
		", 3 not translated\n",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("it does not say %q: %s", want, told)
		}
	}
	if got := sabot(t, "language.code = nl\nlanguage.tag = nl\nlanguage.name = Nederlands\n", "config", "words",
		"-"); got.Status != exitOK || !strings.Contains(got.Out,
		fmt.Sprintf("- is in order: Nederlands, 3 texts, %d not translated\n",
			max(100, strings.Count(got.Out, "-: not translated: ")))) {
		t.Errorf("of a language just begun it says %+v", got)
	}
	wantFailure(t, sabot(t, "", "config", "words", "--print", "tlh"), exitUsage, `no language "tlh"`)
	wantFailure(t, sabot(t, "", "config", "words", path+".missing"), exitFailed, path+".missing")
}

// TestRulesCheckWords: a house's own words are checked with its rules.
func TestRulesCheckWords(t *testing.T) {
	const mine = "extends: st-moritz\nhouse: mine\nwords:\n  de:\n"
	if got := sabot(t, mine+"    key.open: Los\n", "rules", "check", "-"); got.Status != exitOK {
		t.Errorf("%+v", got)
	}
	if got := sabot(t, mine+"    key.open: Los\n  nl:\n    call.card: Kaart\n", "rules", "check",
		"-"); got.Status != exitOK {
		t.Errorf("of the words of a language of its own: %+v", got)
	}
	wantFailure(t, sabot(t, mine+"    key.open: Los\n  Nederlands:\n    call.card: Kaart\n", "rules", "check", "-"),
		exitFailed, `"Nederlands" is no language`)
	wantFailure(t, sabot(t, mine+"    key.opne: Los\n", "rules", "check", "-"), exitFailed,
		`-:5:15: words.de."key.opne": is not a known key; did you mean "key.open"?`)
}
