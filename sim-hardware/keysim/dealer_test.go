package keysim

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
)

// bench is a table without anything around it: shoe, display and keys act on the
// engine at once.
type bench struct {
	t        *testing.T
	table    table.Table
	seq      uint64
	rng      *rand.Rand
	out      int // cards that are not back in the shuffler
	presses  int
	refusals map[table.Reason]int
	// between happens after a look at the display and before the n-th press.
	between func(press int)
}

func newBench(t *testing.T) *bench {
	setup := rules.Setup{House: "wiesbaden"}
	set, err := rules.Built().Set(setup)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, rng: rand.New(rand.NewPCG(1, 1)), refusals: map[table.Reason]int{}, between: func(int) {}}
	b.step(table.Input{Kind: table.InSetup, Setup: &setup, Rules: set})
	return b
}

func (b *bench) step(in table.Input) table.Reason {
	b.seq++
	b.table.Step(in)
	return b.table.Rejected()
}

func (b *bench) Draw() (card.Card, error) {
	c := card.Of(card.Rank(1+b.rng.IntN(13)), card.Suit(b.rng.IntN(4)))
	b.out++
	b.step(table.Input{Kind: table.InCard, Card: c})
	return c, nil
}

func (b *bench) Return(cards ...card.Card) error {
	if len(cards) != b.out {
		b.t.Errorf("%d cards were put back, not %d", len(cards), b.out)
	}
	b.out = 0
	return nil
}

func (b *bench) Await(_ context.Context, wanted func(display.View) bool) (display.View, error) {
	v := display.From(&b.table, "bj-1", b.seq)
	if !wanted(v) {
		b.t.Fatalf("the dealer waits for what nobody does, at %+v", v)
	}
	return v, nil
}

func (b *bench) press(_ context.Context, in table.Input) (table.Reason, error) {
	b.presses++
	b.between(b.presses)
	refused := b.step(in)
	b.refusals[refused]++
	return refused, nil
}

func (b *bench) dealer(rounds uint64, decided func(display.View)) *Dealer {
	return &Dealer{
		Shoe: b, Display: b, Press: b.press, Rounds: rounds, Seed: 2, Decided: decided, Log: slog.New(slog.DiscardHandler),
	}
}

// TestDealer deals rounds by what the display asks for, and nothing else.
func TestDealer(t *testing.T) {
	const rounds = 500
	b := newBench(t)
	decided := 0
	dealer := b.dealer(rounds, func(v display.View) {
		if decided++; v.Sums == nil || v.Round != uint64(decided) {
			t.Errorf("round %d was told as decided in round %d, with sums %v", v.Round, decided, v.Sums)
		}
	})
	if err := dealer.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if decided != rounds || b.table.Round() != rounds || !b.table.Settled() {
		t.Errorf("%d rounds were decided and %d opened, settled %t", decided, b.table.Round(), b.table.Settled())
	}
	for refused, n := range b.refusals {
		// A box may be full.
		if refused != 0 && refused != table.AboveMaximum {
			t.Errorf("%d presses were refused: %s", n, refused)
		}
	}
}

// TestHeldBeforeThePress has the shoe raise an alarm, or lose a card, between a look
// at the display and the press, over and over: the dealer looks again, and nothing
// is done twice.
func TestHeldBeforeThePress(t *testing.T) {
	const rounds = 100
	b := newBench(t)
	b.between = func(press int) {
		switch press % 10 {
		case 0:
			b.step(table.Input{Kind: table.InShoe, Shoe: table.ShoeAlarmRaised, Code: "cover"})
		case 5:
			b.step(table.Input{Kind: table.InShoe, Shoe: table.ShoeGap, Missing: 1})
		}
	}
	decided := 0
	if err := b.dealer(rounds, func(display.View) { decided++ }).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if held := b.refusals[table.RoundHeld]; held < rounds || decided != rounds || b.table.Round() != rounds {
		t.Errorf("%d presses were refused since the round was held; %d rounds were decided, %d opened", held, decided, b.table.Round())
	}
}

// TestSenselessDisplay: a dealer who is asked for nothing says so.
func TestSenselessDisplay(t *testing.T) {
	b := newBench(t)
	dealer := b.dealer(1, nil)
	dealer.Display = nothingDue{}
	err := dealer.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "asks for nothing in phase deal, at input 7") {
		t.Errorf("error is %v", err)
	}
}

type nothingDue struct{}

func (nothingDue) Await(context.Context, func(display.View) bool) (display.View, error) {
	return display.View{Seq: 7, Phase: display.PhaseDeal, Due: display.Due{To: "nothing"}}, nil
}

// TestEndOfContext is no error.
func TestEndOfContext(t *testing.T) {
	b := newBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	if err := b.dealer(0, func(display.View) { cancel() }).Run(ctx); err != nil {
		t.Errorf("error is %v", err)
	}
}
