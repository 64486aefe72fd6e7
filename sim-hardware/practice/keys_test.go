package practice

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/vocab"
)

// keysHouse has keys of the main game that no house that comes with Sabot has, and a bet that wins parts of a jackpot.
const keysHouse = `
extends: schaffhausen
house: keys
bank: {soft_17: draws, pushes_22: true, wins_ties: "17", black_jack_takes: original}
many_cards: {cards: 5, pays: "2:1", after_split: true}
pays: {black_jack_suited: "2:1"}
jackpot: {seed: 1000.00, feeds: "7:10", envy: 50.00}
side_bets:
  - bet: parts
    title: Parts
    cards: box
    bettors: anybody
    least: 10.00
    most: 10.00
    step: 10.00
    one_per_bettor: false
    pays:
      - {line: all-of-it, when: suited and total 21, pays: jackpot}
      - {line: a-tenth, when: one-rank, pays: 1/10 jackpot}
      - {line: suited, when: suited, pays: "2:1"}
`

func ofKeys(t *testing.T) *profile.House {
	t.Helper()
	house, err := profile.Built().Parse("keys.yaml", []byte(keysHouse))
	if err != nil {
		t.Fatal(err)
	}
	return house
}

// TestKeysOfTheMainGame: exercises about keys that houses may have are found, and their right answers are worked out:
// what many cards and Black Jacks of one suit pay, a part of the jackpot, and why a bank draws on a soft 17.
func TestKeysOfTheMainGame(t *testing.T) {
	house, paths := ofKeys(t), map[string]bool{}
	for _, k := range []Kind{Payouts, Bank} {
		for _, topic := range Topics(house.Rules, k, Levels) {
			seeds := tier.Times(2, 40)
			if topic == bankSoft18Stands || topic == "parts/a-tenth" { // others come near these
				seeds = 30
			}
			for seed := range uint64(seeds) {
				e := made(t, house, ID{House: "keys", Kind: k, Level: Levels, Seed: seed, Topic: topic})
				if e.About != topic {
					t.Fatalf("wanted %s, got %s", topic, e.About)
				}
				if k == Bank {
					rightBank(t, house, e)
					continue
				}
				rightPayout(t, house, e)
				for _, w := range e.Lines {
					paths[w.Rule.Path] = true
					if tenth := e.Shows.Jackpot / 10; w.Why == "a-tenth" && w.Won != tenth-tenth%house.Table.Unit {
						t.Errorf("%+v: a tenth of %d is %d: others have won, too", e.ID, e.Shows.Jackpot, w.Won)
					}
				}
			}
		}
	}
	for _, path := range []string{"many_cards.pays", "pays.black_jack_suited", "side_bets[0].pays[1].pays"} {
		if !paths[path] {
			t.Errorf("no exercise is about %s", path)
		}
	}
}

// rightHole reads from what is shown, and from the house's rules, what a dealer does next.
func rightHole(t *testing.T, house *profile.House, e Exercise) {
	t.Helper()
	v := e.Shows
	up, played := v.Bank.Cards[0].Rank(), true
	for _, b := range v.Boxes {
		for _, h := range b.Hands {
			played = played && h.Done != 0
		}
	}
	looks, asks := house.Bank.LooksUnder(up), house.Insurance.Offered && up == card.Ace || house.OffersSurrender(up)
	want := map[Step]bool{
		StepOffer: e.About == holeOffer && asks && v.HoleSeen == 0,
		StepLook:  looks && v.HoleSeen == 0 && (e.About == holeLook),
		StepPlay:  !played && (v.HoleSeen == vocab.HoleNoBlackJack || !looks && v.HoleSeen == 0),
		StepTurn:  v.HoleSeen == vocab.HoleBlackJack || played && (v.HoleSeen != 0 || !looks),
	}
	if !want[e.Right.Step] || len(v.Bank.Cards) != 2 || v.Bank.Cards[1] != card.Down || v.Due.To != 0 {
		t.Errorf("%+v: %s under %v, seen %s, %+v", e.ID, e.Right.Step, v.Bank.Cards, v.HoleSeen, v.Boxes)
	}
}

// TestHoleExercises: what comes next with a hole card is asked on every level, whatever the house looks under and
// offers before. A house without one has no such exercises.
func TestHoleExercises(t *testing.T) {
	for _, changes := range [][]string{
		{"bank.hole_card=ace-and-ten"},
		{"bank.hole_card=ace", "surrender=false"},
		{"bank.hole_card=ten", "surrender_only.late=true"},
		{"bank.hole_card=end"},
	} {
		house, err := profile.WhatIf(ofKeys(t), changes)
		if err != nil {
			t.Fatal(err)
		}
		for _, topic := range Topics(house.Rules, Hole, 1) {
			for level := range Levels {
				e := made(t, house, ID{House: "keys", Kind: Hole, Level: level + 1, Seed: 3, Topic: topic})
				if e.About != topic {
					t.Errorf("%v, level %d: wanted %s, got %s", changes, level+1, topic, e.About)
				}
				rightHole(t, house, e)
			}
		}
	}
	if topics := Topics(ofKeys(t).Rules, Hole, 1); len(topics) > 0 {
		t.Errorf("without a hole card it is about %v", topics)
	}
}

// TestHoleCard: in a house with a hole card every kind of exercise is made, and its right answers are worked out. While
// boxes play the card is not shown.
func TestHoleCard(t *testing.T) {
	for _, looks := range []string{"ace-and-ten", "end"} {
		house, err := profile.WhatIf(ofKeys(t), []string{"bank.hole_card=" + looks, "surrender=false"})
		if err != nil {
			t.Fatal(err)
		}
		hidden := 0
		for _, k := range []Kind{Payouts, Bank, Calls} {
			for _, topic := range Topics(house.Rules, k, Levels) {
				for seed := range uint64(tier.Times(2, 40)) {
					e := made(t, house, ID{House: "keys", Kind: k, Level: Levels, Seed: seed, Topic: topic})
					switch k {
					case Payouts:
						rightPayout(t, house, e)
					case Bank:
						rightBank(t, house, e)
					default:
						rightCalls(t, house, e)
						if cards := e.Shows.Bank.Cards; len(cards) != 2 || cards[1] != card.Down {
							t.Errorf("the bank shows %v", cards)
						}
						hidden++
					}
				}
			}
		}
		if hidden == 0 {
			t.Error("no box has called")
		}
	}
}
