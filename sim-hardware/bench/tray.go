package bench

import (
	"sync"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/scenario"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// tray is the shoe with its discards: it knows what has left the shoe, whoever drew it, so that everything goes back
// into a shuffler.
type tray struct {
	shoe *shoesim.Shoe

	mu  sync.Mutex
	out []card.Card
	// count is how many cards have left the shoe since the start, foreign ones too.
	count int
}

var _ keysim.Shoe = (*tray)(nil)

// Draw draws the next card.
func (t *tray) Draw() (card.Card, error) { return t.takeCard(t.shoe.Draw()) }

// takeCard records a card that has left the shoe.
func (t *tray) takeCard(c card.Card, err error) (card.Card, error) {
	if err == nil {
		t.lay(c)
	}
	return c, err
}

// Return puts back everything that has left the shoe, including what the dealer names.
func (t *tray) Return(...card.Card) error { return t.shoe.Return(t.empty()...) }

// Reload shuffles all cards and puts them into the shoe.
func (t *tray) Reload() error {
	t.empty()
	return t.shoe.Reload()
}

// note records what a step did. A foreign card never goes back.
func (t *tray) note(s scenario.Step, c card.Card) {
	switch {
	case s.Verb == "reload":
		t.empty()
	case c != card.None && s.Verb == "foreign":
		t.mu.Lock()
		defer t.mu.Unlock()
		t.count++
	case c != card.None:
		t.lay(c)
	}
}

// drawn is how many cards have left the shoe since the start.
func (t *tray) drawn() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count
}

// putBack puts the discards into a shuffler; any other shoe gets them when it is reloaded.
func (t *tray) putBack() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.out) > 0 && t.shoe.Return(t.out...) == nil {
		t.out = nil
	}
}

func (t *tray) lay(c card.Card) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.out = append(t.out, c)
	t.count++
}

func (t *tray) empty() []card.Card {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := t.out
	t.out = nil
	return out
}
