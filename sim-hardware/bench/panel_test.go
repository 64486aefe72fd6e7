package bench

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
)

// usual is a table's usual settings for keys.
var usual = keys.Settings{
	Contacts: []keys.Contact{
		{Call: true, Long: true},
		{Call: true},
		{},
		{Switch: true},
		{Switch: true},
		{Switch: true},
	},
	Debounce: keys.UsualDebounce, Long: keys.UsualLong, Window: keys.UsualWindow, Stuck: keys.UsualStuck,
}

// TestActions passes each action through the filter of real lines.
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
			tells(t, c.want, func(p *Panel) error { return p.act(c.how, c.names...) })
		})
	}
}

// TestLetGo: a key is down for as long as the finger was on it, although the bench may receive both ends at the same
// moment.
func TestLetGo(t *testing.T) {
	for _, c := range []struct {
		name string
		held time.Duration
		want string
	}{
		{"rest", 0, "rest brief"},
		{"rest", 60 * time.Millisecond, "rest short"},
		{"card", 60 * time.Millisecond, "card short"},
		{"card", forLong, "card long"},
	} {
		t.Run(fmt.Sprint(c.name, " for ", c.held), func(t *testing.T) {
			tells(t, c.want, func(p *Panel) error {
				return errors.Join(p.act("down", c.name), p.letGo(c.held, c.name))
			})
		})
	}
}

// TestLetGoLate: a key that has been down for longer than the finger was on it is released at once.
func TestLetGoLate(t *testing.T) {
	tells(t, "undo short, undo stuck, undo cleared", func(p *Panel) error {
		if err := p.act("down", "undo"); err != nil {
			return err
		}
		bubble.Pass(keys.UsualStuck + time.Second)
		return p.letGo(60*time.Millisecond, "undo")
	})
}

// tells checks what the filter of real lines reports for what is done to a panel.
func tells(t *testing.T, want string, do func(*Panel) error) {
	t.Helper()
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
		if err := do(p); err != nil {
			t.Fatal(err)
		}
		bubble.Pass(time.Minute)
		stop()
		<-done
		if got := strings.Join(told, ", "); got != want {
			t.Errorf("the contacts report %q, want %q", got, want)
		}
	})
}

// TestAgain: the same touch puts back what stays, and frees what sticks.
func TestAgain(t *testing.T) {
	p := NewPanel(contacts, outputs, 1)
	for _, c := range []struct {
		how, name string
		closed    bool
	}{
		{"turn", "supervisor", true},
		{"turn", "supervisor", false},
		{"stick", "undo", true},
		{"let go", "undo", true},
		{"stick", "undo", false},
		{"down", "card", true},
		{"let go", "card", false},
	} {
		act := p.act
		if c.how == "let go" {
			act = func(_ string, names ...string) error { return p.letGo(0, names...) }
		}
		if err := act(c.how, c.name); err != nil {
			t.Fatal(err)
		}
		if is := p.is(c.name); is.Closed != c.closed {
			t.Errorf("after %s, %s is %+v", c.how, c.name, is)
		}
	}
	says(t, p.act("kick", "card"), `"kick"`)
	says(t, p.act("press", "fire"), `"fire"`)
	says(t, p.letGo(0, "fire"), `"fire"`)
	says(t, p.act("press"), `"press"`)
	if err := p.act("turn", "box_1"); err != nil || p.down() != "" {
		t.Errorf("a sensor counts as a key that is down: %q, %v", p.down(), err)
	}
}
