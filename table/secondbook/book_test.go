package secondbook_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	_ "github.com/sabot-table/sabot/internal/testkit/tier" // the seed of properties
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/vocab"
)

// Package table's own tests show that the book agrees with the engine in millions of
// rounds. These show that it disagrees with a wrong record.

// step is an input and what followed from it.
type step struct {
	in   vocab.Input
	outs []vocab.Output
}

// clone copies outputs out of the engine's memory.
func clone(outs []vocab.Output) []vocab.Output {
	outs = slices.Clone(outs)
	for i := range outs {
		if outs[i].Result != nil {
			r := *outs[i].Result
			r.Bank = slices.Clone(r.Bank)
			outs[i].Result = &r
		}
	}
	return outs
}

// played puts the lines of a case through the engine.
func played(t *testing.T, house, lines string) []step {
	t.Helper()
	var tab table.Table
	steps := []step{{in: *tabletest.SetUp(rules.Setup{House: house})}}
	steps[0].outs = clone(tab.Step(&steps[0].in))
	inputs, err := tabletest.Inputs(lines)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range inputs {
		outs := clone(tab.Step(&in))
		if tab.Rejected() != 0 {
			t.Fatalf("%+v is refused: %s", in, tab.Rejected())
		}
		steps = append(steps, step{in, outs})
	}
	return steps
}

// entered returns the first error of a new book, "" for none.
func entered(steps []step) string {
	var b secondbook.Book
	for i := range steps {
		if err := b.Enter(&steps[i].in, steps[i].outs); err != nil {
			return err.Error()
		}
	}
	return ""
}

// edit changes the outputs of a kind; the last of them if there are several.
func edit(kind vocab.Kind, change func(*vocab.Output)) func([]step) []step {
	return func(steps []step) []step {
		for i := len(steps) - 1; i >= 0; i-- {
			for k := len(steps[i].outs) - 1; k >= 0; k-- {
				if out := &steps[i].outs[k]; out.Kind == kind {
					change(out)
					return steps
				}
			}
		}
		panic("there is no such output")
	}
}

func settled(change func(*vocab.Output)) func([]step) []step { return edit(vocab.Settled, change) }

// insured changes the settlement of an insurance.
func insured(change func(*vocab.Output)) func([]step) []step {
	return func(steps []step) []step {
		last := steps[len(steps)-1].outs
		at := slices.IndexFunc(last, func(o vocab.Output) bool { return o.Wager == vocab.WagerInsurance })
		change(&last[at])
		return steps
	}
}

