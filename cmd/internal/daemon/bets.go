package daemon

import (
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/past"
	"github.com/sabot-table/sabot/table/recall"
	"github.com/sabot-table/sabot/table/vocab"
)

// bets is what the screens must know to take stakes, beside the rules: the table's own
// chips, and what was staked in the last round.
type bets struct {
	amounts bool
	chips   []int64
	memory  display.Memory
}

// openBets remembers the stakes of the last round on record. A table on which they are
// forgotten can be played all the same.
func (d *Daemon) openBets(recorded *recall.Recall) {
	d.bets.amounts = d.config.Amounts
	for _, chip := range d.config.Chips {
		d.bets.chips = append(d.bets.chips, int64(chip))
	}
	for round, err := range recorded.Rounds() {
		if err != nil {
			d.log.Warn("the stakes of the last round could not be read: no box is played as in the last round", "err", err)
			return
		}
		if closed(round) {
			d.bets.memory.Recall(round.Number, staked(round))
			return
		}
	}
}

// tell completes a view for the screens.
func (b *bets) tell(v *display.View) {
	if v.Bets == nil {
		return
	}
	v.Bets.Amounts = b.amounts
	if len(b.chips) > 0 {
		v.Bets.Chips = display.Denominations(b.chips, v.BoxMax)
	}
	b.memory.Look(v)
}

// closed says whether a round's bets were closed for good.
func closed(r past.Round) bool {
	return slices.ContainsFunc(r.Steps, func(s past.Step) bool {
		return s.TakenBack == 0 && slices.ContainsFunc(s.Outputs, func(out past.Line) bool {
			return out.Out.Kind == vocab.ClosedBets
		})
	})
}

// staked are the stakes of a past round, the main stakes first.
func staked(r past.Round) []display.Stake {
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

// seated says whether a bettor sat, and which person it was, as it was put in last.
// Who opens a box sits there unless it is said otherwise.
func seated(r past.Round, s display.Stake, opens bool) (sits bool, player string) {
	sits = opens
	for i := range r.Steps {
		step := &r.Steps[i]
		in := &step.Input.In
		if _, refused := step.Rejected(); refused || in.Kind != vocab.InStake || in.Box != s.Box || in.Bettor != s.Bettor {
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
