package table

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// SideStake is one bettor's side bet on a box.
type SideStake struct {
	Bet    sidebet.Bet
	Bettor string
	Player string
	// Amount is the stake, Unstated if nobody has entered it.
	Amount     int64
	settled    bool
	wonJackpot bool
	dead       bool
	// share is what the stake wins of the jackpot.
	share int64
}

// sideStake places, replaces or withdraws a side bet.
func (t *Table) sideStake(b *box, in *vocab.Input) vocab.Reason {
	bet, _ := in.Wager.Side()
	offer := t.rules.Offer(bet)
	if offer == nil || t.takesNoJackpot(offer) && in.Amount != 0 {
		return vocab.NotOffered
	}
	at := b.findSide(bet, in.Bettor)
	if in.Stated && in.Amount == 0 {
		if at < 0 {
			return vocab.UnknownBettor
		}
		b.sides = slices.Delete(b.sides, at, at+1)
		return 0
	}
	if reason := mayBet(b, in, offer); reason != 0 {
		return reason
	}
	amount := statedAmount(in)
	if amount == vocab.Unstated && offer.Least == offer.Most {
		amount = offer.Least
	}
	if reason := sideLimits(b, at, amount, offer); reason != 0 {
		return reason
	}
	if main := b.find(in.Bettor); offer.UpToStake && above(amount, b.bettors[main].Stake) {
		return vocab.AboveStake
	}
	if at >= 0 {
		b.sides[at].Amount = amount
		return 0
	}
	s := SideStake{Bet: bet, Bettor: in.Bettor, Player: t.playerOf(b, in), Amount: amount}
	if t.betsAlready(in.Box, &s, offer.OnePerBettor) {
		return vocab.OnePerBettor
	}
	b.sides = append(b.sides, s)
	return 0
}

// mayBet says why a guest may not place a side bet on a box.
func mayBet(b *box, in *vocab.Input, offer *rules.Offer) vocab.Reason {
	at := b.find(in.Bettor)
	switch {
	case !b.played():
		return vocab.BoxNotPlayed
	case offer.Bettors == rules.Anybody:
		return 0
	case at < 0:
		return vocab.UnknownBettor
	case offer.Bettors == rules.SeatedOnly && !b.bettors[at].Seated:
		return vocab.NotSeated
	case offer.Bettors == rules.HoldersOnly && at != 0:
		return vocab.HoldersOnly
	}
	return 0
}

// sideLimits checks a side bet's amount; replaced is the stake that it replaces, -1
// for none.
func sideLimits(b *box, replaced int, amount int64, offer *rules.Offer) vocab.Reason {
	if amount == vocab.Unstated {
		return 0
	}
	sum := amount
	for i, s := range b.sides {
		if s.Bet == offer.Bet && i != replaced {
			sum += max(0, s.Amount)
		}
	}
	switch {
	case offer.Least == offer.Most && amount != offer.Least:
		return vocab.NotTheAmount
	case amount < offer.Least:
		return vocab.BelowMinimum
	case amount > offer.Most || offer.BoxMost != 0 && sum > offer.BoxMost:
		return vocab.AboveMaximum
	case amount%offer.Step != 0:
		return vocab.NotAMultiple
	}
	return 0
}

// above says whether a side bet is more than the bettor's main stake, as far as both are known.
func above(side, main int64) bool {
	return side != vocab.Unstated && main != vocab.Unstated && side > main
}

// betsAbove says whether a bettor has a side bet on the box that may not be more than the main stake, and would be with
// one of this amount.
func (t *Table) betsAbove(b *box, bettor string, amount int64) bool {
	for i := range b.sides {
		if s := &b.sides[i]; s.Bettor == bettor && t.rules.Offer(s.Bet).UpToStake && above(s.Amount, amount) {
			return true
		}
	}
	return false
}

// playerOf returns who the bettor of a side bet is: as the bet says or, if it says
// nothing, as the main stake does.
func (t *Table) playerOf(b *box, in *vocab.Input) string {
	if at := b.find(in.Bettor); in.Player == "" && at >= 0 {
		return b.bettors[at].Player
	}
	return in.Player
}

// betsAlready says whether the person has the same side bet already, under whatever
// name: on the box or, where a guest may have one only, anywhere at the table.
func (t *Table) betsAlready(number int, s *SideStake, anywhere bool) bool {
	for i := range t.boxes {
		if i+1 != number && !anywhere {
			continue
		}
		for _, other := range t.boxes[i].sides {
			if other.Bet == s.Bet && samePerson(number, s.Bettor, s.Player, i+1, other.Bettor, other.Player) {
				return true
			}
		}
	}
	return false
}

func (b *box) findSide(bet sidebet.Bet, bettor string) int {
	return slices.IndexFunc(b.sides, func(s SideStake) bool { return s.Bet == bet && s.Bettor == bettor })
}

// withdrawSides takes back the side bets that need the main stake of a bettor who
// has withdrawn it, and all of them from a box that nobody plays any more.
func (t *Table) withdrawSides(b *box, bettor string) {
	b.sides = slices.DeleteFunc(b.sides, func(s SideStake) bool {
		return !b.played() || s.Bettor == bettor && t.rules.Offer(s.Bet).Bettors != rules.Anybody
	})
}

