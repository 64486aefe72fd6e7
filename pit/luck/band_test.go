package luck

import (
	"math"
	"testing"

	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/table/profile"
	"pgregory.net/rapid"
)

// TestExactly: three throws of a coin that pays 2:1 on one of three sides, by hand.
func TestExactly(t *testing.T) {
	o := oddsOf(t, "schaffhausen", "bust")
	p := float(o.Chances[0].P)
	d := o.Exactly([]Bets{{1, 2}})
	for _, c := range []struct{ result, p float64 }{
		{-5, p * p}, {-1.5, 2 * p * (1 - p)}, {2, (1 - p) * (1 - p)}, {0, 0},
	} {
		got := d.below(c.result) - d.below(c.result-.01)
		if math.Abs(got-c.p) > 1e-12 {
			t.Errorf("%v comes with %v, not %v", c.result, got, c.p)
		}
	}
}

// TestExactlyMany: the moments of a sum are those of its parts, whatever the stakes.
func TestExactlyMany(t *testing.T) {
	o := oddsOf(t, "wiesbaden", "twins")
	rapid.Check(t, func(t *rapid.T) {
		var bets []Bets
		var mean, variance float64
		for range rapid.IntRange(1, 3).Draw(t, "kinds") {
			b := Bets{10 * rapid.Int64Range(1, 6).Draw(t, "stake"), rapid.Int64Range(1, 60).Draw(t, "count")}
			bets = append(bets, b)
			mean += float64(b.Stake*b.Count) * o.mean
			variance += float64(b.Stake*b.Stake*b.Count) * o.variance
		}
		d := o.Exactly(bets)
		var sum, m, v float64
		for i, p := range d.p {
			sum, m, v = sum+p, m+p*d.value(i), v+p*d.value(i)*d.value(i)
		}
		v -= m * m
		if math.Abs(sum-1) > 1e-6 || math.Abs(m-mean) > 1e-3*math.Sqrt(variance) || math.Abs(v/variance-1) > 1e-3 {
			t.Fatalf("%v: sum %v, mean %v for %v, variance %v for %v", bets, sum, m, mean, v, variance)
		}
	})
}

// TestNormal: from where the normal distribution is used, its band leaves what it promises, by the exact distribution.
func TestNormal(t *testing.T) {
	for name := range profile.Built() {
		_, all := houseOdds(t, name)
		for _, o := range all {
			bets := o.NormalFrom()
			if bets > 2_000_000 {
				t.Logf("%-13s %-19s normal from %d bets on", name, o.Wager, bets)
				continue
			}
			d := o.exactly(bets)
			b := o.Judge(Sum{
				Rounds: bets, Staked: int64(float64(bets) * 1000 * o.turnover),
				BoxSquares: float64(bets) * 1e6 * o.square, RoundSquares: float64(bets) * 1e6 * o.square,
			}, .05).Band
			for _, z := range []float64{-1.96, 1.96} {
				if p := o.bent(bets).beyond(o.bent(bets).at(z)); math.Abs(p-.05) > 1e-4 {
					t.Errorf("%s: the edge of the band is as rare as %.5f", o.Wager, p)
				}
			}
			low := d.below(b.Low/1000 - d.step/1e2)
			high := 1 - d.below(b.High/1000)
			t.Logf("%-13s %-19s normal from %8d bets on: %.4f below, %.4f above", name, o.Wager, bets, low, high)
			if math.Abs(low+high-.05) > .002 || math.Abs(low-.025) > .0015 {
				t.Errorf("%s: %d bets leave the normal band with %.4f below and %.4f above", o.Wager, bets, low, high)
			}
		}
	}
}

// TestUnequalStakes: stakes that differ amount to fewer equal bets. The band of those leaves what it promises of the
// stakes as they were, by their own exact distribution.
func TestUnequalStakes(t *testing.T) {
	many := []Bets{{1000, 300}, {2000, 120}, {5000, 60}, {10000, 12}}
	few := []Bets{{500, 20}, {1000, 14}, {1500, 8}, {2000, 3}, {3000, 2}}
	for _, c := range []struct{ house, wager string }{
		{"wiesbaden", "twins"},
		{"schaffhausen", "perfect-pairs"},
		{"mendrisio", "admiral-jack"},
		{"schaffhausen", "bust"},
		{"mendrisio", "insurance"},
	} {
		for _, stakes := range [][]Bets{many, few} {
			o := oddsOf(t, c.house, c.wager)
			s := sumOf(stakes)
			b := o.Judge(s, .05).Band
			d := o.Exactly(stakes)
			low, high := d.below(b.Low-d.step/10), 1-d.below(b.High)
			t.Logf("%-19s %d stakes amount to %d bets: %.4f below, %.4f above, of %.4f", c.wager, s.Rounds, b.Bets, low,
				high, b.Outside)
			if max(low, high) > .03 || low+high < b.Outside-.012 {
				t.Errorf("%s: the band is left with %.4f below and %.4f above", c.wager, low, high)
			}
		}
	}
}

