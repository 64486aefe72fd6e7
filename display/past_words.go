package display

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/past"
)

// pastDigits are the decimals of euro and franc.
const pastDigits = 2

// PastMoney writes a recorded amount, and that nobody entered it.
func (l Language) PastMoney(amount *int64) string {
	if amount == nil {
		return l.Label(LabelWord, "not-entered")
	}
	return l.Money(*amount, pastDigits)
}

func (l Language) fill(key string, args ...Arg) string { return l.Say(say(key, args...)) }

// stake tells a stake that was placed, or withdrawn.
func (l Language) stake(in *past.Line) string {
	amount := l.PastMoney(in.Amount)
	if in.Amount != nil && *in.Amount == 0 {
		amount = l.Label(LabelWord, "withdrawn")
	}
	return l.fill("past.stake", text("wager", l.Label(LabelWager, in.Wager)), text("amount", amount), text("bettor", in.Bettor))
}

// called tells a call, and who joins or takes it.
func (l Language) called(in *past.Line) string {
	words := l.fill("past.call", text("call", l.Label(LabelCall, in.Call)))
	if in.Call == "insurance" {
		words += " " + l.PastMoney(in.Amount)
	}
	who := in.Bettors
	if in.Bettor != "" {
		who = []string{in.Bettor}
	}
	if len(who) > 0 {
		words += " (" + strings.Join(who, ", ") + ")"
	}
	return words
}

func (l Language) paid(in *past.Line) string {
	words := l.Label(LabelWord, "paid")
	if in.Amount != nil {
		words += " " + l.PastMoney(in.Amount)
	}
	return words
}

// handTotal tells what a hand counts with a card, "" for a card aside.
func (l Language) handTotal(out *past.Line) string {
	count, unit := out.Counted, ""
	switch {
	case out.Points != nil && *out.Points == 1:
		count, unit = out.Points, "point"
	case out.Points != nil:
		count, unit = out.Points, "points"
	case out.Soft:
		unit = "soft"
	}
	if count == nil {
		return ""
	}
	return l.fill("past.counts", text("total", join(strconv.Itoa(*count), l.Label(LabelWord, unit))))
}

// wrong tells an irregularity with what the record adds to its code.
func (l Language) wrong(out *past.Line) string {
	var more []string
	if out.Missing > 0 {
		more = append(more, strconv.Itoa(out.Missing))
	}
	if out.Alarm != "" {
		more = append(more, l.Told(LabelAlarm, out.Alarm))
	}
	if out.Found != "" {
		more = append(more, out.Found)
	}
	for _, call := range out.Calls {
		more = append(more, l.Label(LabelCall, call))
	}
	words := l.Label(LabelHeld, out.Code)
	if len(more) > 0 {
		words += " (" + strings.Join(more, ", ") + ")"
	}
	return words
}

// person names who did something, and as what.
func (l Language) person(by, role string) string {
	switch {
	case by == "" && role == "":
		return ""
	case role == "dealer":
		return l.fill("past.by-dealer", text("by", by))
	case by == "":
		return ""
	}
	return l.fill("past.by", text("by", by))
}

// noted tells a note: its first word may be one that the table itself writes.
func (l Language) noted(code string) string {
	first, rest, _ := strings.Cut(code, " ")
	return join(l.Told(LabelNote, first), rest)
}

// putIn tells an input that was refused.
func (l Language) putIn(in *past.Line) string {
	return join(l.Label(LabelInput, in.In), l.Label(LabelChoice, in.With), l.Label(LabelHeld, in.Code), in.Name, in.By)
}

// undone tells what was taken back, and who takes turn again.
func (l Language) undone(out *past.Line) string {
	what := l.Label(LabelCall, out.Call)
	switch {
	case what != "":
	case out.In == "close":
		what = l.fill("past.closed-bets")
	case out.In == "paid":
		what = l.Label(LabelWord, "paid")
	default:
		what = l.Label(LabelInput, out.In)
	}
	return l.fill("past.undone", text("what", what))
}

// Settled tells what became of a wager, as "a: Main 20.00 – Win, Bank bust – gets 40.00".
func (l Language) Settled(out *past.Line) string {
	outcome := out.Outcome
	if out.Out == "bonus" {
		outcome = Bonus
	}
	return l.fill("past.settled", text("wager", l.Label(LabelWager, out.Wager)),
		text("outcome", l.Label(LabelOutcome, outcome)), text("stake", l.PastMoney(out.Stake)),
		text("back", l.Got(out)), text("why", l.Label(LabelWhy, out.Why)), text("bettor", out.Bettor))
}

// Got is what a bettor got back for a stake and on top of it, in money or in odds.
func (l Language) Got(out *past.Line) string {
	if out.Won == nil {
		odds := out.Ratio
		if out.Times > 1 {
			odds += " ×" + strconv.Itoa(out.Times)
		}
		if odds == "" {
			return l.Label(LabelWord, "not-entered")
		}
		return odds
	}
	got := *out.Won
	if out.Returned != nil {
		got += *out.Returned
	}
	return l.Money(got, pastDigits)
}

// sums tells how a round ended.
func (l Language) sums(out *past.Line) string {
	return l.fill("past.sums", text("cards", strings.Join(out.Bank, " ")), text("total", strconv.Itoa(out.Total)),
		text("staked", l.PastMoney(out.Staked)), text("returned", l.PastMoney(out.Returned)), text("won", l.PastMoney(out.Won)))
}

func (l Language) dealer(out *past.Line) string {
	if out.Name == "" {
		return l.fill("past.no-dealer")
	}
	return l.fill("past.dealer", text("name", join(out.Name, out.Shift)))
}

// PastState says whether a past round was closed, is void, or still runs.
func (l Language) PastState(r past.Round) string {
	var words []string
	if r.Void {
		words = append(words, l.Label(LabelWord, "void"))
	}
	if !r.Finished() {
		words = append(words, l.Label(LabelWord, "unfinished"))
	}
	return strings.Join(words, ", ")
}

// PastWrong names what went wrong in a round, each once with how often.
func (l Language) PastWrong(r past.Round) string {
	var order []string
	times := map[string]int{}
	for _, code := range r.Irregular {
		if times[code]++; times[code] == 1 {
			order = append(order, code)
		}
	}
	for i, code := range order {
		order[i] = l.Label(LabelHeld, code)
		if n := times[code]; n > 1 {
			order[i] += " ×" + strconv.Itoa(n)
		}
	}
	return strings.Join(order, ", ")
}
