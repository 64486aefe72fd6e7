package table_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// rounds is how many rounds each test of odds deals; "make bench" deals 2,000,000.
var rounds = flag.Int("rounds", tier.Times(25_000, 100_000), "rounds that each test of odds deals")

// sixDecks deals each round from a fresh shuffle of six decks.
type sixDecks struct {
	rng   *rand.Rand
	cards []card.Card
	next  int
}

func newSixDecks(seed uint64) *sixDecks {
	d := &sixDecks{rng: rand.New(rand.NewPCG(seed, 6))}
	for range 6 {
		for c := range card.All {
			d.cards = append(d.cards, c)
		}
	}
	return d
}

func (d *sixDecks) shuffle() { d.next = 0 }

// draw is one step of a Fisher-Yates shuffle: only the cards that are dealt are
// shuffled.
func (d *sixDecks) draw() card.Card {
	at := d.next + d.rng.IntN(len(d.cards)-d.next)
	d.cards[d.next], d.cards[at] = d.cards[at], d.cards[d.next]
	d.next++
	return d.cards[d.next-1]
}

// dealRounds deals rounds on box 1 with the real engine and hands every output on.
func dealRounds(t *testing.T, r *rules.Rules, stakes []vocab.Input, choose func(*table.Table) vocab.Call,
	each func(vocab.Output),
) {
	t.Helper()
	var tab table.Table
	tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: r.House}, Rules: r})
	deck := newSixDecks(7)
	put := func(in vocab.Input) {
		for _, out := range tab.Step(&in) {
			if out.Kind == vocab.Rejected || out.Kind == vocab.Irregular {
				t.Fatalf("%+v: %s %s", in, out.Reason, out.Code)
			}
			each(out)
		}
	}
	for range *rounds {
		deck.shuffle()
		put(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeLoaded}})
		put(vocab.Input{Kind: vocab.InOpen})
		for _, in := range stakes {
			put(in)
		}
		put(vocab.Input{Kind: vocab.InClose})
		for tab.Phase() != vocab.Idle {
			switch tab.Due().To {
			case vocab.ToBox, vocab.ToBank:
				put(vocab.Input{Kind: vocab.InCard, Card: deck.draw()})
			case vocab.ToCall:
				put(vocab.Input{Kind: vocab.InCall, Call: choose(&tab)})
			case vocab.ToInsurance:
				put(vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed})
			default:
				put(vocab.Input{Kind: vocab.InPaid})
			}
		}
	}
}

func rest(*table.Table) vocab.Call { return vocab.CallRest }

func bet(name string, amount int64) vocab.Input {
	return vocab.Input{
		Kind: vocab.InStake, Box: 1, Bettor: "a", Wager: vocab.ParseWager(name), Amount: amount, Stated: true,
	}
}

// closeTo fails unless a count is inside four standard errors of its expectation.
func closeTo(t *testing.T, what string, count int, p float64) {
	t.Helper()
	n := float64(*rounds)
	expected, deviation := n*p, math.Sqrt(n*p*(1-p))
	t.Logf("%-28s %8d, expected %10.1f ± %.1f", what, count, expected, deviation)
	// Counts of rare lines are not normal: one more is always allowed.
	if math.Abs(float64(count)-expected) > 4*deviation+1 {
		t.Errorf("%s came %d times in %d rounds; expected are %.1f ± %.1f", what, count, *rounds, expected, deviation)
	}
}

// TestSideBetOdds deals until the lines of the paytables show their known odds,
// computed from the combinations of six decks.
func TestSideBetOdds(t *testing.T) {
	const pairs, triples = 48_516.0, 5_013_320.0 // two and three of 312 cards
	cases := []struct {
		house, bet string
		stake      int64
		lines      map[string]float64
	}{
		{"schaffhausen", "perfect-pairs", 1000, map[string]float64{
			"perfect-pair": 5. / 311, "coloured-pair": 6. / 311, "mixed-pair": 12. / 311,
		}},
		{"schaffhausen", "swiss-casinos-jack", 1000, map[string]float64{
			"jack-is-black": 288 / pairs, "all-red": 576 / pairs, "mix": 1440 / pairs,
		}},
		{"wiesbaden", "twins", 1000, map[string]float64{"twins": 23. / 311}},
		{"st-moritz", "3-card-wins", 1000, map[string]float64{
			"three-aces-of-spades": 20 / triples, "three-red-jacks": 220 / triples,
			"three-of-a-kind": 26_072 / triples, "three-black": 617_760 / triples,
		}},
		{"mendrisio", "admiral-jack", 1000, map[string]float64{"blackjack": 192. / 4043}},
	}
	for _, c := range cases {
		t.Run(c.bet, func(t *testing.T) {
			r := *profile.Built()[c.house].Rules
			r.Play.LoneTwoBoxes = false
			came := map[string]int{}
			stakes := []vocab.Input{bet("main", 1000), bet(c.bet, c.stake)}
			wager := vocab.ParseWager(c.bet)
			dealRounds(t, &r, stakes, rest, func(out vocab.Output) {
				if out.Kind == vocab.Settled && out.Wager == wager {
					came[out.Why.String()]++
				}
			})
			for line, p := range c.lines {
				closeTo(t, line, came[line], p)
			}
		})
	}
}

// TestBankOdds lets the bank always play out and compares what it has with the
// known distribution for six decks, soft 17 standing.
func TestBankOdds(t *testing.T) {
	r := *profile.Built()["schaffhausen"].Rules
	r.Bank.Draws = rules.DrawsAlways
	came := map[string]int{}
	dealRounds(t, &r, []vocab.Input{bet("main", 1000)}, rest, func(out vocab.Output) {
		if out.Kind != vocab.RoundDecided {
			return
		}
		switch {
		case len(out.Bank) == 2 && out.Total == 21:
			came["black jack"]++
		case out.Total > 21:
			came["over"]++
		default:
			came[string([]byte{'0' + out.Total/10, '0' + out.Total%10})]++
		}
	})
	for what, p := range map[string]float64{
		"17": .14525, "18": .13926, "19": .13368, "20": .17953, "21": .07287, "black jack": .04749, "over": .28192,
	} {
		closeTo(t, what, came[what], p)
	}
}
