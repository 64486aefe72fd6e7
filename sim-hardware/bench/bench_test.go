package bench

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// fakeTable is a table that shows what it is told to show, and accepts what is pressed.
type fakeTable struct {
	mu      sync.Mutex
	view    display.View
	changed chan struct{}
	pressed []vocab.Input
	refuses vocab.Reason
	err     error
}

func (f *fakeTable) Look() (display.View, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.view, f.changed
}

func (f *fakeTable) show(v display.View) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v.Seq = f.view.Seq + 1
	f.view = v
	close(f.changed)
	f.changed = make(chan struct{})
}

func (f *fakeTable) Press(_ context.Context, in vocab.Input) (vocab.Reason, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pressed = append(f.pressed, in)
	return f.refuses, f.err
}

func (f *fakeTable) Await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	for {
		view, changed := f.Look()
		if wanted(view) {
			return view, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return view, ctx.Err()
		}
	}
}

// stand is a bench at a fake table, in simulated time.
type stand struct {
	*Bench
	table   *fakeTable
	shoe    *shoesim.Shoe
	decided []uint64
	ended   chan error // what Run returned
	cancel  context.CancelFunc
}

var (
	contacts = []string{"keys.card", "keys.rest", "keys.undo", "keys.supervisor", "keys.box_1", "keys.box_2"}
	outputs  = []string{"signals.green", "signals.amber", "signals.red", "signals.buzzer", "signals.lock"}
)

// idle is a table between two rounds.
var idle = display.View{
	Table: "bj-1", Phase: vocab.Idle, Boxes: make([]display.Box, 1),
	Shoe: display.Shoe{Online: true, Shuffler: true, Left: 300},
}

// at runs a test at a bench with a sabot shoe.
func at(t *testing.T, byHand bool, test func(*testing.T, *stand)) {
	t.Helper()
	atShoe(t, shoesim.Sabot, byHand, test)
}

func atShoe(t *testing.T, kind shoesim.Kind, byHand bool, test func(*testing.T, *stand)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		wire := NewWire(kind)
		shoe, err := shoesim.New(shoesim.Options{
			Kind: kind, Memory: true, Continuous: true, Seed: 5, Boot: 1,
			ToHost: wire.ToHost, FromHost: wire.FromHost,
		})
		if err != nil {
			t.Fatal(err)
		}
		s := &stand{table: &fakeTable{changed: make(chan struct{})}, shoe: shoe, ended: make(chan error, 1)}
		s.table.show(idle)
		s.Bench = New(Options{
			Table: s.table, Shoe: shoe, Wire: wire, Panel: NewPanel(contacts, outputs, 1), ByHand: byHand,
			Log: slog.New(slog.DiscardHandler),
			Dealer: &keysim.Dealer{
				Display: s.table, Press: s.table.Press, Pace: time.Second, Log: slog.New(slog.DiscardHandler),
				Decided: func(v display.View) { s.decided = append(s.decided, v.Round) },
			},
		})
		ctx, cancel := context.WithCancel(t.Context())
		s.cancel = cancel
		go func() { s.ended <- s.Run(ctx) }()
		synctest.Wait()
		test(t, s)
		cancel()
		synctest.Wait()
		if err := shoe.Close(); err != nil {
			t.Error(err)
		}
	})
}

// says checks the reason for a refusal.
func says(t *testing.T, err error, words string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("got %v, want %q", err, words)
	}
}

// alarmed says whether the page shows an alarm as on.
func (s *stand) alarmed(t shoesim.Trouble) bool {
	return slices.Contains(s.troubles(), trouble{string(t), troubles[t], true})
}

// last is the last thing that the page says happened.
func (s *stand) last() string {
	notes := s.snapshot().Notes
	if len(notes) == 0 {
		return ""
	}
	return notes[0].Text
}

