package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
)

// mostLines bounds how many lines of an answer are told in words.
const mostLines = 6

// lineWords tells outputs in words. What has no words here is told as it stands.
func lineWords(lines []string) []string {
	var words []string
	for i, text := range lines {
		if i == mostLines {
			return append(words, fmt.Sprintf("… and %d more", len(lines)-i))
		}
		words = append(words, outputWords(text))
	}
	return words
}

func outputWords(text string) string {
	l, err := parseLine([]byte(text))
	if err != nil {
		return text
	}
	tell := map[string]func(*line) string{
		"opened":      func(l *line) string { return fmt.Sprintf("round %d is opened", l.Round) },
		"closed-bets": func(*line) string { return "bets are closed" },
		"rejected":    func(l *line) string { return "refused: " + l.Reason },
		"dealt":       dealtWords,
		"due":         dueWords,
		"done":        func(l *line) string { return fmt.Sprintf("%s is done: %s", l.place(), l.Why) },
		"irregular":   irregularWords,
		"resolved":    func(l *line) string { return fmt.Sprintf("%s is put right: %s %s", l.Code, l.With, byWhom(l.By)) },
		"settled":     settledWords,
		"bonus":       func(l *line) string { return fmt.Sprintf("%s: a bonus of %s (%s)", l.stake(), sum(l.Won), l.Why) },
		"round":       roundWords,
		"finished":    func(l *line) string { return fmt.Sprintf("round %d is finished", l.Round) },
	}[l.Out]
	if tell == nil {
		return text
	}
	return strings.TrimSpace(tell(&l))
}

func byWhom(name string) string {
	if name == "" {
		return ""
	}
	return "by " + name
}

// place is the hand that a line is about.
func (l *line) place() string {
	if l.Hand > 1 {
		return fmt.Sprintf("box %d, hand %d", l.Box, l.Hand)
	}
	return fmt.Sprintf("box %d", l.Box)
}

func dealtWords(l *line) string {
	total := fmt.Sprint(l.Total)
	switch {
	case l.Points != nil:
		total = fmt.Sprintf("%d points", *l.Points)
	case l.Soft:
		total = "soft " + total
	}
	switch {
	case l.To == "bank":
		return fmt.Sprintf("%s to the bank: %s", l.Card, total)
	case l.To == "box":
		return fmt.Sprintf("%s to %s: %s", l.Card, l.place(), total)
	default:
		return l.Card + " laid aside"
	}
}

func dueWords(l *line) string {
	switch l.To {
	case "box":
		return "next is a card for " + l.place()
	case "bank":
		return "next is a card for the bank"
	case "call":
		return fmt.Sprintf("next is a call of %s: %s", l.place(), strings.Join(l.Allowed, ", "))
	default:
		return "next is " + l.To
	}
}

func irregularWords(l *line) string {
	return strings.TrimSpace(fmt.Sprintf("irregularity: %s %s", l.Code, l.Card+l.Found))
}

// stake names whose stake a line is about.
func (l *line) stake() string {
	return fmt.Sprintf("%s, %s, %s stake of %s", l.place(), l.Bettor, l.Wager, sum(l.Stake))
}

func settledWords(l *line) string {
	switch l.Outcome {
	case "win":
		return fmt.Sprintf("%s wins %s (%s)", l.stake(), sum(l.Won), l.Why)
	case "lose":
		return fmt.Sprintf("%s is lost (%s)", l.stake(), l.Why)
	default:
		return fmt.Sprintf("%s: %s, %s come back (%s)", l.stake(), l.Outcome, sum(l.Returned), l.Why)
	}
}

func roundWords(l *line) string {
	return fmt.Sprintf("round %d is decided: bank %s = %d; staked %s, returned %s, won %s",
		l.Round, cardsWords(l.Bank), l.BankTotal, sum(l.Staked), sum(l.Returned), sum(l.Won))
}

func cardsWords(cards []card.Card) string {
	names := make([]string, len(cards))
	for i, c := range cards {
		names[i] = c.String()
	}
	return strings.Join(names, " ")
}

