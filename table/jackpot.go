package table

import (
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// Jackpot returns what can be won now, 0 where there is no jackpot.
func (t *Table) Jackpot() int64 { return t.kept.Jackpot }

// winJackpot pays the jackpot out to a number of winners in equal shares of whole
// units; it starts again from its seed and what could not be shared.
func (t *Table) winJackpot(winners int) (share int64) {
	share, _ = money.Share(t.kept.Jackpot, money.Ratio{Num: 1, Den: int64(winners)}, t.rules.Table.Unit, money.Down)
	t.kept.Jackpot += t.rules.Meter.Seed - share*int64(winners)
	return share
}

// feedMeter puts the round's part of the progressive stakes into the jackpot.
func (t *Table) feedMeter() {
	if t.rules.Jackpot == nil {
		return
	}
	for i := range t.boxes {
		for k := range t.boxes[i].sides {
			t.kept.Jackpot += t.meterPart(&t.boxes[i].sides[k])
		}
	}
}

// meterPart is what a stake feeds into the jackpot, and takes out again when it is
// given back.
func (t *Table) meterPart(s *SideStake) int64 {
	if !s.Bet.Jackpot() || t.rules.Jackpot == nil {
		return 0
	}
	part, _ := money.Share(s.Amount, t.rules.Meter.Feeds, 1, money.Down)
	return part
}

// decideJackpot decides, by the bank's second card, the stakes that have waited to win the
// jackpot, and gives everybody else the envy prize when it is won. (Mendrisio,
// "Progressive Black Jack".)
func (t *Table) decideJackpot() {
	winners := 0
	for _, i := range t.inPlay {
		b := &t.boxes[i]
		t.judgeSides(b, sidebet.EveryBox, func(s *SideStake, line sidebet.Line) {
			if dead, dies := t.deathAhead(b, 0, s.Bettor, vocab.SideWager(s.Bet)); dies {
				t.killSide(b, s, &dead)
			} else if line == sidebet.Jackpot {
				winners++
			}
		})
	}
	if winners > 0 {
		t.share = t.winJackpot(winners)
	}
	for _, i := range t.inPlay {
		t.decideSides(&t.boxes[i], sidebet.EveryBox)
	}
	if winners > 0 {
		t.payEnvy()
	}
}

// settleJackpot pays a stake's share of the jackpot.
func (t *Table) settleJackpot(b *box, s *SideStake) {
	s.settled, s.wonJackpot = true, true
	out := t.emit(vocab.Settled)
	out.Box, out.Bettor, out.Wager = b.number, s.Bettor, vocab.SideWager(s.Bet)
	out.Outcome, out.Why = vocab.Win, vocab.WhyLine(sidebet.Jackpot)
	out.Stake, out.Returned, out.Won = s.Amount, s.Amount, t.share
	t.count(b, out)
}

// payEnvy pays a prize for each progressive stake of a person who has not won the
// jackpot in this round.
func (t *Table) payEnvy() {
	for i := range t.boxes {
		b := &t.boxes[i]
		for k := range b.sides {
			s := &b.sides[k]
			if !s.Bet.Jackpot() || s.dead || t.wonJackpot(i+1, s) {
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
