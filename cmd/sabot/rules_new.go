package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/rulebook"
	"github.com/sabot-table/sabot/internal/configfile"
	"github.com/sabot-table/sabot/internal/securefile"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file asks what a rule sheet answers, and writes a profile of the answers.

// newHouse asks for a house's rules and writes them.
func newHouse(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	speaks := languageFlag(set, display.BuiltIn(), "ask in this `language`")
	path, err := one(set, args, "file", e)
	if err != nil {
		return err
	}
	language, err := speaks()
	if err != nil {
		return err
	}
	i := &interview{
		in: bufio.NewScanner(e.in), out: e.out, language: language, file: path, sources: map[string]string{},
	}
	text, err := i.hold()
	if err != nil {
		return err
	}
	if err := securefile.NewPublic(path, text); err != nil {
		return err
	}
	i.tell()
	return nil
}

// languageFlag is --language of a command, and what finds it among all once the command line is read.
func languageFlag(set *flag.FlagSet, all *display.Library, what string) func() (display.Language, error) {
	spoken := strings.Join(display.Spoken(), ", ")
	name := set.String("language", "en", what+": "+spoken)
	return func() (display.Language, error) {
		language, ok := all.Speak(*name)
		if !ok {
			return language, errUsage(fmt.Sprintf("it does not speak %q: write one of %s", *name, spoken))
		}
		return language, nil
	}
}

// ruleAsked is one rule: its key, and values that houses have. Another value may be as good where the key takes more.
type ruleAsked struct {
	key    string
	values []string
	open   bool // other values are as good
	limit  bool // an amount; where the sheet is silent, the first value that goes with the other limits is taken
}

var (
	yesOrNo = []string{"true", "false"}
	without = "none"
)

// currencyAsked is asked first of all rules: the currency says how amounts are written.
const currencyAsked = "table.currency"

// questions are what a sheet of Black Jack answers, in the order of a profile but that what the bank does on a soft 17
// comes before what it draws, which is said with it. What means nothing by the answers before is not asked. Limits are
// those of a currency of hundredths.
var questions = []ruleAsked{
	{key: currencyAsked, values: []string{"EUR", "CHF", "USD", "GBP"}, open: true},
	{key: "table.boxes", values: []string{"7", "5", "9"}, open: true},
	{key: "table.min", values: []string{"10.00", "5.00"}, open: true, limit: true},
	{key: "table.box_max", values: []string{"500.00", "1000.00", "5000.00"}, open: true, limit: true},
	{key: "table.unit", values: []string{"0.50", "1.00", "0.25", "0.05", "0.01"}, open: true, limit: true},
	{key: "table.step", values: []string{without, "min"}, open: true},
	{key: "table.bettors", values: []string{without, "3"}, open: true},
	{key: "table.rounding", values: []string{"down", "up", "nearest", "carried"}},
	{key: "cards.source", values: []string{"shoe", "shuffler"}},
	{key: "cards.decks", values: []string{"6", "8", "4", "2", "1"}, open: true},
	{key: "cards.tens", values: yesOrNo},
	{key: "cards.jokers", values: []string{"0", "1"}, open: true},
	{key: "cards.burn.loaded", values: []string{without, "1", "5", "by-value"}, open: true},
	{key: "cards.burn.relief", values: []string{without, "1"}, open: true},
	{key: "play.draw_below", values: []string{without, "12"}, open: true},
	{key: "play.rest_from", values: []string{without, "17"}, open: true},
	{key: "play.lone_player_two_boxes", values: yesOrNo},
	{key: "bank.soft_17", values: []string{"stands", "draws"}},
	{key: "bank.draws", values: []string{"needed", "always"}},
	{key: "bank.hole_card", values: []string{without, "ace-and-ten", "ace", "ten", "end"}},
	{key: "bank.black_jack_takes", values: []string{"all", "original", "busted"}},
	{key: "bank.pushes_22", values: []string{without, "true"}},
	{key: "bank.wins_ties", values: []string{without, "17", "17, 18, 19"}, open: true},
	{key: "double.allowed", values: yesOrNo},
	{key: "double.on", values: []string{"[]", "[9, 10, 11]", "[10, 11]", "[11]"}, open: true},
	{key: "double.hard_only", values: yesOrNo},
	{key: "double.after_split", values: yesOrNo},
	{key: "double.most_cards", values: []string{without, "21"}, open: true},
	{key: "double.for_less", values: []string{without, "min", "unit"}, open: true},
	{key: "double.again", values: []string{without, "true"}},
	{key: "split.max", values: []string{"-1", "3", "2", "1", "0"}, open: true},
	{key: "split.aces_again", values: yesOrNo},
	{key: "split.by", values: []string{"value", "rank"}},
	{key: "split.never", values: []string{without, "10", "4, 5, 10"}, open: true},
	{key: "split.aces_drawn", values: []string{without, "true"}},
	{key: "insurance.offered", values: yesOrNo},
	{key: "insurance.exactly_half", values: yesOrNo},
	{key: "insurance.black_jack", values: yesOrNo},
	{key: "insurance.even_money", values: yesOrNo},
	{key: "insurance.tens", values: []string{without, "true"}},
	{key: "surrender", values: yesOrNo},
	{key: "surrender_only.late", values: []string{without, "true"}},
	{key: "surrender_only.not_against_ace", values: []string{without, "true"}},
	{key: "surrender_only.hard_from", values: []string{without, "12", "15"}, open: true},
	{key: "surrender_only.after_split", values: []string{without, "true"}},
	{key: "many_cards", values: []string{without, `{cards: 5, pays: "3:2", after_split: false}`}, open: true},
	{key: "three_sevens.paid", values: yesOrNo},
	{key: "three_sevens.after_split", values: yesOrNo},
	{key: "pays.win", values: []string{"1:1"}, open: true},
	{key: "pays.black_jack", values: []string{"3:2", "6:5", "2:1", "1:1"}, open: true},
	{key: "pays.black_jack_suited", values: []string{without, "2:1"}, open: true},
	{key: "pays.bonus_black_jack", values: []string{without, "5:1"}, open: true},
	{key: "pays.insurance", values: []string{"2:1"}, open: true},
	{key: "pays.even_money", values: []string{"1:1"}, open: true},
	{key: "pays.three_sevens", values: []string{"1:1"}, open: true},
}

