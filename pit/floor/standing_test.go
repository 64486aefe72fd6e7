package floor_test

import (
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/floor"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestHowATableStands goes through what a table and its broker may do.
func TestHowATableStands(t *testing.T) {
	cases := map[string]struct {
		does func(*room)
		want floor.Standing
	}{
		"nothing heard, only configured": {func(r *room) { r.wait(time.Hour) }, floor.Unknown},
		"connected":                      {func(r *room) { r.connects() }, floor.Open},
		"closed": {func(r *room) {
			r.view.Opening = display.Opening{Closed: true}
			r.connects()
		}, floor.Closed},
		"held by a card": {func(r *room) {
			r.view.Held = &display.Held{Code: irregularity.UnreadCard}
			r.connects()
		}, floor.Held},
		"the shoe is away": {func(r *room) {
			r.connects()
			r.state(r.standing(irregularity.ShoeOffline, 1))
		}, floor.Held},
		"contradictory keys hold nothing": {func(r *room) {
			r.connects()
			r.state(r.standing(irregularity.ContradictoryKeys, 1))
		}, floor.Open},
		"cannot record": {func(r *room) {
			r.connects()
			r.hear(topic.KindStatus, topic.AppendStatus(nil, topic.Status{
				Site: "wiesbaden", Table: "bj-1", Online: true, Reason: topic.ReasonConnected, Boot: 7, Connection: 1,
				Time: r.now, Trouble: topic.TroubleFailing,
			}))
		}, floor.Held},
		"last will": {func(r *room) {
			r.connects()
			r.wait(time.Second)
			r.status(false, topic.ReasonLost)
		}, floor.Offline},
		"last will of the connection before": {func(r *room) {
			r.connects()
			late := r.statusOf(false, topic.ReasonLost, r.boot, r.connection)
			r.connection++
			r.connects()
			r.hear(topic.KindStatus, late)
		}, floor.Open},
		"last will of the boot before": {func(r *room) {
			r.connection = 5
			r.connects()
			late := r.statusOf(false, topic.ReasonLost, r.boot, r.connection)
			r.boot, r.connection = r.boot+1, 1
			r.connects()
			r.hear(topic.KindStatus, late)
		}, floor.Open},
		"silent, and no last will came": {func(r *room) {
			r.connects()
			r.wait(36 * time.Second)
		}, floor.Offline},
		"silent, but not for long": {func(r *room) {
			r.connects()
			r.wait(34 * time.Second)
		}, floor.Open},
		"alive for an hour": {func(r *room) {
			r.connects()
			r.live(time.Hour)
		}, floor.Open},
		"back after silence": {func(r *room) {
			r.connects()
			r.wait(time.Minute)
			r.health()
		}, floor.Open},
		"the broker's copy of a heartbeat is none": {func(r *room) {
			r.connects()
			kept := r.healthOf()
			for range 6 {
				r.wait(10 * time.Second)
				r.hear(topic.KindHealth, kept)
			}
		}, floor.Offline},
		"a heartbeat of yesterday, at the start": {func(r *room) {
			r.skew = -24 * time.Hour
			r.connects()
		}, floor.Unknown},
		"a heartbeat of yesterday, and none after it": {func(r *room) {
			r.skew = -24 * time.Hour
			r.connects()
			r.wait(36 * time.Second)
		}, floor.Offline},
		"a table whose clock is a day slow": {func(r *room) {
			r.skew = -24 * time.Hour
			r.connects()
			r.live(time.Minute)
		}, floor.Open},
		"a table whose clock is a day fast": {func(r *room) {
			r.skew = 24 * time.Hour
			r.connects()
			r.live(time.Minute)
		}, floor.Open},
		"a table whose clock was set back": {func(r *room) {
			r.connects()
			r.live(time.Minute)
			r.skew = -time.Hour
			r.live(time.Minute)
		}, floor.Open},
		"the pit reaches no broker": {func(r *room) {
			r.connects()
			r.Link(false, "connection refused", r.now)
		}, floor.Unknown},
		"the pit is back, the table was never away": {func(r *room) {
			r.connects()
			r.Link(false, "connection refused", r.now)
			r.wait(time.Hour)
			r.Link(true, "", r.now)
			r.wait(5 * time.Second)
			r.health()
		}, floor.Open},
		"the pit is back, the table's last word is an hour old": {func(r *room) {
			r.connects()
			r.wait(10 * time.Second)
			last := r.healthOf()
			r.Link(false, "connection refused", r.now)
			r.wait(time.Hour)
			r.Link(true, "", r.now)
			r.hear(topic.KindHealth, last)
			r.wait(36 * time.Second)
		}, floor.Offline},
		"a new journal counts its starts anew": {func(r *room) {
			r.connects()
			r.status(false, topic.ReasonLost)
			r.wait(12 * time.Second)
			r.boot, r.connection, r.sequence, r.journal = 1, 1, 0, journalB
			r.status(true, topic.ReasonConnected) // passed over: a lower boot
			r.health()
			r.view.Opening.Closed = true
			r.state()
			r.status(true, topic.ReasonConnected)
		}, floor.Closed},
		"the status is denied, and the broker keeps an old one": {func(r *room) {
			r.status(false, topic.ReasonLost)
			r.wait(20 * time.Second)
			r.health()
			r.state()
		}, floor.Open},
		"what was kept, while there is more": {func(r *room) {
			r.connects()
			old := r.view
			r.view.Opening.Closed = true
			r.state()
			r.dealt(floor.Dealt{View: old, Behind: true})
		}, floor.Closed},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			table, err := topic.NewTable("wiesbaden", "bj-1")
			if err != nil {
				t.Fatal(err)
			}
			r := newRoom(t, floor.Options{Tables: []topic.Table{table}})
			c.does(r)
			r.Tick(r.now)
			r.wants(c.want)
		})
	}
}

