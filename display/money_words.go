package display

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/vocab"
)

// telling are the reasons that tell a dealer more than won or lost.
var telling = []vocab.Why{
	vocab.WhyBlackJack, vocab.WhyBonusBlackJack, vocab.WhyEvenMoney, vocab.WhyBust,
	vocab.WhyFiveCardTrick, vocab.WhyWrongForecast,
}

// done is the LabelWord of chips that were moved.
var done = map[Move]string{Pay: "paid", Take: "taken", Return: "given", Leave: "paid"}

// Verdict returns the one word for how a wager went, or that its chips were moved already;
// "" while it is open.
func (l Language) Verdict(line Line) string {
	switch {
	case line.Moved:
		return l.Label(LabelWord, done[line.Move])
	case slices.Contains(telling, line.Why) && line.Outcome != vocab.StandOff:
		return l.Named(LabelWhy, line.Why)
	case line.Bonus:
		return l.Label(LabelOutcome, Bonus)
	}
	return l.Named(LabelOutcome, line.Outcome)
}

// Common returns the verdict that all lines share, "" while one is open or differs.
func (l Language) Common(lines []Line) string {
	if len(lines) == 0 {
		return ""
	}
	word := l.Verdict(lines[0])
	for _, line := range lines[1:] {
		if l.Verdict(line) != word {
			return ""
		}
	}
	return word
}

// WagerName names a line that lies beside the hands; a bonus is called by its reason.
func (l Language) WagerName(line Line) string {
	if line.Bonus {
		return l.Named(LabelWhy, line.Why)
	}
	return l.Named(LabelWager, line.Wager)
}

// WonWith names the line of the paytable that a side bet won, "" where the wager's
// name says it already.
func (l Language) WonWith(line Line) string {
	if _, side := line.Wager.Side(); !side || line.Outcome != vocab.Win || line.Wager.String() == line.Why.String() {
		return ""
	}
	return l.Named(LabelWhy, line.Why)
}

// Foot says what a box gets in all, once something is won or, in the payment,
// that it gets nothing; "" before.
func (l Language) Foot(v View, b Box) string {
	sum, byOdds := ToPay(b)
	word := l.Label(LabelWord, "pay")
	if b.Paid {
		word = l.Label(LabelWord, "paid")
	}
	switch {
	case len(b.Payouts) == 0:
		return ""
	case b.Before != nil && v.Phase == vocab.Payment:
		return l.footAgain(v, b)
	case sum > 0 && byOdds:
		return word + " " + l.Money(sum, v.Digits) + " " + l.Label(LabelWord, "and-odds")
	case sum > 0:
		return word + " " + l.Money(sum, v.Digits)
	case byOdds && b.Paid:
		return word
	case byOdds:
		return word + " " + l.Label(LabelWord, "by-odds")
	case v.Phase == vocab.Payment:
		return l.footless(v, b)
	}
	return ""
}

// footless says what becomes of the chips of a box that gets nothing: they go back to their bettors, are taken, or lie.
func (l Language) footless(v View, b Box) string {
	var sums [Return + 1]int64
	var there, unknown [Return + 1]bool
	for _, line := range Lines(b) {
		switch {
		case line.Moved:
		case line.Amount == Unstated:
			there[line.Move], unknown[line.Move] = true, true
		default:
			there[line.Move] = true
			sums[line.Move] += line.Amount
		}
	}
	var said []string
	for _, move := range []Move{Take, Return} {
		sum := l.Money(sums[move], v.Digits)
		if unknown[move] {
			sum = mark
		}
		switch {
		case !there[move]:
		case b.Paid:
			said = append(said, l.Label(LabelWord, done[move]))
		default:
			said = append(said, l.fill(feet[move], text("sum", sum)))
		}
	}
	switch {
	case len(said) > 0:
		return strings.Join(said, l.text("list.comma"))
	case there[Leave]:
		return l.fill("foot.leave")
	}
	return l.Label(LabelWord, "nothing")
}

// feet say what is done with chips that are not paid out.
var feet = map[Move]string{Take: "foot.take", Return: "foot.give"}

// footAgain says what is still to be paid on a box on which something was paid before a correction, else what of that
// is to be taken.
func (l Language) footAgain(v View, b Box) string {
	sum, byOdds := ToPay(b)
	args := []Arg{text("sum", l.Money(sum, v.Digits)), text("paid", l.Money(b.Before.Paid, v.Digits))}
	switch {
	case b.Paid:
		return l.Label(LabelWord, "paid") + " " + l.Money(b.Before.Paid, v.Digits)
	case byOdds:
		return l.fill("foot.odds", args...)
	case sum > 0:
		return l.fill("foot.more", args...)
	}
	return l.fill("foot.back", text("sum", l.Money(ToTake(b), v.Digits)),
		text("paid", l.Money(b.Before.Paid, v.Digits)))
}

// FootSum is the amount that counts in a box's Foot, where another follows it.
func FootSum(v View, b Box) (sum int64, again bool) {
	if b.Before == nil || v.Phase != vocab.Payment || b.Paid {
		return 0, false
	}
	if sum, _ = ToPay(b); sum == 0 {
		sum = ToTake(b)
	}
	return sum, true
}

