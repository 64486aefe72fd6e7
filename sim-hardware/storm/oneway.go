package storm

import (
	"context"
	"errors"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/faults"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/vocab"
)

// What a make cannot know is stated here, as docs/shoes.md has it, and only that is allowed.
//
// A shoe that keeps no card may lose one without a word. Then the dealer sees a card on the felt that is not on the
// display, does not draw another, and unplugs the adapter and plugs it in again, so that the table asks.

// keeps says whether the shoe keeps each card until it is stored.
func (w *World) keeps() bool { return w.script.Make == string(shoesim.Sabot) }

// mayChange says whether a line as bad as this may show a card that the shoe did not report, or show one twice, and
// nobody can notice but the dealer.
func mayChange(make string, r faults.Rates) bool {
	switch shoesim.Kind(make) {
	case shoesim.BeeTek: // neither checksum nor numbers
		return r != faults.Rates{}
	case shoesim.AngelEye: // a checksum of 8 bits
		return r.Bits > 0 || r.Burst > 0 || r.Run > 0 || r.Cut > 0
	}
	return false
}

// noticesAfter is how long a dealer waits for a card to appear.
const noticesAfter = 15 * time.Second

// errNoticed makes the dealer look again after the adapter was plugged in again.
var errNoticed = errors.New("the display does not show what lies on the felt")

// await is Await for the dealer at a shoe that keeps no card.
func (s screen) await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	patience, stop := context.WithTimeout(ctx, noticesAfter)
	defer stop()
	v, err := s.Table.Await(patience, wanted)
	switch {
	case ctx.Err() != nil:
		return v, ctx.Err()
	case err == nil && (v.Held != nil || s.world.isVoid() || v.Phase == vocab.Idle || v.Phase == vocab.Bets || len(without(shown(v), s.world.hand.cards())) == 0):
		return v, nil
	case err != nil:
		now, lookErr := sight(ctx, s.Table)
		if lookErr != nil {
			return v, lookErr
		}
		if now.Held != nil || sameCards(shown(now), s.world.hand.cards()) {
			return s.Table.Await(ctx, wanted)
		}
	}
	s.world.notice()
	return v, errNoticed
}

func sameCards(a, b []card.Card) bool { return len(without(a, b)) == 0 && len(without(b, a)) == 0 }

// notice is what a dealer does who sees that the display is not the felt.
func (w *World) notice() {
	w.mu.Lock()
	w.result.Held["noticed by the dealer"]++
	w.mu.Unlock()
	w.rack.unplug(time.Second)
	time.Sleep(2 * time.Second)
}
