package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is the jackpot that several tables play for. Its meter is the pit's: the table says what its stakes feed
// into it and what it pays from it, and stands while it asks how much a win is.

// linked is what a round has to do with such a jackpot.
type linked struct {
	// asked: it was won, and nobody has said how much that is; answered: somebody has.
	asked, answered bool
	winners         int
	// entry is the pit's decision, 0 for none.
	entry int
	// granted is what the winners get together, and left what of it does not come out even.
	granted, left int64
	// fed is what the round's stakes have put into it.
	fed int64
}

// pot is what is shared among those who win the jackpot.
func (t *Table) pot() *int64 {
	if t.rules.Linked() {
		return &t.linked.left
	}
	return &t.kept.Jackpot
}

// feed puts an amount into the jackpot, or takes it out again.
func (t *Table) feed(part int64) {
	if t.rules.Linked() {
		t.linked.fed += part
		return
	}
	t.kept.Jackpot += part
}

// AloneWith says that the table is linked to a jackpot and does not hear of it.
func (t *Table) AloneWith() bool { return t.rules != nil && t.rules.Linked() && t.kept.Alone }

// takesNoJackpot says whether stakes on a linked jackpot are refused while nobody can say what is in it.
func (t *Table) takesNoJackpot(o *rules.Offer) bool {
	return o.Jackpot() && t.AloneWith() && t.rules.ClosesAlone()
}

// meter takes what the pit says that the jackpot has, between two rounds: what a round was staked on stays what it
// was. Neither is part of the round that lies on the table.
func (t *Table) meter(in *vocab.Input) vocab.Reason {
	switch {
	case !t.rules.Linked():
		return vocab.NotOffered
	case t.phase != vocab.Idle:
		return vocab.RoundRunning
	}
	if t.kept.Alone = !in.Stated; in.Stated {
		t.kept.Jackpot = in.Amount
	}
	return 0
}

// mustAsk says whether the jackpot was won and the table does not know yet how much that is. It holds the round then.
func (t *Table) mustAsk() bool {
	if !t.rules.Linked() || t.linked.answered {
		return false
	}
	winners := 0
	for _, o := range t.rules.Offers() {
		for _, line := range o.Lines() {
			if o.Prize(line).Jackpot {
				t.eachWinner(o, line, func(*SideStake) { winners++ })
			}
		}
	}
	if winners == 0 {
		return false
	}
	t.linked.asked, t.linked.winners = true, winners
	t.tellJackpot(vocab.JackpotHit)
	t.raise(Irregularity{Code: irregularity.JackpotAsked})
	return true
}

// jackpotGiven takes how much the pit gives to the winners of the round, and decides with it.
func (t *Table) jackpotGiven(in *vocab.Input) vocab.Reason {
	at := slices.IndexFunc(t.held, func(i Irregularity) bool { return i.Code == irregularity.JackpotAsked })
	if at < 0 {
		return vocab.NotHeld
	}
	t.righted = irregularity.JackpotAsked
	others, behind := slices.Delete(t.held, at, at+1), t.behind
	t.held, t.behind = nil, nil
	t.tellResolved(irregularity.JackpotAsked, irregularity.Cleared, "", "")
	t.giveJackpot(in.Amount, in.Entry)
	if len(others) == 0 {
		t.advance()
	}
	t.held, t.behind = append(others, t.held...), append(behind, t.behind...)
	return 0
}

// giveJackpot decides the stakes that have waited to hear how much is won.
func (t *Table) giveJackpot(amount int64, entry int) {
	t.linked.asked, t.linked.answered, t.linked.entry = false, true, entry
	t.linked.granted, t.linked.left = amount, amount
	t.endJackpot()
}

// tellJackpot tells that the jackpot was won, or what the round has moved of it.
func (t *Table) tellJackpot(event vocab.JackpotEvent) {
	m := &vocab.MeterTold{
		Event: event, Name: t.rules.LinkedTo(), Currency: t.rules.Table.Currency, Seed: t.rules.Meter.Seed,
		Winners: t.linked.winners,
	}
	if event == vocab.JackpotRound {
		m.Fed, m.Paid, m.Entry = t.linked.fed, t.linked.granted-t.linked.left, t.linked.entry
		if !t.linked.answered {
			m.Winners, m.Entry = 0, 0
		}
	}
	out := t.emit(vocab.JackpotTold)
	out.Round, out.Trouble = t.kept.Round, &vocab.Trouble{Meter: m}
}

// AsksJackpot says whether the table stands until somebody says how much of the jackpot it gets.
func (t *Table) AsksJackpot() bool { return t.linked.asked }
