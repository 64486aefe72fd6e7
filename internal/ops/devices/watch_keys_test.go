package devices

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/internal/host/paneldriver"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
)

// panelOf is the wiring of a table with these keys.
func panelOf(t *testing.T) paneldriver.Wiring {
	t.Helper()
	c := config.Default()
	c.Keys.Dealer, c.Keys.Boxes = config.PerKey{"card": "GPIO5", "rest": "GPIO6"}, config.PerBox{"box_1": "GPIO4"}
	c.Keys.Supervisor = "GPIO24 active-high pull-down"
	c.LongPress.Does, c.Signals.Green = config.PerKey{"card": "double"}, "GPIO17"
	w, err := paneldriver.WiringOf(c)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The contacts of panelOf.
const (
	cardKey = iota
	restKey
	switchKey
	boxSensor
)

// atKeys returns what a watch of contacts reports while something happens to them; its
// clock begins at noon. With bounce they bounce for that long.
func atKeys(t *testing.T, bounce time.Duration, happen func(b *keysim.Bank)) (text string) {
	synctest.Test(t, func(t *testing.T) {
		bank := keysim.NewBank(keysim.BankOptions{Contacts: 4, Bounce: bounce, Seed: 4})
		bank.Hold(switchKey)
		bubble.Settle(time.Second)
		w := keysWatch{wiring: panelOf(t), open: func(inputs []gpio.Line) (contacts, error) {
			if len(inputs) != 4 {
				t.Errorf("the watch opens %v", inputs)
			}
			return bank, nil
		}}
		ctx, stop := context.WithCancel(t.Context())
		began, ended, out := time.Now(), make(chan error, 1), newTerminal()
		noon := time.Date(2026, time.May, 1, 12, 0, 0, 0, time.UTC)
		p := &printer{out: out, bytes: true, now: func() time.Time { return noon.Add(time.Since(began)) }}
		go func() { ended <- watch(ctx, []watched{w.run}, p, newShow(config.LCD{})) }()
		synctest.Wait()
		happen(bank)
		bubble.Settle(time.Second)
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the watch ended with %v", err)
		}
		text = strings.TrimPrefix(out.String(), welcome)
	})
	return text
}

func wantTold(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestWatchKeys: every edge with its time, and what it means.
func TestWatchKeys(t *testing.T) {
	wantTold(t, atKeys(t, 0, func(b *keysim.Bank) {
		b.Press(restKey, 90*time.Millisecond)
		bubble.Settle(time.Second)
		b.Press(cardKey, 900*time.Millisecond)
		bubble.Settle(2 * time.Second)
		b.Press(cardKey, 300*time.Millisecond)
		bubble.Settle(100 * time.Millisecond)
		b.Press(restKey, 50*time.Millisecond)
		bubble.Settle(60 * time.Millisecond)
		b.Press(restKey, 50*time.Millisecond)
		bubble.Settle(time.Second)
		b.Spark(restKey)
		b.Hold(boxSensor)
		b.Release(switchKey)
	}), `
12:00:00.000  keys  says   4 of 4 lines are open
12:00:00.000  keys  EVENT  supervisor on
12:00:00.000  keys  frame  rest closed at 1.000000 s
12:00:00.020  keys  EVENT  rest pressed
12:00:00.090  keys  frame  rest open at 1.090000 s
12:00:01.000  keys  frame  card closed at 2.000000 s
12:00:01.700  keys  EVENT  card pressed long: double
12:00:01.900  keys  frame  card open at 2.900000 s
12:00:03.000  keys  frame  card closed at 4.000000 s
12:00:03.100  keys  frame  rest closed at 4.100000 s
12:00:03.120  keys  EVENT  rest contradicts card: neither counts
12:00:03.150  keys  frame  rest open at 4.150000 s
12:00:03.160  keys  frame  rest closed at 4.160000 s, bounce after 10.000 ms
12:00:03.210  keys  frame  rest open at 4.210000 s
12:00:03.300  keys  frame  card open at 4.300000 s
12:00:04.160  keys  frame  rest closed at 5.160000 s
12:00:04.160  keys  frame  box 1 closed at 5.160000 s
12:00:04.160  keys  frame  supervisor open at 5.160000 s
12:00:04.161  keys  frame  rest open at 5.161000 s, bounce after 1.000 ms
12:00:04.180  keys  EVENT  supervisor off
12:00:04.181  keys  EVENT  rest closed for less than the debounce time: not a press
12:00:04.460  keys  EVENT  box 1 on
`)
}

// TestWatchTroubles: keys that are held from the start, stuck, worn, unsteady, and pressed
// too soon after another.
func TestWatchTroubles(t *testing.T) {
	wantTold(t, events(atKeys(t, 0, func(b *keysim.Bank) {
		b.Press(restKey, 30*time.Millisecond)
		bubble.Settle(100 * time.Millisecond)
		b.Press(restKey, 30*time.Millisecond)
		bubble.Settle(time.Second)
		b.Stick(restKey)
		b.Press(restKey, 30*time.Millisecond)
		bubble.Settle(11 * time.Second)
		b.Free(restKey)
		bubble.Settle(time.Second)
		b.Chatter(cardKey, 1500*time.Millisecond)
		bubble.Settle(3 * time.Second)
		b.Press(restKey, 30*time.Millisecond)
		bubble.Settle(100 * time.Millisecond)
		b.Press(cardKey, 30*time.Millisecond)
	})), `
supervisor on
rest pressed
rest closed again sooner than a hand can press it: not a press, the contact is worn
rest pressed
rest is stuck
rest works again
card is not steady: not a press until it is. A loose wire, or no pull
card works again
rest pressed
card contradicts rest, which was reported: it must be taken back
`)
}

// events returns the reported events, without times.
func events(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if _, what, is := strings.Cut(line, "EVENT  "); is {
			b.WriteString(what)
		}
	}
	return b.String()
}

