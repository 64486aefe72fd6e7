package touch_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// names are those of keys.
func names(keys []touch.Key) (list []string) {
	for _, k := range keys {
		list = append(list, k.Name)
	}
	return list
}

// TestFloor: each reason for which the floor is called has its key, and the last is for none; the dealer calls, if the
// table knows them.
func TestFloor(t *testing.T) {
	var reasons []vocab.FloorReason
	for reason := range vocab.EveryFloorReason {
		reasons = append(reasons, reason)
	}
	for _, dealer := range []string{"", "dora"} {
		keys := touch.Floor(display.View{Shift: display.Shift{Dealer: dealer}})
		if len(keys) != len(reasons)+1 || keys[len(reasons)].Name != "floor-none" {
			t.Fatalf("the keys are %q", names(keys))
		}
		for i, reason := range append(reasons, 0) {
			want := vocab.Input{
				Kind: vocab.InFloor, By: dealer, Floor: vocab.FloorCall{Event: vocab.FloorCalled, Wants: reason},
			}
			if k := keys[i]; len(k.Put) != 1 || !reflect.DeepEqual(k.Put[0], want) {
				t.Errorf("%s puts in %+v, want %+v", k.Name, k.Put, want)
			}
			if k := keys[i]; reason != 0 && k.Name != "floor-"+reason.String() {
				t.Errorf("the key for %s is %s", reason, k.Name)
			}
		}
	}
}

// TestFloorAnswers: who comes says so once, and the table that they were there; of a call that is over there is
// nothing to say.
func TestFloorAnswers(t *testing.T) {
	call := display.Alert{Code: irregularity.FloorCalled, Standing: 1}
	v := display.View{Shift: display.Shift{Dealer: "dora"}, Alerts: []display.Alert{call}}
	keys := touch.FloorAnswers(v)
	if got := names(keys); !slices.Equal(got, []string{"floor-coming", "floor-done"}) {
		t.Fatalf("the answers are %q", got)
	}
	coming, done := keys[0].Put[0], keys[1].Put[0]
	if coming.Kind != vocab.InAcknowledge || coming.Irregularity != irregularity.FloorCalled ||
		coming.By != vocab.Supervisor.String() {
		t.Errorf("who comes puts in %+v", coming)
	}
	if done.Kind != vocab.InFloor || done.Floor.Event != vocab.FloorDone || done.By != "dora" {
		t.Errorf("the table puts in %+v", done)
	}
	v.Alerts[0].AcknowledgedBy = "anna"
	if got := names(touch.FloorAnswers(v)); !slices.Equal(got, []string{"floor-done"}) {
		t.Errorf("after anna has answered: %q", got)
	}
	v.Alerts[0].Standing = 0
	if got := names(touch.FloorAnswers(v)); got != nil {
		t.Errorf("after it is over: %q", got)
	}
}

// TestMessageSeen: the pit's message is marked as seen by the dealer, once.
func TestMessageSeen(t *testing.T) {
	v := display.View{
		Shift:  display.Shift{Dealer: "dora"},
		Alerts: []display.Alert{{Code: irregularity.PitMessage, Standing: 1, Text: "wait"}},
	}
	keys := touch.MessageSeen(v)
	if len(keys) != 1 || keys[0].Put[0].Kind != vocab.InMessage || keys[0].Put[0].Message.Event != vocab.MessageSeen ||
		keys[0].Put[0].By != "dora" {
		t.Errorf("the keys are %+v", keys)
	}
	v.Alerts[0].Standing = 0
	if keys := touch.MessageSeen(v); keys != nil {
		t.Errorf("after it was seen: %+v", keys)
	}
}

// TestHoldsSayWho: the table is stopped by the dealer whom it knows, else by its dealer; nobody stops it twice.
func TestHoldsSayWho(t *testing.T) {
	for dealer, want := range map[string]string{"": "dealer", "dora": "dora"} {
		v := display.View{Shift: display.Shift{Dealer: dealer}}
		keys := touch.Holds(v)
		if len(keys) < 2 || keys[len(keys)-1].Name != "hold-none" {
			t.Fatalf("the keys are %q", names(keys))
		}
		for _, k := range keys {
			reason := strings.TrimPrefix(k.Name, "hold-")
			if reason == "none" {
				reason = ""
			}
			if in := k.Put[0]; in.Kind != vocab.InHold || in.By != want || in.Because != reason {
				t.Errorf("with dealer %q %s puts in %+v", dealer, k.Name, in)
			}
		}
		v.Held = &display.Held{Code: irregularity.HeldByHand}
		if keys := touch.Holds(v); keys != nil {
			t.Errorf("a stopped table is stopped by %q", names(keys))
		}
	}
}
