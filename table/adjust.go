package table

import "github.com/sabot-table/sabot/table/vocab"

// This file is what a supervisor pays, or takes, of a wager of a past round.

// adjust takes a supervisor's adjustment. It is part of no round. Which wagers a round had the engine knows of the one
// that lies on the table alone; of earlier ones the record does.
func (t *Table) adjust(in *vocab.Input) vocab.Reason {
	round := uint64(max(0, in.PastRound))
	switch {
	case in.Role != vocab.Supervisor:
		return vocab.NeedsSupervisor
	case round == 0 || round > t.kept.Round:
		return vocab.NoSuchRound
	case round == t.kept.Round && t.phase != vocab.Idle:
		return vocab.RoundRunning
	case t.unknown(in.Wager):
		return vocab.UnknownWager
	case !t.hasBox(in.Box):
		return vocab.UnknownBox
	case in.Amount == 0:
		return vocab.NothingChanges
	case in.Amount%t.rules.Table.Unit != 0:
		return vocab.NotAMultiple
	}
	if round == t.kept.Round {
		if reason := t.wasDecided(in); t.carries() && reason != 0 {
			return reason
		}
		t.clearAway() // nothing is paid on it again
	}
	out := t.emit(vocab.Adjusted)
	out.Round, out.Box, out.Hand, out.Bettor, out.Wager = round, uint8(in.Box), in.Hand, in.Bettor, in.Wager
	out.Line = t.adjusted
	t.tray.adjusts(in.Amount)
	out.Trouble = &vocab.Trouble{Adjusted: in.Amount, By: in.By, Because: in.Because}
	out.InTray = t.tray.mustHold()
	t.adjusted = in.Line
	return 0
}

// wasDecided says why no wager of the round that lies on the table is meant.
func (t *Table) wasDecided(in *vocab.Input) vocab.Reason {
	reason := vocab.UnknownBettor
	for i := range t.decided {
		one := &t.decided[i]
		if int(one.Box) != in.Box || one.Bettor != in.Bettor {
			continue
		}
		if reason = vocab.NotDecided; one.Wager == in.Wager && (in.Hand == 0 || handOf(one) == in.Hand) {
			return 0
		}
	}
	return reason
}
