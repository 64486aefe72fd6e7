package host

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
)

var began = time.Date(2026, 3, 29, 20, 0, 0, 0, time.UTC)

func slow() *topic.Trouble { return troubleOf(&runner.Trouble{Since: began}) }

func failing() *topic.Trouble {
	return troubleOf(&runner.Trouble{Since: began, Err: errors.New("the disk is full")})
}

// TestWithTrouble: the table is held by its journal whatever else holds it, and an alert
// is raised as the engine will raise it.
func TestWithTrouble(t *testing.T) {
	other := display.Alert{Code: irregularity.UnreadCard, Round: 3, Times: 1, Standing: 1}
	seen := display.Alert{
		Code: irregularity.StorageFailing, Round: 2, Raised: "2026-03-29T19:00:00Z", Times: 2,
		Cleared: "2026-03-29T19:01:00Z", With: irregularity.Cleared,
		Acknowledged: "2026-03-29T19:02:00Z", AcknowledgedBy: "anna",
	}
	again := seen
	again.Times, again.Standing, again.Acknowledged, again.AcknowledgedBy = 3, 1, "", ""
	raised := display.Alert{
		Code: irregularity.StorageFailing, Round: 4, Raised: "2026-03-29T20:00:00Z", Times: 1,
		Standing: 1,
	}
	for name, c := range map[string]struct {
		trouble      *topic.Trouble
		before, want []display.Alert
	}{
		"the first":  {failing(), []display.Alert{other}, []display.Alert{other, raised}},
		"once more":  {failing(), []display.Alert{seen, other}, []display.Alert{again, other}},
		"only slow":  {slow(), []display.Alert{other}, []display.Alert{other}},
		"none there": {failing(), nil, []display.Alert{raised}},
	} {
		v := display.View{Round: 4, Held: &display.Held{Code: irregularity.UnreadCard}, Alerts: c.before}
		was, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got := withTrouble(v, c.trouble)
		if text, wanted := encoded(t, got.Alerts), encoded(t, c.want); text != wanted ||
			got.Held.Code != irregularity.StorageFailing {
			t.Errorf("%s: held for %s, alerts\n%s\nnot\n%s", name, got.Held.Code, text, wanted)
		}
		if now := encoded(t, v); now != string(was) {
			t.Errorf("%s: the view itself was changed to %s", name, now)
		}
	}
}

func encoded(t *testing.T, what any) string {
	t.Helper()
	text, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTroubleInWords: whoever reads it knows what it is and what to do.
func TestTroubleInWords(t *testing.T) {
	if got := failing(); got.Code != topic.TroubleFailing || !strings.Contains(got.Text, "the disk is full") ||
		!strings.Contains(got.Text, "see that") {
		t.Errorf("%+v", got)
	}
	if got := slow(); got.Code != topic.TroubleSlow || !strings.Contains(got.Text, "over a second") ||
		!strings.Contains(got.Text, "look at") {
		t.Errorf("%+v", got)
	}
}

// TestTroubleOnTheScreen: it holds what the displays show, and is taken away with what
// was shown before.
func TestTroubleOnTheScreen(t *testing.T) {
	var shown []string
	var d Daemon
	d.shows.screen.show = func(v display.View) {
		code := ""
		if v.Held != nil {
			code = v.Held.Code.String()
		}
		shown = append(shown, code)
	}
	d.shows.screen.draw(display.View{Table: "bj-1", Held: &display.Held{Code: irregularity.UnreadCard}})
	d.troubled(&runner.Trouble{Since: began})
	d.shows.screen.draw(display.View{Table: "bj-1"})
	d.troubled(nil)
	if got := strings.Join(shown, ","); got != "unread-card,storage-failing,storage-failing," {
		t.Errorf("the screen was held for %s", got)
	}
	if now, last := d.kept.storage.look(); now != nil || last == nil || !last.Time.Equal(began) {
		t.Errorf("afterwards there is the trouble %+v, and the last was %+v", now, last)
	}
}

// TestTheEndOfTroubleComesWithTheView: the pit never reads a view without the trouble
// before it reads the one in which the trouble is on record.
func TestTheEndOfTroubleComesWithTheView(t *testing.T) {
	j, err := journal.Open(filepath.Join(t.TempDir(), "journal.db"), journal.Options{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	d := Daemon{pit: &pit{state: newPitState(j)}}
	if _, there := d.pit.state.Latest(); there {
		t.Error("there is a view before one was shown")
	}
	reads := func(when, alert string, trouble bool) {
		t.Helper()
		got, _ := d.pit.state.Latest()
		if string(got.Alerts["storage-failing"]) != alert || (d.pit.state.Trouble() != nil) != trouble {
			t.Errorf("%s the pit reads %s, trouble %v", when, got.Alerts["storage-failing"], d.pit.state.Trouble())
		}
	}
	const standing = `{"code":"storage-failing","round":0,"raised":"2026-03-29T20:00:00Z","times":1,"standing":1}`
	d.shows.drawn = display.View{Table: "bj-1"}
	d.tellPit()
	reads("before,", "", false)
	d.troubled(&runner.Trouble{Since: began, Err: errors.New("the disk is full")})
	reads("while it lasts,", standing, true)
	d.tellPit()
	reads("once the round is durable,", standing, true)
	d.troubled(nil)
	reads("before its end is durable,", standing, true)
	d.shows.drawn.Alerts = []display.Alert{{Code: irregularity.StorageFailing, Times: 1}}
	d.tellPit()
	reads("afterwards,", `{"code":"storage-failing","round":0,"times":1,"standing":0}`, false)
}
