package bench

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/scenario"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// TestWords: everything that can happen on the bench has words.
func TestWords(t *testing.T) {
	_, err := scenario.Parse("", "nonsense")
	_, known, found := strings.Cut(err.Error(), "known are ")
	if !found {
		t.Fatalf("the steps are not listed: %v", err)
	}
	for _, verb := range strings.Split(known, ", ") {
		if verb == "repeat" || verb == "random" {
			continue // their own steps are told
		}
		s := scenario.Step{Verb: verb, Key: "card", Trouble: shoesim.Cover}
		if text := sayStep(s); text == "" {
			t.Errorf("%s has no words", verb)
		}
	}
	for _, kind := range shoesim.Kinds() {
		if len(kind.Troubles()) == 0 {
			t.Errorf("%s has no troubles", kind)
		}
		for _, trouble := range kind.Troubles() {
			if troubles[trouble] == "" {
				t.Errorf("%s has no words", trouble)
			}
		}
	}
	for how := range actions {
		for _, name := range []string{"card", "supervisor", "box_1"} {
			if text := sayKeys(how, []string{name}, keysim.Contact{}); strings.HasSuffix(text, ": ") {
				t.Errorf("%s of %s has no words", how, name)
			}
		}
	}
}