// TestFinds plays a round correctly, records it wrongly, and expects the book to say so
// in the words of the table.
func TestFinds(t *testing.T) {
	const (
		winner    = "open; stake 1 a 20; close\n TS 7D KH\n rest\n TC"
		loser     = "open; stake 1 a 20; close\n TS 9D 8H\n rest\n KC"
		blackJack = "open; stake 1 a 20; close\n AS 7D KH"
		corrected = "open; stake 1 a 20; close\n TS 7D 6H\n card; 8S; hold by=s1; correct rename 4 3S by=s1; " +
			"resolve continue\n rest\n TC\n hold by=s1; correct rename 4 4S by=s1"
		half      = "open; stake 1 a 5; close\n AS 7D TH"
		onLine    = half + "\n paid\n open; stake 1 a 5; close\n TS 7D TH\n rest\n TC"
		evenMoney = "open; stake 1 a 20; close\n AS AD KH\n even-money 1 a\n insurance-closed"
	)
	for _, c := range []struct {
		name, house, lines string
		wrong              func([]step) []step
		want               string
	}{
		{"nothing", "wiesbaden", winner, func(s []step) []step { return s }, ""},
		{
			"Black Jack paid 1:1", "wiesbaden", blackJack, settled(func(o *vocab.Output) { o.Won = 2000 }),
			"box 1, a, main: blackjack pays 3:2, 30.00 on 20.00; recorded: 20.00",
		},
		{
			"unflagged Black Jack", "wiesbaden", blackJack,
			settled(func(o *vocab.Output) { o.Why = vocab.WhyHigherTotal }),
			"AS KH (Black Jack) against the bank's 7D (7), which is win (blackjack); recorded: win (higher-total)",
		},
		{
			"even money paid 3:2", "wiesbaden", evenMoney, settled(func(o *vocab.Output) { o.Won = 3000 }),
			"even-money pays 1:1, 20.00 on 20.00; recorded: 30.00",
		},
		{
			"winner as loser", "wiesbaden", winner,
			settled(func(o *vocab.Output) {
				o.Outcome, o.Why, o.Returned, o.Won = vocab.Lose, vocab.WhyLowerTotal, 0,
					0
			}), "TS KH (20) against the bank's 7D TC (17), which is win (higher-total); recorded: lose (lower-total)",
		},
		{"loser paid", "wiesbaden", loser, settled(func(o *vocab.Output) {
			o.Outcome, o.Why, o.Returned, o.Won = vocab.Win, vocab.WhyHigherTotal, 2000, 2000
		}), "which is lose (lower-total); recorded: win"},
		{
			"stake kept", "wiesbaden", winner, settled(func(o *vocab.Output) { o.Returned = 0 }),
			"20.00 of 20.00 come back",
		},
		{
			"stake grown", "wiesbaden", winner, settled(func(o *vocab.Output) { o.Stake = 4000 }),
			"the stake is 20.00; recorded: 40.00",
		},
		{"settled twice", "wiesbaden", winner, func(s []step) []step {
			last := &s[len(s)-1]
			for _, o := range last.outs {
				if o.Kind == vocab.Settled {
					last.outs = slices.Insert(last.outs, 1, o)
					break
				}
			}
			return s
		}, "there is no open stake: it was never placed, or is already decided"},
		{"not settled", "wiesbaden", winner, func(s []step) []step {
			last := &s[len(s)-1]
			last.outs = slices.DeleteFunc(last.outs, func(o vocab.Output) bool { return o.Kind == vocab.Settled })
			return s
		}, "the round ends, but a's stake on box 1 is not decided"},
		{
			"wrong total", "wiesbaden", winner, edit(vocab.Dealt, func(o *vocab.Output) { o.Total++ }),
			"the bank has 7D TC, which count hard 17; recorded: hard 18",
		},
		{
			"soft forgotten", "wiesbaden", "open; stake 1 a 20; close\n TS AD KH",
			edit(vocab.Dealt, func(o *vocab.Output) { o.Soft = true }),
			"box 1 has TS KH, which count hard 20; recorded: soft 20",
		},
		{
			"wrong sum", "wiesbaden", winner, edit(vocab.RoundDecided, func(o *vocab.Output) { o.Sums.Won += 50 }),
			"20.00 were won by the lines of the round; its sum says 20.50",
		},
		{
			"wrong sum of stakes", "wiesbaden", winner,
			edit(vocab.RoundDecided, func(o *vocab.Output) { o.Sums.Staked += 50 }),
			"20.00 were staked by the lines of the round; its sum says 20.50",
		},
		{
			"bank's card changed at the end", "wiesbaden", winner,
			edit(vocab.RoundDecided, func(o *vocab.Output) { o.Bank[0] = card.Of(8, card.Spades) }),
			"the bank has 7D TC = 17; the round's line says otherwise",
		},
		{"bonus forgotten", "st-moritz", "open; stake 1 a 20; close\n 7S 9D 7H\n card\n 7C", func(s []step) []step {
			last := &s[len(s)-1]
			last.outs = slices.DeleteFunc(last.outs, func(o vocab.Output) bool { return o.Kind == vocab.Bonus })
			return s
		}, "three sevens came, but 1 bonuses for them are missing"},
		{
			"bonus too large", "st-moritz", "open; stake 1 a 20; close\n 7S 9D 7H\n card\n 7C",
			edit(vocab.Bonus, func(o *vocab.Output) { o.Won = 6000 }),
			"three sevens pay 20.00 on the stake of 20.00; recorded: 60.00 on 20.00",
		},
		{"bust not taken", "wiesbaden", "open; stake 1 a 20; close\n TS 7D 6H\n card\n 9S", func(s []step) []step {
			last := &s[len(s)-1]
			last.outs = last.outs[:1]
			return s
		}, "box 1 has TS 6H 9S = 25, but a's stake on it is not decided at once"},
		{
			"void without a declaration", "wiesbaden", winner,
			settled(func(o *vocab.Output) { o.Outcome, o.Why, o.Won = vocab.Void, vocab.WhyVoidRound, 0 }),
			"it is given back, but the round was not declared void",
		},
		{"surrender elsewhere", "wiesbaden", winner, settled(func(o *vocab.Output) {
			o.Outcome, o.Why, o.Returned, o.Won = vocab.Surrendered, vocab.WhySurrender, 1000, 0
		}), "there is no surrender in this house"},
		{
			"side bet's line", "wiesbaden", "open; stake 1 a 20; stake 1 a 10 twins; close\n 9S 7D 9H",
			settled(func(o *vocab.Output) { o.Won = 20000 }),
			"box 1, a, twins: twins pays 11:1, 110.00 on 10.00; recorded: 200.00",
		},
		{
			"side bet lost", "wiesbaden", "open; stake 1 a 20; stake 1 a 10 twins; close\n 9S 7D 9H",
			settled(func(o *vocab.Output) { o.Outcome, o.Why = vocab.Lose, vocab.WhyNoMatch }),
			"which is win (twins); recorded: lose (no-match)",
		},
		{
			"insurance", "wiesbaden",
			"open; stake 1 a 20; close\n TS AD KH\n insurance 1 a 10; insurance-closed\n rest\n 9S",
			insured(func(o *vocab.Output) {
				o.Outcome, o.Why, o.Returned, o.Won = vocab.Win, vocab.WhyBankBlackJack, 1000, 2000
			}), "which is lose (no-bank-blackjack)",
		},
		{
			"told again wrongly", "wiesbaden", corrected, edit(vocab.Dealt, func(o *vocab.Output) { o.Total++ }),
			"the bank has 7D TC, which count hard 17; recorded: hard 18",
		},
		{
			"paid wrongly again", "wiesbaden", corrected, settled(func(o *vocab.Output) { o.Won = 0 }),
			"box 1, a, main: higher-total pays 1:1, 20.00 on 20.00; recorded: 0.00",
		},
		{"stake that stands", "wiesbaden", corrected, edit(vocab.Stands, func(o *vocab.Output) {
			if o.Stand.Kind == vocab.InCall {
				o.Stand.Call = vocab.CallDouble
			}
		}), "the stake is 40.00; recorded: 20.00"},
		{
			"half a chip forgotten", "olympic", half, settled(func(o *vocab.Output) { o.Carried = false }),
			"box 1, a, main: half a unit is left of what it brings, and no chip is recorded on the line",
		},
		{
			"half a chip of an even payment", "olympic", "open; stake 1 a 6; close\n AS 7D TH",
			settled(func(o *vocab.Output) { o.Carried = true }),
			"a chip is recorded on the line, and no half unit is left of what it brings",
		},
		{
			"half a chip rounded up", "olympic", half, settled(func(o *vocab.Output) { o.Won = 800 }),
			"blackjack pays 3:2, 7.00 on 5.00; recorded: 8.00",
		},
		{
			"half a chip of a surrender", "olympic", "open; stake 1 a 5; close\n TS 9D 6H\n surrender a",
			settled(func(o *vocab.Output) { o.Carried = false }), "half a unit is left",
		},
		{
			"the chip on the line, not paid", "olympic", onLine, settled(func(o *vocab.Output) { o.Won -= 100 }),
			"higher-total pays 1:1, 6.00 on 5.00; recorded: 5.00",
		},
		{
			"the chip on the line, not told", "olympic", onLine, settled(func(o *vocab.Output) { o.OnLine = false }),
			"a chip lay on the line, and it is not recorded what became of it",
		},
		{
			"no chip on the line", "olympic", onLine + "\n paid\n open; stake 1 a 5; close\n TS 7D TH\n rest\n TC",
			settled(func(o *vocab.Output) { o.OnLine = true }), "a chip from the line is recorded, and none lay there",
		},
		{
			"the chip of a guest who plays elsewhere", "olympic",
			half + "\n paid\n open; stake 2 a 5; close\n TS 7D TH\n rest\n TC",
			settled(func(o *vocab.Output) { o.OnLine = true; o.Won += 100 }), "pays 1:1, 5.00 on 5.00; recorded: 6.00",
		},
		{
			"the whole stake instead of the original", "keys",
			"open; stake 1 a 20; close\n 6S TD 5H\n insurance-closed\n double; 2C; rest\n AC",
			settled(func(o *vocab.Output) { o.Outcome, o.Returned = vocab.Lose, 0 }),
			"which is part-lost (bank-blackjack)",
		},
		{
			"a win against 22", "keys", "open; stake 1 a 20; close\n TS 6D 9H\n rest\n 8D\n 8C",
			settled(func(o *vocab.Output) { o.Outcome, o.Why, o.Won = vocab.Win, vocab.WhyBankBust, 2000 }),
			"which is stand-off (bank-22)",
		},
		{
			"a tie on 17 that is no stand-off", "keys", "open; stake 1 a 20; close\n TS 9D 7H\n rest\n 8C",
			settled(func(o *vocab.Output) { o.Outcome, o.Returned = vocab.StandOff, 2000 }), "which is lose (tie)",
		},
		{
			"half a stake of a late surrender", "keys",
			"open; stake 1 a 20; close\n TS TD 6H\n insurance-closed\n surrender a\n AC",
			settled(func(o *vocab.Output) {
				o.Outcome, o.Why, o.Returned = vocab.Surrendered, vocab.WhySurrender, 1000
			}), "comes back once the bank has no Black Jack",
		},
		{
			"points", "baden", "open; stake 1 a 20; close\n 5S 7D\n rest\n 6C",
			settled(func(o *vocab.Output) { o.Outcome, o.Returned, o.Won = vocab.Lose, 0, 0 }),
			"which is win (points); recorded: lose (points)",
		},
		{
			"points recorded", "baden", "open; stake 1 a 20; close\n 5S 7D\n higher\n 4S",
			edit(vocab.Dealt, func(o *vocab.Output) { o.Total++ }),
			"box 1 has 5S 4S and called higher: 1 points; recorded: 2",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := entered(c.wrong(played(t, c.house, c.lines)))
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("the book says %q, want %q", got, c.want)
			}
		})
	}
}

