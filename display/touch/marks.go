package touch

import (
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/rules"
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
	switch again := again(v, b.Number); {
	case played && !v.Bets.Amounts:
		k.Label, k.Put = onBox("key.back-box", b), withdrawal(b)
	case played:
		k.Label = onBox("key.stakes", b)
	case len(again) > 0 && v.Bets.Amounts:
		k.Put = again
	default:
		k.Put = []vocab.Input{stake(b.Number, number, vocab.WagerMain)}
	}
	return k
}

func onBox(key string, b display.Box) display.Message {
	return display.Message{Key: key, Args: []display.Arg{{Name: "box", Text: strconv.Itoa(b.Number)}}}
}

// same is the key that plays every box as in the last round, nil where none is left.
func same(v display.View) []Key {
	if v.Bets == nil {
		return nil
	}
	var put []vocab.Input
	for _, b := range v.Boxes {
		if len(b.Bettors) == 0 {
			put = append(put, again(v, b.Number)...)
		}
	}
	if put == nil {
		return nil
	}
	return []Key{{Name: "same", Label: display.Message{Key: "key.same"}, Kind: Back, Put: put, Shortcut: "l"}}
}

// again are a box's stakes of the last round, as far as the house takes them still.
func again(v display.View, box int) []vocab.Input {
	var put []vocab.Input
	for _, s := range v.Bets.Last {
		if s.Box == box && takes(v, s) {
			put = append(put, placed(v, s, len(put) == 0))
		}
	}
	return put
}

func takes(v display.View, s display.Stake) bool {
	return slices.ContainsFunc(v.Bets.Wagers, func(w display.Wager) bool {
		within := s.Amount >= w.Least && s.Amount <= w.Most && s.Amount%w.Step == 0
		return w.On == s.Wager && (s.Amount == display.Unstated || within) && mayBet(v, s, w.Bettors)
	})
}

// mayBet says whether the guest of a stake is one whom the house lets place it, as the
// last round's main stakes have it.
func mayBet(v display.View, s display.Stake, whom rules.Bettors) bool {
	if s.Wager == vocab.WagerMain || whom == rules.Anybody {
		return true
	}
	holds := true
	for _, other := range v.Bets.Last {
		if other.Box != s.Box || other.Wager != vocab.WagerMain {
			continue
		}
		if other.Bettor == s.Bettor {
			return whom == rules.WithStake || whom == rules.SeatedOnly && other.Seated || whom == rules.HoldersOnly && holds
		}
		holds = false
	}
	return false
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
