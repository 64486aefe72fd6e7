package display

import "github.com/sabot-table/sabot/table/vocab"

// Share is what one bettor of a box is paid in the payment, and what is taken.
type Share struct {
	Bettor string
	// Pay is what is laid out, as far as it is known; ByOdds says that there is more, by odds. Take is what is taken
	// in.
	Pay, Take int64
	ByOdds    bool
}

// Shares are those of the bettors of a box who are not paid yet, in the order of its wagers.
func Shares(b Box) (all []Share) {
	if b.Paid {
		return nil
	}
	for i := range b.Payouts {
		p := &b.Payouts[i]
		if p.Paid {
			continue
		}
		at := -1
		for k := range all {
			if all[k].Bettor == p.Bettor {
				at = k
			}
		}
		if at < 0 {
			at, all = len(all), append(all, Share{Bettor: p.Bettor})
		}
		all[at].add(p)
	}
	return all
}

func (s *Share) add(p *Payout) {
	move := moveOf(*p)
	amount := moved(*p, move)
	switch {
	case move == Pay && amount == Unstated:
		s.ByOdds = true
	case move == Pay:
		s.Pay += amount
	case move == Take:
		s.Take += max(0, amount)
	}
}

// NextShare is the bettor to whom chips are paid next, one after the other: false outside the payment, and once nobody
// gets any more.
func NextShare(v View) (Box, Share, bool) {
	if v.Due.To != vocab.ToPayment || v.Held != nil {
		return Box{}, Share{}, false
	}
	for _, b := range v.Boxes {
		for _, share := range Shares(b) {
			if share.Pay > 0 || share.ByOdds {
				return b, share, true
			}
		}
	}
	return Box{}, Share{}, false
}
