package keysim

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// bench is a table with nothing around it: shoe, display and keys act on the engine at once. Its shoe holds what the
// house's does.
type bench struct {
	t        *testing.T
	rules    *rules.Rules
	table    table.Table
	seq      uint64
	rng      *rand.Rand
	cards    []card.Card
	cut      int // cards left when the cut card appears; 0 for none
	out      int // cards not back in the shuffler
	loads    int
	presses  int
	refusals map[vocab.Reason]int
	seen     map[string]int // what was put in and what followed, by name
	told     uint64         // sums up everything that was put in
	// between happens after a look at the display and before the n-th press.
	between func(press int)
}

func newBench(t *testing.T, setup rules.Setup) *bench {
	set, err := profile.Built().Set(setup)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{
		t: t, rules: set, rng: rand.New(rand.NewPCG(1, 1)), refusals: map[vocab.Reason]int{}, seen: map[string]int{},
		between: func(int) {},
	}
	b.fill()
	b.step(vocab.Input{Kind: vocab.InSetup, Setup: &setup, Rules: set})
	return b
}

func (b *bench) fill() {
	b.cards = croupier.Cards(b.rules.Cards)
	b.rng.Shuffle(len(b.cards), func(i, j int) { b.cards[i], b.cards[j] = b.cards[j], b.cards[i] })
}

func (b *bench) step(in vocab.Input) vocab.Reason {
	b.seq++
	sum := fnv.New64a()
	fmt.Fprintf(sum, "%d %v", b.told, in.Card)
	fmt.Fprint(sum, in.Kind, in.Call, in.Wager, in.Box, in.Bettor, in.Bettors, in.Amount, in.Stated, in.Seat, in.With)
	b.told = sum.Sum64()
	for _, out := range b.table.Step(&in) {
		b.note(in, out)
	}
	return b.table.Rejected()
}

// note counts what happened, by names.
func (b *bench) note(in vocab.Input, out vocab.Output) {
	switch out.Kind {
	case vocab.Irregular:
		b.seen["irregular "+out.Code.String()]++
	case vocab.Settled:
		b.seen[fmt.Sprintf("%s %s %s", out.Wager, out.Outcome, out.Why)]++
	case vocab.Bonus:
		b.seen["bonus "+out.Why.String()]++
	case vocab.HandDone:
		b.seen["done "+out.Done.String()]++
	case vocab.DueChanged:
		if in.Kind == vocab.InCall {
			b.seen["call "+in.Call.String()]++
		}
	}
}

func (b *bench) Draw() (card.Card, error) {
	if len(b.cards) == 0 {
		return card.None, errors.New("the shoe is empty")
	}
	last := len(b.cards) - 1
	c := b.cards[last]
	b.cards = b.cards[:last]
	b.out++
	b.step(vocab.Input{Kind: vocab.InCard, Card: c})
	if last == b.cut {
		b.step(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeCutCard}})
	}
	return c, nil
}

func (b *bench) Return(cards ...card.Card) error {
	if len(cards) != b.out {
		b.t.Errorf("%d cards were put back, not %d", len(cards), b.out)
	}
	if b.rules.Cards.Source != rules.Shuffler {
		b.t.Error("cards were put back into a shoe")
	}
	b.out = 0
	for _, c := range cards {
		at := b.rng.IntN(len(b.cards) + 1)
		b.cards = append(b.cards[:at], append([]card.Card{c}, b.cards[at:]...)...)
	}
	return nil
}

func (b *bench) Reload() error {
	if b.rules.Cards.Source == rules.Shuffler {
		b.t.Error("a shuffler was loaded")
	}
	if b.table.Phase() != vocab.Idle {
		b.t.Error("the shoe was loaded in the middle of a round")
	}
	b.loads++
	b.out = 0
	b.fill()
	return nil
}

func (b *bench) Await(_ context.Context, wanted func(display.View) bool) (display.View, error) {
	v := display.From(&b.table, "bj-1", b.seq)
	if !wanted(v) {
		b.t.Fatalf("the dealer waits for something that never happens, at %+v", v)
	}
	return v, nil
}

func (b *bench) press(_ context.Context, in vocab.Input) (vocab.Reason, error) {
	b.presses++
	b.between(b.presses)
	refused := b.step(in)
	b.refusals[refused]++
	return refused, nil
}

