package doctor

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// lastRounds tells so many of the last rounds of a journal, the latest at the end.
func lastRounds(to io.Writer, path string, most int) error {
	j, err := journal.OpenReadOnly(path)
	if err != nil {
		return err
	}
	var all []history.Round
	for round, wrong := range recall.New(j, profile.Built()).Rounds() {
		if wrong != nil {
			err = wrong
			break
		}
		if all = append(all, round); len(all) == most {
			break
		}
	}
	out := bufio.NewWriter(to)
	if len(all) == 0 && err == nil {
		fmt.Fprintln(out, "no rounds")
	}
	for i, round := range slices.Backward(all) {
		TellRound(out, round, 0)
		if i > 0 {
			fmt.Fprintln(out)
		}
	}
	return errors.Join(err, out.Flush(), j.Close())
}

// InFull is how a moment is written: with its zone, since a record may be read elsewhere.
const InFull = "2006-01-02 15:04:05 MST"

// TellRound writes a whole round in words, or what concerns one box of it and the whole table; 0 is all of them. The
// writer keeps its errors.
func TellRound(out *bufio.Writer, round history.Round, box int) {
	words := display.English.At(round.Table)
	fmt.Fprintf(out, "ROUND %d", round.Number)
	if state := words.PastState(round); state != "" {
		fmt.Fprintf(out, " – %s", strings.ToUpper(state))
	}
	fmt.Fprintf(out, "\nbegan   %s\n", round.Began.Format(InFull))
	if round.Finished() {
		fmt.Fprintf(out, "closed  %s\n", round.Ended.Format(InFull))
	}
	fmt.Fprintf(out, "table   %s\n", terminal.Visible(tableOf(round.Table)))
	if round.Dealer != "" {
		fmt.Fprintf(out, "dealer  %s\n", terminal.Visible(strings.TrimSpace(round.Dealer+" "+round.Shift)))
	}
	for _, shoe := range words.PastShoes(round) {
		fmt.Fprintf(out, "shoe    %s\n", terminal.Visible(shoe))
	}
	told := words.Tell(round)
	if box != 0 {
		told = display.OfBox(told, box)
		fmt.Fprintf(out, "only what concerns box %d, the bank and the whole table\n", box)
	}
	fmt.Fprintf(out, "\ntimes in %s\n", round.Began.Format("MST (UTC-07:00)"))
	closed := false
	for _, one := range told {
		if one.After && !closed {
			closed = true
			fmt.Fprintln(out, "after the round:")
		}
		fmt.Fprintln(out, terminal.Visible(toldLine(one)))
	}
}

func tableOf(t history.Table) string {
	text := t.House
	if t.BoxMax > 0 {
		text += ", " + display.English.Limits(t.Min, t.BoxMax, money.Digits(t.Currency), t.Currency)
	}
	if t.Profile != "" {
		text += ", rules " + t.Profile[:min(12, len(t.Profile))]
	}
	return text
}

// toldLine is one thing that happened: time, place, card, words. What was taken back
// later is in brackets; what was refused or went wrong has a mark in front.
func toldLine(one display.Told) string {
	mark := map[string]string{display.ToldStop: "!", display.ToldRefused: "x", display.ToldUndone: "<"}[one.Kind]
	text := one.Text
	if one.Back {
		text = "[" + text + "] taken back"
	}
	return strings.TrimRight(fmt.Sprintf("%s %1s %-13s %-5s %s", one.Time, mark, one.Where, one.Card, text), " ")
}