// TestBankFinds: the bank's own rule, where the dealer or the program broke it.
func TestBankFinds(t *testing.T) {
	dealt := func(c string, total uint8, soft bool) vocab.Output {
		one, err := card.Parse(c)
		if err != nil {
			t.Fatal(err)
		}
		return vocab.Output{Kind: vocab.Dealt, Card: one, To: vocab.ToBank, Total: total, Soft: soft}
	}
	for _, c := range []struct {
		lines string
		outs  []vocab.Output
		want  string
	}{
		{
			"TS TD KH\n rest\n 7C",
			[]vocab.Output{dealt("4C", 21, false)},
			"the bank drew a card on hard 17 (TD 7C): it stands on 17 and more",
		},
		{
			"TS 6D KH\n rest\n AC",
			[]vocab.Output{dealt("4C", 21, true)},
			"the bank drew a card on soft 17 (6D AC): it stands on 17 and more",
		},
		{"TS TD KH\n rest\n 6C", []vocab.Output{{
			Kind: vocab.Settled, Box: 1, Hand: 1, Bettor: "a", Wager: vocab.WagerMain, Outcome: vocab.Win,
			Why:   vocab.WhyHigherTotal,
			Stake: 2000, Returned: 2000, Won: 2000, Times: 1,
		}}, "the bank stands on hard 16 (TD 6C): it draws up to 16"},
		{"TS TD 6H\n card\n 9S", []vocab.Output{{
			Kind: vocab.Dealt, Card: card.Of(2, card.Clubs), To: vocab.ToBox, Box: 1, Hand: 1, Total: 27,
		}}, "box 1 got a card though it was bust (TS 6H 9S = 25)"},
	} {
		steps := played(t, "wiesbaden", "open; stake 1 a 20; close\n "+c.lines)
		steps = append(steps, step{vocab.Input{Kind: vocab.InCard}, c.outs})
		if got := entered(steps); !strings.Contains(got, c.want) {
			t.Errorf("%s: the book says %q, want %q", c.lines, got, c.want)
		}
	}
}