func (b *bench) dealer(rounds uint64, decided func(display.View)) *Dealer {
	return &Dealer{
		Shoe: b, Display: b, Press: b.press, Rules: b.rules, Rounds: rounds, Seed: 3, Decided: decided,
		Log: slog.New(slog.DiscardHandler),
	}
}

// deal deals rounds and fails on what no dealer may do.
func (b *bench) deal(d *Dealer) {
	b.t.Helper()
	if err := d.Run(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	if b.table.Round() != d.Rounds || !b.table.Settled() {
		b.t.Errorf("%d of %d rounds were dealt, settled %t", b.table.Round(), d.Rounds, b.table.Settled())
	}
	for refused, n := range b.refusals {
		if refused != 0 {
			b.t.Errorf("%d presses were refused: %s", n, refused)
		}
	}
	for what, n := range b.seen {
		if strings.HasPrefix(what, "irregular ") {
			b.t.Errorf("%d times %s", n, what)
		}
	}
}

// TestDealer deals rounds by what the display asks for, and nothing else.
func TestDealer(t *testing.T) {
	const rounds = 300
	b := newBench(t, rules.Setup{House: "wiesbaden"})
	decided := 0
	b.deal(b.dealer(rounds, func(v display.View) {
		if decided++; v.Sums == nil || v.Round != uint64(decided) {
			t.Errorf("round %d was told as decided in round %d, with sums %v", v.Round, decided, v.Sums)
		}
	}))
	if decided != rounds {
		t.Errorf("%d rounds were decided", decided)
	}
}

// TestEveryHouse deals each house and checks for what is its own.
func TestEveryHouse(t *testing.T) {
	tests := []struct {
		house string
		shoe  bool
		see   []string
	}{
		{"schaffhausen", true, []string{
			"call surrender", "main surrender surrender", "insurance lose no-bank-blackjack", "call split",
			"call double",
			"perfect-pairs win mixed-pair", "swiss-casinos-jack win mix", "bust win bank-bust",
		}},
		{"wiesbaden", false, []string{
			"twins win twins", "crazy-twins win crazy-twins", "crazy-twins lose no-match", "main win even-money",
			"insurance win bank-blackjack",
		}},
		{"st-moritz", true, []string{
			"3-card-wins win three-black", "queens-trio win one-queen", "insurance win bank-blackjack",
		}},
		{"st-moritz-65", true, []string{"main win blackjack", "main win bonus-blackjack"}},
		{"mendrisio", true, []string{
			"admiral-jack win blackjack", "progressive win blackjack", "main win even-money",
			"insurance lose no-bank-blackjack",
		}},
		{"baden", true, []string{
			"call higher", "call lower", "call rest", "done five-card-trick", "done wrong-forecast", "done blackjack",
			"main win points", "main lose points", "main win five-card-trick",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.house, func(t *testing.T) {
			b := newBench(t, rules.Setup{House: tt.house})
			b.deal(b.dealer(600, nil))
			for _, what := range tt.see {
				if b.seen[what] == 0 {
					t.Errorf("no round had %q: the players play too little", what)
				}
			}
			if loaded := b.loads > 0; loaded != tt.shoe {
				t.Errorf("the shoe was loaded %d times", b.loads)
			}
		})
	}
}

// TestMarks: each house can be dealt without amounts.
func TestMarks(t *testing.T) {
	for _, house := range profile.Built().Names() {
		t.Run(house, func(t *testing.T) {
			b := newBench(t, rules.Setup{House: house})
			d := b.dealer(60, func(v display.View) {
				if v.Sums != nil {
					t.Errorf("round %d has sums: %+v", v.Round, *v.Sums)
				}
			})
			d.Marks = true
			b.deal(d)
			for box := range b.table.Boxes() {
				for _, one := range b.table.Bettors(box + 1) {
					if one.Stake != vocab.Unstated {
						t.Errorf("%s staked %d", one.Name, one.Stake)
					}
				}
			}
		})
	}
}

// TestSameSeedSameRounds: everything depends only on the seeds.
func TestSameSeedSameRounds(t *testing.T) {
	told := func(seed uint64) uint64 {
		b := newBench(t, rules.Setup{House: "mendrisio"})
		d := b.dealer(50, nil)
		d.Seed = seed
		b.deal(d)
		return b.told
	}
	first, again, other := told(1), told(1), told(3)
	if first != again {
		t.Error("the same seed dealt other rounds")
	}
	if first == other {
		t.Error("another seed dealt the same rounds")
	}
}

// TestLonePlayer: where nobody may play one box alone another box is played too, or a friend joins if there is none.
func TestLonePlayer(t *testing.T) {
	for boxes := 1; boxes <= 2; boxes++ {
		b := newBench(t, rules.Setup{House: "mendrisio", Boxes: boxes})
		b.deal(b.dealer(60, nil))
	}
}

// TestCutCard: the shoe is reloaded after the round in which the cut card appeared.
func TestCutCard(t *testing.T) {
	b := newBench(t, rules.Setup{House: "baden"})
	b.cut = 200
	b.deal(b.dealer(99, nil))
	if b.table.Shoe().CutCard || b.loads < 10 {
		t.Errorf("loaded %d times, cut card out %t", b.loads, b.table.Shoe().CutCard)
	}
}

// TestNarrowLimits: if the minimum is the box's maximum there is room for one player.
func TestNarrowLimits(t *testing.T) {
	for _, house := range []string{"schaffhausen", "mendrisio"} {
		b := newBench(t, rules.Setup{House: house, Min: 5000, BoxMax: 5000, Unit: 500})
		b.deal(b.dealer(50, nil))
	}
}

// TestHeldBeforeThePress makes the shoe raise an alarm, or lose a card, between a look at the display and the press,
// over and over: the dealer looks again, and nothing is done twice.
func TestHeldBeforeThePress(t *testing.T) {
	const rounds = 40
	for _, house := range profile.Built().Names() {
		b := newBench(t, rules.Setup{House: house})
		b.between = func(press int) {
			switch press % 10 {
			case 0:
				b.step(vocab.Input{
					Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmRaised}, Code: "cover",
				})
			case 5:
				b.step(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeGap, Missing: 1}})
			}
		}
		decided := 0
		if err := b.dealer(rounds, func(display.View) { decided++ }).Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if held := b.refusals[vocab.RoundHeld]; held < rounds || decided != rounds || b.table.Round() != rounds {
			t.Errorf("%s: %d presses were refused since the round was held; %d rounds were decided, %d opened", house,
				held, decided, b.table.Round())
		}
	}
}

