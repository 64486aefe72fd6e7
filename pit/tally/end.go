package tally

import (
	"slices"
	"time"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// endRound sums up the round that a record ended.
func (f *Fold) endRound(r *Record) *Round {
	round := f.round
	round.Last, round.Ended = r.Seq, r.At
	round.Irregularities = f.kept.Since
	f.kept.Ended = &Ended{*round, together(f.steps)}
	sum(round, f.steps)
	if f.kept.Counted {
		round.Tray = round.inTray(f.steps)
	}
	f.kept.Last = &Last{round.Opened, round.Dealt, round.Dealer, round.House, round.Game, round.Rules, round.Currency}
	f.kept.Open = slices.DeleteFunc(append(f.kept.Open, round.Irregularities...), func(i Irregularity) bool {
		return !i.Righted.IsZero()
	})
	f.kept.Since, f.round, f.steps = nil, nil, f.steps[:0]
	return round
}

// sum sums up what a round has come to by its inputs.
func sum(round *Round, steps []step) {
	boxes, hands, bettors := map[uint8]bool{}, map[[2]uint8]bool{}, map[bettorOn]bool{}
	staked, cards := map[wagerOn]int64{}, 0
	round.lay(Bank, func(*Lay) {}) // a round that has ended has had a bank
	for i := range steps {
		s := &steps[i]
		round.Cards += s.Cards
		cards += len(s.Dealt)
		for _, one := range s.Dealt {
			round.lay(one.Box, func(on *Lay) { on.Cards = append(on.Cards, one.Card) })
		}
		round.Void = round.Void || s.Void
		round.Calls.add(s.Calls)
		for _, d := range s.Decided {
			row := d.row()
			round.Wagers = Add(round.Wagers, row)
			staked[wagerOn{d.Box, row.Wager}] += row.Staked - row.Dead
			round.lay(d.Box, func(on *Lay) { on.Staked, on.Returned = on.Staked+row.Staked, on.Returned+row.Returned })
			if d.Wager == vocab.WagerMain && !d.Bonus {
				boxes[d.Box], hands[[2]uint8{d.Box, d.Hand}], bettors[bettorOn{d.Box, d.Bettor}] = true, true, true
			}
		}
	}
	if cards != round.Cards { // inputs that an earlier version has kept
		round.Lays = nil
	}
	for i := range round.Wagers {
		if w := &round.Wagers[i]; round.Void {
			w.Kept = w.Staked - w.Returned
		}
	}
	for on, amount := range staked {
		round.Wagers = Add(round.Wagers, Wager{Wager: on.wager, BoxSquares: float64(amount) * float64(amount)})
	}
	round.Boxes, round.Hands, round.Bettors = len(boxes), len(hands), len(bettors)
	round.Dealt = max(0, min(round.Ended.Sub(round.Opened), MostDealt)) // a clock that was put back measures nothing
}

// lay changes what lies on a box.
func (r *Round) lay(box uint8, change func(*Lay)) {
	list, on := On(r.Lays, box)
	change(on)
	r.Lays = list
}

// Ended is the last round and its inputs, as far as they say what it has come to: until the next round is opened its
// payment can be taken back.
type Ended struct {
	// Round is the round without what its inputs have come to.
	Round Round  `json:"round"`
	Steps []step `json:"steps"`
}

// together puts the inputs together that nothing can take back any more: all up to the last that no key press was.
func together(steps []step) []step {
	last := len(steps) - 1
	for ; last > 0; last-- {
		switch steps[last].Kind {
		case vocab.InCard, vocab.InStake, vocab.InResolve, vocab.InHold, vocab.InCorrect, vocab.InStorage:
		default:
			continue
		}
		break
	}
	all := step{}
	list := make([]step, 0, len(steps)-last)
	for i := range steps {
		s := &steps[i]
		if i > last {
			list = append(list, *s)
			continue
		}
		all.Decided = append(all.Decided, s.Decided...)
		all.Dealt = append(all.Dealt, s.Dealt...)
		all.Cards, all.Void = all.Cards+s.Cards, all.Void || s.Void
		all.Calls.add(s.Calls)
	}
	return append([]step{all}, list...)
}

// reopen goes on with the last round, whose payment is taken back: it is not ended. It returns the round as it was
// counted, nil where that is not known.
func (f *Fold) reopen(number uint64) *Round {
	e := f.kept.Ended
	if f.round != nil || e == nil || e.Round.Number != number {
		return nil
	}
	counted, again := e.Round, e.Round
	sum(&counted, e.Steps)
	again.Last, again.Ended, again.Irregularities = 0, time.Time{}, nil
	f.round, f.steps = &again, append(f.steps[:0], e.Steps...)
	f.kept.Last, f.kept.Ended = nil, nil
	f.kept.Since = append(f.takeUp(counted.Irregularities), f.kept.Since...)
	return &counted
}

// takeUp takes irregularities of a round, as they were put right since, from those that are open between rounds.
func (f *Fold) takeUp(of []Irregularity) []Irregularity {
	list := slices.Clone(of)
	for i := range list {
		is := func(one Irregularity) bool { return one.Record == list[i].Record && one.Nth == list[i].Nth }
		if at := slices.IndexFunc(f.kept.Open, is); at >= 0 {
			list[i] = f.kept.Open[at]
			f.kept.Open = slices.Delete(f.kept.Open, at, at+1)
		}
	}
	return list
}

type wagerOn struct {
	box   uint8
	wager string
}

type bettorOn struct {
	box    uint8
	bettor string
}

// row is what the settlement or bonus adds to its kind of wager. Of a wager with an amount
// that nobody knows, neither stake nor winnings are known.
func (d *decided) row() Wager {
	w := Wager{Wager: d.Wager.String()}
	if !d.Bonus {
		w.Count = 1
	}
	if d.Unknown {
		w.Unknown = w.Count
		return w
	}
	w.Staked, w.Returned, w.Due = d.Staked, d.Returned, d.Returned+d.Due
	if d.Dead {
		w.Dead, w.DeadReturned = w.Staked, w.Returned
	}
	return w
}

// irregular adds an irregularity, unless it stands already and is told again: by a
// correction, after which it may be put right in other ways, or because more was found.
func (f *Fold) irregular(raised []Irregularity, r *Record, nth int) []Irregularity {
	out := &r.Outs[nth]
	if toldAgain(r, out) && f.stands(out) {
		return raised
	}
	one := Irregularity{
		Record: r.Seq, Nth: nth, Code: out.Code, Alarm: out.Irregular.Alarm,
		Round: f.kept.Round, Raised: r.At, Dealer: f.kept.Dealer, Box: out.Box,
	}
	if !one.Code.Holds() {
		one.Righted, one.With = r.At, irregularity.Cleared // it passes by itself
	}
	f.kept.Since = append(f.kept.Since, one)
	return append(raised, one)
}

// toldAgain says whether an irregularity may be one that stands and is told once more: where more is found of a record
// in doubt, and where a correction changes how it may be put right, which it does by whether the round can be void.
// Others, as the big wins of two bettors on one box, are each of their own.
func toldAgain(r *Record, out *vocab.Output) bool {
	return r.In.Kind == vocab.InStorage || has(r.Outs, vocab.Corrected) &&
		irregularity.Possible(out.Code).Has(irregularity.VoidRound)
}

func (f *Fold) stands(out *vocab.Output) bool {
	is := func(i Irregularity) bool { return i.Righted.IsZero() && i.Code == out.Code && i.Box == out.Box }
	return slices.ContainsFunc(f.kept.Since, is) || slices.ContainsFunc(f.kept.Open, is)
}

// right notes how an irregularity was put right: the oldest of its code, as at the table. A
// shoe that clears an alarm clears each of that name, or all if it names none.
func (f *Fold) right(r *Record, out *vocab.Output) (righted []Irregularity) {
	shoe := out.Code == irregularity.ShoeAlarm && r.In.Kind == vocab.InShoe
	for _, list := range [...][]Irregularity{f.kept.Open, f.kept.Since} {
		for i := range list {
			one := &list[i]
			if one.Code != out.Code || !one.Righted.IsZero() || shoe && r.In.Code != "" && one.Alarm != r.In.Code {
				continue
			}
			one.Righted, one.With, one.By, one.Because = r.At, out.With, out.By, out.Because
			righted = append(righted, *one)
			if !shoe {
				return righted
			}
		}
	}
	return righted
}

// adjust is an adjustment of a past round. What was paid on that round stays so from then on.
func (f *Fold) adjust(r *Record, out *vocab.Output) *Adjustment {
	if f.round == nil && f.kept.Round == out.Round {
		f.kept.Ended = nil
	}
	k := &f.kept
	opened := r.At
	if f.round == nil && k.Round == out.Round {
		if opened = (time.Time{}); k.Last != nil {
			opened = k.Last.Opened
		}
	}
	return &Adjustment{
		Record: r.Seq, At: r.At, Opened: opened, Round: out.Round, Box: out.Box, Wager: out.Wager.String(),
		Amount: out.Adjusted,
		Dealer: k.Dealer, Shift: k.Shift, House: k.House, Game: k.Game, Rules: k.Rules, Currency: k.Currency,
	}
}