// TestBankStands: a round that ends while the bank has 16.
func TestBankStands(t *testing.T) {
	steps := played(t, "wiesbaden", "open; stake 1 a 20; stake 2 b 20; close\n TS TS TD KH 6H\n rest; rest\n 6C")
	steps = append(steps, step{vocab.Input{Kind: vocab.InCard}, []vocab.Output{{
		Kind: vocab.RoundDecided, Round: 1, Total: 16,
		Result: &vocab.Result{Bank: []card.Card{card.Of(10, card.Diamonds), card.Of(6, card.Clubs)}},
	}}})
	if got := entered(steps); !strings.Contains(got, "is not decided") {
		t.Errorf("the book says %q", got)
	}
}

// TestSplitAcesWinNoJackpot: an ace that was split and got the king of its suit is no ace and king of one suit. The
// jackpot is the other box's alone, and this one has the envy prize.
func TestSplitAcesWinNoJackpot(t *testing.T) {
	steps := played(t, "mendrisio",
		`open; stake 1 a 20; stake 2 b 20; stake 1 a 5 progressive; stake 2 b 5 progressive; close
		AS AH KD AC KH
		split
		KS 9C
		AC`)
	if got := entered(steps); got != "" {
		t.Errorf("the book finds a fault in a good round: %s", got)
	}
}