// TestAViewIsTheDealers: the view comes back as it was sent, but for what is on the table's own screens alone.
func TestAViewIsTheDealers(t *testing.T) {
	r := newRoom(t, floor.Options{})
	if _, ok := r.View(r.table); ok {
		t.Error("there is a view of a table that nobody has heard of")
	}
	r.view.Boxes = []display.Box{
		{Number: 1},
		{Number: 2, Bettors: []display.Bettor{{Name: "a", Holder: true, Stake: 2000}}},
		{Number: 3},
	}
	r.view.Shift.Dealer = "d7"
	r.connects()
	got, ok := r.View(r.table)
	if !ok || got.Boxes[1].Bettors[0].Stake != 2000 {
		t.Errorf("the view is %+v", got)
	}
	tile := r.tile()
	if tile.House != "wiesbaden" || tile.Dealer != "d7" || tile.Boxes != 1 || tile.Of != 3 || tile.Min != 1000 ||
		tile.BoxMax != 50000 || tile.Round != 16 || tile.Phase != vocab.Idle {
		t.Errorf("the tile is %+v", tile)
	}
	if h, ok := r.Health(r.table); !ok || h.Journal.Head.ID != journalA {
		t.Errorf("the health is %+v", h)
	}
}

// TestWhatCannotBeReadIsSaid: a newer table may say and do what this program does not know.
func TestWhatCannotBeReadIsSaid(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	for name, payload := range map[string]string{
		r.table.Topic(topic.KindHealth): `{`, "sabot/v1/wiesbaden/bj-1/elsewhere": `{}`,
	} {
		if err := r.Hear(name, []byte(payload), r.now); err == nil {
			t.Errorf("%s %s was taken without a word", name, payload)
		}
	}
	r.dealt(floor.Dealt{Unread: true})
	if got := r.tile(); got.Trouble != floor.TroubleUnreadable || got.Standing != floor.Open || got.Round != 16 {
		t.Errorf("the table is %s in round %d, its trouble %q", got.Standing, got.Round, got.Trouble)
	}
	r.state()
	if got := r.tile().Trouble; got != "" {
		t.Errorf("after one that can be read the trouble is %q", got)
	}
}

// TestTheRoomIsBounded: whoever may write to the broker cannot fill the memory.
func TestTheRoomIsBounded(t *testing.T) {
	r := newRoom(t, floor.Options{Most: 2})
	for i, name := range []string{"bj-1", "bj-2", "bj-3"} {
		table, err := topic.NewTable("wiesbaden", name)
		if err != nil {
			t.Fatal(err)
		}
		r.table = table
		if err := r.Hear(table.Topic(topic.KindHealth), r.healthOf(), r.now); (err != nil) != (i == 2) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTheOrderOfTiles(t *testing.T) {
	var tables []topic.Table
	for _, name := range []string{"bj-10", "bj-2", "bj-1", "bj-02", "a", "bj-1b"} {
		table, err := topic.NewTable("wiesbaden", name)
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, table)
	}
	f := floor.New(floor.Options{Tables: tables})
	names := func(tiles []floor.Tile) (all string) {
		for _, tile := range tiles {
			all += tile.Table.Name() + " "
		}
		return all
	}
	if got := names(f.Tiles()); got != "a bj-1 bj-1b bj-02 bj-2 bj-10 " {
		t.Error(got)
	}
}

// TestPace counts rounds per hour.
func TestPace(t *testing.T) {
	r := newRoom(t, floor.Options{})
	r.connects()
	paceIs := func(when string, want int) {
		t.Helper()
		if got := r.tile().PerHour; got != want {
			t.Errorf("%s: %d rounds an hour, want %d", when, got, want)
		}
	}
	paceIs("at the start", 0)
	for range 90 {
		r.wait(40 * time.Second)
		r.view.Round++
		r.state()
	}
	paceIs("every 40 seconds", 90)
	r.wait(10 * time.Minute)
	paceIs("half of the window without one", 45)
	r.wait(20 * time.Minute)
	paceIs("nothing any more", 0)
	r.view.Round = 3
	r.boot++
	r.state()
	paceIs("another journal", 0)
	for range 100 {
		r.wait(2 * time.Second)
		r.view.Round++
		r.state()
	}
	paceIs("a very quick table", 1800)
}
