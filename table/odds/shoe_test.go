package odds

import (
	"context"
	"errors"
	"flag"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/hand"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"pgregory.net/rapid"
)

// anyShoe draws what is left of up to eight packs.
func anyShoe(t *rapid.T) Shoe {
	s := Packs(rapid.IntRange(1, 8).Draw(t, "packs"), 0)
	for c := range card.All {
		s.cards[c] = int16(rapid.IntRange(0, s.Packs).Draw(t, c.String()))
	}
	return s
}

// TestLinesAreAll: the lines of a bet, and that none wins, are all there is; and no probability is negative.
func TestLinesAreAll(t *testing.T) {
	fewer(t)
	rapid.Check(t, func(t *rapid.T) {
		s := anyShoe(t)
		s.jokers = int16(rapid.IntRange(0, 3).Draw(t, "Jokers"))
		if s.enough(1) != nil {
			return
		}
		for bet, table := range profile.KnownBets() {
			if bet == "buster" {
				continue // it takes a second; TestPublishedSideBets has it
			}
			sum := new(big.Rat)
			for line, p := range Lines(&s, &rules.Offer{Def: table.Def}, sidebet.HandsKept) {
				if p.Sign() < 0 {
					t.Fatalf("%s: %s comes with %s", bet, line, p)
				}
				sum.Add(sum, p)
			}
			if sum.Cmp(big.NewRat(1, 1)) != 0 {
				t.Fatalf("%s: all lines together come with %s", bet, sum)
			}
		}
	})
}

// TestTotals: the exact totals are those of every order in which the bank can draw, and those with which the main game
// reckons.
func TestTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyShoe(t)
		if s.enough(1) != nil {
			return
		}
		work := make([]float64, drawsOf(bankRule{}).longestList())
		for rank := card.Ace; rank <= card.Ten; rank++ {
			left := s.points()
			up := hand.Points(rank) - 1
			ends, err := Totals(&s, rank)
			if left[up] == 0 {
				if err == nil {
					t.Fatalf("the bank begins with %d, of which there is none", rank)
				}
				continue
			}
			left[up]--
			var want Spread
			drawOut(&left, []int{up}, 1, &want)
			got := drawsOf(bankRule{}).spread(up, &left, work)
			for end := range want[:Ends] {
				if math.Abs(want[end]-got[end]) > 1e-12 || math.Abs(want[end]-float(ends[end])) > 1e-12 {
					t.Fatalf("%d ends with %s: card by card %v, by sets %v, exactly %v", rank, End(end), want[end],
						got[end], float(ends[end]))
				}
			}
		}
	})
}

// drawOut draws the bank's cards one by one.
func drawOut(left *points, cards []int, p float64, s *Spread) {
	hard, aces := 0, 0
	for _, value := range cards {
		hard += value + 1
		if value == ace {
			aces++
		}
	}
	total := hard
	if aces > 0 && hard+10 <= 21 {
		total += 10
	}
	switch {
	case total > 21:
		s[EndOver] += p
		return
	case total == 21 && len(cards) == 2:
		s[EndBlackJack] += p
		return
	case total >= 17:
		s[total-17] += p
		return
	}
	size := left.size()
	for value, n := range left {
		if n > 0 {
			left[value]--
			drawOut(left, append(cards[:len(cards):len(cards)], value), p*float64(n)/float64(size), s)
			left[value]++
		}
	}
}

