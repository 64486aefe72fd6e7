package dealt_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

func wager(t *testing.T, r *odds.Report, name string) odds.Wager {
	t.Helper()
	i := slices.IndexFunc(r.Wagers, func(w odds.Wager) bool { return w.Name == name })
	if i < 0 {
		t.Fatalf("the report has no %s", name)
	}
	return r.Wagers[i]
}

// TestReport: what the play decides is dealt, and said to be so; all else stays as it is, in the house's order.
func TestReport(t *testing.T) {
	v := variant{name: "wiesbaden", whole: true}
	rounds := int64(tier.Times(40_000, 100_000))
	r, err := dealt.Report(context.Background(), v.query(t), rounds)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, w := range r.Wagers {
		names = append(names, w.Name)
	}
	if want := []string{"main", "insurance", "even-money", "twins", "crazy-twins"}; !slices.Equal(names, want) {
		t.Errorf("the wagers are %v, not %v", names, want)
	}
	for _, w := range r.Wagers {
		if simulated := w.Name == "crazy-twins"; (w.Method == odds.Simulated) != simulated {
			t.Errorf("%s is %s", w.Name, w.Method)
		}
	}
	w := wager(t, r, "crazy-twins")
	if w.Rounds != rounds || w.Error <= 0 || w.Error > .02 || math.Abs(w.Edge+.0148) > 4*w.Error {
		t.Errorf("Crazy Twins have an edge of %.4f ± %.4f in %d rounds", w.Edge, w.Error, w.Rounds)
	}
	for _, line := range w.Lines {
		if line.Probability != nil {
			t.Errorf("%s is called exact", line.Name)
		}
	}
}

// TestReportOfManyBoxes: with other boxes the bank of Black James draws more often, and the house has the edge.
func TestReportOfManyBoxes(t *testing.T) {
	tier.Soak(t, "TestEngineMeetsOdds deals for make test")
	report := baden(t, 7)
	if lean() { // the play of the only box has to do: two boxes of all cards take long to work out
		alone := *allOfBaden.report(t)
		alone.Boxes, alone.Wagers = 7, slices.Clone(alone.Wagers)
		report = &alone
	}
	if !dealt.Simulated(report) || dealt.Simulated(baden(t, 1)) {
		t.Error("of Black James seven boxes have to be dealt, and one has not")
	}
	rounds := int64(tier.Times(30_000, 100_000))
	result, err := dealt.Deal(context.Background(), report, dealt.Options{Rounds: rounds})
	if err != nil {
		t.Fatal(err)
	}
	result.Into(report)
	w := report.Wagers[0]
	t.Logf("edge %.5f ± %.5f", w.Edge, w.Error)
	if w.Method != odds.Simulated || w.Rounds != rounds || w.Edge < 4*w.Error {
		t.Errorf("seven boxes have %+v", w)
	}
}

// baden is what so many boxes of Black James are worth. Beside others the play is the same however many they are.
func baden(t *testing.T, boxes int) *odds.Report {
	t.Helper()
	v := variant{name: "baden"}
	if boxes > 1 {
		v = variant{name: "boxes of Baden", house: "baden", boxes: 2}
	}
	report := *v.report(t)
	report.Boxes, report.Wagers = boxes, slices.Clone(report.Wagers)
	return &report
}

// TestReportExact: where all can be worked out, nothing is dealt.
func TestReportExact(t *testing.T) {
	v := variant{name: "st-moritz"}
	r, err := dealt.Report(context.Background(), v.query(t), 1<<60)
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range r.Wagers {
		if w.Method == odds.Simulated {
			t.Errorf("%s is simulated", w.Name)
		}
	}
}

