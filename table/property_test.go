package table_test

import (
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/tabletest"
)

// drawn lets rapid throw a player's dice, so that a failing game is made small.
type drawn struct{ *rapid.T }

func (d drawn) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(d.T, "") }

// TestWhateverIsPutIn plays with mistakes, irregularities, corrections and
// restarts; a session says what must hold all the while.
func TestWhateverIsPutIn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSession()
		dice := drawn{t}
		player := &tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(4)}
		mistakes := dice.IntN(12)
		must(t, s, s.step(tabletest.SetUp(rules.Setup{House: "wiesbaden"})))
		for range rapid.IntRange(1, 150).Draw(t, "inputs") {
			must(t, s, play(s, player, mistakes))
		}
		must(t, s, s.replays())
	})
}

// TestLongNights plays the same, longer and with dice of our own: rapid prefers
// short games.
func TestLongNights(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(60) {
		s := newSession()
		player := &tabletest.Player{Dice: rand.New(rand.NewPCG(seed, 2)), Boxes: 1 + int(seed%7)}
		must(t, s, s.step(tabletest.SetUp(rules.Setup{House: "wiesbaden"})))
		for range 600 {
			must(t, s, play(s, player, 1+int(seed%12)))
		}
		must(t, s, s.replays())
		for kind, n := range s.kinds {
			kinds[kind] += n
		}
	}
	for _, kind := range []string{
		"undone", "resolved", "main void void-round", "insurance void void-round",
		"unread-card", "unexpected-card", "card-without-call", "bank-overdraw", "foreign-joker",
		"lost-cards", "payout-mismatch", "shoe-offline", "shoe-alarm",
	} {
		if kinds[kind] == 0 {
			t.Errorf("no night had %q: the player errs too little", kind)
		}
	}
	for r := table.BetsClosed; r <= table.NoStakes; r++ {
		if kinds[r.String()] == 0 {
			t.Errorf("nothing was rejected as %q: the player errs too little", r)
		}
	}
}

// TestBeforeSetup: a table that is not set up takes nothing but a setup.
func TestBeforeSetup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		player := &tabletest.Player{Dice: drawn{t}}
		var tab table.Table
		in := player.Anything(&tab)
		tab.Step(in)
		if taken := tab.Rejected() == 0; taken != (in.Kind == table.InSetup) {
			t.Fatalf("%+v: %q", in, tab.Rejected())
		}
		if tab.Due().To != table.ToNothing {
			t.Fatalf("%+v is due", tab.Due())
		}
	})
}

// play makes one move: mostly what is due, else anything, a restart, or a call
// that is taken back.
func play(s *session, p *tabletest.Player, mistakes int) error {
	if p.Dice.IntN(4) == 3 {
		s.restart()
	}
	if p.Dice.IntN(32) < mistakes {
		return s.dare(p.Anything(&s.tab))
	}
	next := p.Next(&s.tab)
	if next.Kind == table.InCall && p.Dice.IntN(4) == 3 {
		if taken, err := s.pressAndTakeBack(next); err != nil || !taken {
			return err
		}
	}
	return s.step(next)
}

type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

func must(t failer, s *session, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v\n\nafter\n%s", err, s.inputs)
	}
}

// TestManyRounds plays rounds by the book, with seeds that are the same every
// time, and sees every way in which a round can go.
func TestManyRounds(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(8) {
		s := newSession()
		dice := rand.New(rand.NewPCG(seed, 1))
		setup := rules.Setup{House: "wiesbaden"}
		if seed%2 == 1 {
			setup.Calls = "implied"
		}
		player := &tabletest.Player{Dice: dice, Boxes: 1 + int(seed)}
		must(t, s, s.step(tabletest.SetUp(setup)))
		for s.rounds < 40 {
			must(t, s, s.step(player.Next(&s.tab)))
			if !s.accepted {
				t.Fatalf("the player's input was refused: %s\n\nafter\n%s", s.tab.Rejected(), s.inputs)
			}
		}
		must(t, s, s.replays())
		for kind, n := range s.kinds {
			kinds[kind] += n
		}
	}
	for _, kind := range []string{
		"main win blackjack", "main win even-money", "main win higher-total", "main win bank-bust",
		"main lose bust", "main lose lower-total", "main lose bank-blackjack", "main stand-off tie",
		"insurance win bank-blackjack", "insurance lose no-bank-blackjack",
		"rest", "auto-rest", "bust", "blackjack", "double", "split-ace",
	} {
		if kinds[kind] == 0 {
			t.Errorf("no round had %q: the player plays too little", kind)
		}
	}
}

// TestInputsThatNoLineCanSay: the engine refuses them too, and does not panic.
func TestInputsThatNoLineCanSay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSession()
		dice := drawn{t}
		player := &tabletest.Player{Dice: dice, Boxes: 2}
		must(t, s, s.step(tabletest.SetUp(rules.Setup{House: "wiesbaden"})))
		for range dice.IntN(40) {
			must(t, s, s.step(player.Next(&s.tab)))
		}
		s.tab.Step(table.Input{
			Kind:    rapid.SampledFrom(kindsWithoutSetup).Draw(t, "kind"),
			Card:    card.Card(dice.IntN(256)),
			Call:    table.Call(dice.IntN(256)),
			Wager:   table.Wager(dice.IntN(256)),
			Shoe:    table.ShoeEvent(dice.IntN(256)),
			With:    table.Choice(dice.IntN(256)),
			Role:    table.Role(dice.IntN(256)),
			Seat:    table.Seat(dice.IntN(256)),
			Box:     rapid.Int().Draw(t, "box"),
			Bettor:  rapid.String().Draw(t, "bettor"),
			Amount:  rapid.Int64().Draw(t, "amount"),
			Missing: rapid.Int().Draw(t, "missing"),
			Bettors: rapid.SliceOf(rapid.String()).Draw(t, "bettors"),
		})
		if s.tab.Due().To == 0 {
			t.Fatal("nothing at all is due")
		}
	})
}

// kindsWithoutSetup: a setup without rules is a mistake of the program.
var kindsWithoutSetup = func() []table.InputKind {
	kinds := []table.InputKind{0, 200}
	for k := table.InShoe; k <= table.InPaid; k++ {
		kinds = append(kinds, k)
	}
	return kinds
}()
