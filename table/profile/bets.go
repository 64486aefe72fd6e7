package profile

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/sabot-table/sabot/internal/strictyaml"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
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

// refuseNever refuses the lines of the house's own bets that no cards win.
func refuseNever(h *House, doc *strictyaml.Document) {
	for i := range h.SideBets {
		bet, path := &h.SideBets[i], fmt.Sprintf("side_bets[%d]", i)
		if !bet.Own() || bet.Paytable.Def == nil || !doc.Sound(path) {
			continue
		}
		for _, line := range bet.Paytable.Def.Unreachable() {
			at := slices.IndexFunc(bet.Pays, func(l rules.Line) bool { return l.Line == line })
			doc.Refuse(fmt.Sprintf("%s.pays[%d].when", path, at),
				"no cards win this line: there are none such, or the lines before it win with all of them",
				"write another condition, list the line earlier, or leave it out")
		}
	}
}

// refuseStrangers refuses words for side bets and lines that the house does not have, nor any other: their keys are
// misspelt.
func refuseStrangers(h *House, doc *strictyaml.Document) {
	for language, texts := range h.words {
		for key := range texts {
			for _, prefix := range [...]string{"wager.", "rule.decided-", "why.", "rule.line-"} {
				if name, is := strings.CutPrefix(key, prefix); is && !h.has(name) {
					doc.Refuse("words."+language+"."+strconv.Quote(key),
						"speaks of no side bet and no line of this house",
						"write the name of one, as side_bets has it")
				}
			}
		}
	}
}

// has says whether a name is that of a wager, of a line, or of what else decides wagers.
func (h *House) has(name string) bool {
	for why := range vocab.EveryWhy {
		if why.String() == name {
			return true
		}
	}
	for wager := range vocab.EveryWager {
		if wager.String() == name {
			return true
		}
	}
	return slices.ContainsFunc(h.Offers(), func(o *rules.Offer) bool {
		return o.Bet.String() == name || slices.Contains(o.Lines(), sidebet.Line(name))
	})
}

// titled are the languages in which a house's own bet is called by its title where the house has no word of its own.
var titled = []string{"en", "de", "fr", "it", "zh"}

// withTitles are the words of a house, with the titles of its own bets.
func withTitles(own map[string]map[string]string, offers []*rules.Offer) map[string]map[string]string {
	all := overWords(nil, own)
	for _, o := range offers {
		if o.Bet.Known() {
			continue
		}
		for _, language := range titled {
			if all[language] == nil {
				all[language] = map[string]string{}
			}
			if key := "wager." + o.Bet.String(); all[language][key] == "" {
				all[language][key] = o.Title
			}
		}
	}
	return all
}