// interview is what was asked and answered.
type interview struct {
	in       *bufio.Scanner
	out      io.Writer
	language display.Language
	file     string
	house    *profile.House
	// sources are what stands behind each answer, by its key: where the sheet says so, "" for room. What has none was
	// not asked, or is open.
	sources map[string]string
	open    []string
}

func (i *interview) say(name string, pairs ...string) string {
	return i.language.With("new."+name, pairs...)
}

// hold asks everything and returns the text of the profile, which was read as a good one.
func (i *interview) hold() ([]byte, error) {
	fmt.Fprintf(i.out, "%s\n", i.say("intro"))
	p := profile.Built()["schaffhausen"].Profile
	p.SideBets, p.Table.Unit, p.Table.BoxMax = []rules.SideBet{}, 1, 100_000_000 // wide, until each limit is answered
	p.AtOnce, p.Holder, p.Surrender = nil, nil, false
	p.Table.BoxesFrom, p.Table.BoxesTo, p.ThreeSevens.Paid = nil, nil, false
	i.text("house", "my-house", &p, &p.House)
	i.text("title", "My house", &p, &p.Title)
	i.house = profile.New(p)
	section := ""
	for _, q := range questions {
		if now := rulebook.SectionOf(i.language, i.house, q.key); now != section && i.asked(&q) {
			section = now
			fmt.Fprintf(i.out, "\n%s\n", section)
		}
		i.ask(&q)
	}
	i.bets()
	text := i.written()
	if _, err := profile.Built().Parse(i.file, text, configfile.ProfileWordsAlone); err != nil {
		return nil, unusable(err)
	}
	return text, nil
}

// text asks for a name until it can be one.
func (i *interview) text(what, silent string, p *rules.Profile, to *string) {
	for {
		fmt.Fprintf(i.out, "\n%s\n", i.say(what))
		i.prompt(what, silent)
		answer, _, more := i.answer()
		if *to = answer; !more || answer == "" {
			*to = silent
			return
		}
		wrong := profile.New(*p).Check()
		at := slices.IndexFunc(wrong, func(c rules.Complaint) bool { return c.Path == what })
		if _, taken := profile.Built()[answer]; at < 0 && !taken {
			return
		}
		why := answer + ": " + strings.Join(profile.Built().Names(), ", ")
		if at >= 0 {
			why = wrong[at].Error()
		}
		fmt.Fprintln(i.out, i.say("wrong", "why", why))
	}
}

