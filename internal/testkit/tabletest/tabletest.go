// Package tabletest is the data-driven harness of the round engine: rounds as
// text that a croupier can read.
//
// A case begins with "play", the house, the clauses of the rules that it shows,
// and, where they matter, the table's limits. Each line below is put in, several
// inputs apart by semicolons; what follows from it stands under its echo:
//
//	play wiesbaden clause=common-9
//	open; stake 1 a 20; close
//	TS 7D 9S
//	rest
//	TH
//	----
//	> open; stake 1 a 20; close
//	due: card to box 1
//	…
//
// With rules=(bank.soft_17=draws) the house has other values in its profile, and the second book has to agree with what
// follows.
//
// The line "owed" asks what is to be put right after corrections, and what is left to be paid on each box.
//
// Run tests with -rewrite to write the answers anew, and read the difference.
package tabletest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/secondbook"
	"github.com/sabot-table/sabot/table/vocab"
)

// Run plays every case of a file. A new table is set up for each.
func Run(t *testing.T, path string) {
	datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd != "play" {
			d.Fatalf(t, "unknown command %q: a case begins with play", d.Cmd)
		}
		in, err := setup(d.CmdArgs)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		var tab table.Table
		tab.Step(&in)
		text, err := Play(&tab, d.Input)
		if err == nil && d.HasArg("rules") {
			err = agreed(in, d.Input+"\n")
		}
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		return text
	})
}

// agreed plays a case's lines once more, and says where the second book disagrees.
func agreed(setup vocab.Input, lines string) error {
	inputs, err := InputsIn(setup.Rules.Digits(), strings.ReplaceAll(lines, "owed\n", ""))
	if err != nil {
		return err
	}
	var tab table.Table
	var book secondbook.Book
	for _, in := range append([]vocab.Input{setup}, inputs...) {
		if err := book.Enter(&in, tab.Step(&in)); err != nil {
			return fmt.Errorf("the second book: %w", err)
		}
	}
	return nil
}

// WinsJackpot is a round of the house "linked", or of another with its bets, in which box 1 wins all of the jackpot.
const WinsJackpot = "open; stake 1 a 20; stake 1 a 5 progressive; stake 2 b 20; close; AS TC KC KS 9D; rest; AD"

// Play puts lines into a table and returns what follows from each.
func Play(tab *table.Table, lines string) (string, error) {
	var text strings.Builder
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		fmt.Fprintf(&text, "> %s\n", line)
		if err := playLine(tab, line, &text); err != nil {
			return "", fmt.Errorf("%q: %w", line, err)
		}
	}
	return text.String(), nil
}

// playLine writes what follows from one line; of what is due, only the last. The line
// "state" asks where the table stands, and with a position after it puts the table there.
func playLine(tab *table.Table, line string, text *strings.Builder) error {
	if position, ok := strings.CutPrefix(line, "state"); ok {
		return playState(tab, position, text)
	}
	if line == "owed" {
		owed(tab, text)
		return nil
	}
	inputs, err := InputsIn(digits(tab), line)
	if err != nil {
		return err
	}
	var due string
	for _, in := range inputs {
		for _, out := range tab.Step(&in) {
			if out.Kind == vocab.DueChanged {
				due = notation.Digits(digits(tab)).Output(out)
				continue
			}
			fmt.Fprintln(text, notation.Digits(digits(tab)).Output(out))
		}
	}
	if due != "" {
		fmt.Fprintln(text, due)
	}
	return nil
}

func playState(tab *table.Table, position string, text *strings.Builder) error {
	if position == "" {
		fmt.Fprintf(text, "%s\n", notation.AppendPosition(nil, tab))
		return nil
	}
	placed, err := Position(position, Book())
	if err != nil {
		return err
	}
	*tab = *placed
	return nil
}

