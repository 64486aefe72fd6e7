package profile

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

//go:embed bets.yaml
var betsFile []byte

// knownBet is a side bet of bets.yaml.
type knownBet struct {
	Title string         `yaml:"title,required"`
	Cards sidebet.Places `yaml:"cards,required"`
	Lines []struct {
		Line sidebet.Line `yaml:"line,required"`
		When sidebet.When `yaml:"when,required"`
	} `yaml:"lines,required"`
}

// KnownBets are the side bets that every house knows, by name. It panics if they cannot be read, which is a fault in
// the build.
var KnownBets = sync.OnceValue(func() map[sidebet.Bet]rules.Paytable {
	var file struct {
		Bets map[string]knownBet `yaml:"bets,required"`
	}
	if err := strictyaml.Decode("bets.yaml", betsFile, &file).Err(); err != nil {
		panic(err)
	}
	known := map[sidebet.Bet]rules.Paytable{}
	for _, name := range slices.Sorted(maps.Keys(file.Bets)) {
		bet := file.Bets[name]
		var rows []sidebet.Row
		for _, line := range bet.Lines {
			rows = append(rows, sidebet.Row{Line: line.Line, When: line.When})
		}
		def, _, err := sidebet.Define(bet.Cards, rows)
		if err != nil {
			panic(fmt.Errorf("bets.yaml: %s: %w", name, err))
		}
		known[sidebet.Bet(name)] = rules.Paytable{Title: bet.Title, Def: def}
	}
	return known
})

// define gives each side bet of a profile its definition: its own or, where it has none, that which every house knows.
func define(p *rules.Profile) {
	p.SideBets = slices.Clone(p.SideBets)
	for i := range p.SideBets {
		bet := &p.SideBets[i]
		if bet.Own() {
			bet.Define()
		} else {
			bet.Paytable = KnownBets()[bet.Bet]
		}
	}
}