// TestSharing compares what becomes of a jackpot on two boxes with every order of the few cards of a shoe.
func TestSharing(t *testing.T) {
	cards := []card.Card{
		card.Of(card.Ace, card.Spades), card.Of(card.Ace, card.Spades), card.Of(card.King, card.Spades),
		card.Of(card.King, card.Spades),
		card.Of(card.Ace, card.Hearts), card.Of(card.King, card.Hearts), card.Of(card.Ace, card.Clubs),
		card.Of(card.King, card.Diamonds),
	}
	s := Shoe{Packs: 2}
	for _, c := range cards {
		s.cards[c]++
	}
	q := Query{Rules: profile.Built()["mendrisio"].Rules, Shoe: s, Boxes: 2, Meter: 1_000_000}
	offer := q.Rules.Offer(sidebet.Progressive)
	line := func(first, second card.Card, c []card.Card) sidebet.Line {
		line, _ := offer.Judge(sidebet.Cards{First: first, Second: second, Bank: c[4], BankSecond: c[5]})
		return line
	}
	var part, envy, all, sum, squares, hits float64
	permute(cards, 6, func(c []card.Card) {
		one, other := line(c[0], c[1], c), line(c[2], c[3], c)
		all++
		won := -1.
		switch {
		case one == sidebet.Jackpot && other == sidebet.Jackpot:
			part += .5
			won = float64(q.Meter) / float64(offer.Least) / 2
		case one == sidebet.Jackpot:
			part++
			won = float64(q.Meter) / float64(offer.Least)
		default:
			if one != "" {
				won = float64(offer.Prize(one).Amount) / float64(offer.Least)
			}
			if other == sidebet.Jackpot {
				envy++
				won += float64(q.Rules.Meter.Envy) / float64(offer.Least)
			}
		}
		sum += won
		squares += won * won
		if won > 0 {
			hits++
		}
	})
	sh := s.sharing(2)
	if math.Abs(float(sh.part)-part/all) > 1e-12 || math.Abs(float(sh.envy)-envy/all) > 1e-12 || part == 0 ||
		envy == 0 {
		t.Errorf("part %v and envy %v; by every order %v and %v", float(sh.part), float(sh.envy), part/all, envy/all)
	}
	mean := sum / all
	variance := squares/all - mean*mean
	w := q.side(offer, Lines(&s, offer, sidebet.HandsOpen))
	if math.Abs(w.Edge+mean) > 1e-9 || math.Abs(w.Variance/variance-1) > 1e-12 || math.Abs(w.Hit-hits/all) > 1e-12 {
		t.Errorf("edge %v, variance %v, hits %v; by every order %v, %v and %v", w.Edge, w.Variance, w.Hit, -mean,
			variance, hits/all)
	}
	if one := s.sharing(1); one.envy.Sign() != 0 ||
		one.part.Cmp(Lines(&s, offer, 0)[sidebet.Jackpot]) != 0 {
		t.Errorf("one box alone: part %s, envy %s", one.part, one.envy)
	}
}

// TestEnvied: what comes to a stake while others win the jackpot comes to as much as the envy prize does, for every
// number of boxes.
func TestEnvied(t *testing.T) {
	s := Packs(6, 0)
	for boxes := 2; boxes <= rules.MaxBoxes; boxes++ {
		sum := new(big.Rat)
		for _, p := range s.envied(profile.Built()["mendrisio"].Offer(sidebet.Progressive), boxes) {
			sum.Add(sum, p)
		}
		if envy := s.sharing(boxes).envy; sum.Cmp(envy) != 0 {
			t.Errorf("%d boxes: %s, and %s", boxes, sum, envy)
		}
	}
}

// TestLongRun: in the long run the house keeps what a progressive stake does not bring but by the jackpot, less what
// goes into the jackpot and its seed; how much is in it at the moment changes nothing.
func TestLongRun(t *testing.T) {
	for _, c := range []struct {
		set   string
		boxes int
		meter money.Amount
		want  float64
	}{
		{"jackpot.feeds=7:10", 1, 0, .36026 - .7},
		{"jackpot.feeds=7:10", 1, 5_000_000, .36026 - .7},
		{"jackpot.feeds=3:10", 1, 0, .36026 - .3},
		{"jackpot.feeds=1:10", 7, 2_000_000, 0},
	} {
		r := whatIf(t, "mendrisio", c.set)
		list, err := Sides(Query{Rules: r, Shoe: Full(r), Boxes: c.boxes, Meter: c.meter})
		if err != nil {
			t.Fatal(err)
		}
		w := list[slices.IndexFunc(list, func(w Wager) bool { return w.LongRun != nil })]
		if c.boxes == 1 && math.Abs(*w.LongRun-c.want) > 5e-6 {
			t.Errorf("%+v: the house keeps %.6f", c, *w.LongRun)
		}
		seed, err := Sides(Query{Rules: r, Shoe: Full(r), Boxes: c.boxes})
		if err != nil {
			t.Fatal(err)
		}
		at := seed[slices.IndexFunc(seed, func(w Wager) bool { return w.LongRun != nil })]
		if math.Abs(*at.LongRun-*w.LongRun) > 1e-12 {
			t.Errorf("%+v: the house keeps %.9f, and with the seed in the jackpot %.9f", c, *w.LongRun, *at.LongRun)
		}
	}
}

