package luck

import (
	"math"
	"math/big"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestWrongPayoutIsFound: dealers who pay Twins 12:1 instead of 11:1 leave the 95 % band within the stated number of
// rounds with the stated probability. The rounds are dealt by the engine, three equal bets each, and the money is all
// that is looked at: neither a line nor a payout.
func TestWrongPayoutIsFound(t *testing.T) {
	const sure, boxes = .9, 3
	dealers := tier.Times(12, 40)
	o := oddsOf(t, "wiesbaden", "twins")
	wrong := o.paying("twins", big.NewRat(12, 1))
	bets := foundAfter(o, wrong, outside, sure)
	rounds := int(math.Ceil(float64(bets) / boxes))
	t.Logf("edge %.4f, with 12:1 %.4f: found after %d bets, %d rounds of %d, %d %% of the time", o.Edge(), wrong.Edge(),
		bets, rounds, boxes, int(100*sure))
	if bets < 55_000 || bets > 60_000 {
		t.Errorf("found after %d bets: docs/figures.md says 57,174", bets)
	}
	r := paying(t, "wiesbaden", sidebet.Twins, sidebet.TwinsPair, money.Ratio{Num: 12, Den: 1})
	found, early := 0, 0
	for seed := range dealers {
		s := dealTwins(t, newFloor(r, uint64(seed)), rounds/10, Sum{})
		if o.Judge(s, outside).Out() {
			early++
		}
		f := newFloor(r, uint64(1000+seed))
		s = dealTwins(t, f, rounds, Sum{})
		if v := o.Judge(s, outside); v.Out() && !v.Above {
			found++
		}
	}
	share, noise := float64(found)/float64(dealers), math.Sqrt(sure*(1-sure)/float64(dealers))
	t.Logf("found %d of %d; after a tenth of the rounds %d", found, dealers, early)
	if math.Abs(share-sure) > 3.3*noise {
		t.Errorf("%.2f of the dealers were found, not %.2f ± %.2f", share, sure, noise)
	}
	if float64(early)/float64(dealers) > .5 {
		t.Errorf("%d of %d were found after a tenth of the rounds: the band is too narrow", early, dealers)
	}
}

// dealTwins deals rounds in which three boxes bet on Twins alone, beside the least main stake.
func dealTwins(t *testing.T, f *floor, rounds int, s Sum) Sum {
	t.Helper()
	f.Play = dealt.Strategy(dealt.Weak).Play // quickest
	var plan []vocab.Input
	for box, name := range []string{"a", "b", "c"} {
		plan = append(plan, dealt.Stake(box+1, name, vocab.WagerMain, 1000),
			dealt.Stake(box+1, name, vocab.SideWager(sidebet.Twins), 1000))
	}
	for range rounds {
		var back int64
		err := f.Deal(plan, func(out *vocab.Output) {
			if out.Kind == vocab.Settled && out.Wager == vocab.SideWager(sidebet.Twins) {
				back += out.Returned + out.Won
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		s = s.Round(back, 1000, 1000, 1000)
	}
	return s
}

// foundAfter is after how many independent, equal bets a result leaves the band of o with a probability of sure, if the
// bets are really those of other.
func foundAfter(o, other *Odds, outside, sure float64) int64 {
	off := math.Abs(o.mean - other.mean)
	if off == 0 {
		return math.MaxInt64
	}
	z, y := math.Sqrt2*math.Erfinv(1-outside), math.Sqrt2*math.Erfinv(2*sure-1)
	need := (z*o.Deviation() + y*other.Deviation()) / off
	return int64(math.Ceil(need * need))
}

// paying returns the odds of a dealer who pays one line of a paytable otherwise, per unit staked.
func (o *Odds) paying(line string, pays *big.Rat) *Odds {
	other := *o
	other.Chances = make([]Chance, len(o.Chances))
	for i, c := range o.Chances {
		if c.Line == line {
			c.House = new(big.Rat).Neg(pays)
		}
		other.Chances[i] = c
	}
	other.finish()
	other.pair = o.pair * other.variance / o.variance
	return &other
}
