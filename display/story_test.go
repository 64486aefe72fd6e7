package display_test

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/displaytest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestStoryIsInWords: whatever holds a round, and whenever, there are words for it.
func TestStoryIsInWords(t *testing.T) {
	for code := range irregularity.EveryCode {
		for phase := range vocab.EveryPhase {
			for to := range vocab.EveryTo {
				for n := range 3 {
					v := display.View{Phase: phase, Due: display.Due{To: to, Box: 1, Hand: 1}}
					v.Held = &display.Held{Code: code, Missing: n, Behind: n, Arrived: n, Card: displaytest.Cards("7D")[0]}
					for _, m := range append(display.Story(v), display.Waits(v)...) {
						if _, told := display.English.Lookup(m.Key); !told {
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

// TestStoryOfTheRecord says what happened, who decides, and what was found.
func TestStoryOfTheRecord(t *testing.T) {
	v := displaytest.Named("play")
	v.Held = &display.Held{Code: irregularity.JournalTouched, Choices: []irregularity.Choice{irregularity.Accept}, Found: "part 3 was deleted"}
	var told []string
	for _, m := range display.Story(v) {
		told = append(told, display.English.Say(m))
	}
	want := []string{"The journal’s files were changed while the table was using them. A supervisor decides.", "Found: part 3 was deleted."}
	if !slices.Equal(told, want) {
		t.Errorf("the story is %q, want %q", told, want)
	}
}

// TestMomentOfTheRecord: a touch that accepts one finding does not accept the next.
func TestMomentOfTheRecord(t *testing.T) {
	var tab table.Table
	moments := map[string]bool{}
	for _, found := range []string{"part 3 was deleted", "part 4 was deleted"} {
		tab.Step(&vocab.Input{Kind: vocab.InStorage, Storage: vocab.StorageTouched, Code: found})
		moments[display.Moment(&tab)] = true
		if v := display.From(&tab, "bj-1", 1); v.Held == nil || v.Held.Found != found {
			t.Errorf("before the set-up the view is held by %+v", v.Held)
		}
	}
	if len(moments) != 2 {
		t.Error("two findings are one moment")
	}
}
