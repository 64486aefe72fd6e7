package display_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
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
					v.Held = &display.Held{
						Code: code, Missing: n, Behind: n, Arrived: n,
						Card: displaytest.Cards("7D")[0],
					}
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
	v.Held = &display.Held{
		Code: irregularity.JournalTouched, Choices: []irregularity.Choice{irregularity.Accept},
		Found: "part 3 was deleted",
	}
	var told []string
	for _, m := range display.Story(v) {
		told = append(told, display.English.Say(m))
	}
	want := []string{
		"The journal’s files were changed while the table was using them. A supervisor decides.",
		"Found: part 3 was deleted.",
	}
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

// TestSpokenOf: what a hold is about, in the table's own samples.
func TestSpokenOf(t *testing.T) {
	want := map[string]display.Spot{
		"hold-card-without-call-split": {Box: 1, Hand: 1},
		"hold-bank-overdraw":           {Bank: true},
		"hold-unread-card-bank":        {Bank: true},
		"hold-payout-mismatch":         {Box: 1},
		"hold-unread-card":             {Box: 1, Hand: 1},
		"hold-unread-card-idle":        {},
		"hold-journal-behind":          {},
	}
	for _, s := range displaytest.Holds() {
		if spot, asked := want[s.Name]; asked {
			delete(want, s.Name)
			if got := display.SpokenOf(s.View); got != spot {
				t.Errorf("%s speaks of %+v, want %+v", s.Name, got, spot)
			}
		}
		if s.Name == "hold-card-without-call-split" {
			if said := display.English.Say(display.Story(s.View)[0]); !strings.Contains(said, "box 1, hand ") {
				t.Errorf("%s says %q: which hand?", s.Name, said)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("no samples %v", want)
	}
}
