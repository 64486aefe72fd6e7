package paneldriver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/device/keys"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	shoeevent "github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/sabot"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/scenario"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestDesk plays the files in testdata on a table of Wiesbaden whose panel has bouncing
// contacts. A case begins with "desk" and its contacts: card, or with a long press
// rest=split; supervisor; box=3. A line is what happens, and then a quiet moment:
//
//	press card        and the other steps of a scenario that happen to keys
//	press card; press rest     at once; "press card; wait 50ms; press rest" less so
//	table TS 7D       what happens at the table itself, as rounds are written
//	slow 3s           the next input takes so long to be put in
//	storage fails, storage works
//	unplug            all contacts and outputs; "unplug card green" these alone
//	plug
//	shoe-key rest     a key at the shoe; "late" after it if its press waited in the shoe
//
// A case that begins with "scenario" and its contacts is one scenario, without quiet
// moments, of the keys and of a shoe whose cards come to the table.
//
// The answer has what was put in, what the panel's owner was told, the lamps that burn
// where they have changed, and what the buzzer said.
func TestDesk(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) (answer string) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, d, 1)
				if d.Cmd == "scenario" {
					b.scenario(d.Input)
				} else {
					b.lines(d.Input)
				}
				answer = b.end()
			})
			return answer
		})
	})
}

// bench is a desk at a table.
type bench struct {
	t     *testing.T
	desk  *Desk
	names []string
	bank  *keysim.Bank
	table *fakeTable
	stop  func() error
	shown string
	// sounded is how often the buzzer was on.
	sounded int

	mu     sync.Mutex
	text   strings.Builder
	losses []string
}

func newBench(t *testing.T, d *datadriven.TestData, seed uint64) *bench {
	b := &bench{t: t}
	var contacts []Contact
	for _, arg := range d.CmdArgs {
		b.names = append(b.names, arg.Key)
		contacts = append(contacts, contact(t, arg.Key, arg.Vals))
	}
	b.table = &fakeTable{changed: make(chan struct{}), put: b.say}
	b.table.engine.Step(tabletest.SetUp(rules.Setup{House: "wiesbaden"}))
	b.table.show()
	outs := []Output{Green, Amber, Red, Buzzer, Lock}
	b.bank = keysim.NewBank(keysim.BankOptions{
		Contacts: len(contacts), Outputs: len(outs),
		Bounce: 10 * time.Millisecond, Seed: seed,
	})
	if slices.Contains(b.names, "held") {
		b.bank.Hold(0)
		bubble.Settle(time.Second)
	}
	desk := New(Options{
		Board: b.bank, Wiring: Wiring{Contacts: contacts, Signals: outs, Timing: usual}, Table: b.table,
		Supervisor: func(on bool, _ time.Time) { b.say("supervisor's key on: %t", on) },
		Contradiction: func(_ context.Context, c Contradiction) {
			b.say("contradiction: %s and %s, the first was taken: %t", c.First, c.Second, c.Taken)
		},
		Missing: func(list []Missing) {
			for _, m := range list {
				b.lost("missing are %s: %v", strings.Join(m.Lines, ", "), m.Err)
			}
			if len(list) == 0 {
				b.lost("none is missing")
			}
		},
		Log: slog.New(slog.NewTextHandler(writer(b.say), &slog.HandlerOptions{ReplaceAttr: timeless})),
	})
	b.desk = desk
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- desk.Run(ctx) }()
	b.stop = func() error { cancel(); return errors.Join(<-ended, desk.Close()) }
	b.settle()
	return b
}

// usual is how long things take at most tables.
var usual = Timing{
	Debounce: keys.UsualDebounce, Long: keys.UsualLong, Window: keys.UsualWindow, Stuck: keys.UsualStuck,
	BoxDebounce: 300 * time.Millisecond,
}

func contact(t *testing.T, name string, values []string) Contact {
	t.Helper()
	switch {
	case name == "supervisor":
		return Contact{Supervisor: true}
	case strings.HasPrefix(name, "box"):
		var c Contact
		if _, err := fmt.Sscanf(name, "box%d", &c.Box); err != nil {
			t.Fatal(err)
		}
		return c
	case name == "held":
		name = values[0]
		values = nil
	}
	key := func(name string) panel.Key {
		k, ok := panel.ParseKey(name)
		if !ok {
			t.Fatalf("%q is no key", name)
		}
		return k
	}
	c := Contact{Short: key(name)}
	if len(values) > 0 {
		c.Long = key(values[0])
	}
	return c
}

// writer makes log lines sayings.
type writer func(format string, args ...any)

func (w writer) Write(p []byte) (int, error) {
	w("%s", strings.TrimSpace(string(p)))
	return len(p), nil
}

func timeless(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return a
}

func (b *bench) say(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fmt.Fprintf(&b.text, format+"\n", args...)
}

// lost keeps what is said of missing lines: it comes at the same moment as what their keys
// say, in any order.
func (b *bench) lost(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.losses = append(b.losses, fmt.Sprintf(format, args...))
}

func (b *bench) lines(text string) {
	for line := range strings.Lines(text) {
		b.line(strings.TrimSpace(line))
	}
}

// scenario plays a script to the panel and to a shoe whose cards come to the table.
func (b *bench) scenario(script string) {
	shoe, err := shoesim.New(shoesim.Options{Memory: true})
	if err != nil {
		b.t.Fatal(err)
	}
	defer shoe.Close()
	driver := sabot.New(shoeevent.Options{Open: shoe.Open, Log: slog.New(slog.DiscardHandler)})
	ctx, cancel := context.WithCancel(b.t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- driver.Run(ctx, func(e shoeevent.Event) {
			if e.Kind == shoeevent.Drawn {
				b.say("card %s", e.Card)
				b.table.take(vocab.Input{Kind: vocab.InCard, Card: e.Card})
			}
			driver.Stored(e.Position)
		})
	}()
	b.play(script, shoe)
	b.settle()
	cancel()
	<-ended
}