// answer reads a line: a value, and where the sheet has it. more is false at the end of the answers.
func (i *interview) answer() (value, source string, more bool) {
	if !i.in.Scan() {
		fmt.Fprintln(i.out)
		return "", "", false
	}
	value, source, _ = strings.Cut(i.in.Text(), "#")
	return strings.TrimSpace(value), strings.TrimSpace(source), true
}

// values are those that a rule is asked with: a limit's in the house's currency, which is written 10.00 where it has
// hundredths, 1000 where it has no decimals, and 10.000 where it has three.
func (i *interview) values(q *ruleAsked) []string {
	digits := i.house.Digits()
	if !q.limit || digits == money.Digits("") {
		return q.values
	}
	all := make([]string, len(q.values))
	for n, value := range q.values {
		amount, err := money.Parse(value, money.Digits(""))
		if err != nil {
			panic(err) // a fault of the questions
		}
		if digits > 0 {
			amount = money.Scaled(amount, money.Digits(""), digits, money.Up)
		}
		all[n] = money.Format(amount, digits)
	}
	return all
}

// inCurrency is the house with its amounts in a currency: none of them is the sheet's yet.
func (i *interview) inCurrency(currency string) (*profile.House, error) {
	p := i.house.Profile
	p.Table.Currency = currency
	house := profile.New(p)
	if wrong := house.Check(); len(wrong) > 0 {
		return nil, wrong
	}
	return house, nil
}

// with is the house with another value, nil where it cannot have it.
func (i *interview) with(q *ruleAsked, value string) (*profile.House, error) {
	if q.key == currencyAsked {
		return i.inCurrency(value)
	}
	if value == without && q.values[0] != without {
		return nil, errors.New(strings.Join(q.values, ", "))
	}
	if value == without && !slices.ContainsFunc(slices.Collect(keysOf(i.house)), under(q.key)) {
		return i.house, nil
	}
	return profile.WhatIf(i.house, []string{q.key + "=" + value})
}

// keysOf are the keys of what a house has.
func keysOf(h *profile.House) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for key := range h.Values() {
			if !yield(key) {
				return
			}
		}
	}
}

// under says whether a key is another, or within its group.
func under(group string) func(key string) bool {
	return func(key string) bool { return key == group || strings.HasPrefix(key, group+".") }
}

// says puts what a house with a value plays into words, "" where that means nothing.
func (i *interview) says(q *ruleAsked, value string) string {
	house, err := i.with(q, value)
	if err != nil {
		return ""
	}
	var all []string
	for key := range keysOf(house) {
		if text := rulebook.One(i.language, house, key); under(q.key)(key) && text != "" {
			all = append(all, text)
		}
	}
	if len(all) == 0 && value == without {
		return i.say("none")
	}
	return strings.Join(all, " ")
}

// asked says whether a rule means anything by the answers before.
func (i *interview) asked(q *ruleAsked) bool {
	if group, _, in := strings.Cut(q.key, "_only."); in && group == vocab.CallSurrender.String() && !i.house.Surrender {
		return false
	}
	return slices.ContainsFunc(i.values(q), func(v string) bool { return v != without && i.says(q, v) != "" })
}

// ask asks for one rule until the answer can be one.
func (i *interview) ask(q *ruleAsked) {
	if !i.asked(q) {
		return
	}
	var letters []string
	for _, value := range i.values(q) {
		if said := i.says(q, value); said != "" {
			letters = append(letters, value)
			fmt.Fprintf(i.out, "  %c  %s  %s\n", 'a'+rune(len(letters)-1), value, said)
		}
	}
	if q.open {
		fmt.Fprintf(i.out, "     %s\n", i.say("other"))
	}
	for {
		i.prompt(q.key, i.usual(q))
		value, source, more := i.answer()
		if !more || value == "" {
			i.silent(q)
			return
		}
		value = lettered(value, letters)
		house, err := i.with(q, value)
		if err == nil && !q.open && !slices.Contains(q.values, value) {
			err = errors.New(strings.Join(q.values, ", "))
		}
		if err != nil {
			fmt.Fprintln(i.out, i.say("wrong", "why", err.Error()))
			continue
		}
		i.house, i.sources[q.key] = house, source
		return
	}
}