// TestHandsOffFirst: while the simulated dealer deals nobody else handles cards or keys; the line can fail at any time.
func TestHandsOffFirst(t *testing.T) {
	at(t, false, func(t *testing.T, s *stand) {
		ctx := t.Context()
		says(t, s.Shoe(ctx, "draw"), sayHandsOffFirst)
		says(t, s.Shoe(ctx, "repeat 2\nunread\nend"), sayHandsOffFirst)
		says(t, s.Play(ctx, "wait 1s\ndraw"), sayHandsOffFirst)
		says(t, s.Keys("press", "card"), sayHandsOffFirst)
		if err := s.LetGo(0, "card"); err != nil {
			t.Errorf("a key that was pressed before does not come up: %v", err)
		}
		says(t, s.PutRight(ctx, "burn", card.None), sayHandsOffFirst)
		for _, steps := range []string{
			"line bits=1%", "garbage 3", "hang 1s", "alarm cover", "pull", "plug",
			"line good",
		} {
			if err := s.Shoe(ctx, steps); err != nil {
				t.Errorf("%s: %v", steps, err)
			}
		}
		if err := s.TakeOver(ctx); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(s.TakeOver(ctx), s.Shoe(ctx, "draw"), s.Keys("press", "card")); err != nil {
			t.Error(err)
		}
	})
}

// TestTakeOver stops the simulated dealer until he is handed the table back.
func TestTakeOver(t *testing.T) {
	at(t, false, func(t *testing.T, s *stand) {
		presses := func() int {
			s.table.mu.Lock()
			defer s.table.mu.Unlock()
			return len(s.table.pressed)
		}
		bubble.Pass(10 * time.Second)
		if presses() == 0 {
			t.Fatal("the simulated dealer does nothing")
		}
		if err := s.TakeOver(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := presses()
		bubble.Pass(10 * time.Second)
		if presses() != before {
			t.Error("the simulated dealer continues")
		}
		if err := s.HandBack(t.Context()); err != nil {
			t.Fatal(err)
		}
		bubble.Pass(10 * time.Second)
		if presses() == before {
			t.Error("the simulated dealer does not continue")
		}
	})
}

// TestCannotHandBack: the simulated dealer says why he does not continue.
func TestCannotHandBack(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		ctx := t.Context()
		for _, c := range []struct {
			first, then func() error
			want        string
		}{
			{
				func() error { return s.Shoe(ctx, "pull") }, func() error { return s.Shoe(ctx, "plug") },
				"plug it in first",
			},
			{
				func() error { return s.Keys("stick", "undo") }, func() error { return s.Keys("stick", "undo") },
				"the key Undo is down",
			},
			{
				func() error { return s.Keys("loose", "card", "card") },
				func() error { bubble.Pass(time.Minute); return nil }, sayKeysMove,
			},
			{func() error { return s.Play(ctx, "wait 1h") }, func() error { s.Stop(); return nil }, sayScriptRuns},
			// nobody reads it
			{
				func() error { return s.Shoe(ctx, "draw") }, func() error { return s.Shoe(ctx, "reboot") },
				"still on their way",
			},
		} {
			if err := c.first(); err != nil {
				t.Fatal(err)
			}
			says(t, s.HandBack(ctx), c.want)
			if err := c.then(); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if err := s.HandBack(ctx); err != nil {
			t.Error(err)
		}
	})
}

// TestDealerIsLost: a state from which the simulated dealer cannot continue ends the demonstration only if he caused
// it.
func TestDealerIsLost(t *testing.T) {
	nothing := display.View{Phase: vocab.Deal, Due: display.Due{To: vocab.ToNothing}}
	at(t, false, func(t *testing.T, s *stand) {
		s.table.show(nothing)
		bubble.Pass(2 * time.Second)
		says(t, <-s.ended, "asks for nothing")
	})
	at(t, true, func(t *testing.T, s *stand) {
		s.table.show(nothing)
		if err := s.HandBack(t.Context()); err != nil {
			t.Fatal(err)
		}
		bubble.Pass(2 * time.Second)
		if !s.snapshot().Deals && strings.HasPrefix(s.last(), sayDealerStops) &&
			strings.Contains(s.last(), "asks for nothing") {
			return
		}
		t.Errorf("the page says %q", s.last())
	})
}

// TestCardsGoBack: what a person drew is back in the shuffler after the round, except what was never in it.
func TestCardsGoBack(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		full := s.shoe.State().CardsLeft
		s.table.show(display.View{Phase: vocab.Play})
		for _, step := range []string{"draw", "draw 7H", "unread", "overdraw", "foreign 7H"} {
			if err := s.Shoe(t.Context(), step); err != nil {
				t.Fatal(err)
			}
		}
		if left := s.shoe.State().CardsLeft; left != full-4 {
			t.Errorf("%d cards are left of %d", left, full)
		}
		s.table.show(display.View{Phase: vocab.Payment, Round: 3})
		synctest.Wait()
		s.table.show(idle)
		synctest.Wait()
		if left := s.shoe.State().CardsLeft; left != full {
			t.Errorf("%d cards are left of %d", left, full)
		}
		if len(s.decided) != 1 || s.decided[0] != 3 {
			t.Errorf("decided are the rounds %v", s.decided)
		}
	})
}

