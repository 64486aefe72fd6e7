package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/ops/doctor"
	"github.com/sabot-table/sabot/internal/terminal"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/recall"
)

// recallRounds prints what happened in past rounds, from the record alone.
func recallRounds(_ context.Context, set *flag.FlagSet, args []string, e env) error {
	ask, err := parseRecall(set, args, e)
	if err != nil {
		return err
	}
	return withJournal(ask.journal, func(j *journal.Reader) error {
		answer := func(w io.Writer) error {
			out := bufio.NewWriter(w) // keeps its first error for Flush
			return errors.Join(ask.answer(recall.New(j, profile.Built()), out), out.Flush())
		}
		if ask.json {
			return jsonTo(e, false, answer)
		}
		return answer(e.out)
	})
}

// asked holds the flags and arguments of sabot journal recall.
type asked struct {
	journal string
	// round is a round's number; a negative number counts from the end, -1 being the last
	// round; 0 asks for a list of the last rounds.
	round     int64
	last, box int
	json      bool
	// proof asks where a round stands in the journal's chain, instead of what happened.
	proof bool
}

func parseRecall(set *flag.FlagSet, args []string, e env) (asked, error) {
	var a asked
	set.BoolVar(&a.json, "json", false, "print each round as one JSON object a line")
	set.IntVar(&a.last, "last", recall.Reach, "list so `many` rounds")
	set.IntVar(&a.box, "box", 0,
		"show only what concerns this `box`; in the list, only the rounds in which it was played")
	set.BoolVar(&a.proof, "proof", false,
		"print the hashes of a round's first and last record and the seal over them, as the printed sheet has them")
	if err := parse(set, args, e); err != nil {
		return a, err
	}
	var err error
	a.journal = set.Arg(0)
	if set.NArg() == 2 {
		a.round, err = strconv.ParseInt(set.Arg(1), 10, 64)
	}
	switch {
	case set.NArg() == 0 || set.NArg() > 2:
		return a, errUsage("it takes a journal and at most one round; options come before them")
	case err != nil || set.NArg() == 2 && a.round == 0:
		return a, errUsage(fmt.Sprintf("%q is not a round: write its number, or -1 for the last, -2 for the one before",
			set.Arg(1)))
	case a.proof && a.round == 0:
		return a, errUsage("--proof takes a round after the journal")
	case a.last < 1:
		return a, errUsage("--last takes a number from 1")
	case a.box < 0:
		return a, errUsage("--box takes a number from 1")
	}
	return a, nil
}

func (a asked) answer(from *recall.Recall, out *bufio.Writer) error {
	if a.round == 0 {
		return a.list(from, out)
	}
	round, err := a.find(from)
	if err != nil {
		return fmt.Errorf("%s: %w", a.journal, err)
	}
	switch {
	case a.proof:
		return a.prove(from, round, out)
	case a.json:
		return json.NewEncoder(out).Encode(round)
	}
	doctor.TellRound(out, round, a.box)
	return nil
}

// prove prints where a round stands in the journal: what its printed sheet says of that.
func (a asked) prove(from *recall.Recall, round history.Round, out *bufio.Writer) error {
	proof, err := from.Proof(round)
	if err != nil {
		return fmt.Errorf("%s: %w", a.journal, err)
	}
	if a.json {
		return json.NewEncoder(out).Encode(proof)
	}
	fmt.Fprintf(out, "journal    %s\nround      %d\n", terminal.Visible(proof.Journal), round.Number)
	fmt.Fprintf(out, "record     %d\nhash       %s\nrecord     %d\nhash       %s\n", proof.First.Seq, proof.First.Hash,
		proof.Last.Seq, proof.Last.Hash)
	if proof.Seal == nil {
		fmt.Fprintln(out, "no seal    the round is not closed yet, or the table has no key")
		return nil
	}
	fmt.Fprintf(out, "seal       after record %d, %s\nhash       %s\n", proof.Seal.Seq,
		proof.Seal.At.Format("2006-01-02 15:04:05 MST"), proof.Seal.Hash)
	fmt.Fprintf(out, "key        %s\nsignature  %s\n", proof.Seal.Key, proof.Seal.Signature)
	if !proof.Seal.Valid {
		return fmt.Errorf("%s: the seal after record %d was not signed by its key: call the auditor", a.journal,
			proof.Seal.Seq)
	}
	return nil
}

// find finds the round that was asked for. A negative number counts from the end.
func (a asked) find(from *recall.Recall) (history.Round, error) {
	if a.round > 0 {
		return from.Round(uint64(a.round))
	}
	latest, err := from.Round(0)
	back := uint64(-(a.round + 1))
	switch {
	case err != nil || back == 0:
		return latest, err
	case back >= latest.Number:
		return history.Round{}, fmt.Errorf("%w: the last round is %d", history.ErrNoRound, latest.Number)
	}
	return from.Round(latest.Number - back)
}

// list prints the last rounds, one a line, the latest at the end.
func (a asked) list(from *recall.Recall, out *bufio.Writer) error {
	var listed []history.Round
	for round, err := range from.Rounds() {
		if err != nil {
			return err
		}
		if a.box == 0 || playedBox(round, a.box) != nil {
			listed = append(listed, round)
		}
		if len(listed) == a.last {
			break
		}
	}
	if len(listed) == 0 && !a.json {
		fmt.Fprintln(out, "no rounds")
	}
	for _, round := range slices.Backward(listed) {
		if a.json {
			if err := json.NewEncoder(out).Encode(round); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintln(out, terminal.Visible(a.line(round)))
	}
	return nil
}

func playedBox(round history.Round, number int) *history.Box {
	at := slices.IndexFunc(round.Boxes, func(b history.Box) bool { return b.Number == number })
	if at < 0 {
		return nil
	}
	return &round.Boxes[at]
}

// line is a round in one line; if only a box was asked for, with what its bettors got.
func (a asked) line(round history.Round) string {
	words := display.English.At(round.Table)
	parts := []string{fmt.Sprintf("round %d  %s", round.Number, round.Began.Format(doctor.InFull))}
	if b := playedBox(round, a.box); b != nil {
		for i := range b.Settled {
			parts = append(parts, words.Settled(&b.Settled[i])+words.Instead(b, &b.Settled[i]))
		}
	} else {
		parts = append(parts, "boxes "+numbers(round), bankOf(round))
		if r := round.Result; r != nil {
			sums := &r.Out.Sums
			money := func(minor int64) string { return words.PastMoney(history.Amount(minor, !sums.Unstated)) }
			came := "staked " + money(sums.Staked) + ", returned " + money(sums.Returned) + ", won " + money(sums.Won)
			if more, other := round.Over(); other {
				came += ", paid " + money(sums.Won+more)
			}
			if later := round.Later(); later != 0 {
				came += ", adjusted by " + words.PastMoney(&later)
			}
			parts = append(parts, came)
		}
	}
	parts = append(parts, strings.ToUpper(words.PastState(round)))
	if wrong := words.PastWrong(round); wrong != "" {
		parts = append(parts, "! "+wrong)
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "  ")
}

func numbers(round history.Round) string {
	var list []string
	for _, b := range round.Boxes {
		list = append(list, strconv.Itoa(b.Number))
	}
	return strings.Join(list, ",")
}

func bankOf(round history.Round) string {
	if round.Result == nil {
		return ""
	}
	bank := "bank " + display.PastBank(&round.Result.Out)
	if round.Void { // and counts nothing
		return bank
	}
	return fmt.Sprintf("%s = %d", bank, round.Result.Out.Total)
}
