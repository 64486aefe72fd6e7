package floor_test

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
)

// TestALineToAHouse: of a house without a line its hub knows nothing, and says so once, and not for each of its tables;
// of one that is heard all the same, over another node of the hub, it knows all.
func TestALineToAHouse(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.Line("wiesbaden", true, r.now)
	r.connects()
	first := r.table
	second, err := topic.NewTable("wiesbaden", "bj-2")
	if err != nil {
		t.Fatal(err)
	}
	r.table = second
	r.connects()
	r.table = first
	standing := func(want floor.Standing) {
		t.Helper()
		for _, tile := range r.Tiles() {
			if tile.Standing != want {
				t.Errorf("%s is %s, not %s", tile.Table, tile.Standing, want)
			}
		}
	}
	standing(floor.Open)
	r.wait(5 * time.Second)
	r.Line("wiesbaden", false, r.now)
	r.wait(time.Minute)
	standing(floor.Unknown)
	r.alerts("line-lost stands")
	if a := r.Alerts()[0]; a.Table != first {
		t.Errorf("the alert is at %s", a.Table)
	}
	r.wait(time.Minute)
	r.alerts("line-lost stands")

	r.Line("wiesbaden", true, r.now)
	r.wait(10 * time.Second)
	r.alerts("line-lost")
	standing(floor.Open)
	r.wait(time.Minute) // the line is there, and the tables are not
	r.alerts("table-offline stands", "table-offline stands", "line-lost")
	standing(floor.Offline)

	other := newRoom(t, floor.Options{})
	other.Line("wiesbaden", false, other.now)
	other.connects()
	other.live(2 * time.Minute)
	if tile := other.Tiles()[0]; tile.Standing != floor.Open {
		t.Errorf("a table that is heard over another node is %s", tile.Standing)
	}
	if !other.Hears("wiesbaden") || other.Hears("kursaal") || r.Hears("wiesbaden") {
		t.Error("which houses are heard is wrong")
	}
	other.status(false, topic.ReasonLost)
	other.wait(16 * time.Second)
	other.alerts("table-offline stands")
}

// TestATableThatIsAwayBehindAnotherNode: a node of a hub without a line to a house knows a table that is away by its
// records alone. That it is offline shows as soon as another table of the house is heard over another node's line;
// until then nothing is known of it.
func TestATableThatIsAwayBehindAnotherNode(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.Line("wiesbaden", false, r.now)
	is := r.table
	away, err := topic.NewTable("wiesbaden", "bj-2")
	if err != nil {
		t.Fatal(err)
	}
	r.table = away
	r.state()
	r.wait(time.Minute)
	r.wants(floor.Unknown)
	r.table = is
	r.connects()
	r.live(10 * time.Second)
	r.wants(floor.Open)
	r.table = away
	r.wants(floor.Offline)
}