// TestWatchHeld: a key that is down when the watch begins is reported, but is not a press.
func TestWatchHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := keysim.NewBank(keysim.BankOptions{Contacts: 4})
		bank.Hold(restKey)
		bubble.Settle(time.Second)
		w := keysWatch{wiring: panelOf(t), open: func([]gpio.Line) (contacts, error) { return bank, nil }}
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		time.AfterFunc(time.Second, func() { bank.Release(restKey) })
		var told []string
		if err := w.run(ctx, func(_ string, what kind, text string) {
			told = append(told, fmt.Sprint(what, " ", text))
		}); err != nil {
			t.Error(err)
		}
		want := `says 4 of 4 lines are open; EVENT rest was found held down: not a press until it is released; ` +
			`frame rest open at 2.000000 s; EVENT rest works again`
		if got := strings.Join(told, "; "); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestWatchBounces: only one edge each way of a bouncing press is not reported as bounce.
func TestWatchBounces(t *testing.T) {
	text := atKeys(t, 10*time.Millisecond, func(b *keysim.Bank) {
		for range 20 {
			b.Press(restKey, 100*time.Millisecond)
			bubble.Settle(time.Second)
		}
	})
	edges, bounces := strings.Count(text, "frame  rest"), strings.Count(text, ", bounce after ")
	if pressed := strings.Count(text, "EVENT  rest pressed"); pressed != 20 || edges-bounces != 40 || bounces < 40 {
		t.Errorf("%d presses of %d edges with %d bounces:\n%s", pressed, edges, bounces, text)
	}
}

// TestWatchMissingLines: the watch says once which lines are missing, and why; when they are
// there it continues on its own.
func TestWatchMissingLines(t *testing.T) {
	text := atKeys(t, 0, func(b *keysim.Bank) {
		b.Press(restKey, 30*time.Millisecond)
		bubble.Settle(time.Second)
		b.UnplugSome([]int{restKey, switchKey}, nil)
		bubble.Settle(time.Second)
		b.Press(restKey, 30*time.Millisecond)
		b.Hold(restKey)
		bubble.Settle(100 * time.Millisecond)
		b.Plug()
		bubble.Settle(time.Second)
		b.Release(restKey)
		bubble.Settle(time.Second)
		b.Press(restKey, 30*time.Millisecond)
	})
	wantTold(t, events(text), `
supervisor on
rest pressed
rest is gone, and counts as open: not a press
supervisor is gone, and counts as open: not a press
rest was found held down: not a press until it is released
supervisor on
rest works again
rest pressed
`)
	var says []string
	for line := range strings.Lines(text) {
		if _, said, is := strings.Cut(line, "says   "); is {
			says = append(says, strings.TrimSpace(said))
		}
	}
	want := []string{
		"4 of 4 lines are open", "the simulated keys were unplugged", "2 of 4 lines are open",
		"4 of 4 lines are open",
	}
	if !slices.Equal(says, want) {
		t.Errorf("the watch says %q, want %q", says, want)
	}
	for _, frame := range []string{"frame  rest cannot be read any more", "frame  found: rest closed at 3.100000 s"} {
		if !strings.Contains(text, frame) {
			t.Errorf("%q is not among\n%s", frame, text)
		}
	}
}

// TestWatchNoKeys: a table without keys has none to watch; the watch of one whose lines are
// not on this machine says so, and continues.
func TestWatchNoKeys(t *testing.T) {
	if w, err := watchKeys(config.Default()); w != nil || err != nil {
		t.Errorf("a table without keys has %v", err)
	}
	c := config.Default()
	c.Keys.Dealer = config.PerKey{"card": "GPIO5,6"}
	if _, err := watchKeys(c); err == nil {
		t.Error("a line that cannot be read can be watched")
	}
	c.Keys.Dealer = config.PerKey{"card": "NO-LINE-HAS-THIS-NAME"}
	w, err := watchKeys(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	told := ""
	if err := w(ctx, func(part string, what kind, text string) {
		told += fmt.Sprint(part, " ", what, " ", text)
		stop()
	}); err != nil || !strings.HasPrefix(told, "keys says open ") {
		t.Errorf("got %q, and the watch ended with %v", told, err)
	}
}

// TestWiringGuide: the guide shows what the watch reports for the presses that it names.
func TestWiringGuide(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/wiring.md")
	if err != nil {
		t.Fatal(err)
	}
	text := atKeys(t, 3*time.Millisecond, func(b *keysim.Bank) {
		bubble.Settle(1200 * time.Millisecond)
		b.Press(restKey, 120*time.Millisecond)
		bubble.Settle(2 * time.Second)
		b.Press(cardKey, 900*time.Millisecond)
	})
	_, text, _ = strings.Cut(text, "supervisor on\n")
	for line := range strings.Lines(text) {
		if !strings.Contains(string(guide), "\n    "+line) {
			t.Fatalf("docs/wiring.md does not show %q of\n%s", line, text)
		}
	}
}
