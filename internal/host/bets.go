package host

import (
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/vocab"
)

// bets is what the screens must know to take stakes, besides the rules: the table's own
// chips, and the stakes of the last round.
type bets struct {
	amounts bool
	chips   []int64
	memory  display.Memory
}

// openBets loads the stakes of the last round on record. A table without them can still be
// played.
func (d *Daemon) openBets() {
	d.shows.bets.amounts = d.config.Amounts
	for _, chip := range d.config.Chips {
		d.shows.bets.chips = append(d.shows.bets.chips, int64(chip))
	}
	for round, err := range d.kept.recorded.Rounds() {
		if err != nil {
			d.log.Warn("the stakes of the last round could not be read: no box is played as in the last round",
				"err", err)
			return
		}
		if closed(round) {
			d.shows.bets.memory.Recall(round.Number, staked(round))
			return
		}
	}
}

// complete completes a view for the screens.
func (b *bets) complete(v *display.View) {
	if v.Bets == nil {
		return
	}
	v.Bets.Amounts = b.amounts
	if len(b.chips) > 0 {
		v.Bets.Chips = display.Denominations(b.chips, v.BoxMax)
	}
	b.memory.Look(v)
}

// closed reports whether a round's bets were closed for good.
func closed(r history.Round) bool {
	return slices.ContainsFunc(r.Steps, func(s history.Step) bool {
		return s.TakenBack == 0 && slices.ContainsFunc(s.Outputs, func(out history.Line) bool {
			return out.Out.Kind == vocab.ClosedBets
		})
	})
}

// staked are the stakes of a past round, the main stakes first.
func staked(r history.Round) []display.Stake {
	var main, side []display.Stake
	for _, b := range r.Boxes {
		opens := true
		for _, s := range b.Stakes {
			one := display.Stake{Box: b.Number, Bettor: s.Bettor, Wager: s.Wager, Amount: display.Unstated}
			if s.Amount != nil {
				one.Amount = *s.Amount
			}
			sits, player := seated(r, one, opens)
			one.Player = player
			if s.Wager != vocab.WagerMain {
				side = append(side, one)
				continue
			}
			one.Seated = sits
			main, opens = append(main, one), false
		}
	}
	return append(main, side...)
}

// seated reports whether a bettor sat, and who it was, as last entered. The bettor who opens
// a box sits there unless stated otherwise.
func seated(r history.Round, s display.Stake, opens bool) (sits bool, player string) {
	sits = opens
	for i := range r.Steps {
		step := &r.Steps[i]
		in := &step.Input.In
		if step.Rejected() || in.Kind != vocab.InStake || in.Box != s.Box ||
			in.Bettor != s.Bettor {
			continue
		}
		if in.Seat != vocab.SeatDefault {
			sits = in.Seat == vocab.Seated
		}
		if in.Player != "" {
			player = in.Player
		}
	}
	return sits, player
}