// TestRulesAsFractions: how often a rule of the main game is made use of is counted in integers, and is what the play
// comes to; where sevens are paid after a split it is not counted so, and not said to be.
func TestRulesAsFractions(t *testing.T) {
	for _, c := range []struct {
		house  string
		set    []string
		line   string
		p      float64
		counts bool
	}{
		{"mendrisio", []string{"pays.even_money=1:10"}, "even-money", 0, true},
		{"wiesbaden", []string{"pays.even_money=6:1"}, "even-money", 2 * 24 * 23. / 144 / 143 * 96 / 142, true},
		{"schaffhausen", nil, "surrender", -1, true},
		{"schaffhausen", nil, "three-sevens", -1, true},
		{"schaffhausen", []string{"three_sevens.after_split=true"}, "three-sevens", -1, false},
	} {
		r := whatIf(t, c.house, append(c.set, "split.max=2")...)
		s := Shoe{Packs: 6}
		for _, rank := range []card.Rank{card.Ace, 7, card.Ten, card.Jack, card.Queen, card.King} {
			for suit := card.Spades; suit <= card.Clubs; suit++ {
				s.cards[card.Of(rank, suit)] = 6
			}
		}
		m, err := blackJackMain(context.Background(), r, &s, 1, func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		l := lineOf(Wager{Lines: m.lines(&s)}, c.line)
		if (l.Probability != nil) != c.counts || c.p >= 0 && math.Abs(l.P-c.p) > 1e-15 {
			t.Errorf("%s: %s comes with %v, %v", c.house, c.line, l.Probability, l.P)
		}
		for name, rule := range map[string]*Rule{
			"even-money": &m.Even, "surrender": &m.Surrender,
			"three-sevens": &m.Sevens,
		} {
			if name == c.line && math.Abs(l.P-rule.P) > 1e-12 {
				t.Errorf("%s: %s comes with %v, as the play goes with %v", c.house, c.line, l.P, rule.P)
			}
		}
	}
}

// TestSevensAfterASplit: a little more for three sevens moves the main game by how often they come, in split hands,
// too.
func TestSevensAfterASplit(t *testing.T) {
	s := Shoe{Packs: 6}
	for _, rank := range []card.Rank{card.Ace, 7, card.Ten, card.Jack} {
		for suit := card.Spades; suit <= card.Clubs; suit++ {
			s.cards[card.Of(rank, suit)] = 6
		}
	}
	main := func(pays, after string) *Main {
		m, err := blackJackMain(context.Background(),
			whatIf(t, "schaffhausen", "split.max=2", "three_sevens.after_split="+after, "pays.three_sevens="+pays), &s,
			1, func(int, int) {})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, after := range []string{"true", "false"} {
		one, more := main("1:1", after), main("1001:1000", after)
		if moved := (more.Mean - one.Mean) * 1000; math.Abs(moved-one.Sevens.P) > 1e-9 || one.Sevens.P == 0 {
			t.Errorf("after a split %s: they come with %v, and a thousandth more moves the edge by %v of it", after,
				one.Sevens.P, moved)
		}
	}
}

// permute yields each order of the first n cards.
func permute(cards []card.Card, n int, yield func([]card.Card)) {
	var place func(i int)
	place = func(i int) {
		if i == n {
			yield(cards)
			return
		}
		for k := i; k < len(cards); k++ {
			cards[i], cards[k] = cards[k], cards[i]
			place(i + 1)
			cards[i], cards[k] = cards[k], cards[i]
		}
	}
	place(0)
}

// TestBadQueries: what cannot be worked out is refused at once, and says why.
func TestBadQueries(t *testing.T) {
	good := profile.Built()["wiesbaden"].Rules
	wrong := *good
	wrong.Cards.Decks = 1000
	twelve := good
	for _, c := range []struct {
		name string
		q    Query
		says string
	}{
		{"no cards", Query{Rules: good}, "0 cards with 0 points"},
		{"a profile with a fault", Query{Rules: &wrong, Shoe: Packs(6, 0)}, "1000 decks do not fit a shoe"},
		{"no packs", Query{Rules: good, Shoe: Packs(0, 0)}, "too few cards are left"},
		{"too many boxes", Query{Rules: twelve, Shoe: Packs(6, 1), Boxes: 10}, "10 boxes"},
		{"packs beyond a shoe", Query{Rules: good, Shoe: Packs(13, 0)}, "13 packs"},
	} {
		for _, work := range []func() error{
			func() error { _, err := Work(context.Background(), c.q); return err },
			func() error { _, err := Sides(c.q); return err },
		} {
			if err := work(); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
	if _, err := Work(context.Background(), Query{Rules: good}); !errors.Is(err, ErrFew) {
		t.Error("too few cards cannot be told from other faults")
	}
}

// TestSeen: a card leaves the shoe once for each time it was there.
func TestSeen(t *testing.T) {
	ace := card.Of(card.Ace, card.Spades)
	s := Packs(2, 1)
	left, err := s.Without([]card.Card{ace, ace, card.Joker})
	if err != nil || left.Of(ace) != 0 || left.Of(card.Joker) != 0 || left.Size() != 102 || s.Size() != 104 {
		t.Errorf("%v, %d left", err, left.Size())
	}
	for _, c := range []struct {
		seen []card.Card
		says string
	}{
		{[]card.Card{ace, ace, ace}, "card 3: there is no AS left in 2 packs"},
		{[]card.Card{card.Joker, card.Joker}, "card 2: there is no JOKER"},
		{[]card.Card{card.Unread}, "card 1"},
		{[]card.Card{card.None}, "card 1"},
	} {
		if _, err := s.Without(c.seen); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v: %v", c.seen, err)
		}
	}
}

// TestAnyShoe: whatever is left of a shoe, the figures are numbers.
func TestAnyShoe(t *testing.T) {
	r := whatIf(t, "wiesbaden", "split.max=1")
	james := profile.Built()["baden"].Rules
	for seed := range tier.Times(1, 8) {
		s := rapid.Custom(anyShoe).Example(seed)
		for _, rules := range []*rules.Rules{r, james} {
			report, err := Work(context.Background(), Query{Rules: rules, Shoe: s})
			if errors.Is(err, ErrFew) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range report.Wagers {
				for what, x := range map[string]float64{
					"edge": w.Edge, "variance": w.Variance, "hit": w.Hit,
					"error": w.Error,
				} {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						t.Errorf("%s: %s is %v", w.Name, what, x)
					}
				}
				if w.Hit < 0 || w.Hit > 1+1e-9 || w.Variance < 0 {
					t.Errorf("%s: hit %v, variance %v", w.Name, w.Hit, w.Variance)
				}
			}
		}
	}
}

// fewCards draws a shoe of few kinds of cards, from too few for a round to enough for several hands.
func fewCards(t *rapid.T) Shoe {
	s := Shoe{Packs: 12}
	for range rapid.IntRange(1, 4).Draw(t, "kinds") {
		rank := card.Rank(rapid.IntRange(1, 13).Draw(t, "rank"))
		for suit := card.Spades; suit <= card.Clubs; suit++ {
			s.cards[card.Of(rank, suit)] = int16(rapid.IntRange(0, s.Packs).Draw(t, "cards"))
		}
	}
	return s
}

// fewer tries a property a quarter as often as others in make test: each try takes long.
func fewer(t *testing.T) {
	if tier.InSoak() {
		return
	}
	checks := flag.Lookup("rapid.checks").Value
	usual := checks.String()
	t.Cleanup(func() { _ = checks.Set(usual) })
	if err := checks.Set("25"); err != nil {
		t.Fatal(err)
	}
}

// TestFewCards: what is left of a shoe is refused, or the figures are possible. Of the splits as many are followed as
// the cards allow.
func TestFewCards(t *testing.T) {
	house := profile.Built()["schaffhausen"].Rules
	fewer(t)
	refused, worked := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := fewCards(t)
		report, err := Work(context.Background(), Query{Rules: house, Shoe: s})
		if errors.Is(err, ErrFew) {
			refused++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		worked++
		for _, w := range report.Wagers {
			possible(t, &w)
		}
	})
	if refused == 0 || worked == 0 {
		t.Errorf("%d shoes are refused and %d worked out", refused, worked)
	}
}

// possible says that a wager's figures can be: a bettor wins no more than the most that is paid, nor loses more than
// eight doubled hands.
func possible(t interface{ Errorf(string, ...any) }, w *Wager) {
	if !(w.Hit >= 0 && w.Hit <= 1+1e-9 && w.Variance >= 0 && w.Error >= 0 && w.Edge <= 16 && w.Edge >= -400) {
		t.Errorf("%s has the edge %v within %v, the variance %v and wins %v", w.Name, w.Edge, w.Error,
			w.Variance, w.Hit)
	}
	sum := 0.
	for _, l := range w.Lines {
		if sum += l.P; !(l.P >= 0) || w.Name != "main" && sum > 1+1e-9 {
			t.Errorf("%s: %s comes with %v, and all until then with %v", w.Name, l.Name, l.P, sum)
		}
	}
}

// TestFewTens: shoes of tens and little else, whose splits cannot be followed to eight hands.
func TestFewTens(t *testing.T) {
	house := profile.Built()["schaffhausen"].Rules
	for _, c := range []struct {
		name          string
		jacks, others int
		rank          card.Rank
		says          string
	}{
		{"jacks and fives", 14, 2, 5, "for longer than the cards last"},
		{"fifteen tens", 15, 0, 5, "for longer than the cards last"},
		{"forty tens", 40, 0, 5, ""},
		{"eight tens", 8, 0, 5, "and it takes 86 points"},
		{"twos alone", 0, 40, 2, "and it takes 86 points"},
	} {
		s := Shoe{Packs: 12}
		for i := range c.jacks {
			s.cards[card.Of(card.Jack, card.Spades+card.Suit(i%4))]++
		}
		s.cards[card.Of(c.rank, card.Spades)] = int16(c.others)
		report, err := Work(context.Background(), Query{Rules: house, Shoe: s})
		if c.says != "" {
			if !errors.Is(err, ErrFew) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, w := range report.Wagers {
			possible(t, &w)
		}
	}
}
