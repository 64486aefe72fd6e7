package table_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/tabletest"
	"github.com/sabot-table/sabot/internal/testkit/tier"
	"github.com/sabot-table/sabot/sim-hardware/croupier"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/odds"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// mainKeys are the keys of the main game with values that houses have.
var mainKeys = []struct {
	key    string
	values []string
}{
	{"bank.draws", []string{"needed", "always"}},
	{"bank.soft_17", []string{"stands", "draws"}},
	{"bank.black_jack_takes", []string{"all", "original", "busted"}},
	{"bank.hole_card", []string{"ace", "ten", "ace-and-ten", "end"}},
	{"bank.pushes_22", []string{"true", "false"}},
	{"bank.wins_ties", []string{"17", "17, 18, 19", "21"}},
	{"many_cards", []string{
		`{cards: 5, pays: "1:1", after_split: true}`, `{cards: 6, pays: "3:2", after_split: false}`,
	}},
	{"pays.black_jack_suited", []string{"2:1"}},
	{"double.allowed", []string{"true", "false"}},
	{"double.on", []string{"[]", "[9, 10, 11]", "[10, 11]", "[11]"}},
	{"double.hard_only", []string{"true", "false"}},
	{"double.after_split", []string{"true", "false"}},
	{"double.most_cards", []string{"2", "3", "21"}},
	{"double.again", []string{"true", "false"}},
	{"double.for_less", []string{"min", "unit", "1/2 min"}},
	{"split.max", []string{"-1", "0", "1", "2", "3"}},
	{"split.aces_again", []string{"true", "false"}},
	{"split.by", []string{"value", "rank"}},
	{"split.never", []string{"10", "4, 5, 10", "A"}},
	{"split.aces_drawn", []string{"true", "false"}},
	{"insurance.tens", []string{"true", "false"}},
	{"play.draw_below", []string{"12", "17"}},
	{"play.rest_from", []string{"12", "17"}},
	{"insurance.offered", []string{"true", "false"}},
	{"insurance.exactly_half", []string{"true", "false"}},
	{"insurance.black_jack", []string{"true", "false"}},
	{"insurance.even_money", []string{"true", "false"}},
	{"surrender", []string{"true", "false"}},
	{"surrender_only.late", []string{"true", "false"}},
	{"surrender_only.not_against_ace", []string{"true", "false"}},
	{"surrender_only.hard_from", []string{"0", "12", "15"}},
	{"surrender_only.after_split", []string{"true", "false"}},
	{"three_sevens.paid", []string{"true", "false"}},
	{"three_sevens.after_split", []string{"true", "false"}},
	{"pays.win", []string{"1:1", "2:1"}},
	{"pays.black_jack", []string{"3:2", "6:5", "1:1", "2:1"}},
	{"play.auto_rest_at_21", []string{"true", "false"}},
	{"play.calls", []string{"required", "implied"}},
	{"cards.decks", []string{"1", "2", "6", "8"}},
	{"cards.tens", []string{"true", "false"}},
	{"cards.source", []string{"shoe", "shuffler"}},
	{"table.rounding", []string{"down", "up", "nearest", "carried"}},
}

// drawnCurrencies are some of each number of decimals.
var drawnCurrencies = []string{"JPY", "KRW", "KWD", "BHD", "USD"}

// inCurrency is a house with as many of the smallest coins of another currency: 10.00 euros are 1000 yen and 1.000
// dinars.
func inCurrency(base *profile.House, currency string) *profile.House {
	p := base.Profile
	p.Table.Currency = currency
	return profile.New(p)
}

// drawnHouse is a house with every key drawn, and how it was: what contradicts the rest is left as it was.
func drawnHouse(dice *rand.Rand, base *profile.House) (*profile.House, []string) {
	house, drawn := base, []string(nil)
	if dice.IntN(2) == 0 {
		currency := drawnCurrencies[dice.IntN(len(drawnCurrencies))]
		house, drawn = inCurrency(base, currency), append(drawn, currency)
	}
	for _, k := range mainKeys {
		if dice.IntN(2) == 0 {
			continue
		}
		change := k.key + "=" + k.values[dice.IntN(len(k.values))]
		if with, err := profile.WhatIf(house, []string{change}); err == nil {
			house, drawn = with, append(drawn, change)
		}
	}
	return house, drawn
}

// drawnBases are the houses whose keys are drawn.
var drawnBases = []string{"schaffhausen", "wiesbaden", "st-moritz-65", "mendrisio", "potsdam"}

