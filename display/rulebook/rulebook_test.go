package rulebook_test

import (
	"math/big"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/rulebook"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// houses are the built-in ones, and one that has every bet, by its own file.
func houses(t testing.TB) profile.Book {
	t.Helper()
	all, err := readHouses()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// readHouses are the houses that come with Sabot, and those for tests that have many bets and many keys.
var readHouses = sync.OnceValues(func() (profile.Book, error) {
	all := profile.Built()
	for _, name := range []string{"every-bet", "known-bets", "keys"} {
		file := name + ".yaml"
		text, err := os.ReadFile("../../internal/testkit/tabletest/" + file)
		if err != nil {
			return nil, err
		}
		own, err := profile.Built().Parse(file, text)
		if err != nil {
			return nil, err
		}
		all = all.With(own)
	}
	return all, nil
})

// atTables calls check for each house at tables with other limits.
func atTables(t *testing.T, check func(t *testing.T, h *profile.House, set *rules.Rules)) {
	for name, h := range houses(t) {
		for limits, setup := range map[string]rules.Setup{
			"its own limits": {House: name}, "5 to 100": {House: name, Min: 500, BoxMax: 10000},
			"25 to 1000": {House: name, Min: 2500, BoxMax: 100000},
		} {
			set, err := houses(t).Set(setup)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(name+"/"+limits, func(t *testing.T) { check(t, h, set) })
		}
	}
}

// paying says whether a rule pays something, and thus has an example.
func paying(h *profile.House, s rulebook.Statement) bool {
	return strings.HasPrefix(s.Path, "pays.") || s.Pays != "" || s.Path == "many_cards.pays" ||
		s.Path == "surrender" && h.Surrender
}

// TestExamplesPayWhatTheSheetSays: each rule that pays has an example that the engine has dealt,
// and it pays what follows from the odds as the profile writes them, worked out here by fractions.
func TestExamplesPayWhatTheSheetSays(t *testing.T) {
	atTables(t, func(t *testing.T, h *profile.House, set *rules.Rules) {
		values := map[string]string{}
		for path, value := range h.Values() {
			values[path] = value
		}
		shown := 0
		for _, section := range rulebook.Of(display.English, h, set) {
			for _, s := range section.Statements {
				switch e := s.Example; {
				case !paying(h, s):
					if e != nil {
						t.Errorf("%s pays nothing, and has the example %+v", s.Path, e)
					}
				case e == nil:
					t.Errorf("%s (%s %s) has no example", s.Path, s.Pays, s.Text)
				default:
					shown++
					if won, back := due(t, set, s.Path, values[s.Path], e); e.Won != won || e.Returned != back {
						t.Errorf("%s: %s on %d: the example wins %d and returns %d, due are %d and %d", s.Path,
							values[s.Path], e.Stake, e.Won, e.Returned, won, back)
					}
				}
			}
		}
		if shown < 2 {
			t.Errorf("only %d rules have an example", shown)
		}
	})
}

// due is what a stake must win and get back, by a rule as the profile writes it.
func due(t *testing.T, set *rules.Rules, path, value string, e *rulebook.Example) (won, back int64) {
	t.Helper()
	switch {
	case path == "surrender":
		return 0, share(set, "1:2", e.Stake)
	case strings.HasSuffix(value, "jackpot"):
		feed := new(big.Rat).Mul(big.NewRat(e.Stake, 1), ratio(set.Meter.Feeds.String()))
		meter := set.Meter.Seed + new(big.Int).Quo(feed.Num(), feed.Denom()).Int64()
		if part, ofIt := strings.CutSuffix(value, " jackpot"); ofIt {
			return share(set, strings.ReplaceAll(part, "/", ":"), meter), e.Stake
		}
		return meter, e.Stake
	case strings.Contains(value, ":"):
		won, back = share(set, value, e.Stake), e.Stake
	default:
		amount, err := money.Parse(value, 2)
		if err != nil {
			t.Fatal(err)
		}
		won, back = amount, e.Stake
	}
	if path == "pays.three_sevens" {
		back = 0 // the stake plays on
	}
	return won, back
}

// share is a part of a stake in payable units, rounded down, as all these houses do.
func share(set *rules.Rules, odds string, stake int64) int64 {
	units := new(big.Rat).Mul(big.NewRat(stake, set.Table.Unit), ratio(odds))
	return new(big.Int).Quo(units.Num(), units.Denom()).Int64() * set.Table.Unit
}

func ratio(odds string) *big.Rat {
	r, ok := new(big.Rat).SetString(strings.ReplaceAll(odds, ":", "/"))
	if !ok {
		panic(odds)
	}
	return r
}

// TestExamplesAreOfTheirLine: the cards of an example win the line beside which it stands.
func TestExamplesAreOfTheirLine(t *testing.T) {
	atTables(t, func(t *testing.T, h *profile.House, set *rules.Rules) {
		for _, section := range rulebook.Of(display.English, h, set) {
			if section.Bet == "" {
				continue
			}
			pays := 0
			for _, s := range section.Statements {
				if s.Pays == "" {
					continue
				}
				line := set.SideBets[indexOf(set, section.Bet)].Pays[pays].Line
				pays++
				box, bank := s.Example.Box, s.Example.Bank
				c := sidebet.Cards{
					First: box[0], Second: box[len(box)-1], Joker: len(box) > 2, Bank: bank[0],
					Hands: sidebet.HandsKept, Hand: box, BankHand: bank,
				}
				if len(bank) > 1 {
					c.BankSecond = bank[1]
				}
				o := set.Offer(section.Bet)
				if o.Needs()&sidebet.Hand != 0 {
					c.Second, c.Joker = box[1], false
				}
				if got, _ := o.Judge(c); got != line || s.Example.Wager != vocab.SideWager(section.Bet) {
					t.Errorf("%s: %s is shown by box %v, bank %v, which is %s", section.Title, line, box,
						s.Example.Bank, got)
				}
				if got := s.Text; section.Bet.Known() && got != lookup("rule.line-"+line.String()) {
					t.Errorf("%s is said as %q", line, got)
				}
			}
			if pays != len(set.SideBets[indexOf(set, section.Bet)].Pays) {
				t.Errorf("%s: %d lines are said", section.Title, pays)
			}
		}
	})
}

func indexOf(set *rules.Rules, bet sidebet.Bet) int {
	for i := range set.SideBets {
		if set.SideBets[i].Bet == bet {
			return i
		}
	}
	return -1
}

// TestEveryRuleIsSaid: no value of a profile is passed over but where it means nothing in the
// house, and none is said in English in another language, or with a hole in it.
func TestEveryRuleIsSaid(t *testing.T) {
	for name, h := range houses(t) {
		english := map[string]string{}
		for nth, l := range append([]display.Language{display.English}, display.BuiltIn().Languages(false)...) {
			said := 0
			for _, section := range rulebook.Of(l, h, h.Rules) {
				for _, s := range section.Statements {
					said++
					switch {
					case strings.ContainsAny(s.Text+s.Pays+section.Title, "{}") || s.Text == "" || s.Source == "":
						t.Errorf("%s, %s: %+v", name, l.Tag(), s)
					case nth == 0:
						english[s.Path] = s.Text
					case section.Bet != "" && !section.Bet.Known() && s.Pays != "": // said in the profile's own words
					case l.Code() != "en" && s.Text == english[s.Path] && s.Text != "Black Jack":
						t.Errorf("%s, %s: %s is left in English: %s", name, l.Tag(), s.Path, s.Text)
					}
				}
			}
			if said < 30 || said != len(english) {
				t.Errorf("%s, %s: %d rules are said, in English %d", name, l.Tag(), said, len(english))
			}
		}
		for path, text := range english {
			if strings.HasPrefix(text, path) {
				t.Errorf("%s: nobody has words for %s", name, path)
			}
		}
	}
}

// TestExamplesWithAHoleCard: what has an example has one in a house with a hole card, too, whenever it is looked at.
func TestExamplesWithAHoleCard(t *testing.T) {
	shown := func(changes ...string) map[string]bool {
		house, err := profile.WhatIf(profile.Built()["schaffhausen"], changes)
		if err != nil {
			t.Fatal(err)
		}
		paths := map[string]bool{}
		for _, section := range rulebook.Of(display.English, house, house.Rules) {
			for _, s := range section.Statements {
				paths[s.Path] = s.Example != nil
			}
		}
		return paths
	}
	for _, looks := range []string{"ace", "ten", "ace-and-ten", "end"} {
		with := shown("bank.hole_card=" + looks)
		for path, has := range shown() {
			if has && !with[path] {
				t.Errorf("hole_card=%s: %s has no example", looks, path)
			}
		}
	}
}

func lookup(key string) string {
	text, _ := display.English.Lookup(key)
	return text
}
