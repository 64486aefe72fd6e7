package tabletest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// verbs read the words after each verb of a case's line.
var verbs = map[string]func(words []string) (vocab.Input, error){
	"open":             plain(vocab.InOpen),
	"close":            plain(vocab.InClose),
	"undo":             plain(vocab.InUndo),
	"stake":            stake,
	"card":             call(vocab.CallCard),
	"rest":             call(vocab.CallRest),
	"double":           call(vocab.CallDouble),
	"split":            call(vocab.CallSplit),
	"surrender":        call(vocab.CallSurrender),
	"higher":           call(vocab.CallHigher),
	"lower":            call(vocab.CallLower),
	"insurance":        insurance,
	"even-money":       evenMoney,
	"insurance-closed": call(vocab.CallInsuranceClosed),
	"resolve":          resolve,
	"shoe":             shoe,
	"paid":             paid,
	"acknowledge":      acknowledge,
	"dealer":           dealer,
	"note":             note,
	"storage":          storage,
}

// Inputs reads the lines of a case.
func Inputs(lines string) ([]vocab.Input, error) {
	var all []vocab.Input
	for line := range strings.Lines(lines) {
		for part := range strings.SplitSeq(strings.TrimSpace(line), ";") {
			inputs, err := parse(strings.Fields(part))
			if err != nil {
				return nil, fmt.Errorf("%q: %w", part, err)
			}
			all = append(all, inputs...)
		}
	}
	return all, nil
}

// parse reads one input, or a row of cards.
func parse(words []string) ([]vocab.Input, error) {
	if len(words) == 0 {
		return nil, nil
	}
	if at, timed := strings.CutPrefix(words[0], "@"); timed {
		return parseAt(at, words[1:])
	}
	if verb, ok := verbs[words[0]]; ok {
		in, err := verb(words[1:])
		return []vocab.Input{in}, err
	}
	var inputs []vocab.Input
	for _, word := range words {
		c, err := card.Parse(word)
		if err != nil {
			return nil, fmt.Errorf("%q is neither an input nor a card", word)
		}
		inputs = append(inputs, vocab.Input{Kind: vocab.InCard, Card: c})
	}
	return inputs, nil
}

// parseAt reads an input with its time behind "@", such as "@1.25s rest".
func parseAt(at string, words []string) ([]vocab.Input, error) {
	when, err := time.ParseDuration(at)
	if err != nil {
		return nil, fmt.Errorf("%q is no time: write it as @1.25s", at)
	}
	inputs, err := parse(words)
	for i := range inputs {
		inputs[i].Time = int64(when)
	}
	return inputs, err
}

func acknowledge(words []string) (vocab.Input, error) {
	in := vocab.Input{Kind: vocab.InAcknowledge}
	if err := needs(words, 2, 2, "an irregularity and who acknowledges it"); err != nil {
		return in, err
	}
	code, ok := irregularity.ParseCode(words[0])
	if !ok {
		return in, fmt.Errorf("%q is no irregularity", words[0])
	}
	in.Irregularity, in.By = code, words[1]
	return in, nil
}

func dealer(words []string) (vocab.Input, error) {
	in := vocab.Input{Kind: vocab.InDealer}
	if err := needs(words, 1, 2, "a name, and a shift"); err != nil {
		return in, err
	}
	in.By = words[0]
	if len(words) == 2 {
		in.Shift = words[1]
	}
	return in, nil
}

func note(words []string) (vocab.Input, error) {
	in := vocab.Input{Kind: vocab.InNote}
	if err := needs(words, 1, 1, "what is noted"); err != nil {
		return in, err
	}
	in.Code = words[0]
	return in, nil
}

func storage(words []string) (vocab.Input, error) {
	in := vocab.Input{Kind: vocab.InStorage}
	if err := needs(words, 1, 2, "an event, and what was found"); err != nil {
		return in, err
	}
	event, ok := vocab.ParseStorageEvent(words[0])
	if !ok {
		return in, fmt.Errorf("%q is no event of the storage", words[0])
	}
	in.Storage = event
	if len(words) == 2 {
		in.Code = words[1]
	}
	return in, nil
}

func plain(k vocab.InputKind) func([]string) (vocab.Input, error) {
	return func(words []string) (vocab.Input, error) {
		return vocab.Input{Kind: k}, needs(words, 0, 0, "nothing more")
	}
}

