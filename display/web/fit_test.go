package web

import (
	"regexp"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
)

// TestASplitBoxGrows: four hands of the box that is due have the room of boxes that are empty or wait, and their
// amounts are read from where the guests sit.
func TestASplitBoxGrows(t *testing.T) {
	const line = "open; stake 1 anna 100; stake 3 ben 200; stake 3 carla 50; stake 5 dora 500; close; " +
		"2S 8S 9D 9H 3C 8C 7C; rest; split; 8D; split; 8H; split; 2C"
	v := displaytest.At("schaffhausen", line)
	wide := func(number int) float64 { return roomOf(v, number-1).wide }
	var split display.Box
	for i, b := range v.Boxes {
		if roomOf(v, i).wide < 1 {
			t.Errorf("box %d has no room", b.Number)
		}
		if len(b.Hands) > 1 {
			split = b
		}
	}
	if len(split.Hands) != 4 || !display.DueBox(v, split) {
		t.Fatalf("the sample is another: box %d has %d hands", split.Number, len(split.Hands))
	}
	if due, played, empty := wide(split.Number), wide(1), wide(2); due < 2.5*played || played <= empty {
		t.Errorf("the box that is due is %.1f rem wide, one that waits %.1f, and an empty one %.1f", due, played, empty)
	}
	// On 7 inches a rem is 12.5 px: the amounts of fit3 are 16 px high.
	class := regexp.MustCompile(`<[^>]*id="box-3"[^>]*>`)
	for _, l := range display.BuiltIn().Languages(false) {
		if box := class.FindString(string(Felt(l, v))); !regexp.MustCompile(`[" ]fit[0-3][" ]`).MatchString(box) {
			t.Errorf("%s: the amounts of its hands are small: %s", l.Code(), box)
		}
	}
}
