package host_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/sabot-table/sabot/device/gpio"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/host"
	"github.com/sabot-table/sabot/internal/host/paneldriver"
	"github.com/sabot-table/sabot/internal/ops/config"
	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/system"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// panelled is a running table whose panel and shoe are simulated.
type panelled struct {
	t     testing.TB
	d     *host.Daemon
	bank  *keysim.Bank
	shoe  *shoesim.Shoe
	path  string   // of the journal
	keys  []string // the names of the contacts, in their order
	lamps []string
	log   system.Text
	stop  func()
}

const panelKeys = `
site: test
table: bj-1
house: wiesbaden
supervisors: {proof: none}
keys_apart_ms: -1
shoe: {port: %s}
journal: {path: %s}
web: {listen: "127.0.0.1:0"}
keys:
  debounce: 5ms
  contradiction: 50ms
  card: K1
  rest: K2
  double: K3
  split: K4
  bets: K5
  paid: K6
  undo: K7
  supervisor: K8
  box_3: K9
long_press: {after: 300ms, double: even_money}
signals: {green: L1, amber: L2, red: L3, buzzer: L4, lock: L5}
`

// startPanelled starts a table with the keys above. Contacts bounce that long. In a bubble of testing/synctest shoe and
// page have no system's ports.
func startPanelled(t testing.TB, bounce time.Duration, inBubble bool) *panelled {
	t.Helper()
	p := &panelled{t: t}
	shoe, err := shoesim.New(shoesim.Options{Decks: 6, Jokers: 1, Seed: 11, Continuous: true, Memory: inBubble})
	if err != nil {
		t.Fatal(err)
	}
	p.shoe = shoe
	p.path = filepath.Join(processes.FastDir(t), "journal")
	port, outside := shoe.Path(), host.Outside{}
	if inBubble {
		port, outside = "/dev/simulated", host.Outside{Shoe: shoe.Open, Page: bubble.Listen()}
	}
	text := fmt.Sprintf(panelKeys, port, p.path)
	c, err := config.Parse("sabot.yaml", []byte(text), profile.Built())
	if err != nil {
		t.Fatal(err)
	}
	p.d, err = host.Open(c, profile.Built(), "test", slog.New(slog.NewTextHandler(&p.log, nil)),
		host.WithOutside(outside),
		host.WithPanel(func(inputs, outputs []gpio.Line) (paneldriver.Board, error) {
			for _, l := range inputs {
				p.keys = append(p.keys, strings.TrimPrefix(l.Use, "keys."))
			}
			for _, l := range outputs {
				p.lamps = append(p.lamps, strings.TrimPrefix(l.Use, "signals."))
			}
			p.bank = keysim.NewBank(keysim.BankOptions{
				Contacts: len(inputs), Outputs: len(outputs),
				Bounce: bounce, Seed: 3,
			})
			return p.bank, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var parts errgroup.Group
	parts.Go(func() error { return p.d.Run(ctx) })
	p.stop = func() {
		cancel()
		if err := errors.Join(parts.Wait(), p.d.Close(), shoe.Close()); err != nil {
			t.Error(err)
		}
		if inBubble {
			bubble.Settle(time.Minute) // what the table has left behind ends
		}
	}
	<-p.bank.Watched()
	p.await("the shoe", func(v display.View) bool { return v.Seq > 0 && v.Shoe.Online && v.Held == nil })
	return p
}

func (p *panelled) await(what string, wanted func(display.View) bool) display.View {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), processes.Deadline)
	defer cancel()
	v, err := p.d.Board.Await(ctx, wanted)
	if err != nil {
		p.t.Fatalf("waited in vain for %s, the table is %+v\n%s", what, v, p.log.String())
	}
	return v
}

// press presses a key as a hand does, in a bubble, and returns how the table answered.
func (p *panelled) press(name string) vocab.Reason {
	p.t.Helper()
	before, _ := p.d.Board.Look()
	p.bank.Press(slices.Index(p.keys, name), 30*time.Millisecond)
	// the press, and a hand's way to the next key: calls contradict each other for 50 ms
	bubble.Settle(110 * time.Millisecond)
	now, _ := p.d.Board.Look()
	if now.Seq == before.Seq {
		p.t.Fatalf("nothing follows from the key %s\n%s", name, p.log.String())
	}
	return now.Rejected
}

// TestRoundsByKeys has the simulated dealer press real keys, bouncing ones, wherever
// there is one: what the keys cannot say goes in by the screen.
func TestRoundsByKeys(t *testing.T) { synctest.Test(t, roundsByKeys) }

func roundsByKeys(t *testing.T) {
	const rounds = 4
	p := startPanelled(t, 4*time.Millisecond, true)
	defer p.stop()
	pressed := map[string]int{}
	dealer := &keysim.Dealer{
		Shoe: p.shoe, Display: p.d.Board, Rounds: rounds, Seed: 7, Log: slog.New(slog.DiscardHandler),
		Press: func(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
			if name := keyFor(in); name != "" {
				pressed[name]++
				return p.press(name), nil
			}
			answer, err := p.d.Submit(ctx, in)
			return answer.Rejected, err
		},
	}
	if err := dealer.Run(t.Context()); err != nil {
		t.Errorf("the dealer could not go on: %v\n%s", err, p.log.String())
	}
	if v, _ := p.d.Board.Look(); v.Round != rounds || v.Phase != vocab.Idle {
		t.Errorf("round %d is in phase %s", v.Round, v.Phase)
	}
	for _, name := range []string{"bets", "card", "rest", "paid"} {
		if pressed[name] < rounds {
			t.Errorf("the key %s was pressed %d times", name, pressed[name])
		}
	}
	for line := range strings.Lines(p.log.String()) {
		if strings.Contains(line, "keys:") {
			t.Errorf("the keys have something to say: %s", line)
		}
	}
}

// keyFor is the key that says what the dealer wants, "" if none does.
func keyFor(in vocab.Input) string {
	switch {
	case in.Kind == vocab.InOpen, in.Kind == vocab.InClose, in.Kind == vocab.InCall &&
		in.Call == vocab.CallInsuranceClosed:
		return "bets"
	case in.Kind == vocab.InPaid:
		return "paid"
	case in.Kind != vocab.InCall || in.Bettors != nil:
		return ""
	}
	for _, call := range []vocab.Call{vocab.CallCard, vocab.CallRest, vocab.CallDouble, vocab.CallSplit} {
		if in.Call == call {
			return call.String()
		}
	}
	return ""
}

// TestPanelOfATable: the lines are taken in the file's order, the sensor, the switch and
// the lamps are where they belong, and keys that vanish do not end the table.
func TestPanelOfATable(t *testing.T) { synctest.Test(t, panelOfATable) }

func panelOfATable(t *testing.T) {
	p := startPanelled(t, 0, true)
	defer p.stop()
	if want := []string{
		"card", "rest", "double", "split", "bets", "paid", "undo", "supervisor",
		"box_3",
	}; !slices.Equal(p.keys, want) {
		t.Fatalf("the contacts are %v", p.keys)
	}
	if want := []string{"green", "amber", "red", "buzzer", "lock"}; !slices.Equal(p.lamps, want) {
		t.Fatalf("the outputs are %v", p.lamps)
	}
	p.burns("amber", "lock")
	p.bank.Hold(slices.Index(p.keys, "box_3"))
	p.bank.Hold(slices.Index(p.keys, "supervisor"))
	if reason := p.press("bets"); reason != 0 {
		t.Fatalf("the bets do not open: %s", reason)
	}
	p.await("the mark on box 3", func(v display.View) bool { return len(v.Boxes[2].Bettors) == 1 })
	if reason := p.press("bets"); reason != 0 {
		t.Fatalf("the bets do not close: %s", reason)
	}
	p.burns("green")
	brokertest.Until(t, "the supervisor's key is told", func() bool {
		return strings.Contains(p.log.String(), "the supervisor's key was turned")
	})
	p.bank.Press(slices.Index(p.keys, "card"), 30*time.Millisecond)
	p.bank.Press(slices.Index(p.keys, "rest"), 30*time.Millisecond)
	brokertest.Until(t, "the contradiction is told", func() bool {
		return strings.Contains(p.log.String(), "two calls at once")
	})

	p.bank.Unplug()
	p.await("the loss of the keys", func(v display.View) bool { return len(v.Missing) == len(p.keys)+len(p.lamps) })
	if !strings.Contains(p.log.String(), "lines of the panel are missing") {
		t.Errorf("the log does not say what is lost:\n%s", p.log.String())
	}
	if answer, err := p.d.Submit(t.Context(), vocab.Input{Kind: vocab.InUndo}); err != nil || answer.Rejected != 0 {
		t.Errorf("the table does not go on without its keys: %s, %v", answer.Rejected, err)
	}
	p.bank.Plug()
	p.await("the keys", func(v display.View) bool { return len(v.Missing) == 0 })
	if text := p.log.String(); strings.Count(text, `the supervisor's key was turned" on=true`) != 2 ||
		strings.Count(text, `key was turned" on=false`) != 1 {
		t.Errorf("the supervisor's key, which is held, was not off while it was lost, and on again:\n%s", text)
	}
	if reason := p.press("bets"); reason != 0 {
		t.Errorf("the key does nothing after the loss: %s", reason)
	}
	for _, note := range []string{"keys-missing card, rest", "keys-back"} {
		brokertest.Until(t, note+" is on record", func() bool { return p.noted(note) })
	}
}

// noted reports whether a note is on record.
func (p *panelled) noted(code string) bool {
	p.t.Helper()
	parts, err := filepath.Glob(filepath.Join(p.path, "part-*.jsonl"))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, part := range parts {
		text, err := os.ReadFile(part)
		if err != nil {
			p.t.Fatal(err)
		}
		if strings.Contains(string(text), code) {
			return true
		}
	}
	return false
}

// burns waits until these outputs are on, and no others.
func (p *panelled) burns(names ...string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), processes.Deadline)
	defer cancel()
	_, err := p.bank.Await(ctx, func(outputs []keysim.Output) bool {
		for i, o := range outputs {
			if o.On != slices.Contains(names, p.lamps[i]) {
				return false
			}
		}
		return true
	})
	if err != nil {
		outputs, _ := p.bank.Look()
		p.t.Fatalf("the outputs are %+v, want %v", outputs, names)
	}
}