// TestEveryChangeOfMoneyIsFound plays any round in any house, changes one figure in one
// settlement, and expects the book to notice at once.
func TestEveryChangeOfMoneyIsFound(t *testing.T) {
	houses := profile.Built().Names()
	rapid.Check(t, func(t *rapid.T) {
		var tab table.Table
		dice := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		player := tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(5), Freely: true}
		var steps []step
		in := *tabletest.SetUp(rules.Setup{House: rapid.SampledFrom(houses).Draw(t, "house")})
		for tab.Round() < 3 || !tab.Settled() {
			steps = append(steps, step{in, clone(tab.Step(&in))})
			in = player.Next(&tab)
		}
		if got := entered(steps); got != "" {
			t.Fatalf("the book finds a fault in a good round: %s", got)
		}
		var places [][2]int
		for i := range steps {
			for k := range steps[i].outs {
				if kind := steps[i].outs[k].Kind; kind == vocab.Settled || kind == vocab.Bonus {
					places = append(places, [2]int{i, k})
				}
			}
		}
		at := rapid.SampledFrom(places).Draw(t, "where")
		out := &steps[at[0]].outs[at[1]]
		was := fmt.Sprintf("%+v", *out)
		figure := rapid.SampledFrom([]*int64{&out.Stake, &out.Won, &out.Returned}).Draw(t, "what")
		*figure += rapid.SampledFrom([]int64{-50, 50, 1, 10_000}).Draw(t, "by")
		if out.Kind == vocab.Bonus && figure == &out.Returned {
			return // a bonus does not have this figure
		}
		var b secondbook.Book
		for i := range steps[:at[0]+1] {
			if err := b.Enter(&steps[i].in, steps[i].outs); (err != nil) != (i == at[0]) {
				t.Fatalf("step %d of %d: %v\nwas %s\n is %+v", i, at[0], err, was, *out)
			}
		}
	})
}

// TestEnterAllocatesNothing in rounds that go right.
func TestEnterAllocatesNothing(t *testing.T) {
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), 100, 7)
	var steps []step
	var tab table.Table
	for i := range inputs {
		steps = append(steps, step{inputs[i], clone(tab.Step(&inputs[i]))})
	}
	var b secondbook.Book
	play := func() {
		for i := range steps {
			if err := b.Enter(&steps[i].in, steps[i].outs); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := testing.AllocsPerRun(5, play); got != 0 {
		t.Errorf("100 rounds allocate %v times, want none", got)
	}
}

func BenchmarkEnter(b *testing.B) {
	inputs := tabletest.Deal(rand.New(rand.NewPCG(7, 1)), 500, 7)
	var steps []step
	var tab table.Table
	for i := range inputs {
		steps = append(steps, step{inputs[i], clone(tab.Step(&inputs[i]))})
	}
	var one secondbook.Book
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s := &steps[i%len(steps)]
		if err := one.Enter(&s.in, s.outs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "inputs/s")
}
