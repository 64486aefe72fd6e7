package simtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// shoes is how many shoes the house has for the table: A, B and C. There is one more, which is another table's: its key
// is not this one's.
const shoes, foreign = 3, 3

// rack is the shoes, one of which stands at the table.
type rack struct {
	mu   sync.Mutex
	all  [shoes + 1]*shoesim.Shoe
	at   int       // which one stands at the table
	in   bool      // its cable is in
	left *lifePort // of a killed table, with what it has not read
}

func newRack(s Script, key *wire.Secret) (*rack, error) {
	r := &rack{in: true}
	for i := range r.all {
		if i == foreign {
			if s.Make != string(shoesim.Sabot) {
				r.all[i] = r.all[0]
				continue
			}
			key = &wire.Secret{9, 9, 9}
		}
		shoe, err := shoesim.New(shoesim.Options{
			Kind: shoesim.Kind(s.Make), Seed: s.Seed<<4 + uint64(2*i), Continuous: shuffles(s.House),
			Jokers: jokers(s.House), Memory: true,
			Boot: uint32(i+1) << 16, Serial: fmt.Sprintf("SIM-%c", 'A'+i), Key: key,
			AngelEye: shoesim.AngelEyeOptions{Mixed: s.Pace >= apartFrom},
		})
		if err != nil {
			return nil, err
		}
		if r.all[i] = shoe; i > 0 {
			if err := shoe.Unplug(); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// shoe is the shoe that stands at the table.
func (r *rack) shoe() *shoesim.Shoe {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[r.at]
}

// open opens the port of the shoe at the table, or gives the one that a killed table has left with what is in it.
func (r *rack) open(ctx context.Context) (device.Port, error) {
	r.mu.Lock()
	left := r.left
	r.left = nil
	r.mu.Unlock()
	if left != nil {
		return &keptPort{left.Port, left.late}, nil
	}
	return r.shoe().Open(ctx)
}

// leave keeps a port that a killed table had open.
func (r *rack) leave(p *lifePort) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = p
}

// keptPort is a port that keeps what nobody has read.
type keptPort struct {
	device.Port
	held []byte
}

func (p *keptPort) Read(b []byte) (int, error) {
	if n := copy(b, p.held); n > 0 {
		p.held = p.held[n:]
		return n, nil
	}
	return p.Port.Read(b)
}

// unplug pulls the cable for a time.
func (r *rack) unplug(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.all[r.at].Unplug()
	r.in = false
	time.AfterFunc(d, r.replug)
}

// pullAfter pulls the cable once so many bytes more are on their way to the table.
func (r *rack) pullAfter(bytes int, d time.Duration) {
	_ = r.shoe().PullAfter(bytes)
	time.AfterFunc(d, r.replug)
}

func (r *rack) replug() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.in = true
	_ = r.all[r.at].Replug()
}

// swap puts another shoe at the table, and plugs it in after a time.
func (r *rack) swap(to int, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.all[r.at].Unplug()
	r.at, r.in = to%shoes, false
	time.AfterFunc(d, r.replug)
}

// mistake puts another table's shoe at this one, for a time.
func (r *rack) mistake(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.at
	if was == foreign || r.all[foreign] == r.all[0] {
		return
	}
	_ = r.all[was].Unplug()
	r.at = foreign
	_ = r.all[foreign].Replug()
	time.AfterFunc(d, func() { r.swapFrom(foreign, was) })
}

// swapFrom puts a shoe in the place of another one, if that still stands there.
func (r *rack) swapFrom(from, to int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at != from {
		return
	}
	_ = r.all[from].Unplug()
	r.at, r.in = to, true
	_ = r.all[to].Replug()
}

// noise makes the line fail this often; the zero Rates are a good line.
func (r *rack) noise(rates shoesim.FaultRates) {
	for _, s := range r.all {
		_ = s.Cable(func(to, from *shoesim.BadLine, _ time.Duration) {
			to.Set(rates)
			from.Set(rates)
		})
	}
}

// calm makes everything well: one of the table's own shoes is plugged in, on a good line.
func (r *rack) calm() {
	r.swapFrom(foreign, 0)
	r.replug()
}

// toShoes makes the lines to the shoes fail this often.
func (r *rack) toShoes(rates shoesim.FaultRates) {
	for _, s := range r.all {
		_ = s.Cable(func(_, from *shoesim.BadLine, _ time.Duration) { from.Set(rates) })
	}
}

func (r *rack) close() {
	for _, s := range r.all {
		_ = s.Close()
	}
}

// drawn is a card that left a shoe.
type drawn struct {
	shoe      int
	boot, seq uint32 // the shoe's own number of it, 0 for a make without
	card      card.Card
	felt      int // the felt on which it was laid, counted from 1
	at        time.Time
	untold    bool // the shoe did not tell it: a supervisor named it
}

// hand is the dealer's hand: it draws the cards, and knows what lies on the felt, whatever any display says.
type hand struct {
	world *World
	mu    sync.Mutex
	all   []drawn
	felt  int
	lies  []int // of all, those that lie on the felt
	doubt bool  // the line may have shown other cards than those that lie on the felt
}

// doubts puts the felt in doubt, until what it returns is called: nobody looks then.
func (h *hand) doubts() (over func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	was := h.doubt
	h.doubt = true
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		h.doubt = was
	}
}

