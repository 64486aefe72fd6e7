package bench

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device/keys"
)

// usual is how a table's keys are read.
var usual = keys.Settings{
	Contacts: []keys.Contact{{Call: true, Long: true}, {Call: true}, {}, {Switch: true}, {Switch: true}, {Switch: true}},
	Debounce: keys.UsualDebounce, Long: keys.UsualLong, Window: keys.UsualWindow, Stuck: keys.UsualStuck,
}

// TestActions has each action pass the filter through which real lines go.
func TestActions(t *testing.T) {
	for _, c := range []struct {
		how   string
		names []string
		want  string
	}{
		{"press", []string{"card"}, "card short"},
		{"long", []string{"card"}, "card long"},
		{"long", []string{"rest"}, "rest short"},
		{"press", []string{"card", "rest"}, "rest short, card contradiction"},
		{"spark", []string{"undo"}, "undo brief"},
		{"loose", []string{"undo"}, "undo unsteady, undo cleared"},
		{"stick", []string{"undo"}, "undo short, undo stuck"},
		{"turn", []string{"supervisor"}, "supervisor on"},
		{"turn", []string{"box_2"}, "box_2 on"},
	} {
		t.Run(c.how+" "+strings.Join(c.names, " "), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := NewPanel(contacts, outputs, 1)
				var told []string
				ctx, stop := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() {
					defer close(done)
					_ = keys.Watch(ctx, p, keys.New(usual), func(e keys.Event, _ time.Duration) {
						told = append(told, fmt.Sprint(p.contacts[e.Key], " ", e.Kind))
					})
				}()
				synctest.Wait()
				if err := p.act(c.how, c.names...); err != nil {
					t.Fatal(err)
				}
				time.Sleep(time.Minute)
				stop()
				<-done
				if got := strings.Join(told, ", "); got != c.want {
					t.Errorf("the contacts tell %q, want %q", got, c.want)
				}
			})
		})
	}
}

// TestAgain: what stays is put back by the same touch, and what sticks is freed.
func TestAgain(t *testing.T) {
	p := NewPanel(contacts, outputs, 1)
	for _, c := range []struct {
		how, name string
		closed    bool
	}{
		{"turn", "supervisor", true},
		{"turn", "supervisor", false},
		{"stick", "undo", true},
		{"up", "undo", true},
		{"stick", "undo", false},
		{"down", "card", true},
		{"up", "card", false},
	} {
		if err := p.act(c.how, c.name); err != nil {
			t.Fatal(err)
		}
		if is := p.is(c.name); is.Closed != c.closed {
			t.Errorf("after %s, %s is %+v", c.how, c.name, is)
		}
	}
	says(t, p.act("kick", "card"), `"kick"`)
	says(t, p.act("press", "fire"), `"fire"`)
	says(t, p.act("press"), `"press"`)
	if err := p.act("turn", "box_1"); err != nil || p.down() != "" {
		t.Errorf("a sensor counts as a key that is down: %q, %v", p.down(), err)
	}
}
