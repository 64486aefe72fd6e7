package display_test

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/table"
)

// TestStoryIsInWords: whatever holds a round, and whenever, there are words for it.
func TestStoryIsInWords(t *testing.T) {
	phases := []string{"", display.PhaseIdle, display.PhaseBets, display.PhaseDeal, display.PhaseInsurance, display.PhasePlay, display.PhaseBank, display.PhasePayment}
	for code := range table.EveryCode {
		for _, phase := range phases {
			for _, to := range []string{"box", "bank", "call", "insurance", "payment", "nothing"} {
				for n := range 3 {
					v := display.View{Phase: phase, Due: display.Due{To: to, Box: 1, Hand: 1}}
					v.Held = &display.Held{Code: code.String(), Missing: n, Behind: n, Arrived: n, Card: displaytest.Cards("7D")[0]}
					for _, m := range append(display.Story(v), display.Waits(v)...) {
						if _, told := display.English[m.Key]; !told {
							t.Errorf("%s in %q while %s is due: no text %s", code, phase, to, m.Key)
						}
					}
				}
			}
		}
	}
}

func TestNothingHeldIsNoStory(t *testing.T) {
	v := displaytest.Named("play")
	if display.Story(v) != nil || display.Waits(v) != nil {
		t.Error("a story of nothing")
	}
}