// TestLoaded: the table is told what was done to its shoe, and the page what the table answers.
func TestLoaded(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		if err := s.Shoe(t.Context(), "reload"); err != nil || s.last() != sayLoaded {
			t.Errorf("the page says %q, %v", s.last(), err)
		}
		if in := s.table.pressed; len(in) != 1 || in[0].Kind != vocab.InShoe || in[0].Shoe.Event != vocab.ShoeLoaded {
			t.Errorf("the table was told %+v", in)
		}
		s.table.refuses = vocab.RoundHeld
		if err := s.Shoe(t.Context(), "reload"); err != nil || !strings.Contains(s.last(), "the table refuses it: ") {
			t.Errorf("the page says %q, %v", s.last(), err)
		}
	})
}

// TestPutRight uses each available resolution, in the name of a person who may.
func TestPutRight(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		ctx := t.Context()
		says(t, s.PutRight(ctx, "burn", card.None), sayNoChoice)
		held := idle
		held.Held = &display.Held{
			Code:    irregularity.CardWithoutCall,
			Choices: []irregularity.Choice{irregularity.Accept, irregularity.Burn},
			Dealer:  []irregularity.Choice{irregularity.Accept},
		}
		s.table.show(held)
		says(t, s.PutRight(ctx, "void-round", card.None), sayNoChoice)
		says(t, s.PutRight(ctx, "shrug", card.None), sayNoChoice)
		seven := card.Of(7, card.Hearts)
		if err := errors.Join(s.PutRight(ctx, "accept", card.None), s.PutRight(ctx, "burn", seven)); err != nil {
			t.Fatal(err)
		}
		in := s.table.pressed
		if len(in) != 2 || in[0].With != irregularity.Accept || in[0].Role != vocab.Dealer ||
			in[1].With != irregularity.Burn || in[1].Role == vocab.Dealer || in[1].Card != seven {
			t.Errorf("the table was told %+v", in)
		}
		s.table.err = errors.New("nobody may")
		says(t, s.PutRight(ctx, "burn", card.None), "nobody may")
		if !strings.Contains(s.last(), "nobody may") {
			t.Errorf("the page says %q", s.last())
		}
	})
}

// TestScript plays a scenario while the person works, one at a time; it ends with the bench.
func TestScript(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		ctx := t.Context()
		says(t, s.Play(ctx, "draw 11H"), "scenario:1:")
		says(t, s.Play(ctx, "# nothing"), sayNoSteps)
		if err := s.Play(ctx, "alarm cover\nwait 1m\nclear cover"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		says(t, s.Play(ctx, "draw"), sayScriptRuns)
		if now := s.snapshot(); !now.Running || !s.alarmed(shoesim.Cover) {
			t.Errorf("the scenario is %+v", now)
		}
		bubble.Pass(2 * time.Minute)
		if now := s.snapshot(); now.Running || now.Script != sayScriptDone || s.alarmed(shoesim.Cover) {
			t.Errorf("the scenario is %+v", now)
		}
		if err := s.Play(ctx, "clear rain"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if said := s.snapshot().Script; !strings.Contains(said, "line 1 of the scenario, clear") {
			t.Errorf("the scenario ended so: %s", said)
		}
		if err := s.Play(ctx, "wait 1h"); err != nil {
			t.Fatal(err)
		}
	})
}

// TestReadyMade: the scenarios that the page offers can be read.
func TestReadyMade(t *testing.T) {
	at(t, true, func(t *testing.T, s *stand) {
		for _, r := range readyMade {
			if _, err := s.parse(r.Text); err != nil || r.Title == "" || strings.ContainsAny(r.Title, "#\n") {
				t.Errorf("%q: %v", r.Title, err)
			}
		}
		if len(readyMade) == 0 {
			t.Error("none is offered")
		}
	})
}