// lettered is the value that an answer chooses by its letter, or the answer.
func lettered(answer string, values []string) string {
	if len(answer) == 1 && answer[0] >= 'a' && int(answer[0]-'a') < len(values) {
		return values[answer[0]-'a']
	}
	return answer
}

// prompt asks for a key's value; usual, if there is one, is taken for an empty line.
func (i *interview) prompt(key, usual string) {
	if usual != "" {
		key += " [" + usual + "]"
	}
	fmt.Fprintf(i.out, "%s > ", key)
}

// usual is what a rule has where the sheet is silent: what the house has, the first value where it has none, and of
// a limit the first that goes with the others.
func (i *interview) usual(q *ruleAsked) string {
	values := i.values(q)
	if q.limit {
		fits := slices.IndexFunc(values, func(v string) bool { _, err := i.with(q, v); return err == nil })
		if fits >= 0 {
			return values[fits]
		}
	}
	for key, value := range i.house.Values() {
		if key == q.key {
			return value
		}
	}
	return values[0]
}

// silent leaves a rule at what is usual.
func (i *interview) silent(q *ruleAsked) {
	i.open = append(i.open, q.key)
	if house, err := i.with(q, i.usual(q)); q.limit && err == nil {
		i.house = house
	}
}

// bets asks which side bets there are that every house knows, and what they pay.
func (i *interview) bets() {
	fmt.Fprintf(i.out, "\n%s\n", i.say("bets"))
	var known []string
	for _, bet := range sidebet.Bets {
		known = append(known, bet.String())
	}
	fmt.Fprintf(i.out, "  %s\n", strings.Join(known, ", "))
	for {
		i.prompt("side_bets", without)
		value, _, more := i.answer()
		if !more || value == "" || value == without {
			return
		}
		names := strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		if at := slices.IndexFunc(names, func(n string) bool { return !slices.Contains(known, n) }); at >= 0 {
			fmt.Fprintln(i.out, i.say("wrong", "why", names[at]))
			continue
		}
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			i.bet(sidebet.Bet(name))
		}
		return
	}
}

// bet asks for one side bet: its limits, who may bet, and each line.
func (i *interview) bet(name sidebet.Bet) {
	bet := rules.SideBet{Bet: name, Paytable: profile.KnownBets()[name]}
	at := fmt.Sprintf("side_bets[%d]", len(i.house.SideBets))
	fmt.Fprintf(i.out, "\n%s\n", bet.Paytable.Title)
	ok := i.value("least", at+".least", "unit", i.amount(&bet.Least)) &&
		i.value("most", at+".most", "min", i.amount(&bet.Most)) &&
		i.value("step", at+".step", "unit", i.amount(&bet.Step)) &&
		i.choice("bettors", at+".bettors", "rule.side-bets.bettors-", rules.WithStake.String(), rules.BettorsNames,
			bet.Bettors.UnmarshalText)
	p := i.house.Profile
	if name == sidebet.Progressive {
		jackpot, asked := i.jackpot()
		p.Jackpot, ok = jackpot, ok && asked
	}
	ok = i.lines(at, &bet) && ok
	p.SideBets = append(slices.Clone(p.SideBets), bet)
	house := profile.New(p)
	if wrong := house.Check(); !ok || len(wrong) > 0 {
		if len(wrong) > 0 {
			fmt.Fprintln(i.out, i.say("wrong", "why", wrong.Error()))
		}
		fmt.Fprintln(i.out, i.say("left", "bet", name.String()))
		i.open = slices.DeleteFunc(i.open, func(key string) bool { return under(at)(key) || under("jackpot")(key) })
		i.open = append(i.open, "side_bets."+name.String())
		return
	}
	i.house = house
}

// lines asks what each line of a bet pays: each is asked for, whatever was left open before.
func (i *interview) lines(at string, bet *rules.SideBet) bool {
	fmt.Fprintf(i.out, "  %s\n", i.say("pays"))
	ok := true
	for _, line := range bet.Paytable.Def.Lines() {
		row := rules.Line{Line: line}
		if i.house.Cards.Jokers == 0 && bet.Paytable.Def.Joker(line) {
			continue
		}
		if line == sidebet.Jackpot {
			row.Pays.Jackpot = true
		} else if ok {
			fmt.Fprintf(i.out, "  %s\n", i.language.With("rule.line-"+line.String()))
			key := fmt.Sprintf("%s.pays[%d].pays", at, len(bet.Pays))
			ok = i.read(key, "", i.amount(&row.Pays), line.String())
		}
		bet.Pays = append(bet.Pays, row)
	}
	return ok
}

