package touch

import (
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// Sides are a box's side bets by one touch each, for a table where nobody enters
// amounts. They are the holder's.
func Sides(v display.View, b display.Box) []Wager {
	if v.Held != nil || v.Bets == nil || v.Phase != vocab.Bets || v.Bets.Amounts || len(b.Bettors) == 0 {
		return nil
	}
	var all []Wager
	for _, w := range guest(v, b, b.Bettors[0].Name).Wagers {
		if w.On != vocab.WagerMain {
			all = append(all, w)
		}
	}
	return all
}

// marks is what a touch of a box does while bets are open. One that nobody plays is
// played as in the last round or, where it was not, marked.
func marks(v display.View, b display.Box) Key {
	number := strconv.Itoa(b.Number)
	k := Key{Name: "box-" + number, Label: onBox("key.box", b), Kind: Step, Shortcut: number}
	played := len(b.Bettors) > 0
	if v.Bets.Amounts {
		k.Opens = OpensTray + "-" + number
	}
	if played {
		k.Label = onBox("key.stakes", b)
		if !v.Bets.Amounts {
			k.Label, k.Put = onBox("key.back-box", b), withdrawal(b)
		}
		return k
	}
	if v.Bets.Amounts {
		k.Put, _ = again(v, b)
	}
	if k.Put == nil {
		k.Put = []vocab.Input{stake(b.Number, number, vocab.WagerMain)}
		k.Lays = v.Bets.Amounts
	}
	return k
}

func onBox(key string, b display.Box) display.Message {
	return display.Message{Key: key, Args: []display.Arg{{Name: "box", Text: strconv.Itoa(b.Number)}}}
}

// same is the key that plays every box as in the last round, nil where none is left.
func same(v display.View) []Key {
	if v.Bets == nil || len(v.Bets.Last) == 0 {
		return nil
	}
	var put []vocab.Input
	v.Boxes = slices.Clone(v.Boxes)
	for i, b := range v.Boxes {
		if len(b.Bettors) == 0 {
			var stakes []vocab.Input
			stakes, v.Boxes[i] = again(v, b)
			put = append(put, stakes...)
		}
	}
	if put == nil {
		return nil
	}
	return []Key{{Name: "same", Label: display.Message{Key: "key.same"}, Kind: Back, Put: put, Shortcut: "l"}}
}

// again are the stakes of the last round of a box that nobody plays, as far as the house
// takes them still, and the box with them.
func again(v display.View, b display.Box) (put []vocab.Input, with display.Box) {
	for _, s := range v.Bets.Last {
		if s.Box != b.Number || !takes(v, b, s) {
			continue
		}
		opens := len(b.Bettors) == 0
		put = append(put, placed(v, s, opens))
		if s.Wager == vocab.WagerMain {
			b.Bettors = append(b.Bettors, display.Bettor{
				Name: s.Bettor, Holder: opens, Stake: s.Amount,
				Seated: s.Seated, Player: s.Player,
			})
		} else {
			b.Sides = append(b.Sides, display.SideBet{
				Bettor: s.Bettor, Wager: s.Wager, Stake: s.Amount,
				Player: s.Player,
			})
		}
	}
	return put, b
}

// takes says whether the house takes a stake of the last round again, on a box as it is.
func takes(v display.View, b display.Box, s display.Stake) bool {
	if s.Wager != vocab.WagerMain && !v.Bets.RepeatsSides {
		return false
	}
	who := bettor(b, s.Bettor)
	who.Player = s.Player
	return slices.ContainsFunc(v.Bets.Wagers, func(w display.Wager) bool {
		if w.On != s.Wager || why(v, b, who, w).Key != "" {
			return false
		}
		return s.Amount == display.Unstated || s.Amount >= w.Least && s.Amount <= room(b, who, w) &&
			s.Amount%w.Step == 0
	})
}

// placed is a stake of the last round, to be placed again. Who opens a box sits there,
// and the others stand, unless it is said otherwise.
func placed(v display.View, s display.Stake, opens bool) vocab.Input {
	in := stake(s.Box, s.Bettor, s.Wager)
	in.Player = s.Player
	if s.Amount != display.Unstated && v.Bets.Amounts {
		in = amounting(in, s.Amount)
	}
	switch {
	case s.Wager != vocab.WagerMain || s.Seated == opens:
	case s.Seated:
		in.Seat = vocab.Seated
	default:
		in.Seat = vocab.Standing
	}
	return in
}
