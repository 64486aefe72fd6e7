package luck

import (
	"flag"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

var (
	nights = flag.Int("nights", usualNights, "nights that TestNights deals at each house")
	night  = flag.Int("night", 60, "rounds of each night")
)

// floor is guests and dealer of one table whose result is summed by wager.
type floor struct {
	*dealt.Dealer
	rules *rules.Rules
	dice  *rand.Rand
	sums  map[string]Sum
}

func newFloor(r *rules.Rules, seed uint64) *floor {
	f := &floor{
		Dealer: newDealer(r, dealt.Basic, seed), rules: r, dice: rand.New(rand.NewPCG(seed, 77)),
		sums: map[string]Sum{},
	}
	return f
}

// amount is between least and most, a multiple of step, mostly small.
func (f *floor) amount(least, most, step int64) int64 {
	n := min((most-least)/step, 9)
	if n > 2 && f.dice.IntN(4) > 0 {
		n = 2
	}
	return least + step*f.dice.Int64N(n+1)
}

// stakes are those of three boxes. The second has two bettors on the same cards.
func (f *floor) stakes() (plan []vocab.Input) {
	for _, one := range []struct {
		box  int
		name string
	}{{1, "a"}, {2, "b"}, {2, "c"}, {4, "d"}} {
		main := dealt.Stake(one.box, one.name, vocab.WagerMain, f.amount(1000, 10000, 1000))
		main.Seat = vocab.Seated
		plan = append(plan, main)
	}
	for _, main := range plan {
		for bet := range sidebet.EveryBet {
			o := f.rules.Offer(bet)
			if o == nil || o.Bettors == rules.HoldersOnly && main.Bettor == "c" {
				continue
			}
			most := o.Most
			if o.BoxMost != 0 {
				most = min(most, o.BoxMost/2)
			}
			// Stakes on which every payout comes out even: what is rounded down is the house's.
			least := max(o.Least, min(2*f.rules.Table.Unit, most))
			step := max(o.Step, (most-least)/9/100*100)
			plan = append(plan, dealt.Stake(main.Box, main.Bettor, vocab.SideWager(bet), f.amount(least, most, step)))
		}
	}
	return plan
}

// round deals a round and adds it to the sums.
func (f *floor) round(t testing.TB) {
	t.Helper()
	plan := f.stakes()
	staked, back := map[string]*[10]int64{}, map[string]int64{}
	wait := plan
	f.Insure = func() (vocab.Input, bool) {
		for len(wait) > 0 {
			in := wait[0]
			wait = wait[1:]
			// Guests with a Black Jack have other odds: half the cards that would win are on their box.
			if in.Wager == vocab.WagerMain && f.Table().Hand(in.Box, 1).Total != 21 && f.rules.Insurance.Offered {
				call := vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsurance, Box: in.Box, Bettor: in.Bettor}
				call.Amount, call.Stated = in.Amount/2, true
				return call, true
			}
		}
		return vocab.Input{}, false
	}
	err := f.Deal(plan, func(out *vocab.Output) {
		if out.Kind != vocab.Settled && out.Kind != vocab.Bonus {
			return
		}
		wager := out.Wager.String()
		if staked[wager] == nil {
			staked[wager] = &[10]int64{}
		}
		if out.Kind == vocab.Settled {
			staked[wager][out.Box] += out.Stake
		}
		back[wager] += out.Returned + out.Won
	})
	if err != nil {
		t.Fatal(err)
	}
	for wager, boxes := range staked {
		f.sums[wager] = f.sums[wager].Round(back[wager], boxes[:]...)
	}
}

// count is what became of the nights of one wager.
type count struct {
	nights, out, low       int
	promised, off, squares float64
}

func (c *count) add(v Verdict) {
	c.nights++
	c.promised += v.Band.Outside
	c.off += v.Sigmas
	c.squares += v.Sigmas * v.Sigmas
	if v.Out() {
		c.out++
		if !v.Above {
			c.low++
		}
	}
}

