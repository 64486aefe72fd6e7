package luck

import (
	"maps"
	"math"
	"math/big"
	"math/bits"
	"math/cmplx"
	"slices"
)

// Bets are bets of one stake; stakes are in any unit, if all are in the same.
type Bets struct {
	Stake int64
	Count int64
}

// distribution is that of a sum of independent bets: the result is a multiple of step, and probabilities are by the
// multiple, from the lowest on.
type distribution struct {
	step   float64
	lowest int64
	p      []float64
	// gap is how far the results lie apart where the stakes differ, which spreads each of them over as much; 0 where
	// all stakes are equal.
	gap float64
}

// exactly is the distribution of so many bets of one unit.
func (o *Odds) exactly(bets int64) distribution { return o.Exactly([]Bets{{1, bets}}) }

// mostPoints bounds the work: half a second.
const mostPoints = 1 << 20

// Exactly is the distribution of the result of independent bets, by the discrete Fourier transform of their
// characteristic function: the convolution of all of them, to the rounding of floating point. Results further from the
// mean than ten standard deviations and three of the largest prizes are left out.
func (o *Odds) Exactly(bets []Bets) distribution {
	values, probabilities, step := o.lattice()
	var lowest, highest, stakes, squares float64
	unit := int64(0)
	for _, b := range bets {
		unit = gcd(unit, b.Stake)
	}
	largest := 0.0
	for _, b := range bets {
		s := float64(b.Stake / unit)
		lowest += s * float64(b.Count) * float64(values[0])
		highest += s * float64(b.Count) * float64(values[len(values)-1])
		stakes += s * float64(b.Count)
		squares += s * s * float64(b.Count)
		largest = max(largest, s*max(math.Abs(float64(values[0])), math.Abs(float64(values[len(values)-1]))))
	}
	step *= float64(unit)
	mean, deviation := stakes*o.mean*float64(unit)/step, math.Sqrt(squares*o.variance)*float64(unit)/step
	from, to := max(lowest, math.Floor(mean-10*deviation-3*largest)),
		min(highest, math.Ceil(mean+10*deviation+3*largest))
	size := min(1<<bits.Len64(uint64(to-from)), mostPoints)
	if to-from >= float64(size) {
		from = math.Floor(mean - float64(size)/2)
	}
	d := distribution{step: step, lowest: int64(from)}
	d.p = transform(size, int64(from), func(angle float64) complex128 {
		phi := complex(1, 0)
		for _, b := range bets {
			phi *= power(characteristic(values, probabilities, angle*float64(b.Stake/unit)), b.Count)
		}
		return phi
	})
	return d
}

// lattice writes what the house wins per unit as multiples of a step, the lowest first.
func (o *Odds) lattice() (values []int64, probabilities []float64, step float64) {
	den := big.NewInt(1)
	for _, c := range o.Chances {
		g := new(big.Int).GCD(nil, nil, den, c.House.Denom())
		den.Mul(den, new(big.Int).Div(c.House.Denom(), g))
	}
	sum := map[int64]float64{}
	common := int64(0)
	for _, c := range o.Chances {
		v := new(big.Int).Mul(c.House.Num(), new(big.Int).Div(den, c.House.Denom())).Int64()
		sum[v] += float(c.P)
		common = gcd(common, v)
	}
	common = max(common, 1)
	for _, v := range slices.Sorted(maps.Keys(sum)) {
		values = append(values, v/common)
		probabilities = append(probabilities, sum[v])
	}
	d, _ := new(big.Float).SetInt(den).Float64()
	return values, probabilities, float64(common) / d
}

// gap is how far apart the results of equal bets lie, per unit.
func (o *Odds) gap() float64 {
	values, _, step := o.lattice()
	apart := int64(0)
	for _, v := range values {
		apart = gcd(apart, v-values[0])
	}
	return float64(apart) * step
}

func characteristic(values []int64, probabilities []float64, angle float64) (phi complex128) {
	for i, v := range values {
		sin, cos := math.Sincos(angle * float64(v))
		phi += complex(probabilities[i]*cos, probabilities[i]*sin)
	}
	return phi
}

func power(phi complex128, n int64) complex128 {
	r, angle := cmplx.Polar(phi)
	return cmplx.Rect(math.Pow(r, float64(n)), angle*float64(n))
}

// transform returns the probabilities of size multiples from the lowest on.
func transform(size int, lowest int64, phi func(angle float64) complex128) []float64 {
	at := make([]complex128, size)
	for k := range at {
		angle := 2 * math.Pi * float64(k) / float64(size)
		if k > size/2 {
			at[k] = cmplx.Conj(at[size-k])
			continue
		}
		at[k] = phi(angle)
	}
	fourier(at)
	p := make([]float64, size)
	for i := range p {
		from := (lowest + int64(i)) % int64(size)
		p[i] = max(0, real(at[(from+int64(size))%int64(size)])/float64(size))
	}
	return p
}

// fourier is the discrete transform in place; the number of values is a power of two.
func fourier(a []complex128) {
	n := len(a)
	if n < 2 {
		return
	}
	shift := 64 - uint(bits.Len(uint(n))-1)
	for i := range a {
		if j := int(bits.Reverse64(uint64(i)) >> shift); j > i {
			a[i], a[j] = a[j], a[i]
		}
	}
	roots := make([]complex128, n/2)
	for k := range roots {
		roots[k] = cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n))
	}
	for half := 1; half < n; half *= 2 {
		for i := 0; i < n; i += 2 * half {
			for k := range half {
				x, y := a[i+k], a[i+k+half]*roots[k*(n/2/half)]
				a[i+k], a[i+k+half] = x+y, x-y
			}
		}
	}
}

// within returns the narrowest bounds that leave at most half of outside on each side, and how much they leave. A side
// on which they leave nothing has no bound: all bets lost, or won, are not rare.
func (d *distribution) within(outside float64) (low, high, left float64) {
	i, below := 0, 0.0
	for i < len(d.p)-1 && below+d.p[i] <= outside/2 {
		below += d.p[i]
		i++
	}
	k, above := len(d.p)-1, 0.0
	for k > 0 && above+d.p[k] <= outside/2 {
		above += d.p[k]
		k--
	}
	low, high, left = d.value(i), d.value(k), below+above
	switch {
	case below <= never:
		low = math.Inf(-1)
	case d.gap > 0:
		low += d.gap * ((outside/2-below)/d.p[i] - .5)
		left += outside/2 - below
	}
	switch {
	case above <= never:
		high = math.Inf(1)
	case d.gap > 0:
		high -= d.gap * ((outside/2-above)/d.p[k] - .5)
		left += outside/2 - above
	}
	return low, high, left
}

// never is less than what the transform leaves of nothing.
const never = 1e-9

func (d *distribution) value(i int) float64 { return float64(d.lowest+int64(i)) * d.step }

// beyond is how likely a result is that lies as far off as x, on either side.
func (d *distribution) beyond(x float64) float64 {
	var below, above, at, lower float64
	slack := max(d.step/1e3, d.gap/2)
	for i, p := range d.p {
		switch far := x - d.value(i); {
		case far > slack:
			below += p
		case far < -slack:
			above += p
		default:
			at += p
			if d.gap > 0 {
				lower += p * (.5 + far/d.gap)
			}
		}
	}
	under, over := below+at, above+at
	if d.gap > 0 && below > never {
		under = below + lower
	}
	if d.gap > 0 && above > never {
		over = above + at - lower
	}
	return min(1, 2*min(under, over))
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}
