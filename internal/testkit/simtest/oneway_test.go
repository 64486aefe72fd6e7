package simtest

import (
	"context"
	"errors"
	"time"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/bubble"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// What a make cannot know is stated here, as docs/shoes.md has it, and only that is allowed.
//
// A shoe that keeps no card may lose one without a word. Then the dealer sees a card on the felt that is not on the
// display, does not draw another, and unplugs the adapter and plugs it in again, so that the table asks. The dealer
// does the same if the shoe stays offline on a good line.

// keeps says whether the shoe keeps each card until it is stored.
func (w *World) keeps() bool { return w.script.Make == string(shoesim.Sabot) }

// mayChange says whether a line as bad as this may show a card that the shoe did not report, or show one twice, and
// nobody can notice but the dealer.
func mayChange(make string, r shoesim.FaultRates) bool {
	switch shoesim.Kind(make) {
	case shoesim.BeeTek: // neither checksum nor numbers
		return r != shoesim.FaultRates{}
	case shoesim.AngelEye: // a checksum of 8 bits
		return r.Bits > 0 || r.Burst > 0 || r.Run > 0 || r.Cut > 0
	}
	return false
}

// noticesAfter is how long a dealer waits for a card to appear, and plugsAgainAfter how long for a shoe that is offline
// on a good line.
const noticesAfter, plugsAgainAfter = 15 * time.Second, time.Minute

// errNoticed makes the dealer look again after the adapter was plugged in again.
var errNoticed = errors.New("the display does not show what lies on the felt")

// await is Await for the dealer at a shoe that keeps no card.
func (s screen) await(ctx context.Context, wanted func(display.View) bool) (display.View, error) {
	offline := time.Duration(0)
	for {
		patience, stop := context.WithTimeout(ctx, noticesAfter)
		v, err := s.Table.Await(patience, wanted)
		stop()
		switch {
		case ctx.Err() != nil:
			return v, ctx.Err()
		case err == nil && (v.Held != nil || s.world.isVoid() || v.Phase == vocab.Idle || v.Phase == vocab.Bets ||
			len(without(shown(v), s.world.hand.cards())) == 0):
			return v, nil
		case err == nil:
			s.world.notice()
			return v, errNoticed
		}
		now, err := sight(ctx, s.Table)
		switch {
		case err != nil:
			return now, err
		case now.Held != nil && now.Held.Code == irregularity.ShoeOffline && s.world.lineIsGood():
			if offline += noticesAfter; offline >= plugsAgainAfter {
				s.world.plugAgain()
				offline = 0
			}
		case now.Held != nil || sameCards(shown(now), s.world.hand.cards()):
			offline = 0
		default:
			s.world.notice()
			return now, errNoticed
		}
	}
}

func sameCards(a, b []card.Card) bool { return len(without(a, b)) == 0 && len(without(b, a)) == 0 }

// notice is what a dealer does who sees that the display is not the felt.
func (w *World) notice() {
	w.mu.Lock()
	w.result.Held["noticed by the dealer"]++
	w.mu.Unlock()
	w.replug()
}

// plugAgain is what a dealer does at a shoe that stays offline. Bytes that made no message may have taken the link, and
// nobody draws the card whose report would bring it back.
func (w *World) plugAgain() {
	w.heldBy(irregularity.ShoeOffline)
	if !w.caused(irregularity.ShoeOffline) {
		w.find("held", "the shoe stays offline on a good line, and nothing has happened that explains it")
	}
	w.replug()
}

// replug unplugs the adapter and plugs it in again.
func (w *World) replug() {
	w.rack.unplug(time.Second)
	bubble.Pass(2 * time.Second)
}

// lineIsGood says whether the table's own shoe is plugged in, on a line without faults.
func (w *World) lineIsGood() bool {
	w.mu.Lock()
	rates := w.rates
	w.mu.Unlock()
	return rates == shoesim.FaultRates{} && w.rack.shoe().State().Plugged
}