func (b *bench) line(line string) {
	if line == "" {
		return
	}
	b.say("> %s", line)
	for part := range strings.SplitSeq(line, ";") {
		b.do(strings.Fields(part))
		synctest.Wait() // what follows at once comes before the next part
	}
	b.settle()
}

func (b *bench) do(words []string) {
	switch words[0] {
	case "unplug":
		b.unplug(words[1:])
	case "plug":
		b.bank.Plug()
	case "slow":
		by, err := time.ParseDuration(words[1])
		if err != nil {
			b.t.Fatal(err)
		}
		b.table.slowly(by)
	case "storage":
		b.table.storage(words[1] == "fails")
	case "shoe-key":
		key, _ := panel.ParseKey(words[1])
		b.desk.Press(key, time.Now(), slices.Contains(words, "late"))
	case "table":
		b.table.play(b.t, strings.Join(words[1:], " "))
	default:
		b.play(strings.Join(words, " "), nil)
	}
}

// unplug takes away the lines of these names, or all.
func (b *bench) unplug(names []string) {
	if len(names) == 0 {
		b.bank.Unplug()
	}
	var contacts, outs []int
	for _, name := range names {
		if i := slices.Index(b.names, name); i >= 0 {
			contacts = append(contacts, i)
		} else {
			outs = append(outs, slices.Index(outputNames[:], name))
		}
	}
	b.bank.UnplugSome(contacts, outs)
}

// play plays a scenario to the panel, and to a shoe if there is one.
func (b *bench) play(script string, shoe *shoesim.Shoe) {
	b.t.Helper()
	s, err := scenario.Parse("test", script)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := s.Play(b.t.Context(), scenario.Hardware{Shoe: shoe, Panel: b.bank, Keys: b.names}, nil); err != nil {
		b.t.Fatal(err)
	}
}

// settle lets everything happen that follows, and says how the panel looks then.
func (b *bench) settle() {
	bubble.Settle(5 * time.Second)
	burns := b.burns()
	b.mu.Lock()
	losses := b.losses
	b.losses = nil
	b.mu.Unlock()
	for _, loss := range losses {
		b.say("%s", loss)
	}
	if burns != b.shown {
		b.shown = burns
		b.say("panel: %s", burns)
	}
	outputs, _ := b.bank.Look()
	switch sounded := outputs[Buzzer].Times - b.sounded; {
	case sounded >= 3:
		b.say("buzzer: irregular")
	case sounded > 0:
		b.say("buzzer: refused")
	}
	b.sounded = outputs[Buzzer].Times
}

// burns is what burns, looked at for as long as a blinking lamp takes.
func (b *bench) burns() string {
	before, _ := b.bank.Look()
	bubble.Settle(4 * blinkHalf)
	after, _ := b.bank.Look()
	var says []string
	for _, o := range []Output{Green, Amber, Red, Lock} {
		switch {
		case after[o].Times > before[o].Times:
			says = append(says, o.String()+" blinks")
		case after[o].On:
			says = append(says, o.String())
		}
	}
	return strings.Join(says, ", ")
}

func (b *bench) end() string {
	if err := b.stop(); err != nil {
		b.t.Error(err)
	}
	if outputs, _ := b.bank.Look(); slices.ContainsFunc(outputs, func(o keysim.Output) bool { return o.On }) {
		b.t.Errorf("in the end outputs are on: %+v", outputs)
	}
	return b.text.String()
}

// TestBouncingCalls: however the key bounces, each press of it is one call.
func TestBouncingCalls(t *testing.T) {
	const script = "bounce 19ms\nrepeat 10\npress card\nwait 500ms\nend\n"
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			b := newBench(t, &datadriven.TestData{CmdArgs: []datadriven.CmdArg{{Key: "card"}}}, seed)
			b.play(script, nil)
			b.settle()
			if calls := strings.Count(b.end(), `{"in":"call","call":"card"}`); calls != 10 {
				t.Errorf("seed %d: 10 presses were %d calls", seed, calls)
			}
		})
	}
}

// fakeTable is an engine that takes inputs at once, or slowly.
type fakeTable struct {
	put func(format string, args ...any)

	mu      sync.Mutex
	engine  table.Table
	view    display.View
	changed chan struct{}
	slow    time.Duration
	failing bool
}

func (f *fakeTable) Look() (display.View, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.view, f.changed
}

func (f *fakeTable) Press(_ context.Context, in vocab.Input, at time.Time) (vocab.Reason, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	slow := f.slow
	f.slow = 0
	f.put("%s", transcript.AppendInput(nil, &in))
	f.engine.Step(&in)
	refused := f.engine.Rejected()
	f.show()
	f.mu.Unlock()
	bubble.Pass(slow) // what the desk sees of a slow table
	f.mu.Lock()
	return refused, nil
}

// take puts in what comes from elsewhere than the panel.
func (f *fakeTable) take(in vocab.Input) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.engine.Step(&in)
	f.show()
}

// show hangs the view. The lock is held.
func (f *fakeTable) show() {
	f.view = display.From(&f.engine, "bj-1", 1)
	if f.failing {
		f.view.Held = &display.Held{Code: irregularity.StorageFailing}
	}
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fakeTable) slowly(by time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.slow = by
}

func (f *fakeTable) storage(fails bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failing = fails
	f.show()
}

func (f *fakeTable) play(t *testing.T, lines string) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := tabletest.Play(&f.engine, strings.ReplaceAll(lines, ",", ";")); err != nil {
		t.Fatal(err)
	}
	f.show()
}
