package display

import "github.com/sabot-table/sabot/table/vocab"

// Move is what the dealer does with a wager's chips.
type Move int

// The moves. Open is the only one that is not yet decided.
const (
	Open   Move = iota
	Pay         // lay Amount beside the stake
	Take        // take Amount in
	Leave       // the stake stays where it lies: a stand-off
	Return      // give Amount back: a surrender's half, a void wager
)

// Sign is the move in one character, so that no colour is needed to tell moves apart.
func (m Move) Sign() string {
	switch m {
	case Pay:
		return "+"
	case Take:
		return minus
	case Leave:
		return "="
	case Return:
		return "←"
	}
	return ""
}

// Bonus is the LabelOutcome of a line that pays something besides a wager.
const Bonus = "bonus"

// Line is one wager on a box as the dealer handles it: open with its stake, or
// decided with the chips to move.
type Line struct {
	Bettor string
	Holder bool
	Wager  vocab.Wager
	// Hand numbers the hand of a main wager from 1; 0 for wagers on the whole box.
	Hand int
	Move Move
	// Amount are the minor units to move; while the wager is open, its stake;
	// Unstated where nobody knows.
	Amount int64
	// Odds and Times are those of a Payout, where the amount is Unstated.
	Odds  string
	Times int
	// Outcome and Why are 0 while the wager is open: but a bettor who took even money has
	// that for a Why at once. A Bonus is paid besides a wager and has no Outcome.
	Outcome vocab.Outcome
	Why     vocab.Why
	Bonus   bool
	// Moved says that the chips were moved before the payment.
	Moved bool
}

// Lines returns a box's wagers: those on its hands, hand by hand in the bettors'
// order, then insurance, side bets and bonuses. Every payout is one of them.
func Lines(b Box) []Line {
	most := len(b.Payouts) + len(b.Sides) + len(b.Bettors)*(1+max(1, len(b.Hands)))
	l := ledger{box: b, used: make([]bool, len(b.Payouts)), lines: make([]Line, 0, most)}
	if len(b.Hands) == 0 {
		for _, p := range b.Bettors {
			l.main(p.Name, 0, p.Stake)
		}
	}
	for i, h := range b.Hands {
		for _, s := range stakesOn(b, h) {
			l.main(s.Bettor, i+1, s.Amount)
		}
	}
	for _, p := range b.Bettors {
		if p.Insurance != 0 {
			l.wager(p.Name, vocab.WagerInsurance, 0, p.Insurance)
		}
	}
	for _, s := range b.Sides {
		l.wager(s.Bettor, s.Wager, 0, s.Stake)
	}
	l.rest()
	return l.lines
}

// ToPay is what the dealer lays out for a box: the sum of what its wagers won and were not
// paid at once, or before a correction, as far as the amounts are known, and whether there is
// more to be paid by odds.
func ToPay(b Box) (sum int64, byOdds bool) {
	for _, p := range b.Payouts {
		switch {
		case p.Paid || moveOf(p) != Pay:
		case moved(p, Pay) == Unstated:
			byOdds = true
		default:
			sum += moved(p, Pay)
		}
	}
	return sum, byOdds
}

// stakesOn returns a hand's stakes; a single hand without any carries the bettors'.
func stakesOn(b Box, h Hand) []HandStake {
	if len(h.Stakes) > 0 || len(b.Hands) > 1 {
		return h.Stakes
	}
	stakes := make([]HandStake, 0, len(b.Bettors))
	for _, p := range b.Bettors {
		stakes = append(stakes, HandStake{Bettor: p.Name, Amount: p.Stake})
	}
	return stakes
}

// ledger collects a box's lines and remembers which payouts they stand for.
type ledger struct {
	box   Box
	used  []bool
	lines []Line
}

// main adds a main wager; a guest with side bets alone has none.
func (l *ledger) main(bettor string, hand int, stake int64) {
	if stake != 0 {
		l.wager(bettor, vocab.WagerMain, hand, stake)
	}
}

func (l *ledger) wager(bettor string, wager vocab.Wager, hand int, stake int64) {
	for i, p := range l.box.Payouts {
		if !l.used[i] && p.Bettor == bettor && p.Wager == wager && p.Hand == hand && !bonus(p) {
			l.decided(i, hand)
			return
		}
	}
	open := Line{Bettor: bettor, Holder: l.bettor(bettor).Holder, Wager: wager, Hand: hand, Amount: stake}
	if wager == vocab.WagerMain && l.bettor(bettor).EvenMoney {
		open.Why = vocab.WhyEvenMoney
	}
	l.lines = append(l.lines, open)
}

// rest adds the payouts that no open wager of the view stands for.
func (l *ledger) rest() {
	for i, p := range l.box.Payouts {
		if l.used[i] {
			continue
		}
		hand := p.Hand
		if bonus(p) || hand > len(l.box.Hands) {
			hand = 0
		}
		l.decided(i, hand)
	}
}

func (l *ledger) decided(i, hand int) {
	p := l.box.Payouts[i]
	l.used[i] = true
	line := Line{
		Bettor: p.Bettor, Holder: l.bettor(p.Bettor).Holder, Wager: p.Wager, Hand: hand,
		Move: moveOf(p), Odds: p.Odds, Times: p.Times, Outcome: p.Outcome, Why: p.Why, Bonus: bonus(p), Moved: p.Paid,
	}
	line.Amount = moved(p, line.Move)
	l.lines = append(l.lines, line)
}

// bettor returns the box's bettor of a name, or nobody: a side bet may be all that
// a guest has on the box.
func (l *ledger) bettor(name string) Bettor {
	for _, p := range l.box.Bettors {
		if p.Name == name {
			return p
		}
	}
	return Bettor{}
}

// bonus says that the payout comes besides a wager, which plays on: it decides
// nothing and so has no outcome.
func bonus(p Payout) bool { return p.Outcome == 0 }

func moveOf(p Payout) Move {
	switch {
	case p.putRight() && p.Already.More < 0:
		return Take
	case p.putRight():
		return Pay
	case p.Outcome == vocab.Win, bonus(p):
		return Pay
	case p.Outcome == vocab.StandOff:
		return Leave
	case p.Outcome == vocab.Surrendered, p.Outcome == vocab.PartLost, p.Outcome == vocab.Void:
		return Return
	}
	return Take
}

// putRight says that it is the difference to what was paid before that is moved.
func (p Payout) putRight() bool { return p.Already != nil && !p.Already.Unknown }

// moved is the part of a payout that the dealer's hand moves.
func moved(p Payout, m Move) int64 {
	switch {
	case p.putRight():
		return max(p.Already.More, -p.Already.More)
	case p.Already != nil:
		return Unstated
	}
	switch m {
	case Pay:
		return p.Won
	case Leave, Return:
		return p.Returned
	}
	return p.Stake
}
