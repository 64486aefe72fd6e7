package display

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// PastMoney writes a recorded amount, and that nobody entered it.
func (l Language) PastMoney(amount *int64) string {
	if amount == nil {
		return l.Label(LabelWord, "not-entered")
	}
	return l.pastMoney(*amount)
}

// pastMoney writes a recorded amount, in the currency of its table.
func (l Language) pastMoney(minor int64) string { return l.Money(minor, money.Digits(l.currency)) }

// About says something of somebody, or of a place, as the language punctuates that.
func (l Language) About(where, what string) string {
	return l.fill("past.about", text("where", where), text("what", what))
}

func (l Language) fill(key string, args ...Arg) string { return l.Say(say(key, args...)) }

// stake tells a stake that was placed, or withdrawn.
func (l Language) stake(in *vocab.Input) string {
	amount := l.PastMoney(history.Amount(in.Amount, in.Stated))
	if in.Stated && in.Amount == 0 {
		amount = l.Label(LabelWord, "withdrawn")
	}
	return l.fill("past.stake", text("wager", l.Named(LabelWager, in.Wager)), text("amount", amount),
		text("bettor", in.Bettor))
}

// called tells a call, and who joins or takes it.
func (l Language) called(in *vocab.Input) string {
	words := l.fill("past.call", text("call", l.Named(LabelCall, in.Call)))
	if in.Call == vocab.CallInsurance {
		words += " " + l.PastMoney(history.Amount(in.Amount, in.Stated))
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

func (l Language) paid(in *vocab.Input) string {
	words := join(l.Label(LabelWord, "paid"), l.Named(LabelWager, in.Wager), in.Bettor)
	if in.Stated {
		words += " " + l.pastMoney(in.Amount)
	}
	return words
}

// moved tells of chips that were moved before the payment.
func (l Language) moved(out *vocab.Output) string {
	p := payout(*out)
	move := moveOf(p)
	amount := ""
	switch {
	case move == Pay:
		amount = l.PastMoney(history.Amount(out.Won, !out.Unstated))
	case move == Return:
		amount = l.PastMoney(history.Amount(out.Returned, !out.Unstated))
	}
	said := l.fill("past.moved", text("bettor", out.Bettor), text("wager", l.Named(LabelWager, out.Wager)),
		text("what", l.Label(LabelWord, done[move])), text("amount", amount))
	return strings.TrimSpace(said)
}

// handTotal tells what a hand counts with a card, "" for a card aside.
func (l Language) handTotal(out *vocab.Output) string {
	unit := ""
	switch {
	case out.To == vocab.ToAside:
		return ""
	case out.Points && out.Total == 1:
		unit = "point"
	case out.Points:
		unit = "points"
	case out.Soft:
		unit = "soft"
	}
	return l.fill("past.counts", text("total", join(strconv.Itoa(int(out.Total)), l.Label(LabelWord, unit))))
}

// wrong tells an irregularity with what the record adds to its code.
func (l Language) wrong(out *vocab.Output) string {
	var more []string
	if out.Irregular.Missing > 0 {
		more = append(more, strconv.FormatUint(uint64(out.Irregular.Missing), 10))
	}
	if out.Irregular.Alarm != "" {
		more = append(more, l.Told(LabelAlarm, out.Irregular.Alarm))
	}
	if out.Irregular.Found != "" {
		more = append(more, out.Irregular.Found)
	}
	if out.Refused.Why != "" {
		more = append(more, out.Refused.Why, strconv.FormatUint(uint64(out.Refused.Times), 10))
	}
	for call := range out.Allowed.All {
		more = append(more, l.Named(LabelCall, call))
	}
	if out.Payment.Differs {
		more = append(more, strings.TrimLeft(l.fill("past.instead", text("given", l.pastMoney(out.Payment.Given)),
			text("owed", l.pastMoney(out.Payment.Owed))), " –"))
	}
	words := l.Named(LabelHeld, out.Code)
	if len(more) > 0 {
		words += " (" + strings.Join(more, ", ") + ")"
	}
	return words
}

// person names who did something, as a dealer if it says so.
func (l Language) person(by string, asDealer bool) string {
	switch {
	case asDealer:
		return l.fill("past.by-dealer", text("by", by))
	case by == "":
		return ""
	}
	return l.fill("past.by", text("by", by))
}

// noted tells a note. Its words may be those that the table itself writes: first what
// happened, then why, or the calls that it is about.
func (l Language) noted(code string) string {
	if of, times := history.NotedAgain(code); times > 0 {
		return l.noted(of) + ", " + l.Count("again", times)
	}
	what, more, _ := strings.Cut(code, " ")
	if !known(key(LabelNote, what)) {
		return code
	}
	said := []string{l.Label(LabelNote, what)}
	for word := range strings.FieldsSeq(more) {
		if known(key(LabelNoteWhy, word)) {
			word = "(" + l.Label(LabelNoteWhy, word) + ")"
		}
		said = append(said, l.Told(LabelCall, word))
	}
	return strings.Join(said, " ")
}

// putIn tells an input that was refused.
func (l Language) putIn(in *vocab.Input) string {
	return join(l.Named(LabelInput, in.Kind), l.Named(LabelChoice, in.With), l.Named(LabelHeld, in.Irregularity), in.By)
}

// undone tells what was taken back, and who takes turn again.
func (l Language) undone(out *vocab.Output, unmoved Move) string {
	what := l.Named(LabelCall, out.Call)
	switch {
	case what != "":
	case out.Input == vocab.InClose:
		what = l.fill("past.closed-bets")
	case out.Input == vocab.InPaid:
		what = join(l.Label(LabelWord, done[unmoved]), l.Named(LabelWager, out.Wager), out.Bettor)
	default:
		what = l.Named(LabelInput, out.Input)
	}
	told := l.fill("past.undone", text("what", what))
	if out.Round != 0 {
		told += l.fill("past.reopened")
	}
	return told
}

// Settled tells what became of a wager, as "a: Main 20.00 – Win, Bank bust – gets 40.00".
func (l Language) Settled(line *history.Line) string {
	out := &line.Out
	return l.fill("past.settled", text("wager", l.Named(LabelWager, out.Wager)),
		text("outcome", l.PastOutcome(line)), text("stake", l.PastStake(line)),
		text("back", l.Got(line)), text("why", l.Named(LabelWhy, out.Why)),
		text("bettor", out.Bettor)) + l.LinePlays(line)
}

// payout tells what was paid on a wager instead of what was due.
func (l Language) payout(out *vocab.Output) string {
	return l.fill("past.payout", text("bettor", out.Bettor), text("wager", l.Named(LabelWager, out.Wager)),
		text("given", l.pastMoney(out.Payment.Given)), text("owed", l.pastMoney(out.Payment.Owed)))
}

// Instead says what was paid on a decided wager where that is not what was due, "" where it is.
func (l Language) Instead(b *history.Box, settled *history.Line) string {
	line := b.PaidOn(settled)
	if line == nil {
		return ""
	}
	return l.fill("past.instead", text("given", l.pastMoney(line.Out.Payment.Given)),
		text("owed", l.pastMoney(line.Out.Payment.Owed)))
}

// LinePlays says that half a chip is left of a recorded wager, and what became of the one that lay on the line; "" for
// neither.
func (l Language) LinePlays(line *history.Line) (told string) {
	switch out := &line.Out; {
	case out.OnLine && out.Outcome == vocab.Win:
		told = l.text("past.line-from")
	case out.OnLine:
		told = l.text("past.line-taken")
	}
	if line.Out.Carried {
		told += l.text("past.line-lies")
	}
	return told
}

// PastOutcome is what became of a recorded wager, or that it is a bonus.
func (l Language) PastOutcome(line *history.Line) string {
	if line.Out.Kind == vocab.Bonus {
		return l.Label(LabelOutcome, Bonus)
	}
	return l.Named(LabelOutcome, line.Out.Outcome)
}

// PastStake is the stake of a recorded wager.
func (l Language) PastStake(line *history.Line) string {
	return l.PastMoney(history.Amount(line.Out.Stake, !line.Out.Unstated))
}

// Got is what a bettor got back for a stake and on top of it, in money or in odds.
func (l Language) Got(line *history.Line) string {
	out := &line.Out
	switch {
	case !out.Unstated:
		return l.pastMoney(out.Won + out.Returned)
	case out.Odds.Den == 0 && out.Times <= 1:
		return l.Label(LabelWord, "not-entered")
	}
	odds := ""
	if out.Odds.Den != 0 {
		odds = out.Odds.String()
	}
	if out.Times > 1 {
		odds += " ×" + strconv.Itoa(int(out.Times))
	}
	return odds
}

// sums tells how a round ended. What the bank has in a void one counts nothing.
func (l Language) sums(out *vocab.Output, void bool) string {
	key := "past.sums"
	if void {
		key = "past.sums-void"
	}
	money := func(minor int64) string { return l.PastMoney(history.Amount(minor, !out.Sums.Unstated)) }
	told := l.fill(key, text("cards", named(out.Bank)), text("total", strconv.Itoa(int(out.Total))),
		text("staked", money(out.Sums.Staked)), text("returned", money(out.Sums.Returned)),
		text("won", money(out.Sums.Won)))
	return strings.TrimPrefix(told, " – ") // without a card of the bank
}

// PastBank names the cards that the bank had.
func PastBank(out *vocab.Output) string {
	names := make([]string, len(out.Bank))
	for i, c := range out.Bank {
		names[i] = c.String()
	}
	return strings.Join(names, " ")
}

func (l Language) dealer(out *vocab.Output) string {
	if out.By == "" {
		return l.fill("past.no-dealer")
	}
	return l.fill("past.dealer", text("name", join(out.By, out.Dealer.Shift)))
}

// tableTold tells that the table was opened or closed.
func (l Language) tableTold(out *vocab.Output) string {
	opened := out.Table.Event == vocab.TableOpened
	switch {
	case out.By == "" && opened:
		return l.fill("table.open")
	case out.By == "":
		return l.fill("table.closed")
	case opened:
		return l.fill("table.opened-by", text("by", out.By))
	}
	return l.fill("table.closed-by", text("by", out.By))
}

// limitsTold tells which limits hold from then on.
func (l Language) limitsTold(out *vocab.Output) string {
	limits := l.pastMoney(out.Limits.Min) + " – " + l.pastMoney(out.Limits.BoxMax)
	return join(l.fill("limits.title"), limits) + l.person(out.By, false)
}

// PastState says whether a past round was closed, is void, or still runs.
func (l Language) PastState(r history.Round) string {
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
func (l Language) PastWrong(r history.Round) string {
	var order []irregularity.Code
	times := map[irregularity.Code]int{}
	for _, code := range r.Irregular {
		if times[code]++; times[code] == 1 {
			order = append(order, code)
		}
	}
	words := make([]string, len(order))
	for i, code := range order {
		words[i] = l.Named(LabelHeld, code)
		if n := times[code]; n > 1 {
			words[i] += " ×" + strconv.Itoa(n)
		}
	}
	return strings.Join(words, ", ")
}
