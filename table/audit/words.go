package audit

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// mostLines bounds how many lines of an answer are told in words.
const mostLines = 6

// lineWords tells outputs in words. What cannot be read is told as it stands.
func (digits decimals) lineWords(lines []string) []string {
	var told []string
	for i, text := range lines {
		if i == mostLines {
			return append(told, fmt.Sprintf("… and %d more", len(lines)-i))
		}
		told = append(told, digits.outputWords(text))
	}
	return told
}

func (digits decimals) outputWords(text string) string {
	out, err := transcript.NewParser(nil).ParseOutput([]byte(text), 0)
	if err != nil {
		return text
	}
	return digits.Output(out)
}

// inputWords tells an input in words.
func (digits decimals) inputWords(text []byte) string {
	in, err := parseInput(text)
	if err != nil {
		return string(text)
	}
	return digits.Input(in)
}

// headline says in a sentence how what was recorded differs from what follows. The
// first line of each that differs decides.
func (digits decimals) headline(recorded, should []string) string {
	first := func(lines []string) (out vocab.Output) {
		if len(lines) > 0 {
			out, _ = transcript.NewParser(nil).ParseOutput([]byte(lines[0]), 0) // what cannot be read has no kind
		}
		return out
	}
	got, want := first(recorded), first(should)
	switch {
	case want.Kind == vocab.Rejected && got.Kind != vocab.Rejected:
		return "something was taken that the rules refuse: " + want.Reason.String()
	case got.Kind == vocab.Rejected:
		return "something was refused (" + got.Reason.String() + ") that the rules allow"
	case len(recorded) == 0:
		return "not all was recorded that follows: " + digits.outputWords(should[0])
	case len(should) == 0:
		return "more was recorded than follows: " + digits.outputWords(recorded[0])
	case want.Kind == vocab.Irregular:
		return "an irregularity was not recorded: " + want.Code.String()
	case got.Kind == vocab.Irregular:
		return "an irregularity was recorded that was none: " + got.Code.String()
	case got.Kind != want.Kind:
		return "what was recorded does not follow from what was put in"
	}
	return digits.headlineOf(&got, &want)
}

// headlineOf compares two lines of one kind.
func (digits decimals) headlineOf(got, want *vocab.Output) string {
	switch {
	case got.Kind == vocab.Dealt && got.Card != want.Card:
		return fmt.Sprintf("the card %s left the shoe, and %s was recorded as dealt", want.Card, got.Card)
	case got.Kind == vocab.Dealt && got.To != want.To:
		return "the card was recorded as dealt to somebody else"
	case got.Kind == vocab.Dealt:
		return "a total was recorded wrongly"
	case got.Kind == vocab.Settled && got.Outcome != want.Outcome:
		return fmt.Sprintf("a wager was recorded as %s, and it is %s", outcomeWords[got.Outcome],
			outcomeWords[want.Outcome])
	case got.Kind == vocab.Settled && got.Won != want.Won:
		return fmt.Sprintf("%s were recorded as won, and %s are", digits.wonWords(got), digits.wonWords(want))
	case got.Kind == vocab.Settled && got.Bettor == want.Bettor && got.Box == want.Box:
		return "a settlement was recorded wrongly"
	case got.Kind == vocab.RoundDecided:
		return "the sums of the round were recorded wrongly"
	}
	return "what was recorded does not follow from what was put in"
}

func (digits decimals) wonWords(out *vocab.Output) string {
	if out.Unstated {
		return "an amount that nobody entered"
	}
	return digits.Amount(out.Won)
}

// outcomeWords are outcomes as people say them.
var outcomeWords = [...]string{
	vocab.Win: "won", vocab.Lose: "lost", vocab.StandOff: "a stand-off", vocab.Surrendered: "given up",
	vocab.PartLost: "lost in part",
	vocab.Void:     "void",
}

// carryWords compares two checkpoints by their fields.
func (digits decimals) carryWords(recorded, should []byte) (was, want []string) {
	var a, b map[string]json.RawMessage
	if json.Unmarshal(recorded, &a) != nil || json.Unmarshal(should, &b) != nil {
		return []string{string(recorded)}, []string{string(should)}
	}
	fields := maps.Clone(a)
	maps.Copy(fields, b)
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if string(a[name]) != string(b[name]) {
			was, want = append(was, digits.fieldWords(name, a[name])), append(want, digits.fieldWords(name, b[name]))
		}
	}
	return was, want
}

// fieldWords names what is carried as an auditor knows it.
func (digits decimals) fieldWords(name string, raw json.RawMessage) string {
	text := string(raw)
	switch name {
	case "seen":
		name, text = "cards out of the shoe", strings.Trim(text, `"`)
	case "jackpot":
		var minor int64
		if json.Unmarshal(raw, &minor) == nil {
			text = digits.Amount(minor)
		}
	case "last":
		name = "the round that lies on the table"
	case "lines":
		name = "chips on the line"
	case "tray":
		name = "what must be in the tray"
	case "order":
		name = "the order in which the shoe deals"
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
