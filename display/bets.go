package display

import (
	"slices"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Bets is what a screen needs to take stakes. All amounts are in minor units.
type Bets struct {
	// Amounts says whether stakes are entered with their amounts. Otherwise boxes and
	// side bets are only marked.
	Amounts bool
	// Chips are the values of the table's chips, the smallest first: none that is worth
	// more than may lie on a box.
	Chips []int64
	// Wagers are the stakes that the house takes, the main one first; nil while no bets
	// are open.
	Wagers []Wager
	// RepeatsSides says that side bets are placed again with the stakes of the last round.
	RepeatsSides bool
	// Last are the stakes of the last round whose bets were closed, in the order in which
	// they can be placed again; nil while no bets are open.
	Last []Stake
}

// Wager is a stake that the house takes, with its limits.
type Wager struct {
	// On is what is staked on.
	On vocab.Wager
	// Least, Most and Step are of one bettor's stake. BoxMost bounds the stakes of a box
	// together, 0 for no such bound.
	Least, Most, Step, BoxMost int64
	// Bettors says who may place it; of the main stake it says nothing.
	Bettors rules.Bettors
	// OnePerBettor says that one person may place it once at the whole table.
	OnePerBettor bool
	// MostBettors is how many may have the main stake on one box, 0 for any number.
	MostBettors int
	// UpToStake says that it may be no more than the bettor's main stake on the box.
	UpToStake bool
}

// Fixed says that there is one amount only.
func (w Wager) Fixed() bool { return w.Least == w.Most }

// Stake is a stake as it lay on a box when the bets were closed.
type Stake struct {
	Box    int
	Bettor string
	Wager  vocab.Wager
	// Player says that bettors are one person; "" is a person of their own.
	Player string
	Amount int64
	// Seated is of the main stake's bettor.
	Seated bool
}

// bets are the house's, before a table's configuration has its say.
func bets(t *table.Table) *Bets {
	r := t.Rules()
	b := &Bets{Amounts: true, Chips: laid(r)}
	if t.Phase() == vocab.Bets {
		b.Wagers, b.RepeatsSides = wagers(r), r.RepeatsSideBets()
	}
	return b
}

func wagers(r *rules.Rules) []Wager {
	limits := r.Table
	list := []Wager{{
		On: vocab.WagerMain, Least: limits.Min, Most: limits.BoxMax, Step: r.Step(), BoxMost: limits.BoxMax,
		MostBettors: r.MostBettors(),
	}}
	for _, bet := range r.SideBets {
		o := r.Offer(bet.Bet)
		list = append(list, Wager{
			On: vocab.SideWager(bet.Bet), Least: upTo(o.Least, o.Step), Most: o.Most / o.Step * o.Step, Step: o.Step,
			BoxMost: o.BoxMost, Bettors: o.Bettors, OnePerBettor: o.OnePerBettor,
			UpToStake: o.UpToStake,
		})
	}
	return list
}

// upTo is the first multiple of a step that is no less than an amount.
func upTo(amount, step int64) int64 { return (amount + step - 1) / step * step }

// Denominations are the chips of a table that are worth no more than may lie on a box.
func Denominations(chips []int64, boxMax int64) []int64 {
	over := slices.IndexFunc(chips, func(c int64) bool { return c > boxMax })
	if over < 0 {
		return chips
	}
	return chips[:over:over]
}

// MostInsured is half a bettor's stake in whole payable units, which every house takes
// as an insurance; Unstated where the stake is.
func MostInsured(v View, b Bettor) int64 {
	if b.Stake == Unstated {
		return Unstated
	}
	most, _ := money.Share(b.Stake, money.Ratio{Num: 1, Den: 2}, v.Unit, money.Down)
	return most
}

// Memory remembers the stakes of past rounds, as the views show them, and the last count of the tray.
type Memory struct {
	// latest is the last round that was seen with its bets closed, and before the one
	// before: bets that were opened again by an undo are not the last round's.
	latest, before closed
	tray           difference
}

// closed are the stakes of a round.
type closed struct {
	round  uint64
	boxes  []Box
	stakes []Stake
}

// Recall remembers the stakes of a round that no view showed.
func (m *Memory) Recall(round uint64, stakes []Stake) {
	m.latest = closed{round: round, stakes: stakes}
}

// Look remembers the stakes of a view whose bets are closed, and tells a view whose
// bets are open of the round before, and each of the last count of the tray.
func (m *Memory) Look(v *View) {
	m.tray.look(v.Tray)
	switch v.Phase {
	case vocab.Idle:
	case vocab.Bets:
		last := &m.latest
		if last.round == v.Round {
			last = &m.before
		}
		if v.Bets != nil {
			v.Bets.Last = last.placed()
		}
	default:
		if v.Round != m.latest.round {
			m.before = m.latest
		}
		m.latest = closed{round: v.Round, boxes: v.Boxes}
	}
}

// placed lists the stakes of a round, once.
func (c *closed) placed() []Stake {
	for _, b := range c.boxes {
		for _, one := range b.Bettors {
			c.stakes = append(c.stakes, Stake{
				Box: b.Number, Bettor: one.Name, Wager: vocab.WagerMain, Player: one.Player, Amount: one.Stake,
				Seated: one.Seated,
			})
		}
		for _, s := range b.Sides {
			c.stakes = append(c.stakes, Stake{
				Box: b.Number, Bettor: s.Bettor, Wager: s.Wager, Player: s.Player,
				Amount: s.Stake,
			})
		}
	}
	c.boxes = nil
	return c.stakes
}