// TestNights deals a thousand nights at each house, with stakes that differ, bettors on the same cards and every side
// bet. Of each wager 5 % of the nights lie outside the 95 % band, within the error of so many nights, or fewer where a
// night's few bets leave no finer choice: as many as the band says of itself. What comes too seldom to be judged by the
// night, as insurance, is judged by several.
//
// The band is that of rounds which know nothing of each other: of a fresh shuffle before each. Out of a shoe, what was
// dealt does not come again, which makes results steadier: no more nights lie outside, and of Queens Trio fewer.
//
// Cards and stakes come from fixed seeds, so that chance cannot fail it.
func TestNights(t *testing.T) {
	for name, house := range profile.Built() {
		t.Run(name+"/fresh", func(t *testing.T) {
			t.Parallel()
			dealNights(t, house.Rules, true)
		})
		if house.Rules.Cards.Source != rules.Shuffler {
			t.Run(name+"/shoe", func(t *testing.T) {
				t.Parallel()
				dealNights(t, house.Rules, false)
			})
		}
	}
}

func dealNights(t *testing.T, r *rules.Rules, fresh bool) {
	all, err := Of(r)
	if err != nil {
		t.Fatal(err)
	}
	seed := fnv.New64a()
	seed.Write([]byte(r.House))
	counts, open := map[string]*count{}, map[string]Sum{}
	for n := range *nights {
		f := newFloor(r, seed.Sum64()+uint64(n)) // a new table: the jackpot is at its seed
		f.Fresh = fresh
		for range *night {
			f.round(t)
		}
		for _, o := range all {
			s := open[o.Wager].Add(f.sums[o.Wager])
			open[o.Wager] = s
			if o.spread(s).bets < fewBets {
				continue
			}
			delete(open, o.Wager)
			if counts[o.Wager] == nil {
				counts[o.Wager] = &count{}
			}
			counts[o.Wager].add(o.Judge(s, outside))
		}
	}
	for _, o := range all {
		counts[o.Wager].check(t, o.Wager, fresh)
	}
}

const outside = .05

// check compares a count with what the band says of itself, within 3.3 standard errors: by chance one of 1,000 counts
// lies further off.
func (c *count) check(t *testing.T, wager string, fresh bool) {
	t.Helper()
	k := float64(c.nights)
	share, least := float64(c.out)/k, c.promised/k
	noise := func(p float64) float64 { return 3.3 * math.Sqrt(p*(1-p)/k) }
	t.Logf("%-19s %5d nights: %5.2f %% outside (%4.2f %% below), promised %5.2f %% to 5 %%, ± %.2f; off by %5.2f "+
		"deviations on average, spread over %.2f",
		wager, c.nights, 100*share, 100*float64(c.low)/k, 100*least, 100*math.Sqrt(outside*(1-outside)/k), c.off/k,
		math.Sqrt(c.squares/k))
	if fresh && share < least-noise(least) || share > outside+noise(outside) {
		t.Errorf("%s: %.2f %% of the nights lie outside, not %.2f to 5 %%", wager, 100*share, 100*least)
	}
	if off := math.Abs(c.off / k); off > 4.5/math.Sqrt(k) {
		t.Errorf("%s: the nights lie %.2f deviations off on average", wager, off)
	}
}

// paying is a house whose dealers pay a line otherwise.
func paying(t *testing.T, house string, bet sidebet.Bet, line sidebet.Line, odds money.Ratio) *rules.Rules {
	t.Helper()
	p := profile.Built()[house].Profile
	for i := range p.SideBets {
		if p.SideBets[i].Bet != bet {
			continue
		}
		lines := append([]rules.Line(nil), p.SideBets[i].Pays...)
		for k := range lines {
			if lines[k].Line == line {
				lines[k].Pays = rules.Prize{Odds: odds}
			}
		}
		p.SideBets = append([]rules.SideBet(nil), p.SideBets...)
		p.SideBets[i].Pays = lines
	}
	return rules.Of(p, nil, "wrong")
}
