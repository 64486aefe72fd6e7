package table

import (
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/sidebet"
	"github.com/sabot-table/sabot/table/vocab"
)

// Jackpot returns what can be won now, 0 where there is no jackpot.
func (t *Table) Jackpot() int64 { return t.kept.Jackpot }

// feedMeter puts the round's part of the progressive stakes into the jackpot.
func (t *Table) feedMeter() {
	if t.rules.Jackpot == nil {
		return
	}
	for i := range t.boxes {
		for k := range t.boxes[i].sides {
			t.feed(t.meterPart(&t.boxes[i].sides[k]))
		}
	}
}

// meterPart is what a stake feeds into the jackpot, and takes out again when it is
// given back.
func (t *Table) meterPart(s *SideStake) int64 {
	if t.rules.Jackpot == nil || !t.rules.Offer(s.Bet).Jackpot() {
		return 0
	}
	part, _ := money.Share(s.Amount, t.rules.Meter.Feeds, 1, money.Down)
	return part
}

// decideJackpot decides, by the bank's second card, the stakes that have waited to win the
// jackpot, and gives everybody else the envy prize when all of it is won. (Mendrisio,
// "Progressive Black Jack".)
func (t *Table) decideJackpot() {
	for _, i := range t.inPlay {
		b := &t.boxes[i]
		t.judgeSides(b, sidebet.EveryBox, func(s *SideStake, _ sidebet.Line) {
			if dead := t.deathAhead(b, 0, s.Bettor, vocab.SideWager(s.Bet)); dead != nil {
				t.killSide(b, s, dead)
			}
		})
	}
	if !t.mustAsk() {
		t.endJackpot()
	}
}

// endJackpot pays who has won, and everybody else the envy prize.
func (t *Table) endJackpot() {
	won := t.shareJackpot()
	for _, i := range t.inPlay {
		t.decideSides(&t.boxes[i], sidebet.EveryBox)
	}
	if won && t.rules.Meter.Envy != 0 {
		t.payEnvy()
	}
}

// shareJackpot says what each winner gets, and whether all of the jackpot is won. Parts of it are of what it has been
// before anybody won; who wins the rest shares what they leave. Equal winners get equal shares in whole units, and what
// cannot be shared stays. When all of it is won it starts again from its seed.
func (t *Table) shareJackpot() (won bool) {
	had := *t.pot()
	for _, o := range t.rules.Offers() {
		if !o.Jackpot() {
			continue
		}
		for _, line := range o.Lines() {
			if prize := o.Prize(line); prize.Part.Den != 0 {
				t.shareLine(o, line, had, prize.Part)
			}
		}
		for _, line := range o.Lines() {
			prize := o.Prize(line)
			if prize.Jackpot && prize.Part.Den == 0 &&
				t.shareLine(o, line, *t.pot(), money.Ratio{Num: 1, Den: 1}) {
				won = true
			}
		}
	}
	if won && !t.rules.Linked() {
		t.kept.Jackpot += t.rules.Meter.Seed
	}
	return won
}

// shareLine shares a part of an amount among the winners of a line, and says whether there are any.
func (t *Table) shareLine(o *rules.Offer, line sidebet.Line, of int64, part money.Ratio) bool {
	winners := int64(0)
	t.eachWinner(o, line, func(*SideStake) { winners++ })
	if winners == 0 {
		return false
	}
	share, _ := money.Share(of, money.Ratio{Num: part.Num, Den: part.Den * winners}, t.rules.Table.Unit, money.Down)
	*t.pot() -= share * winners
	t.eachWinner(o, line, func(s *SideStake) { s.share = share })
	return true
}

// eachWinner finds the stakes that win a line of the jackpot.
func (t *Table) eachWinner(o *rules.Offer, line sidebet.Line, won func(*SideStake)) {
	for _, i := range t.inPlay {
		t.judgeSides(&t.boxes[i], sidebet.EveryBox, func(s *SideStake, is sidebet.Line) {
			if s.Bet == o.Bet && is == line {
				won(s)
			}
		})
	}
}

// settleJackpot pays a stake's share of the jackpot.
func (t *Table) settleJackpot(b *box, s *SideStake, line sidebet.Line) {
	s.settled, s.wonJackpot = true, t.rules.Offer(s.Bet).Prize(line).Part.Den == 0
	out := t.emit(vocab.Settled)
	out.Box, out.Bettor, out.Wager = b.number, s.Bettor, vocab.SideWager(s.Bet)
	out.Outcome, out.Why = vocab.Win, vocab.WhyLine(line)
	out.Stake, out.Returned, out.Won = s.Amount, s.Amount, s.share
	t.count(b, out)
}

// payEnvy pays a prize for each progressive stake of a person who has not won the
// jackpot in this round.
func (t *Table) payEnvy() {
	for i := range t.boxes {
		b := &t.boxes[i]
		for k := range b.sides {
			s := &b.sides[k]
			if !t.rules.Offer(s.Bet).Jackpot() || s.dead || t.wonJackpot(i+1, s) {
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