// lies returns what the side bets on a box depend on at a moment, as far as it lies.
func (t *Table) lies(b *box, m sidebet.Moment) sidebet.Cards {
	c := sidebet.Cards{
		First: b.hands[0].cards[0], Second: b.second, Bank: t.bank.cards[0],
		Joker: b.joker, JokerMayCome: b.second == card.None && t.rules.Cards.Jokers > 0,
	}
	if m == sidebet.BankEnd {
		c.BankHand = t.bank.cards
	}
	if len(t.bank.cards) > 1 {
		c.BankSecond = t.bank.cards[1]
	}
	switch balance, decided := b.holderBalance(); {
	case !decided:
	case balance < 0:
		c.Hands, c.Hand = sidebet.HandsLost, b.hands[0].cards
	default:
		c.Hands, c.Hand = sidebet.HandsKept, b.hands[0].cards
	}
	return c
}

// KeptLine is the line that a bet on a box wins if the box does not lose, "" for none, as far as the cards that are
// sure to be dealt decide it.
func (t *Table) KeptLine(box int, bet *rules.Offer) sidebet.Line {
	lies := t.lies(&t.boxes[box-1], sidebet.LastHand)
	lies.Hands = sidebet.HandsKept
	line, _ := bet.Judge(lies)
	return line
}

// judgeSides asks which of a box's open side bets a moment decides, and by which line.
func (t *Table) judgeSides(b *box, m sidebet.Moment, decided func(*SideStake, sidebet.Line)) {
	if !b.hasOpenSides() {
		return
	}
	lies := t.lies(b, m)
	for i := range b.sides {
		s := &b.sides[i]
		if s.settled {
			continue
		}
		offer := t.rules.Offer(s.Bet)
		if !offer.At(m) {
			continue
		}
		if line, now := offer.Decide(lies, m); now {
			decided(s, line)
		}
	}
}

// decideSides decides what a moment decides of a box's side bets, in the order in which
// they were placed.
func (t *Table) decideSides(b *box, m sidebet.Moment) {
	if len(b.sides) > 0 && !t.initialDeal.otherwise {
		t.settleSides(b, m)
	}
}

func (t *Table) settleSides(b *box, m sidebet.Moment) {
	t.judgeSides(b, m, func(s *SideStake, line sidebet.Line) { t.settleSide(b, s, line) })
}

// holderBalance weighs the box's won hands against its lost ones by the holder's stake on
// each, and says whether all are decided. (Wiesbaden, "Crazy-Twins".)
func (b *box) holderBalance() (balance int64, decided bool) {
	for i := range b.hands {
		for _, w := range b.hands[i].wagers {
			if w.bettor != 0 {
				continue
			}
			lies, stake := w.weight()
			switch {
			case !w.settled:
				return 0, false
			case w.outcome == vocab.Win:
				balance += lies
			case w.outcome == vocab.Lose || w.outcome == vocab.Surrendered:
				balance -= lies
			case w.outcome == vocab.PartLost:
				balance -= stake
			}
		}
	}
	return balance, true
}

// settleSide decides a side bet: by a line of its paytable, or as lost.
func (t *Table) settleSide(b *box, s *SideStake, line sidebet.Line) {
	if dead := t.deathAhead(b, 0, s.Bettor, vocab.SideWager(s.Bet)); dead != nil {
		t.killSide(b, s, dead)
		return
	}
	prize := t.rules.Offer(s.Bet).Prize(line)
	if prize.Jackpot {
		t.settleJackpot(b, s, line)
		return
	}
	s.settled = true
	v := verdict{outcome: vocab.Lose, why: vocab.WhyLine(line)}
	if line != "" {
		v.outcome, v.odds, v.prize = vocab.Win, prize.Odds, prize.Amount
	}
	t.stateSide(b, s, &v)
}

// stateSide states what became of a side bet.
func (t *Table) stateSide(b *box, s *SideStake, v *verdict) {
	out := t.emit(vocab.Settled)
	out.Box, out.Bettor, out.Wager = b.number, s.Bettor, vocab.SideWager(s.Bet)
	t.settle(b, out, s.Amount, 1, v)
}

// voidSides gives the undecided side bets of a box back.
func (t *Table) voidSides(b *box) {
	for i := range b.sides {
		if s := &b.sides[i]; !s.settled {
			t.giveSideBack(b, s, &verdict{outcome: vocab.Void, why: vocab.WhyVoidRound})
		}
	}
}

// giveSideBack gives a side bet back, and takes its part out of the jackpot.
func (t *Table) giveSideBack(b *box, s *SideStake, v *verdict) {
	s.settled = true
	if t.phase != vocab.Bets { // else nothing has been fed yet
		t.feed(-t.meterPart(s))
	}
	t.stateSide(b, s, v)
}

func (b *box) hasOpenSides() bool {
	return slices.ContainsFunc(b.sides, func(s SideStake) bool { return !s.settled })
}

// sideNeed says how far a box's open side bets need the bank to draw.
func (b *box) sideNeed(r *rules.Rules) int {
	most := 0
	for i := range b.sides {
		if s := &b.sides[i]; !s.settled {
			most = max(most, r.Offer(s.Bet).Bank())
		}
	}
	return most
}