// TestProvenSupervisor: a supervisor is fetched for each thing to put right, and it is done in that name; one who does
// not come is an error.
func TestProvenSupervisor(t *testing.T) {
	b := newBench(t, rules.Setup{House: "wiesbaden"})
	b.between = func(press int) {
		if press%10 == 0 {
			b.step(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmRaised}, Code: "cover"})
		}
	}
	d := b.dealer(10, nil)
	fetched, proven := 0, 0
	d.Prove = func(context.Context) (string, error) {
		fetched++
		return fmt.Sprint("anna ", fetched), nil
	}
	d.Press = func(ctx context.Context, in vocab.Input) (vocab.Reason, error) {
		if in.Kind == vocab.InResolve {
			proven++
			if in.By != fmt.Sprint("anna ", fetched) {
				t.Errorf("put right by %q", in.By)
			}
		}
		return b.press(ctx, in)
	}
	if err := d.Run(t.Context()); err != nil || fetched == 0 || fetched != proven {
		t.Errorf("%d were fetched, %d put something right: %v", fetched, proven, err)
	}
	away := errors.New("the supervisor is at lunch")
	d = b.dealer(10, nil)
	d.Prove = func(context.Context) (string, error) { return "", away }
	if err := d.Run(t.Context()); !errors.Is(err, away) {
		t.Errorf("error is %v", err)
	}
}

// TestSenselessDisplay: a dealer whose display asks for nothing says so.
func TestSenselessDisplay(t *testing.T) {
	b := newBench(t, rules.Setup{House: "wiesbaden"})
	dealer := b.dealer(1, nil)
	dealer.Display = nothingDue{}
	err := dealer.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "asks for nothing in phase deal, at input 7") {
		t.Errorf("error is %v", err)
	}
}

type nothingDue struct{}

func (nothingDue) Await(context.Context, func(display.View) bool) (display.View, error) {
	return display.View{Seq: 7, Phase: vocab.Deal, Due: display.Due{To: vocab.ToNothing}}, nil
}

// TestEndOfContext: the end of the context is not an error.
func TestEndOfContext(t *testing.T) {
	b := newBench(t, rules.Setup{House: "wiesbaden"})
	ctx, cancel := context.WithCancel(t.Context())
	if err := b.dealer(0, func(display.View) { cancel() }).Run(ctx); err != nil {
		t.Errorf("error is %v", err)
	}
}
