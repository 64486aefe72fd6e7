package rules

import (
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
)

// LateSurrender reports whether the bank's Black Jack takes the stake of a surrender.
func (r *Rules) LateSurrender() bool { return r.SurrenderOnly != nil && r.SurrenderOnly.Late }

// OffersSurrender reports whether bettors are asked who surrenders before the dealer looks under a first card of the
// bank. Afterwards nobody may, but of a split hand: whoever plays on has seen that the bank has no Black Jack.
func (r *Rules) OffersSurrender(up card.Rank) bool {
	notAce := r.SurrenderOnly != nil && r.SurrenderOnly.NotAce
	return r.Surrender && !r.LateSurrender() && r.Bank.LooksUnder(up) && (up != card.Ace || !notAce)
}

// SurrendersFirst reports whether it is so under any card.
func (r *Rules) SurrendersFirst() bool {
	return r.OffersSurrender(card.Ace) || r.OffersSurrender(card.Ten)
}

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
