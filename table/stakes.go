package table

import "github.com/sabot-table/sabot/table/vocab"

// Bettor is one guest with a main stake on a box. The first of a box that is
// still in the game is its holder and makes its decisions.
type Bettor struct {
	Name string
	// Player says which bettors are one person; "" is a person of their own.
	Player string
	Seated bool
	// Stake is the main stake, Unstated if nobody has entered the amount.
	Stake int64
	// Insured is the bettor's stake on insurance, 0 for none, Unstated if nobody
	// has entered the amount.
	Insured          int64
	insuranceDecided bool
	// EvenMoney says that the bettor was paid 1:1 at once.
	EvenMoney bool
}

// stake places, replaces or withdraws a stake. (House rules, "Stakes and limits".)
func (t *Table) stake(in *vocab.Input) vocab.Reason {
	if reason := t.mayStake(in); reason != 0 {
		return reason
	}
	b := &t.boxes[in.Box-1]
	if in.Wager != vocab.WagerMain {
		return t.sideStake(b, in)
	}
	at := b.find(in.Bettor)
	if in.Stated && in.Amount == 0 {
		return t.withdraw(b, at)
	}
	amount := statedAmount(in)
	if reason := t.withinLimits(b, at, amount); reason != 0 {
		return reason
	}
	switch most := t.rules.MostBettors(); {
	case in.Player != "" && b.playedBy(in.Player, at):
		return vocab.OnePerBettor
	case at < 0 && most != 0 && len(b.bettors) >= most:
		return vocab.BoxFull
	case t.betsAbove(b, in.Bettor, amount):
		return vocab.AboveStake
	}
	if in.Player != "" {
		b.nameSides(in.Bettor, in.Player)
	}
	if at >= 0 {
		b.bettors[at].replace(in, amount)
		return 0
	}
	opens := !b.played()
	one := another(&b.bettors)
	*one = Bettor{}
	one.Name, one.Player, one.Stake = in.Bettor, in.Player, amount
	one.Seated = in.Seat == vocab.Seated || in.Seat == vocab.SeatDefault && opens
	return 0
}

// replace takes a new amount and, where they are stated, the bettor's seat and
// person; the stake keeps its place.
func (b *Bettor) replace(in *vocab.Input, amount int64) {
	b.Stake = amount
	if in.Player != "" {
		b.Player = in.Player
	}
	if in.Seat != vocab.SeatDefault {
		b.Seated = in.Seat == vocab.Seated
	}
}

// nameSides says whose a bettor's side bets on the box are, where the main stake
// that comes after them does.
func (b *box) nameSides(bettor, player string) {
	for i := range b.sides {
		if b.sides[i].Bettor == bettor {
			b.sides[i].Player = player
		}
	}
}

func statedAmount(in *vocab.Input) int64 {
	if !in.Stated {
		return vocab.Unstated
	}
	return in.Amount
}

// unknown says that a wager is none: no house knows it, nor is it the house's own.
func (t *Table) unknown(w vocab.Wager) bool {
	if w == vocab.WagerMain || w == vocab.WagerInsurance {
		return false
	}
	bet, side := w.Side()
	return !side || !bet.Known() && t.rules.Offer(bet) == nil
}

// mayStake says why no stake of this kind can be placed now.
func (t *Table) mayStake(in *vocab.Input) vocab.Reason {
	switch {
	case t.phase == vocab.Idle:
		return vocab.NoRound
	case t.phase != vocab.Bets:
		return vocab.BetsClosed
	case in.Wager == vocab.WagerInsurance:
		return vocab.NotOffered
	case t.unknown(in.Wager):
		return vocab.UnknownWager
	case !t.hasBox(in.Box):
		return vocab.UnknownBox
	}
	return 0
}

// withinLimits checks an amount against the minimum, the step of stakes, and the
// box's maximum, which bounds all main stakes of the box together.
func (t *Table) withinLimits(b *box, replaced int, amount int64) vocab.Reason {
	if amount == vocab.Unstated {
		return 0
	}
	limits := &t.rules.Table
	sum := amount
	for i := range b.bettors {
		if i != replaced {
			sum += max(0, b.bettors[i].Stake)
		}
	}
	switch {
	case amount < limits.Min:
		return vocab.BelowMinimum
	case amount > limits.BoxMax || sum > limits.BoxMax:
		return vocab.AboveMaximum
	case amount%t.rules.Step() != 0:
		return vocab.NotAMultiple
	}
	return 0
}

// withdraw takes a stake back, and with it the side bets that hang on it. When it
// was the holder's, the bettor of the earliest remaining stake becomes the
// holder, and counts as seated.
func (t *Table) withdraw(b *box, at int) vocab.Reason {
	if at < 0 {
		return vocab.UnknownBettor
	}
	name := b.bettors[at].Name
	b.bettors = append(b.bettors[:at], b.bettors[at+1:]...)
	if at == 0 && b.played() {
		b.bettors[0].Seated = true
	}
	t.withdrawSides(b, name)
	return 0
}

// find returns the index of a bettor on the box, -1 if there is none.
func (b *box) find(name string) int {
	for i := range b.bettors {
		if b.bettors[i].Name == name {
			return i
		}
	}
	return -1
}

// playedBy says whether a person has a main stake on the box other than the one at
// an index.
func (b *box) playedBy(player string, but int) bool {
	for i := range b.bettors {
		if i != but && b.bettors[i].Player == player {
			return true
		}
	}
	return false
}

func (t *Table) hasBox(number int) bool { return number >= 1 && number <= len(t.boxes) }

// samePerson says whether two stakes are one person's: the same bettor of one box,
// or bettors that are said to be one player.
func samePerson(box int, bettor, player string, otherBox int, otherBettor, otherPlayer string) bool {
	return box == otherBox && bettor == otherBettor || player != "" && player == otherPlayer
}

// loneBox says whether one person alone plays, and on one box only. (Mendrisio.)
func (t *Table) loneBox() bool {
	boxes, first := 0, -1
	for i := range t.boxes {
		b := &t.boxes[i]
		if !b.played() {
			continue
		}
		boxes++
		if first < 0 {
			first = i
		}
	}
	return boxes == 1 && len(t.boxes[first].bettors) == 1
}
