package odds

import "math"

// part is what a hand is worth where the bank ends in one way.
type part struct {
	mean, square float64
	// gone is how likely the hand is decided before the bank's second card, won by many cards, given up, or over 21
	// where that is lost at once, and atOnce the part of mean that this brings.
	gone, atOnce float64
	// outcome is how likely it loses so many stakes, four at most, keeps them, or wins so many.
	outcome [2*mostStakes + 1]float64
}

// mostStakes is the most that lies on a hand: a stake that is doubled twice.
const mostStakes = 4

// set makes the part of one outcome, in stakes won, and its result.
func (a *part) set(p float64, outcome int, result float64) {
	a.mean, a.square = p*result, p*result*result
	a.outcome[outcome+mostStakes] = p
}

// decidedAtOnce says that this was before the bank's second card.
func (a *part) decidedAtOnce(p float64) { a.gone, a.atOnce = p, a.mean }

// byEnd are the parts by how the bank ends.
type byEnd [allEnds]part

func (e *byEnd) add(p float64, other *byEnd) {
	for end := range e {
		to, from := &e[end], &other[end]
		to.mean += p * from.mean
		to.square += p * from.square
		to.gone += p * from.gone
		to.atOnce += p * from.atOnce
		for i := range to.outcome {
			to.outcome[i] += p * from.outcome[i]
		}
	}
}

// sum is the mean over all ends.
func (e *byEnd) sum() (mean float64) {
	for end := range e {
		mean += e[end].mean
	}
	return mean
}

// byHand is the mean over the ends in which each hand counts: a Black Jack of the bank that takes original bets only
// takes the same of any number of hands.
func (g *game) byHand(up int, e *byEnd) float64 {
	switch {
	case g.busted[up]:
		return e.sum() - e[EndBlackJack].mean + e[EndBlackJack].atOnce
	case g.original[up]:
		return e.sum() - e[EndBlackJack].mean
	}
	return e.sum()
}

// whole puts the hands together. They are taken as independent of each other once the bank's end is known, which
// changes the mean by nothing, and the others by very little.
func (d *dealing) whole(g *game) (w Worth) {
	hands := 0.0
	for n, p := range d.count {
		hands += float64(n) * p
	}
	for end := range d.sum {
		sum, p := &d.sum[end], d.bank[end]
		switch {
		case p == 0:
			continue
		case g.original[d.up] && End(end) == EndBlackJack:
			// It takes one stake of the whole box, if any hand waits for it.
			none := d.each(sum.gone / hands / p)
			w.add(p*(1-none), certain(-1))
			w.Mean += sum.atOnce
			continue
		}
		w.Mean += sum.mean
		w.Square += sum.square
		one := sum.outcome
		sumToOne(&one)
		mean := sum.mean / hands / p
		ahead := g.ahead(&one, len(d.count)-1)
		for n, of := range d.count {
			w.Square += p * of * float64(n*(n-1)) * mean * mean
			w.Win += p * of * ahead[n]
		}
	}
	return w
}

// each is how likely all hands of the box are what one of them is so often.
func (d *dealing) each(one float64) (all float64) {
	for n, p := range d.count {
		all += p * math.Pow(one, float64(n))
	}
	return all
}

// sumToOne makes outcomes those of one hand: how many hands a box has is not quite independent of the bank's end, so
// that they add up to almost one.
func sumToOne(outcome *[2*mostStakes + 1]float64) {
	sum := 0.
	for i := range outcome {
		outcome[i] = max(outcome[i], 0)
		sum += outcome[i]
	}
	for i := range outcome {
		if sum > 0 {
			outcome[i] /= sum
		}
	}
}

// ahead is how likely hands bring more than nothing together, by their number.
func (g *game) ahead(one *[2*mostStakes + 1]float64, most int) []float64 {
	ahead := make([]float64, most+1)
	// sums is how likely so many stakes are won and so many lost.
	type sums [mostStakes*maxHands + 1][mostStakes*maxHands + 1]float64
	was, next := new(sums), new(sums)
	was[0][0] = 1
	each := 2
	if g.rules.Double.MayAgain() {
		each = mostStakes
	}
	for n := 1; n <= most; n++ {
		*next = sums{}
		for won := 0; won <= each*n; won++ {
			for lost := 0; lost <= each*n-won; lost++ {
				for i, of := range one {
					stakes := i - mostStakes
					if w, l := won-max(stakes, 0), lost-max(-stakes, 0); of != 0 && w >= 0 && l >= 0 {
						next[won][lost] += of * was[w][l]
					}
				}
				if float64(won)*g.win > float64(lost) {
					ahead[n] += next[won][lost]
				}
			}
		}
		was, next = next, was
	}
	return ahead
}
