package display

import "strconv"

// CardsLeft says how many cards are left in the shoe, "" where that means nothing:
// in a shuffler, and before the table is set up.
func (l Language) CardsLeft(s Shoe) string {
	switch {
	case s.Shuffler || s.Dealt+s.Left == 0:
		return ""
	case s.Left < 0:
		return l.Label(LabelWord, "count-off")
	}
	return l.Count("left", s.Left)
}

// RoundName names a round by its number.
func (l Language) RoundName(round uint64) string {
	return l.Say(say("count.round", text("n", strconv.FormatUint(round, 10))))
}