// Draw draws the next card from the shoe that stands at the table.
func (h *hand) Draw() (card.Card, error) {
	h.world.tick(Card)
	if h.world.takes(overdraw) {
		if c, err := h.draw(); err != nil {
			return c, err
		}
	}
	return h.draw()
}

// errForeign: no dealer draws from another table's shoe.
var errForeign = errors.New("this is not the table's shoe")

func (h *hand) draw() (card.Card, error) {
	r := h.world.rack
	s := r.shoe()
	if s == r.all[foreign] && s != r.all[0] {
		return card.None, errForeign
	}
	before := s.State()
	draw := s.Draw
	if h.world.takes(unread) {
		draw = s.DrawUnread
	}
	c, err := draw()
	if errors.Is(err, shoesim.ErrEmpty) { // as after a set-up, which counts as a fresh shoe
		if err := h.Reload(); err != nil {
			return c, err
		}
		c, err = draw()
	}
	if err != nil {
		return c, err
	}
	after := s.State()
	d := drawn{shoe: r.at, card: c, felt: h.felt, at: time.Now()}
	if before.Boot != 0 {
		d.boot, d.seq = after.Boot, before.Last+1
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lies = append(h.lies, len(h.all))
	h.doubt = h.doubt || h.world.lineMayChange()
	h.all = append(h.all, d)
	h.world.progress()
	return c, nil
}

// Return is what the dealer would put back: the hand does that itself with clear.
func (h *hand) Return(...card.Card) error { return nil }

// Reload puts all cards back into every shoe, those on the felt too.
func (h *hand) Reload() error {
	if !h.world.shuffler() {
		for _, s := range h.world.rack.all {
			if err := s.Reload(); err != nil {
				return err
			}
		}
	}
	return nil
}

// clear takes the cards from the felt, and puts each back into the shoe it came from.
func (h *hand) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, i := range h.lies {
		d := h.all[i]
		if h.world.shuffler() && !d.untold {
			_ = h.world.rack.all[d.shoe].Return(d.card)
		}
	}
	h.lies, h.doubt = h.lies[:0], false
	h.felt++
}

// doubtful says that the line may have shown other cards than those that lie on the felt.
func (h *hand) doubtful() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.doubt
}

// cards are those that lie on the felt, in the order in which they were drawn.
func (h *hand) cards() []card.Card {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := make([]card.Card, len(h.lies))
	for i, n := range h.lies {
		list[i] = h.all[n].card
	}
	return list
}

// untold lays a card on the felt that no shoe told.
func (h *hand) untold(c card.Card) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lies = append(h.lies, len(h.all))
	h.all = append(h.all, drawn{card: c, felt: h.felt, at: time.Now(), untold: true})
}