// Moves says what is done with a bettor's chips on a box, move by move and each with its sign: what is paid, by its
// odds where nobody knows the amount, then what is taken and given back. What is left alone is said where that is all.
// They are the chips that were moved already, or those that are to be.
func (l Language) Moves(b Box, bettor string, already bool, digits int) (all []Moving) {
	for _, move := range []Move{Pay, Take, Return, Leave} {
		if text := l.moving(b, bettor, move, already, digits); text != "" && (move != Leave || len(all) == 0) {
			all = append(all, Moving{move, text})
		}
	}
	return all
}

// Moving is a move of chips, as it is written.
type Moving struct {
	Move Move
	Text string
}

// moving is one move of a bettor's chips on a box, "" for none.
func (l Language) moving(b Box, bettor string, move Move, already bool, digits int) string {
	var said []string
	sum := Line{Move: move}
	for _, line := range Lines(b) {
		switch {
		case line.Bettor != bettor || line.Move != move || line.Moved != already:
		case line.Amount != Unstated:
			sum.Amount += line.Amount
		case !slices.Contains(said, l.Chips(line, digits)):
			said = append(said, l.Chips(line, digits))
		}
	}
	if sum.Amount != 0 {
		said = append([]string{l.Chips(sum, digits)}, said...)
	}
	return strings.Join(said, " ")
}

// mark stands for a stake whose amount nobody has entered.
const mark = "●"

// Chips writes a line's amount with the sign of its move. Where the amount is
// unknown it is a mark or, where one is paid, the odds: "+3:2 ×2" is three to two
// on a stake that lies there twice.
func (l Language) Chips(line Line, digits int) string {
	b := append(make([]byte, 0, 64), line.Move.Sign()...)
	if line.Amount != Unstated {
		return string(l.appendMoney(b, line.Amount, digits))
	}
	switch {
	case line.Move == Pay && line.Odds != "":
		b = append(b, line.Odds...)
	case line.Outcome == vocab.Surrendered:
		b = append(b, "½ "+mark...)
	case line.Outcome == vocab.PartLost: // one of them is lost
		return string(strconv.AppendInt(append(b, mark+" ×"...), int64(line.Times-1), 10))
	default:
		b = append(b, mark...)
	}
	if line.Times > 1 {
		b = strconv.AppendInt(append(b, " ×"...), int64(line.Times), 10)
	}
	return string(b)
}

// OnHand picks the main wagers of one hand or, with 0, those of a box without cards.
func OnHand(lines []Line, hand int) []Line {
	return some(lines, func(l *Line) bool { return l.Hand == hand && l.onHand() })
}

// LinesOnDueHand are the stakes that lie undecided on the hand that is due, the holder's
// first.
func LinesOnDueHand(v View) []Line {
	for _, b := range v.Boxes {
		if b.Number == v.Due.Box {
			return some(OnHand(Lines(b), v.Due.Hand), func(l *Line) bool { return l.Move == Open })
		}
	}
	return nil
}

// OnDueHand names the bettors whose stakes lie undecided on the hand that is due, the
// holder first.
func OnDueHand(v View) []string {
	var names []string
	for _, line := range LinesOnDueHand(v) {
		names = append(names, line.Bettor)
	}
	return names
}

// Beside picks the wagers that lie on none of a box's hands: insurance, side bets,
// bonuses. hands is how many the box has.
func Beside(lines []Line, hands int) []Line {
	return some(lines, func(l *Line) bool { return !l.onHand() || l.Hand == 0 && hands > 0 })
}

// some picks lines: a part of the list where they lie side by side, else copies.
func some(lines []Line, picks func(*Line) bool) []Line {
	var picked []Line
	for i := range lines {
		if picks(&lines[i]) {
			picked = also(picked, lines, i)
		}
	}
	return picked
}

// also picks one line more, the nth of them.
func also(picked, lines []Line, nth int) []Line {
	switch n := len(picked); {
	case n == 0:
		return lines[nth : nth+1 : nth+1]
	case &picked[n-1] == &lines[nth-1]: // those that are picked lie side by side, and this one beside them
		return lines[nth-n : nth+1 : nth+1]
	}
	return append(picked, lines[nth])
}

func (line *Line) onHand() bool { return line.Wager == vocab.WagerMain && !line.Bonus }

// DueBox says whether a box is what comes next. While cards are dealt the due hand
// may not exist yet, so Due counts beside the marks of the hands. In the payment it is
// the first box that is not paid. It is what the keys of the calls act on, also while chips are to be moved elsewhere:
// see MovesOn.
func DueBox(v View, b Box) bool {
	for _, h := range b.Hands {
		if h.Active {
			return true
		}
	}
	if next, paying := NextToPay(v); paying {
		return b.Number == next.Number
	}
	return v.Due.Box == b.Number && (v.Due.To == vocab.ToBox || v.Due.To == vocab.ToCall)
}

// MovesOn says whether chips on a box are to be moved now, before anything is paid.
func MovesOn(v View, b Box) bool {
	now, asked := Asked(v)
	return asked && now.On(b.Number)
}