// owed says what is to be put right, and in the payment what is left to be paid.
func owed(tab *table.Table, text *strings.Builder) {
	for _, d := range tab.Differences() {
		fmt.Fprintf(text, "owed: box %d %s %s: %s paid, %s\n", d.Box, d.Bettor, d.Wager,
			money.Format(d.Paid, digits(tab)), more(d, digits(tab)))
	}
	if tab.Phase() != vocab.Payment {
		return
	}
	for box := 1; box <= tab.Boxes(); box++ {
		switch {
		case len(tab.Bettors(box)) == 0:
		case tab.Paid(box):
			fmt.Fprintf(text, "owed: box %d is paid\n", box)
		default:
			fmt.Fprintf(text, "owed: box %d: %s\n", box, money.Format(LeftToPay(tab, box), digits(tab)))
		}
	}
}

func more(d table.Difference, digits int) string {
	switch {
	case d.Unknown:
		return "nobody knows the rest"
	case d.Open:
		return "not decided any more"
	case d.More < 0:
		return money.Format(-d.More, digits) + " to take"
	}
	return money.Format(d.More, digits) + " more"
}

// LeftToPay is what is to be laid out on a box and nobody was paid before.
func LeftToPay(tab *table.Table, box int) (sum int64) {
	for nth, out := range tab.Decided() {
		if int(out.Box) == box && !tab.PaidAtOnce(nth) {
			more, _ := tab.LayOut(nth)
			sum += more
		}
	}
	return sum
}

// Inputs reads a case's lines. Whoever puts an irregularity right without a name is s1 or,
// of the dealers, d1.
func Inputs(lines string) ([]vocab.Input, error) { return InputsIn(money.Digits(""), lines) }

// InputsIn reads a case's lines, amounts with so many decimals.
func InputsIn(digits int, lines string) ([]vocab.Input, error) {
	inputs, err := ReadInputs(lines, digits)
	for i := range inputs {
		switch in := &inputs[i]; {
		case in.Kind != vocab.InResolve || in.By != "":
		case in.Role == vocab.Dealer:
			in.By = "d1"
		default:
			in.By = "s1"
		}
	}
	return inputs, err
}

// setup reads the arguments of "play".
func setup(args []datadriven.CmdArg) (vocab.Input, error) {
	if len(args) == 0 {
		return vocab.Input{}, fmt.Errorf("play needs the name of a house")
	}
	s, book := &rules.Setup{House: args[0].Key}, Book()
	for _, arg := range args[1:] {
		if arg.Key == "rules" {
			changed, err := profile.WhatIf(book[s.House], arg.Vals)
			if err != nil {
				return vocab.Input{}, err
			}
			book = book.With(changed)
			continue
		}
		if err := setArg(s, book[s.House].Digits(), arg); err != nil {
			return vocab.Input{}, err
		}
	}
	set, err := book.Set(*s)
	return vocab.Input{Kind: vocab.InSetup, Setup: s, Rules: set}, err
}

func setArg(s *rules.Setup, digits int, arg datadriven.CmdArg) (err error) {
	if arg.Key == "clause" {
		return nil
	}
	if len(arg.Vals) != 1 {
		return fmt.Errorf("%s needs one value", arg.Key)
	}
	value := arg.Vals[0]
	switch arg.Key {
	case "min":
		s.Min, err = money.Parse(value, digits)
	case "box_max":
		s.BoxMax, err = money.Parse(value, digits)
	case "unit":
		s.Unit, err = money.Parse(value, digits)
	case "call":
		s.Calls = value
	case "jackpot":
		s.Jackpot, err = money.Parse(value, digits)
	case "boxes":
		_, err = fmt.Sscan(value, &s.Boxes)
	case "decks":
		_, err = fmt.Sscan(value, &s.Decks)
	default:
		err = fmt.Errorf("%q is no setting of a table", arg.Key)
	}
	return err
}

// digits is how many decimals the table's amounts have.
func digits(tab *table.Table) int {
	if r := tab.Rules(); r != nil {
		return r.Digits()
	}
	return money.Digits("")
}
