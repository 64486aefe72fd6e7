package display

// telling are the reasons that tell a dealer more than won or lost.
var telling = map[string]bool{
	"blackjack": true, "bonus-blackjack": true, "even-money": true, "bust": true,
	"five-card-trick": true, "wrong-forecast": true,
}

// Verdict returns the one word for how a wager went, "" while it is open.
func (l Language) Verdict(line Line) string {
	if telling[line.Why] && line.Outcome != "stand-off" {
		return l.Label(LabelWhy, line.Why)
	}
	return l.Label(LabelOutcome, line.Outcome)
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

// WagerName names a line that lies on no hand; a bonus is called by its reason.
func (l Language) WagerName(line Line) string {
	if line.Outcome == Bonus {
		return l.Label(LabelWhy, line.Why)
	}
	return l.Label(LabelWager, line.Wager)
}

// Foot says what a box gets in all, once something is won or, in the payment,
// that it gets nothing; "" before.
func (l Language) Foot(v View, b Box) string {
	sum := ToPay(b)
	switch {
	case len(b.Payouts) == 0:
		return ""
	case sum > 0 && b.Paid:
		return l.Label(LabelWord, "paid") + " " + Money(sum, v.Digits)
	case sum > 0:
		return l.Label(LabelWord, "pay") + " " + Money(sum, v.Digits)
	case v.Phase == PhasePayment:
		return l.Label(LabelWord, "nothing")
	}
	return ""
}

// Chips writes a line's amount with the sign of its move.
func Chips(line Line, digits int) string {
	return line.Move.Sign() + Money(line.Amount, digits)
}

// OnHand picks the lines of one hand, or with 0 those of the whole box.
func OnHand(lines []Line, hand int) []Line {
	var some []Line
	for _, l := range lines {
		if l.Hand == hand {
			some = append(some, l)
		}
	}
	return some
}

// DueBox says whether a box is what comes next. While cards are dealt the due hand
// may not exist yet, so Due counts beside the marks of the hands.
func DueBox(v View, b Box) bool {
	for _, h := range b.Hands {
		if h.Active {
			return true
		}
	}
	return v.Due.Box == b.Number && (v.Due.To == "box" || v.Due.To == "call")
}