// TestBesideABoxThatRests: while another box is in the game, the bank draws in any case, and what is worked out is
// exact.
func TestBesideABoxThatRests(t *testing.T) {
	report := baden(t, 2)
	d := dealt.NewDealer(report.Rules, &report.Shoe, func(h *dealt.Hand) vocab.Call {
		if h.Box == 2 {
			return vocab.CallRest
		}
		return report.James.Call(h.Cards, h.Up)
	}, rand.New(rand.NewPCG(18, 2)))
	d.Fresh = true
	stakes := []vocab.Input{dealt.Stake(1, "a", vocab.WagerMain, 1000), dealt.Stake(2, "b", vocab.WagerMain, 1000)}
	var sum, squares float64
	for range *rounds {
		err := d.Deal(stakes, func(out *vocab.Output) {
			if out.Kind == vocab.Settled && out.Box == 1 {
				won := float64(out.Returned+out.Won-out.Stake) / 1000
				sum += won
				squares += won * won
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	n := float64(*rounds)
	mean := sum / n
	variance := squares/n - mean*mean
	w := report.Wagers[0]
	t.Logf("edge %.5f, dealt %.5f ± %.5f; variance %.4f, dealt %.4f", w.Edge, -mean, math.Sqrt(variance/n),
		w.Variance, variance)
	if off := (-mean - w.Edge) / math.Sqrt(variance/n); math.Abs(off) > 4 {
		t.Errorf("the edge is %.5f, dealt %.5f: %.1f standard errors off", w.Edge, -mean, off)
	}
	if math.Abs(variance/w.Variance-1) > .01+8/math.Sqrt(n) {
		t.Errorf("the variance is %.4f, dealt %.4f", w.Variance, variance)
	}
}

// TestUnevenOdds: odds that no stake makes even are refused rather than rounded.
func TestUnevenOdds(t *testing.T) {
	v := variant{name: "st-moritz"}
	for _, c := range []struct {
		odds money.Ratio
		even bool
	}{
		{money.Ratio{Num: 99_991, Den: 99_989}, true},
		{money.Ratio{Num: 22, Den: 7}, true},
		{money.Ratio{Num: 1, Den: 1}, false},
	} {
		report, other := *v.report(t), *v.report(t).Rules
		other.Pays.BlackJack = c.odds
		if !c.even {
			other.Pays.BlackJack, other.Pays.Win = money.Ratio{Num: 99_991, Den: 99_989},
				money.Ratio{Num: 99_971, Den: 99_961}
		}
		report.Rules = &other
		if _, err := dealt.Deal(context.Background(), &report, dealt.Options{Rounds: 1000}); (err == nil) != c.even {
			t.Errorf("%s: %v", other.Pays.BlackJack, err)
		}
	}
}

// TestBesideOtherBoxes: the more boxes are played in Baden, the nearer they come to what is worked out for a bank that
// draws in any case; none does better than that allows.
func TestBesideOtherBoxes(t *testing.T) {
	last := math.Inf(-1)
	for _, boxes := range []int{1, 2, 7} {
		report := baden(t, boxes)
		result, err := dealt.Deal(context.Background(), report, dealt.Options{Rounds: *rounds, Seed: 18})
		if err != nil {
			t.Fatal(err)
		}
		w := report.Wagers[0]
		t.Logf("%d boxes: %s, edge %.5f, at most %.5f less; dealt %.5f ± %.5f", boxes, w.Method, w.Edge, w.Error,
			result.Edge, result.Error)
		if result.Edge > w.Edge+4*result.Error || result.Edge < w.Edge-w.Error-4*result.Error {
			t.Errorf("%d boxes are worth %.5f, at most %.5f less, and dealt %.5f ± %.5f", boxes, w.Edge, w.Error,
				result.Edge, result.Error)
		}
		if result.Edge < last {
			t.Errorf("%d boxes do better than fewer", boxes)
		}
		last = result.Edge
	}
}

// left is a shoe of so many cards of each rank, the suits in turn.
func left(cards map[card.Rank]int) odds.Shoe {
	s, gone := odds.Packs(12, 0), []card.Card(nil)
	for rank := card.Ace; rank <= card.King; rank++ {
		for i := cards[rank]; i < 48; i++ {
			gone = append(gone, card.Of(rank, card.Spades+card.Suit(i%4)))
		}
	}
	s, err := s.Without(gone)
	if err != nil {
		panic(err)
	}
	return s
}

// TestFewCardsMeetOdds: shoes of a few cards are dealt as they are worked out, where splits are cut off within the
// bound; or refused.
func TestFewCardsMeetOdds(t *testing.T) {
	tier.Soak(t, "TestEngineMeetsOdds deals for make test")
	for _, c := range []struct {
		name  string
		house string
		cards map[card.Rank]int
		few   bool
	}{
		{"eights, twos and kings", "st-moritz", map[card.Rank]int{8: 12, 2: 12, card.King: 6}, false},
		{"a pack without many tens", "schaffhausen", map[card.Rank]int{
			card.Ace: 4, 2: 4, 3: 4, 4: 4, 5: 4, 6: 4, 7: 4,
			8: 4, 9: 4, 10: 4, card.Jack: 2,
		}, false},
		{"two of each", "mendrisio", map[card.Rank]int{
			card.Ace: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 8: 2, 9: 2,
			10: 8,
		}, false},
		{"many fives", "wiesbaden", map[card.Rank]int{card.Ace: 6, 4: 4, 5: 10, 9: 4, 10: 5}, false},
		{"aces and tens", "schaffhausen", map[card.Rank]int{card.Ace: 12, 10: 12}, true},
		{"jacks, fives and nines", "schaffhausen", map[card.Rank]int{card.Jack: 14, 5: 8, 9: 4}, true},
		{"twos, threes and three tens", "schaffhausen", map[card.Rank]int{2: 24, 3: 24, 10: 3}, true},
		{"six twos", "schaffhausen", map[card.Rank]int{2: 6, 10: 3}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			report, err := odds.Work(context.Background(),
				odds.Query{Rules: profile.Built()[c.house].Rules, Shoe: left(c.cards)})
			if c.few {
				if !errors.Is(err, odds.ErrFew) {
					t.Errorf("it is not refused: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			result := simulate(t, report, dealt.Options{Rounds: int64(tier.Times(10_000, 30_000)), Seed: 18})
			is := report.Wagers[0]
			t.Logf("edge %.5f within %.5f, dealt %.5f ± %.5f", is.Edge, is.Error, result.Edge, result.Error)
			if math.Abs(result.Edge-is.Edge) > 4*result.Error {
				t.Errorf("the edge is %.5f, dealt %.5f ± %.5f", is.Edge, result.Edge, result.Error)
			}
			if d := math.Abs(result.Hit - is.Hit); d > .03 {
				t.Errorf("a box wins with %.4f, dealt %.4f", is.Hit, result.Hit)
			}
		})
	}
}

// TestCardsRunOut: a round whose cards run out ends with an error that says so.
func TestCardsRunOut(t *testing.T) {
	for _, house := range []string{"schaffhausen", "baden"} {
		r := profile.Built()[house].Rules
		d := dealt.NewDealer(r, &odds.Shoe{Packs: 1}, func(*dealt.Hand) vocab.Call { return vocab.CallRest },
			rand.New(rand.NewPCG(1, 2)))
		d.Fresh = true
		if err := d.Deal([]vocab.Input{dealt.Stake(1, "a", vocab.WagerMain, 1000)}, nil); !errors.Is(err, odds.ErrFew) {
			t.Errorf("%s: without cards it ends with %v", house, err)
		}
	}
}

// TestKeptWithAJoker: of a bet that a box wins which has a Joker and does not lose, as many boxes are left to the play
// as have a Joker. Of these some half are kept.
func TestKeptWithAJoker(t *testing.T) {
	h, err := profile.Built().Parse("own.yaml", []byte(`extends: wiesbaden
house: own
side_bets:
  - {bet: own, title: Own, cards: first+up, bettors: anybody, least: 5.00, most: 50.00, step: 5.00,
     one_per_bettor: false, pays: [{line: kept-joker, when: kept and joker, pays: "50:1"}]}
`))
	if err != nil {
		t.Fatal(err)
	}
	q := odds.Query{Rules: h.Rules, Shoe: odds.Full(h.Rules)}
	r, err := dealt.Report(context.Background(), q, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	joker, _ := odds.Lines(&q.Shoe, h.Rules.Offers()[0], sidebet.HandsKept)["kept-joker"].Float64()
	if is := (1 - wager(t, r, "own").Edge) / 51; is < .3*joker || is > .7*joker {
		t.Errorf("it is won with %.5f; a box has a Joker with %.5f", is, joker)
	}
}