// inputWords tells an input in words.
func inputWords(text []byte) string {
	l, err := parseLine(text)
	if err != nil {
		return string(text)
	}
	switch l.In {
	case "open":
		return "bets are opened"
	case "close":
		return "no more bets"
	case "card":
		return "the card " + l.Card + " leaves the shoe"
	case "call":
		return strings.TrimSpace("call: " + l.Call + " " + strings.Join(l.Bettors, ", "))
	case "stake":
		return fmt.Sprintf("a %s stake of %s by %s on box %d", l.Wager, sum(l.Amount), l.Bettor, l.Box)
	case "paid":
		return "the dealer confirms payment"
	case "undo":
		return "the last key press is taken back"
	case "resolve":
		return strings.TrimSpace(fmt.Sprintf("an irregularity is put right: %s %s %s", l.With, l.Card, byWhom(l.By)))
	default:
		return string(text)
	}
}

// headline says in a sentence how what was recorded differs from what follows. The
// first line of each that differs decides.
func headline(recorded, should []string) string {
	first := func(lines []string) (l line) {
		if len(lines) > 0 {
			l, _ = parseLine([]byte(lines[0])) // what cannot be read has no kind
		}
		return l
	}
	got, want := first(recorded), first(should)
	switch {
	case want.Out == "rejected" && got.Out != "rejected":
		return "something was taken that the rules refuse: " + want.Reason
	case got.Out == "rejected":
		return "something was refused (" + got.Reason + ") that the rules allow"
	case len(recorded) == 0:
		return "not all was recorded that follows: " + outputWords(should[0])
	case len(should) == 0:
		return "more was recorded than follows: " + outputWords(recorded[0])
	case want.Out == "irregular":
		return "an irregularity was not recorded: " + want.Code
	case got.Out == "irregular":
		return "an irregularity was recorded that was none: " + got.Code
	}
	return headlineOf(&got, &want)
}

// headlineOf compares two lines, mostly of one kind.
func headlineOf(got, want *line) string {
	switch {
	case got.Out != want.Out:
	case got.Out == "dealt" && got.Card != want.Card:
		return fmt.Sprintf("the card %s left the shoe, and %s was recorded as dealt", want.Card, got.Card)
	case got.Out == "dealt" && got.To != want.To:
		return "the card was recorded as dealt to somebody else"
	case got.Out == "dealt":
		return "a total was recorded wrongly"
	case got.Out == "settled" && got.Outcome != want.Outcome:
		return fmt.Sprintf("a wager was recorded as %s, and it is %s", outcomeWords(got.Outcome), outcomeWords(want.Outcome))
	case got.Out == "settled" && value(got.Won) != value(want.Won):
		return fmt.Sprintf("%s were recorded as won, and %s are", sum(got.Won), sum(want.Won))
	case got.Out == "settled" && got.Bettor == want.Bettor && got.Box == want.Box:
		return "a settlement was recorded wrongly"
	case got.Out == "round":
		return "the sums of the round were recorded wrongly"
	}
	return "what was recorded does not follow from what was put in"
}

// outcomeWords is an outcome as people say it.
func outcomeWords(outcome string) string {
	words := map[string]string{"win": "won", "lose": "lost", "stand-off": "a stand-off", "surrender": "given up", "void": "void"}
	if said := words[outcome]; said != "" {
		return said
	}
	return outcome
}

// carryWords compares two checkpoints by their fields.
func carryWords(recorded, should []byte) (was, want []string) {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(recorded, &a) != nil || json.Unmarshal(should, &b) != nil {
		return []string{string(recorded)}, []string{string(should)}
	}
	fields := maps.Clone(a)
	maps.Copy(fields, b)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if string(a[name]) != string(b[name]) {
			was, want = append(was, fieldWords(name, a[name])), append(want, fieldWords(name, b[name]))
		}
	}
	return was, want
}

// fieldWords names what is carried as an auditor knows it.
func fieldWords(name string, raw json.RawMessage) string {
	text := string(raw)
	switch name {
	case "seen":
		name, text = "cards out of the shoe", strings.Trim(text, `"`)
	case "jackpot":
		var minor int64
		if json.Unmarshal(raw, &minor) == nil {
			text = amount(minor)
		}
	case "round":
		name = "round's number"
	case "waiting":
		name = "cards that lie open for the next round"
	}
	if len(raw) == 0 {
		text = "none"
	}
	return name + ": " + text
}
