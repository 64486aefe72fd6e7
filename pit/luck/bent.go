package luck

import "math"

// bent is a normal distribution with mean 0 and deviation 1 that has the skewness and the kurtosis of a sum of bets.
type bent struct{ skew, kurtosis float64 }

func (o *Odds) bent(bets int64) bent {
	n := float64(bets)
	return bent{o.Skew() / math.Sqrt(n), (o.fourth/o.variance/o.variance - 3) / n}
}

// at is below what the result lies as often as a normal one lies below z. (The expansion of Cornish and Fisher.)
func (b bent) at(z float64) float64 {
	return z + b.skew/6*(z*z-1) + b.kurtosis/24*(z*z*z-3*z) - b.skew*b.skew/36*(2*z*z*z-5*z)
}

// beyond is how likely a result lies as far off as x, on either side: the z is sought of which x is made, so that a
// result at the band's edge is exactly as rare as the band says.
func (b bent) beyond(x float64) float64 {
	low, high := -6.0, 6.0 // further out the expansion bends back, and nothing is likely
	if x >= 0 {
		low = 0
	} else {
		high = 0
	}
	for range 100 {
		if z := (low + high) / 2; b.at(z) < x {
			low = z
		} else {
			high = z
		}
	}
	return math.Erfc(math.Abs(low+high) / 2 / math.Sqrt2)
}