// TestKeysWithoutLines: a board that does not have the lines does not keep the table from
// starting. The screen says that keys are missing, and the log which, and why.
func TestKeysWithoutLines(t *testing.T) {
	c := config.Default()
	c.Site, c.Table, c.House = "test", "bj-1", "wiesbaden"
	c.Shoe.Port, c.Journal.Path, c.Web.Listen = "/dev/null", filepath.Join(t.TempDir(), "journal"), "127.0.0.1:0"
	c.Keys.Dealer = config.PerKey{"card": "NO-LINE-HAS-THIS-NAME"}
	var log system.Text
	d, err := host.Open(c, profile.Built(), "test", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	if _, err := d.Board.Await(t.Context(), func(v display.View) bool {
		return slices.Equal(v.Missing, []string{"card"})
	}); err != nil {
		t.Error(err)
	}
	cancel()
	if err := errors.Join(<-ended, d.Close()); err != nil {
		t.Error(err)
	}
	if text := log.String(); strings.Count(text, "lines of the panel are missing") != 1 ||
		!strings.Contains(text, "GPIO") {
		t.Errorf("the log does not say once that lines are missing:\n%s", text)
	}
}

// TestOwnPanel: a panel that cannot be had says why.
func TestOwnPanel(t *testing.T) {
	c := config.Default()
	c.Site, c.Table, c.House = "test", "bj-1", "wiesbaden"
	c.Signals.Red = "L3"
	cause := errors.New("made up")
	_, err := host.Open(c, profile.Built(), "test", slog.New(slog.DiscardHandler),
		host.WithPanel(func(inputs, outputs []gpio.Line) (paneldriver.Board, error) {
			if len(inputs) != 0 || len(outputs) != 1 || outputs[0].Use != "signals.red" {
				t.Errorf("the panel has %v and %v", inputs, outputs)
			}
			return nil, cause
		}))
	if !errors.Is(err, cause) {
		t.Errorf("the daemon opened with %v", err)
	}
}