// call reads who joins, if the call has bettors.
func call(c vocab.Call) func([]string) (vocab.Input, error) {
	return func(words []string) (vocab.Input, error) {
		in := vocab.Input{Kind: vocab.InCall, Call: c}
		if len(words) > 0 {
			in.Bettors = words
		}
		return in, nil
	}
}

func stake(words []string) (vocab.Input, error) {
	in := vocab.Input{Kind: vocab.InStake, Wager: vocab.WagerMain}
	if err := needs(words, 3, 6, "box, bettor, amount, and wager, player=…, standing or seated"); err != nil {
		return in, err
	}
	in, err := bettor(in, words)
	if err != nil {
		return in, err
	}
	for _, word := range words[3:] {
		switch {
		case word == "standing":
			in.Seat = vocab.Standing
		case word == "seated":
			in.Seat = vocab.Seated
		case len(word) > 7 && word[:7] == "player=":
			in.Player = word[7:]
		default:
			in.Wager = vocab.ParseWager(word)
		}
	}
	return in, nil
}

// unstated stands for an amount that nobody has entered.
const unstated = "-"

// bettor reads box, bettor and, where there is one, amount.
func bettor(in vocab.Input, words []string) (vocab.Input, error) {
	n, err := strconv.Atoi(words[0])
	if err != nil {
		return in, fmt.Errorf("%q is no box", words[0])
	}
	in.Box, in.Bettor = n, words[1]
	if len(words) > 2 && words[2] != unstated {
		in.Stated = true
		in.Amount, err = amount(words[2])
	}
	return in, err
}

func insurance(words []string) (vocab.Input, error) {
	in := vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsurance}
	if err := needs(words, 3, 3, "box, bettor and amount"); err != nil {
		return in, err
	}
	return bettor(in, words)
}

func evenMoney(words []string) (vocab.Input, error) {
	in := vocab.Input{Kind: vocab.InCall, Call: vocab.CallEvenMoney}
	if err := needs(words, 2, 2, "box and bettor"); err != nil {
		return in, err
	}
	return bettor(in, words)
}

func resolve(words []string) (vocab.Input, error) {
	in := vocab.Input{Kind: vocab.InResolve, By: "s1"}
	if err := needs(words, 1, 4, "a choice, and a card, dealer, or because=…"); err != nil {
		return in, err
	}
	with, ok := irregularity.ParseChoice(words[0])
	if !ok {
		return in, fmt.Errorf("%q is no choice", words[0])
	}
	in.With = with
	for _, word := range words[1:] {
		if word == vocab.Dealer.String() {
			in.Role, in.By = vocab.Dealer, "d1"
			continue
		}
		if because, ok := strings.CutPrefix(word, "because="); ok {
			in.Because = because
			continue
		}
		c, err := card.Parse(word)
		if err != nil {
			return in, err
		}
		in.Card = c
	}
	return in, nil
}

func shoe(words []string) (vocab.Input, error) {
	in := vocab.Input{Kind: vocab.InShoe}
	if err := needs(words, 1, 2, "an event, and a number or a code"); err != nil {
		return in, err
	}
	event, ok := vocab.ParseShoeEvent(words[0])
	if !ok {
		return in, fmt.Errorf("%q is no event of a shoe", words[0])
	}
	in.Shoe = event
	if len(words) == 2 && event == vocab.ShoeGap {
		n, err := strconv.Atoi(words[1])
		in.Missing = n
		return in, err
	}
	if len(words) == 2 {
		in.Code = words[1]
	}
	return in, nil
}

// paid reads "paid", "paid box 3", "paid 45.00", "paid box 3 45.00".
func paid(words []string) (in vocab.Input, err error) {
	in.Kind = vocab.InPaid
	if len(words) > 1 && words[0] == "box" {
		if in.Box, err = strconv.Atoi(words[1]); err != nil {
			return in, fmt.Errorf("%q is no box", words[1])
		}
		words = words[2:]
	}
	if len(words) > 0 {
		in.Stated = true
		in.Amount, err = amount(words[0])
	}
	return in, err
}

func needs(words []string, least, most int, what string) error {
	if len(words) < least || len(words) > most {
		return fmt.Errorf("the input takes %s", what)
	}
	return nil
}

// amount reads "20" or "-1" or "20.50" into minor units.
func amount(s string) (int64, error) {
	if len(s) > 1 && s[0] == '-' {
		n, err := money.Parse(s[1:])
		return -n, err
	}
	return money.Parse(s)
}