var (
	// drawnRounds is how many rounds drawn houses are played for, and drawnPart which part of them.
	drawnRounds = flag.Uint64("drawn.rounds", uint64(tier.Times(4000, 20_000)), "rounds of houses with every key drawn")
	drawnPart   = flag.Uint64("drawn.part", 0, "which part of these houses")
)

// TestDrawnHouses plays houses with every key of the main game drawn: the second book, which reads the rules by itself,
// agrees on every wager. Of a failing house the seed gives the same again.
func TestDrawnHouses(t *testing.T) {
	const rounds, parallel = 40, 4
	seed := tier.SeedOf(t)
	most := *drawnRounds / rounds
	for part := range uint64(parallel) {
		t.Run(strconv.FormatUint(part, 10), func(t *testing.T) {
			t.Parallel()
			for nth := *drawnPart*most + part; nth < (*drawnPart+1)*most; nth += parallel {
				dice := rand.New(rand.NewPCG(seed, nth))
				house, drawn := drawnHouse(dice, tabletest.Book()[drawnBases[nth%uint64(len(drawnBases))]])
				if err := playDrawn(house, dice, rounds); err != nil {
					t.Fatalf("seed %d, house %d, %s with %v: %v", seed, nth, house.House, drawn, err)
				}
			}
		})
	}
}

// playDrawn plays rounds of a house.
func playDrawn(house *profile.House, dice *rand.Rand, rounds int) error {
	s := newSession()
	player := &tabletest.Player{Dice: dice, Boxes: 1 + dice.IntN(4), Freely: true, Pack: packs[dice.IntN(len(packs))]}
	setup := vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: house.House}, Rules: house.Rules}
	if err := s.step(setup); err != nil {
		return err
	}
	for s.rounds < rounds {
		if err := s.step(player.Next(&s.tab)); err != nil {
			return fmt.Errorf("%w\n\nafter\n%s", err, s.inputs)
		}
		if !s.accepted {
			return fmt.Errorf("the player's input was refused: %s\n\nafter\n%s", s.tab.Rejected(), s.inputs)
		}
	}
	return nil
}

// TestDrawnHousesWithMistakes plays drawn houses with mistakes, irregularities, corrections and restarts.
func TestDrawnHousesWithMistakes(t *testing.T) {
	seed := tier.SeedOf(t)
	for nth := range uint64(tier.Times(40, 2000)) {
		dice := rand.New(rand.NewPCG(seed, nth))
		house, drawn := drawnHouse(dice, tabletest.Book()[drawnBases[nth%uint64(len(drawnBases))]])
		s := newSession()
		player := &tabletest.Player{
			Dice: dice, Boxes: 1 + dice.IntN(4), Freely: true, Unshuffled: true, Pack: packs[dice.IntN(len(packs))],
		}
		must(t, s, s.step(vocab.Input{
			Kind: vocab.InSetup, Setup: &rules.Setup{House: house.House},
			Rules: house.Rules,
		}))
		for range 300 {
			if err := stumble(s, player); err != nil {
				t.Fatalf("seed %d, house %d, %s with %v: %v\n\nafter\n%s", seed, nth, house.House, drawn, err, s.inputs)
			}
		}
	}
}

// stumble makes one move: mostly what is due, else anything but another house, or a call that is taken back.
func stumble(s *session, p *tabletest.Player) error {
	if p.Dice.IntN(10) == 0 {
		if in := p.Anything(&s.tab); in.Kind != vocab.InSetup {
			return s.dare(in)
		}
	}
	next := p.Next(&s.tab)
	if next.Kind == vocab.InCall && p.Dice.IntN(4) == 3 {
		if taken, err := s.pressAndTakeBack(next); err != nil || !taken {
			return err
		}
	}
	return s.step(next)
}

// TestPacksWithoutTens: table, guests and odds have the same 48 cards a pack.
func TestPacksWithoutTens(t *testing.T) {
	house, err := profile.WhatIf(tabletest.Book()["wiesbaden"], []string{"cards.tens=false", "cards.decks=3"})
	if err != nil {
		t.Fatal(err)
	}
	var tab table.Table
	tab.Step(&vocab.Input{Kind: vocab.InSetup, Setup: &rules.Setup{House: house.House}, Rules: house.Rules})
	_, left := tab.Dealt()
	shoe := odds.Full(house.Rules)
	if all := len(croupier.Cards(house.Cards)); left != 3*48+1 || all != left || shoe.Size() != 3*48 {
		t.Errorf("the table has %d cards, the guests %d, the odds %d, and a Joker", left, all, shoe.Size())
	}
}