func sumOf(stakes []Bets) (s Sum) {
	for _, b := range stakes {
		for range b.Count {
			s = s.Round(0, b.Stake)
		}
	}
	return s
}

// TestAllLost: a night in which nobody wins a bet that is seldom won is no matter of luck, to whatever fraction of a
// bet its stakes amount.
func TestAllLost(t *testing.T) {
	o := oddsOf(t, "wiesbaden", "twins")
	for n := int64(20); n < 40; n++ {
		s := sumOf([]Bets{{1000, n}, {1500, 8}, {2000, 3}, {3000, 2}})
		v := o.Judge(s, .05)
		if v.Out() || v.Likely < .05 {
			t.Errorf("%d stakes, %d bets: out %v, as likely as %v", s.Rounds, v.Band.Bets, v.Out(), v.Likely)
		}
		if v.Band.High > float64(s.Staked) {
			t.Errorf("%d stakes: the band goes up to %.0f of %d staked", s.Rounds, v.Band.High, s.Staked)
		}
	}
}

// TestOutIsUnlikely: what lies outside the band is what is less likely than the band says, and the further off the
// less.
func TestOutIsUnlikely(t *testing.T) {
	for _, c := range []struct{ house, wager string }{
		{"schaffhausen", "insurance"},
		{"mendrisio", "admiral-jack"},
		{"wiesbaden", "main"},
	} {
		o := oddsOf(t, c.house, c.wager)
		s := sumOf([]Bets{{500, 20}, {1000, 24}, {1500, 18}, {2000, 3}, {3000, 2}})
		last := 0.0
		for won := -s.Staked; won <= int64(o.Edge()*float64(s.Staked)); won += 500 {
			s.Returned = s.Staked - won
			v := o.Judge(s, .05)
			if v.Out() && v.Likely > .0501 || !v.Out() && v.Likely < .0499 {
				t.Errorf("%s: %d won is out: %v, and as likely as %.4f", c.wager, won, v.Out(), v.Likely)
			}
			if v.Likely < last-1e-9 {
				t.Errorf("%s: %d won is less likely, %.4f, than less: %.4f", c.wager, won, v.Likely, last)
			}
			last = v.Likely
		}
	}
}

// TestBandOfNothing: no stakes have no luck.
func TestBandOfNothing(t *testing.T) {
	o := oddsOf(t, "wiesbaden", "twins")
	if v := o.Judge(Sum{}, .05); v.Out() || v.Likely != 1 || v.Band.Low != 0 || v.Band.High != 0 {
		t.Errorf("%+v", v)
	}
}

// TestJudge: a result on the expected side is likely, one at the band's edge as rare as promised, and one beyond it
// out.
func TestJudge(t *testing.T) {
	o := oddsOf(t, "wiesbaden", "twins")
	var s Sum
	for range 500 {
		s = s.Round(0, 1000)
	}
	b := o.Judge(s, .05).Band
	s.Returned = s.Staked - int64(b.Low)
	if v := o.Judge(s, .05); v.Out() || v.Likely < b.Outside*.9 || v.Above {
		t.Errorf("at the edge: %+v", v)
	}
	s.Returned += 1000
	if v := o.Judge(s, .05); !v.Out() || v.Likely > .05 {
		t.Errorf("beyond the edge: %+v", v)
	}
	s.Returned = s.Staked - int64(b.Expected)
	if v := o.Judge(s, .05); v.Out() || v.Likely < .8 {
		t.Errorf("as expected: %+v", v)
	}
}

// TestUnknownSquares: sums without squares are taken as if each round were one box, and all alike, and are not judged.
func TestUnknownSquares(t *testing.T) {
	o := oddsOf(t, "wiesbaden", "twins")
	var s Sum
	for range 100 {
		s = s.Round(0, 2000)
	}
	blind := s
	blind.BoxSquares, blind.RoundSquares = 0, 0
	known, rough := o.Judge(s, .05).Band, o.Judge(blind, .05).Band
	if known.Few || !rough.Few {
		t.Errorf("100 rounds are judged by their squares alone: %+v, %+v", known, rough)
	}
	if rough.Few = false; known != rough {
		t.Errorf("%+v, %+v", known, rough)
	}
}

// below is how likely the result is at most x.
func (d *distribution) below(x float64) float64 {
	sum := 0.0
	for i, p := range d.p {
		if d.value(i) <= x+d.step/1e3 {
			sum += p
		}
	}
	return sum
}
