package main

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/processes"
	"github.com/sabot-table/sabot/internal/testkit/shoetest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestCShoe deals with the C reference firmware at the built daemon, over a line with
// noise, and kills the daemon over and over: no card is lost, doubled or wrong. In make soak the compiler checks the
// firmware's memory, too, as the tests of the firmware do each time.
func TestCShoe(t *testing.T) {
	tier.Landing(t, "it builds the firmware")
	t.Parallel()
	var settings []string
	if tier.InSoak() {
		settings = []string{shoetest.Sanitized}
	}
	program := shoetest.BuildC(t, t.TempDir(), "shoe", settings...)
	for name, digits := range map[string]string{"without a key": "", "with a key": "5ab07000112233445566778899aabbcc"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dealWithCShoe(t, program, digits)
		})
	}
}

func dealWithCShoe(t *testing.T, program, digits string) {
	rounds, kills := tier.Times[uint64](3, 6), tier.Times(1, 3)
	o := shoetest.COptions{Program: program, Line: shoetest.CLine{ToHost: noise()}}
	if digits != "" {
		o.KeyFile = filepath.Join(t.TempDir(), "shoe-key")
		write(t, o.KeyFile, digits+"\n")
	}
	shuffler := newCShuffler(shoetest.StartC(t, o))
	w := newWorldOn(t, shuffler.Path())
	w.keyFile = o.KeyFile
	process := w.start()
	page := w.look()
	ended := make(chan error, 1)
	go func() {
		dealer := &keysim.Dealer{
			Shoe: shuffler, Display: patient{page.remote}, Press: page.remote.Press, Rounds: rounds, Seed: 7,
			Log: quiet(),
		}
		ended <- dealer.Run(page.ctx)
	}()
	for range kills {
		was := len(shuffler.told())
		page.await("cards on the table", func(v display.View) bool {
			return len(shuffler.told()) > was+8 && v.Phase != vocab.Idle
		})
		process.Kill()
		process = w.start()
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Fatalf("the dealer could not go on: %v", err)
		}
	case <-time.After(2 * processes.Deadline):
		t.Fatalf("the dealer did not come to an end; the hand drew %d cards", len(shuffler.told()))
	}
	w.check(shuffler.told(), int(rounds))
	process.Stop()
}

// cShuffler is a C shoe with cards in it, which go back to random places.
type cShuffler struct {
	*shoetest.CShoe

	mu     sync.Mutex
	random *rand.Rand
	cards  []card.Card
	drawn  []card.Card
}

func newCShuffler(s *shoetest.CShoe) *cShuffler {
	c := &cShuffler{CShoe: s, random: rand.New(rand.NewPCG(11, 12)), cards: []card.Card{card.Joker}}
	for range 6 {
		c.cards = slices.AppendSeq(c.cards, card.All)
	}
	return c
}

// Draw takes out a random card.
func (c *cShuffler) Draw() (card.Card, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.random.IntN(len(c.cards))
	out := c.cards[i]
	if err := c.CShoe.Draw(out.String()); err != nil {
		return card.None, err
	}
	c.cards = slices.Delete(c.cards, i, i+1)
	c.drawn = append(c.drawn, out)
	return out, nil
}

// Return puts cards back.
func (c *cShuffler) Return(cards ...card.Card) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cards = append(c.cards, cards...)
	return nil
}

// Reload is for shoes that are not shufflers.
func (c *cShuffler) Reload() error { return nil }

// told are the cards that the shoe had to report, in order.
func (c *cShuffler) told() []card.Card {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.drawn)
}
