package table_test

import (
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
)

// set is a table of a house with a number of decks, 0 for the house's own.
func set(house string, decks int) *table.Table {
	t := &table.Table{}
	t.Step(tabletest.SetUp(rules.Setup{House: house, Decks: decks}))
	return t
}

func wantDealt(t *testing.T, tab *table.Table, dealt, left int) {
	t.Helper()
	if gotDealt, gotLeft := tab.Dealt(); gotDealt != dealt || gotLeft != left {
		t.Fatalf("%d cards out and %d left, want %d and %d", gotDealt, gotLeft, dealt, left)
	}
}

// inRound opens a round that waits for cards.
const inRound = "open; stake 1 a 20; close"

func TestShoeCountsSinceItWasLoaded(t *testing.T) {
	tab := set("baden", 0)
	wantDealt(t, tab, 0, 312)
	says(t, tab, inRound+"; 5S 7D; rest; 6C; paid", "round 1 finished")
	wantDealt(t, tab, 3, 309) // the card of the wrong forecast too
	says(t, tab, inRound+"; 5S 7D; rest; 6C; paid", "round 2 finished")
	wantDealt(t, tab, 6, 306)
	says(t, tab, "shoe loaded")
	wantDealt(t, tab, 0, 312)
}

func TestShufflerCountsTheRound(t *testing.T) {
	tab := set("wiesbaden", 0)
	wantDealt(t, tab, 0, 313) // six decks and the Joker
	says(t, tab, inRound+"; TS JOKER 7D 9H; rest; TC; paid", "round 1 finished")
	wantDealt(t, tab, 5, 308)
	says(t, tab, "open")
	wantDealt(t, tab, 0, 313)
}

// TestShufflerCountsTheCardOnTheTable: a card that lies open for the next round did
// not go back.
func TestShufflerCountsTheCardOnTheTable(t *testing.T) {
	tab := set("wiesbaden", 0)
	says(t, tab, "5S; resolve next-card; open")
	wantDealt(t, tab, 1, 312)
	says(t, tab, "stake 1 a 20; close", "5S to box 1: 5")
	wantDealt(t, tab, 1, 312)
}

func TestUnreadCardIsCountedOnce(t *testing.T) {
	tab := set("baden", 1)
	says(t, tab, inRound+"; ??")
	wantDealt(t, tab, 1, 51)
	says(t, tab, "resolve identify 5S", "5S to box 1: 1 point")
	wantDealt(t, tab, 1, 51)
	says(t, tab, "5S", "IRREGULAR: foreign-card 5S; choices: void-round, accept")
	wantDealt(t, tab, 2, 50)
	says(t, tab, "resolve accept", "5S to the bank: 1 point")
	wantDealt(t, tab, 2, 50)
}

// TestBurntUnreadCardStaysOut: nobody named it, and a card that was lost later is
// another one.
func TestBurntUnreadCardStaysOut(t *testing.T) {
	tab := set("baden", 0)
	says(t, tab, inRound+"; ??; resolve burn")
	wantDealt(t, tab, 1, 311)
	says(t, tab, "shoe gap 1; resolve identify 5S", "5S to box 1: 1 point")
	wantDealt(t, tab, 2, 310)
	says(t, tab, "shoe gap 2; resolve none-drawn")
	wantDealt(t, tab, 2, 310)
}

// TestNextCardIsCountedOnce: it was counted when it came, and not again when it
// becomes the card that is due.
func TestNextCardIsCountedOnce(t *testing.T) {
	tab := set("baden", 0)
	says(t, tab, "open; stake 1 a 20; 5S; resolve next-card")
	wantDealt(t, tab, 1, 311)
	says(t, tab, "close", "5S to box 1: 1 point")
	wantDealt(t, tab, 1, 311)
}

// TestUndoCountsTheSame: the round is dealt again, and its cards are not counted
// twice.
func TestUndoCountsTheSame(t *testing.T) {
	tab := set("baden", 0)
	says(t, tab, inRound+"; 5S 7D; rest; 6C; paid", "round 1 finished")
	says(t, tab, inRound+"; 5S 7D; rest; undo", "undone: call rest of box 1")
	wantDealt(t, tab, 5, 307)
}

func TestForeignIsMoreThanTheDecksHold(t *testing.T) {
	const foreign, open = "IRREGULAR: foreign-card AS; choices: void-round, accept",
		"IRREGULAR: unexpected-card AS; choices: next-card, burn, void-round"
	tab := set("baden", 6)
	says(t, tab, "open"+strings.Repeat("; AS; resolve burn", 5))
	says(t, tab, "AS", open)
	says(t, tab, "resolve burn; AS", foreign)
	says(t, tab, "resolve accept", open)
	says(t, tab, "resolve burn; shoe loaded; AS", open)
}

func TestRestartKeepsTheCount(t *testing.T) {
	tab := set("baden", 1)
	says(t, tab, inRound+"; 5S 5H; rest; 6S 5D; paid", "round 1 finished")
	again := table.Resume(tab.Rules(), tab.Carry())
	wantDealt(t, again, 4, 48)
	says(t, again, inRound+"; 5S", "IRREGULAR: foreign-card 5S; choices: void-round, accept")
}

// TestNothingIsCountedBeforeSetup: a table without rules has no shoe.
func TestNothingIsCountedBeforeSetup(t *testing.T) {
	var tab table.Table
	wantDealt(t, &tab, 0, 0)
}

// FuzzCardCounts: what is read is written as it was, and nothing else is read.
func FuzzCardCounts(f *testing.F) {
	for _, text := range []string{
		"", "AS=1", "AS=3 KD=65535 JOKER=1 ??=12", "AS", "AS=", "AS=0", "AS=01", "AS=65536",
		"AS=99999999999999999999", "AS=-1",
		"ZZ=1", " AS=1", "AS=1 ", "AS=1  KD=2", "=1", "AS=1 AS=2", "KD=1 AS=1",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var counts table.CardCounts
		if counts.UnmarshalText(text) != nil {
			return
		}
		if again, err := counts.MarshalText(); err != nil || string(again) != string(text) {
			t.Errorf("%q was read as %v and written as %q, %v", text, counts, again, err)
		}
	})
}

// TestCardCountsRefused: each of these is no list of counts.
func TestCardCountsRefused(t *testing.T) {
	for _, text := range []string{
		"AS", "AS=", "AS=0", "AS=01", "AS=65536", "AS=-1", "ZZ=1", " AS=1", "AS=1 ",
		"AS=1  KD=2", "=1", "AS=1 AS=2", "KD=1 AS=1", "AS=+1",
	} {
		var counts table.CardCounts
		if err := counts.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %v", text, counts)
		}
	}
}
