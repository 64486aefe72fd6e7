package rules

import "strconv"

// LateSurrender reports whether the bank's Black Jack takes the stake of a surrender.
func (r *Rules) LateSurrender() bool { return r.SurrenderOnly != nil && r.SurrenderOnly.Late }

// MaySurrender reports whether the house lets two cards be given up against an ace or another card.
func (r *Rules) MaySurrender(total int, soft, split, ace bool) bool {
	only := r.SurrenderOnly
	switch {
	case !r.Surrender:
		return false
	case only == nil:
		return !split
	case split && !only.AfterSplit, ace && only.NotAce:
		return false
	}
	return only.HardFrom == 0 || !soft && total >= only.HardFrom
}

func (r *Rules) checkSurrender(c *Complaints) {
	only := r.SurrenderOnly
	if only == nil {
		return
	}
	c.when(!r.Surrender, "surrender_only", "there is no surrender that it could be about", "write surrender: true, or "+
		"remove it")
	c.when(only.HardFrom < 0 || only.HardFrom > 20, "surrender_only.hard_from",
		"two cards never make a hard "+strconv.Itoa(only.HardFrom), "write 4 to 20, or 0 for any total")
}
