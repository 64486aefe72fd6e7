package tally

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// end sums up the round that a record ended.
func (f *Fold) end(r *Record) *Round {
	round := f.round
	round.Last, round.Ended = r.Seq, r.At
	boxes, hands, bettors := map[uint8]bool{}, map[[2]uint8]bool{}, map[bettorOn]bool{}
	staked := map[wagerOn]int64{}
	for i := range f.steps {
		s := &f.steps[i]
		round.Cards += s.cards
		round.Void = round.Void || s.void
		if s.timed {
			round.Decisions++
			round.Deciding += s.deciding
		}
		for _, d := range s.decided {
			row := d.row()
			round.Wagers = Add(round.Wagers, row)
			staked[wagerOn{d.box, row.Wager}] += row.Staked
			if d.wager == vocab.WagerMain && !d.bonus {
				boxes[d.box], hands[[2]uint8{d.box, d.hand}], bettors[bettorOn{d.box, d.bettor}] = true, true, true
			}
		}
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
	f.kept.Last = &Last{round.Opened, round.Dealt, round.Dealer, round.House, round.Game, round.Rules, round.Currency}
	round.Irregularities = f.kept.Since
	f.kept.Open = slices.DeleteFunc(append(f.kept.Open, round.Irregularities...), func(i Irregularity) bool { return !i.Righted.IsZero() })
	f.kept.Since, f.round, f.steps = nil, nil, f.steps[:0]
	return round
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
	w := Wager{Wager: d.wager.String()}
	if !d.bonus {
		w.Count = 1
	}
	if d.unknown {
		w.Unknown = w.Count
		return w
	}
	w.Staked, w.Returned, w.Due = d.staked, d.returned, d.returned+d.due
	return w
}

// irregular adds an irregularity, unless it stands already and is told again: by a
// correction, after which it may be put right in other ways, or because more was found.
func (f *Fold) irregular(raised []Irregularity, r *Record, nth int) []Irregularity {
	out := &r.Outs[nth]
	if again := r.In.Kind == vocab.InStorage || has(r.Outs, vocab.Corrected); again && f.stands(out) {
		return raised
	}
	one := Irregularity{
		Record: r.Seq, Nth: nth, Code: out.Code, Alarm: out.Alarm,
		Round: f.kept.Round, Raised: r.At, Dealer: f.kept.Dealer, Box: out.Box,
	}
	if !one.Code.Holds() {
		one.Righted, one.With = r.At, irregularity.Cleared // it passes by itself
	}
	f.kept.Since = append(f.kept.Since, one)
	return append(raised, one)
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
