package luck

import "math"

// Band is where luck alone leaves the house's result, in minor units.
type Band struct {
	// Expected is the theoretical win.
	Expected float64
	// Low and High bound the band: the result is below Low as rarely as above High.
	Low, High float64
	// Outside is how likely luck leaves it: the share that was asked for, or less where few bets leave no finer choice.
	Outside float64
	// Deviation is the standard deviation of the result.
	Deviation float64
	// Bets is to how many independent, equal bets the stakes amount.
	Bets int64
	// Normal says that the normal distribution was used, corrected for skewness, and not the exact one of so many bets.
	Normal bool
	// Few says that there is too little to judge by: fewer than 30 bets, where how the stakes differ decides more than
	// their sums can say, or no sums of squares. The band is then a rough one.
	Few bool
}

// fewBets is how many bets a judgement takes.
const fewBets = 30

// The normal distribution, corrected for skewness and kurtosis, is used from so many bets on, if their sum is not too
// skewed any more. TestNormal compares it with the exact distribution there.
const (
	normalBets = 10_000
	normalSkew = .25
)

// NormalFrom is from how many independent, equal bets on the normal distribution is used.
func (o *Odds) NormalFrom() int64 {
	skew := o.Skew() / normalSkew
	return max(normalBets, int64(math.Ceil(skew*skew)))
}

// normal says whether so many bets are distributed normally.
func (o *Odds) normal(bets int64) bool { return bets >= o.NormalFrom() }

// band is what luck leaves with a probability of outside, half of it on each side, and the exact distribution where
// that was used.
func (o *Odds) band(s Sum, outside float64) (Band, *distribution) {
	p := o.spread(s)
	b := Band{
		Expected: p.mean, Low: p.mean, High: p.mean, Deviation: math.Sqrt(p.variance),
		Bets: p.bets, Normal: o.normal(p.bets), Few: p.bets < fewBets || s.RoundSquares == 0,
	}
	switch {
	case p.bets == 0:
		return b, nil
	case b.Normal:
		z := math.Sqrt2 * math.Erfinv(1-outside)
		bent := o.bent(p.bets)
		b.Low, b.High, b.Outside = p.mean+bent.at(-z)*b.Deviation, p.mean+bent.at(z)*b.Deviation, outside
		return b, nil
	}
	d := o.exactly(p.bets)
	if o.differ(s) {
		d.gap = o.gap()
	}
	low, high, out := d.within(outside)
	worst, best := o.ends()
	b.Low, b.High, b.Outside = max(p.at(low, o), worst*float64(s.Staked)),
		min(p.at(high, o), best*float64(s.Staked)), out
	return b, &d
}

// at is what a result of the equal bets is worth.
func (p spread) at(units float64, o *Odds) float64 {
	return p.mean + p.scale*(units-float64(p.bets)*o.mean)
}

// Verdict says how far off a result lies.
type Verdict struct {
	Band Band
	// Won is the house's result, and Above says that it is more than expected.
	Won   float64
	Above bool
	// Likely is how likely luck alone makes a result that lies this far off, on either side.
	Likely float64
	// Sigmas is how many standard deviations it is off.
	Sigmas float64
	// Play says that luck under basic strategy does not explain a win this high, but guests who play worse do.
	Play bool
}

// Judge compares a result with the band that luck leaves with a probability of outside.
func (o *Odds) Judge(s Sum, outside float64) Verdict {
	p := o.spread(s)
	band, exact := o.band(s, outside)
	v := Verdict{Band: band, Won: float64(s.Won()), Likely: 1}
	v.Above = v.Won > p.mean
	if p.bets == 0 {
		return v
	}
	off := v.Won - p.mean
	v.Sigmas = off / v.Band.Deviation
	if exact == nil {
		v.Likely = o.bent(p.bets).beyond(v.Sigmas)
	} else {
		// The equal bets are a whole number, so that all of them lost may be a little less than all that was staked.
		worst, best := o.ends()
		bets := float64(p.bets)
		v.Likely = exact.beyond(min(max(off/p.scale+bets*o.mean, bets*worst), bets*best))
	}
	weak := float64(s.Staked) * max(0, o.Weak-o.Edge())
	v.Play = v.Won > v.Band.High && v.Won <= v.Band.High+weak
	return v
}

// Out says whether the result lies outside the band.
func (v Verdict) Out() bool {
	slack := 1e-6 * (1 + v.Band.Deviation)
	return v.Won < v.Band.Low-slack || v.Won > v.Band.High+slack
}