// jackpot asks for the one that a progressive bet plays for, and whether several tables play for it together.
func (i *interview) jackpot() (j *rules.Jackpot, ok bool) {
	j = &rules.Jackpot{}
	ok = i.value("seed", "jackpot.seed", "", i.amount(&j.Seed)) &&
		i.value("feeds", "jackpot.feeds", "", j.Feeds.UnmarshalText) &&
		i.value("envy", "jackpot.envy", without, orNone(i.amount(&j.Envy))) &&
		i.value("linked", "jackpot.linked", without, orNone(func(text []byte) error {
			name := string(text)
			j.Linked = &name
			return nil
		}))
	if !ok || j.Linked == nil {
		return j, ok
	}
	j.WhenAlone = new(rules.WhenAlone)
	ok = i.choice("when-alone", "jackpot.when_alone", "rule.jackpot.when-alone-", rules.ClosedAlone.String(),
		rules.WhenAloneNames, j.WhenAlone.UnmarshalText)
	if *j.WhenAlone == rules.Reserved {
		j.Reserve = new(rules.Money)
		ok = ok && i.value("reserve", "jackpot.reserve", "", i.amount(j.Reserve))
	}
	return j, ok
}

// amount reads a value in the house's currency.
func (i *interview) amount(to interface {
	UnmarshalIn(currency string, text []byte) error
},
) func([]byte) error {
	return func(text []byte) error { return to.UnmarshalIn(i.house.Table.Currency, text) }
}

// orNone reads a value that a house may go without.
func orNone(read func([]byte) error) func([]byte) error {
	return func(text []byte) error {
		if string(text) == without {
			return nil
		}
		return read(text)
	}
}

// value says what is asked for, and asks for it until read takes it.
func (i *interview) value(what, key, usual string, read func([]byte) error) bool {
	fmt.Fprintf(i.out, "  %s\n", i.say(what, "example", "unit, 2 min, 1/10 box_max"))
	return i.read(key, usual, read)
}

// choice asks for one of several names, each with its words, by letter or name.
func (i *interview) choice(what, key, words, usual string, names []string, read func([]byte) error) bool {
	fmt.Fprintf(i.out, "  %s\n", i.say(what))
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
	for n, name := range names {
		fmt.Fprintf(i.out, "  %c  %s  %s\n", 'a'+rune(n), name, i.language.With(words+name))
	}
	return i.read(key, usual, func(text []byte) error { return read([]byte(lettered(string(text), names))) })
}

// read asks for a value that read takes. Without an answer it is the usual one; false where there is none.
func (i *interview) read(key, usual string, read func([]byte) error, beside ...string) bool {
	for {
		i.prompt(strings.Join(append([]string{key}, beside...), " "), usual)
		value, source, more := i.answer()
		if !more || value == "" {
			i.open = append(i.open, key)
			return usual != "" && read([]byte(usual)) == nil
		}
		err := read([]byte(value))
		if err == nil {
			i.sources[key] = source
			return true
		}
		fmt.Fprintln(i.out, i.say("wrong", "why", err.Error()))
	}
}

// tell says where the profile is, and what the sheet has left open.
func (i *interview) tell() {
	fmt.Fprintf(i.out, "\n%s\n", i.say("wrote", "file", i.file))
	if len(i.open) == 0 {
		fmt.Fprintln(i.out, i.say("full"))
		return
	}
	fmt.Fprintln(i.out, i.say("open"))
	for _, key := range i.open {
		fmt.Fprintf(i.out, "  %s  %s\n", key, i.decided(key))
	}
}

// decided says what the house has of a key that the sheet left open: of one that stands in no profile, what that means.
func (i *interview) decided(key string) string {
	text := rulebook.One(i.language, i.house, key)
	if at := slices.IndexFunc(questions, func(q ruleAsked) bool { return q.key == key }); text == "" && at >= 0 {
		text = i.says(&questions[at], i.usual(&questions[at]))
	}
	if text == "" {
		text = i.say("none")
	}
	return text
}
