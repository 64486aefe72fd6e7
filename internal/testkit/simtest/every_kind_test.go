package simtest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/testkit/displaytest"
	"github.com/sabot-table/sabot/table/vocab"
)

// made are the inputs that no kind of fault makes: who puts them in, or why nobody does.
var made = map[vocab.InputKind]string{
	vocab.InSetup:   "the table, at its first start",
	vocab.InShoe:    "the shoe and its driver, and the dealer who loads it",
	vocab.InCard:    "the shoe",
	vocab.InResolve: "the supervisor",
	vocab.InStorage: "the table, of a journal that it finds",
	vocab.InLimits:  "the table, at a start with another configuration: configure",
	vocab.InTable:   "the supervisor, who opens the table again that a closing count has closed",
	vocab.InHole: "nobody: the houses of a storm deal no card face down. Two tables that differ in it alone are in " +
		"internal/host",
	vocab.InMeter:   "nobody: no house of a storm plays for a jackpot with other tables. pit/jackpot has their storm",
	vocab.InJackpot: "nobody, likewise",
	vocab.InCommand: "the table, of commands that it refused: the pit of a storm gives none",
	vocab.InSettings: "the table, of a setting that is changed on its page: a storm changes the configuration, by " +
		"configure",
}

// TestEveryInputIsMadeInAStorm: by the dealer, the shoe or a kind of fault; what nobody makes says why.
func TestEveryInputIsMadeInAStorm(t *testing.T) {
	kinds, what := map[vocab.InputKind]bool{}, map[vocab.Correction]bool{}
	see := func(list []vocab.Input) {
		for i := range list {
			if kinds[list[i].Kind] = true; list[i].Correct.What != 0 {
				what[list[i].Correct.What] = true
			}
		}
	}
	for _, in := range presses {
		see(one(in))
	}
	kinds[vocab.InHold] = kindNamed(mishap) != nil
	v := displaytest.Named("play")
	for seed := range uint64(20) {
		dice := rand.New(rand.NewPCG(seed, 1))
		for _, errand := range errands {
			see(errand(&World{}, dice, v))
		}
		for _, correct := range corrections {
			see(correctionsOf(correct, dice, v))
		}
	}
	for kind := range vocab.Inputs {
		switch k := vocab.InputKind(kind); {
		case vocab.Inputs[kind].Name == "":
		case kinds[k] && made[k] != "":
			t.Errorf("%s is made by a kind of fault, and has a row that says who else makes it: %s", k, made[k])
		case !kinds[k] && made[k] == "":
			t.Errorf("no kind of fault makes %s: add one to presses, errands or corrections, or a row that says "+
				"who does", k)
		}
	}
	for one := range vocab.EveryCorrection {
		if !what[one] {
			t.Errorf("no mishap needs the correction %s", one)
		}
	}
}

func correctionsOf(correct correction, dice *rand.Rand, v display.View) []vocab.Input {
	list := correct(dice, v)
	for i := range list {
		list[i].Kind = vocab.InCorrect
	}
	return list
}

// TestEachMishapIsDrawn: each correction and each errand comes in some storm.
func TestEachMishapIsDrawn(t *testing.T) {
	for name := range corrections {
		if !slices.Contains(mishaps, name) {
			t.Errorf("no mishap is %s", name)
		}
	}
	drawn := map[string]bool{}
	for seed := range uint64(200) {
		drawn[drawErrand(rand.New(rand.NewPCG(seed, 1))).get("what")] = true
	}
	for name := range errands {
		if !drawn[name] {
			t.Errorf("no errand is %s", name)
		}
	}
}
