// Package rulebook says the rules of a house in words of a language, each with its source in
// the house's profile, and with an example that the engine has dealt. It reads profiles, and
// knows no house by name.
package rulebook

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
)

// Section is what is said of one subject: a part of the profile, or one of its side bets.
type Section struct {
	// Name is the profile's key, such as double.
	Name string
	// Bet is the side bet that it is about, 0 for none.
	Bet        sidebet.Bet
	Title      string
	Statements []Statement
}

// Statement is one rule.
type Statement struct {
	// Path is where the profile has it.
	Path string
	// Pays is what a line of a paytable pays, "" for any other rule; Text then says what wins.
	Pays string
	Text string
	// Source is the clause of the house's sheet, or that it was decided.
	Source string
	// Example is nil for a rule that pays nothing.
	Example *Example
}

// Of says the rules of a house, as a table plays them: set are the house's with the limits of
// the table. What the house does not play is left out.
func Of(l display.Language, h *profile.House, set *rules.Rules) []Section {
	var all []Section
	examples := examplesOf(set)
	for path, value := range h.Values() {
		s := subjectOf(l, h, set, path, value)
		text := s.say()
		if text == "" {
			continue
		}
		if n := len(all); n == 0 || all[n-1].Name != s.section() || all[n-1].Bet != s.sideBet() {
			all = append(all, Section{Name: s.section(), Bet: s.sideBet(), Title: s.title()})
		}
		last := &all[len(all)-1]
		last.Statements = append(last.Statements, Statement{
			Path: path, Pays: s.pays(), Text: text, Source: s.source(),
			Example: examples[path],
		})
	}
	return all
}

// subject is a value that is put into words.
type subject struct {
	language display.Language
	house    *profile.House
	// rules are the table's.
	rules *rules.Rules
	// path is the value's, and pattern the same without the numbers of its lists.
	path, pattern, value string
	// bet is the side bet to which the value belongs, nil for the main game, and line the line of
	// its paytable, nil for a value outside it.
	bet  *rules.SideBet
	line *rules.Line
}

var (
	listNumber = regexp.MustCompile(`\[\d+\]`)
	inSideBet  = regexp.MustCompile(`^side_bets\[(\d+)\](?:\.pays\[(\d+)\])?`)
)

func subjectOf(l display.Language, h *profile.House, set *rules.Rules, path, value string) subject {
	s := subject{
		language: l, house: h, rules: set, path: path, pattern: listNumber.ReplaceAllString(path, ""),
		value: value,
	}
	place := inSideBet.FindStringSubmatch(path)
	if place == nil {
		return s
	}
	s.bet = &h.SideBets[index(place[1])]
	if place[2] != "" {
		s.line = &s.bet.Pays[index(place[2])]
	}
	return s
}

// item is the number of the list's item that the value is of.
func (s subject) item() int { return index(strings.Trim(listNumber.FindString(s.path), "[]")) }

// index reads digits that a pattern has found.
func index(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		panic(err) // more items than an int can count
	}
	return n
}

func (s subject) section() string {
	section, _, _ := strings.Cut(s.pattern, ".")
	return section
}

func (s subject) sideBet() sidebet.Bet {
	if s.bet == nil {
		return ""
	}
	return s.bet.Bet
}

// title is a section's heading: a side bet has its own name.
func (s subject) title() string {
	if s.bet != nil {
		return s.bet.Paytable.Title
	}
	return s.text("rule.title-" + hyphens(s.section()))
}

// pays is what a line of a paytable pays.
func (s subject) pays() string {
	if s.line == nil {
		return ""
	}
	switch prize := s.line.Pays; {
	case prize.Part.Den != 0:
		return fmt.Sprintf("%d/%d %s", prize.Part.Num, prize.Part.Den, s.text("rule.jackpot"))
	case prize.Jackpot:
		return s.text("rule.jackpot")
	case prize.Amount != 0:
		return s.money(prize.Amount)
	default:
		return prize.Odds.String()
	}
}

// source says where the value comes from.
func (s subject) source() string {
	from := s.house.Origin(s.path)
	source := from.Text
	if source == "" {
		source = s.text("help.no-source")
	}
	if from.House == s.house.House {
		return source
	}
	return s.text("help.source-of", "source", source, "house", from.House)
}

// text says a text, with pairs of names and what is filled in for them.
func (s subject) text(key string, filled ...string) string {
	return s.language.With(key, filled...)
}

func (s subject) money(minor int64) string { return s.language.Money(minor, s.house.Digits()) }

// hyphens is a profile's key as the keys of texts are written.
func hyphens(key string) string { return strings.ReplaceAll(key, "_", "-") }

// own is a text that speaks of a side bet or a line of the house's own or, where the house has no words for it, as the
// profile says it.
func (s subject) own(key, written string) string {
	if _, said := s.language.Lookup(key); said || written == "" {
		return s.text(key)
	}
	return written
}

// decided says which cards decide a side bet.
func (s subject) decided() string {
	return s.own("rule.decided-"+s.bet.Bet.String(), s.bet.Cards.String())
}

// wins says which cards win a line.
func (s subject) wins() string { return s.own("rule.line-"+s.line.Line.String(), s.line.When.String()) }
