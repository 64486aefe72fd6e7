package dealt_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/odds/dealt"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// soft17Bets is a house whose bank draws on a soft 17, with bets on how it ends.
const soft17Bets = `
extends: schaffhausen
house: soft-17
cards: {decks: 1}
bank: {soft_17: draws}
side_bets:
  - bet: bust
    bettors: anybody
    least: 10.00
    most: 10.00
    step: 10.00
    one_per_bettor: false
    pays: [{line: bank-bust, pays: "1:1"}]
  - bet: bank-end
    title: Bank end
    cards: bank-hand
    bettors: anybody
    least: 10.00
    most: 10.00
    step: 10.00
    one_per_bettor: false
    pays:
      - {line: seventeen, when: total 17, pays: "1:1"}
      - {line: two-cards, when: cards 2, pays: "1:1"}
      - {line: five-cards, when: cards 5+, pays: "1:1"}
`

// TestBetsOnTheBankMeetOdds: where the bank draws on a soft 17 the engine decides bets on its hand as often as the odds
// say, line by line.
func TestBetsOnTheBankMeetOdds(t *testing.T) {
	house, err := profile.Built().Parse("soft-17.yaml", []byte(soft17Bets))
	if err != nil {
		t.Fatal(err)
	}
	shoe := odds.Full(house.Rules)
	rest := func(*dealt.Hand) vocab.Call { return vocab.CallRest }
	d := dealt.NewDealer(house.Rules, &shoe, rest, rand.New(rand.NewPCG(18, 17)))
	d.Fresh = true
	stakes := []vocab.Input{dealt.Stake(1, "a", vocab.WagerMain, 1000)}
	for _, bet := range house.Offers() {
		stakes = append(stakes, dealt.Stake(1, "a", vocab.SideWager(bet.Bet), 1000))
	}
	type won struct {
		wager vocab.Wager
		line  sidebet.Line
	}
	came := map[won]float64{}
	for range *rounds {
		err := d.Deal(stakes, func(out *vocab.Output) {
			if out.Kind == vocab.Settled && out.Outcome == vocab.Win {
				came[won{out.Wager, sidebet.Line(out.Why)}]++
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	n := float64(*rounds)
	for _, bet := range house.Offers() {
		for line, exact := range odds.Lines(&shoe, bet, 0) {
			p, _ := exact.Float64()
			if got := came[won{vocab.SideWager(bet.Bet), line}]; line != "" &&
				math.Abs(got-n*p) > 4*math.Sqrt(n*p*(1-p)) {
				t.Errorf("%s wins by %s in %.5f of the rounds, dealt %.5f", bet.Bet, line, p, got/n)
			}
		}
	}
}

// TestGivenUpBeforeTheBlackJack: the half of a stake that a split hand gives up early is lost besides what a Black Jack
// of the bank takes, where that is original bets only. It is compared with so few ranks that this is common. How often
// a box wins is not: that takes hands as independent of each other.
func TestGivenUpBeforeTheBlackJack(t *testing.T) {
	v := variant{
		name: "early surrender after a split, original bets", house: "schaffhausen", packs: 2, whole: true,
		set: []string{
			"bank.black_jack_takes=original", "surrender_only.after_split=true", "surrender_only.hard_from=17",
			"split.max=3",
		},
		seen: "2S 2S 2H 2H 2D 2D 2C 2C 3S 3S 3H 3H 3D 3D 3C 3C 4S 4S 4H 4H 4D 4D 4C 4C " +
			"5S 5S 5H 5H 5D 5D 5C 5C 6S 6S 6H 6H 6D 6D 6C 6C 7S 7S 7H 7H 7D 7D 7C 7C",
	}
	report := v.report(t)
	result, err := dealt.Deal(context.Background(), report, dealt.Options{Rounds: 10 * *rounds, Seed: 18})
	if err != nil {
		t.Fatal(err)
	}
	is := report.Wagers[0].Edge
	t.Logf("edge %.6f, dealt %.6f ± %.6f", is, result.Edge, result.Error)
	if math.Abs(result.Edge-is) > 4*result.Error {
		t.Errorf("the edge is %.6f, dealt %.6f ± %.6f", is, result.Edge, result.Error)
	}
}
