package table

import (
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// meter is where the progressive jackpot's amount stands. A table has its own;
// tables that play for one jackpot share one behind the same methods.
type meter interface {
	// amount is what can be won now.
	amount() int64
	set(amount int64)
	// feed adds a part of a stake.
	feed(part int64)
	// win pays the jackpot out to a number of winners in equal shares of whole
	// units, and starts again from seed and what could not be shared.
	win(winners int, unit, seed int64) (share int64)
}

// ownMeter is the meter of a table that plays for itself.
type ownMeter struct{ stands int64 }

func (m *ownMeter) amount() int64    { return m.stands }
func (m *ownMeter) set(amount int64) { m.stands = amount }
func (m *ownMeter) feed(part int64)  { m.stands += part }

func (m *ownMeter) win(winners int, unit, seed int64) int64 {
	share, _ := money.Share(m.stands, money.Ratio{Num: 1, Den: int64(winners)}, unit, money.Down)
	m.stands += seed - share*int64(winners)
	return share
}

// Jackpot returns what can be won now, 0 where there is no jackpot.
func (t *Table) Jackpot() int64 {
	if t.meter == nil {
		return 0
	}
	return t.meter.amount()
}

// feedMeter puts the round's part of the progressive stakes into the jackpot.
func (t *Table) feedMeter() {
	if t.rules.Offer(sidebet.Progressive) == nil {
		return
	}
	for i := range t.boxes {
		for k := range t.boxes[i].sides {
			t.meter.feed(t.meterPart(&t.boxes[i].sides[k]))
		}
	}
}

// meterPart is what a stake feeds into the jackpot, and takes out again when it is
// given back.
func (t *Table) meterPart(s *SideStake) int64 {
	if s.Bet != sidebet.Progressive || t.rules.Jackpot == nil {
		return 0
	}
	part, _ := money.Share(s.Amount, t.rules.Meter.Feeds, 1, money.Down)
	return part
}

// decideProgressives decides, by the bank's second card, the progressive stakes
// that can win the jackpot, and gives everybody else the envy prize when it is
// won. (Mendrisio, "Progressive Black Jack".)
func (t *Table) decideProgressives() {
	winners := 0
	if sidebet.IsAceKing(t.bank.cards[0], t.bank.cards[1]) {
		winners = t.waitingForJackpot()
	}
	var share int64
	if winners > 0 {
		share = t.meter.win(winners, t.rules.Table.Unit, t.rules.Meter.Seed)
	}
	for i := range t.boxes {
		b := &t.boxes[i]
		for k := range b.sides {
			s := &b.sides[k]
			switch {
			case s.Bet != sidebet.Progressive || s.settled:
			case winners > 0:
				s.wonJackpot = true
				t.settleJackpot(b, s, share)
			default:
				t.settleSide(b, s, sidebet.SuitedAceKing)
			}
		}
	}
	if winners > 0 {
		t.payEnvy()
	}
}

// waitingForJackpot counts the progressive stakes that are not decided.
func (t *Table) waitingForJackpot() int {
	n := 0
	for i := range t.boxes {
		for _, s := range t.boxes[i].sides {
			if s.Bet == sidebet.Progressive && !s.settled {
				n++
			}
		}
	}
	return n
}

func (t *Table) settleJackpot(b *box, s *SideStake, share int64) {
	s.settled = true
	out := t.emit(vocab.Settled)
	out.Box, out.Bettor, out.Wager = b.number, s.Bettor, vocab.SideWager(s.Bet)
	out.Outcome, out.Why = vocab.Win, vocab.WhyLine(sidebet.Jackpot)
	out.Stake, out.Returned, out.Won = s.Amount, s.Amount, share
	t.count(b, out)
}

// payEnvy pays a prize for each progressive stake of a person who has not won the
// jackpot in this round.
func (t *Table) payEnvy() {
	for i := range t.boxes {
		b := &t.boxes[i]
		for k := range b.sides {
			s := &b.sides[k]
			if s.Bet != sidebet.Progressive || t.wonJackpot(i+1, s) {
				continue
			}
			out := t.emit(vocab.Bonus)
			out.Box, out.Bettor, out.Wager = b.number, s.Bettor, vocab.SideWager(s.Bet)
			out.Why, out.Stake, out.Won = vocab.WhyEnvy, s.Amount, t.rules.Meter.Envy
			t.count(b, out)
		}
	}
}

// wonJackpot says whether the person of a stake won the jackpot, with it or with
// another.
func (t *Table) wonJackpot(number int, s *SideStake) bool {
	for i := range t.boxes {
		for k := range t.boxes[i].sides {
			other := &t.boxes[i].sides[k]
			if other.wonJackpot && samePerson(number, s.Bettor, s.Player, i+1, other.Bettor, other.Player) {
				return true
			}
		}
	}
	return false
}
