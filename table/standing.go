package table

import (
	"slices"

	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file leaves of a round's stakes those that stand: one that was replaced or taken back lies nowhere, and bounds
// no other when the round is dealt again.

// onlyStanding leaves out the stakes that were replaced or taken back.
func (h *history) onlyStanding(r *rules.Rules) {
	s := placed{h: h, rules: r}
	for _, p := range h.inputs {
		if p.kind != vocab.InStake || !s.replaces(&h.whole[p.whole-1]) {
			s.inputs = append(s.inputs, p)
		}
	}
	h.inputs = s.inputs
}

// placed are a round's inputs with the stakes that stand so far.
type placed struct {
	h      *history
	rules  *rules.Rules
	inputs []past
}

// stake is the stake that the nth of the inputs places, nil if it is something else.
func (s *placed) stake(nth int) *vocab.Input {
	if p := s.inputs[nth]; p.kind == vocab.InStake {
		return &s.h.whole[p.whole-1]
	}
	return nil
}

// find finds the first of the stakes that are meant, -1 for none.
func (s *placed) find(meant func(*vocab.Input) bool) int {
	for i := range s.inputs {
		if in := s.stake(i); in != nil && meant(in) {
			return i
		}
	}
	return -1
}

// remove takes out the stakes that are meant.
func (s *placed) remove(meant func(*vocab.Input) bool) {
	for at := s.find(meant); at >= 0; at = s.find(meant) {
		s.inputs = slices.Delete(s.inputs, at, at+1)
	}
}

// replaces lets a stake take the place of an earlier one, or take that back, and says whether it was that.
func (s *placed) replaces(in *vocab.Input) bool {
	at := s.find(func(one *vocab.Input) bool {
		return one.Box == in.Box && one.Bettor == in.Bettor && one.Wager == in.Wager
	})
	switch {
	case at < 0:
		return false
	case in.Stated && in.Amount == 0:
		s.inputs = slices.Delete(s.inputs, at, at+1)
		if in.Wager == vocab.WagerMain {
			s.withdrawn(in, at)
		}
		return true
	}
	was := s.stake(at)
	was.Amount, was.Stated = in.Amount, in.Stated
	if in.Wager == vocab.WagerMain {
		s.renamed(was, in)
	}
	return true
}

// renamed takes the seat and the person that a main stake states anew: see Bettor.replace.
func (s *placed) renamed(was, in *vocab.Input) {
	if in.Seat != vocab.SeatDefault {
		was.Seat = in.Seat
	}
	if in.Player == "" {
		return
	}
	for i := range s.inputs {
		if one := s.stake(i); one != nil && one.Box == in.Box && one.Bettor == in.Bettor {
			one.Player = in.Player
		}
	}
}

// withdrawn takes back what goes with a main stake, the nth of the inputs, and seats who holds the box after it: see
// Table.withdraw.
func (s *placed) withdrawn(in *vocab.Input, nth int) {
	holder := s.find(func(one *vocab.Input) bool { return one.Box == in.Box && one.Wager == vocab.WagerMain })
	if holder >= nth {
		s.stake(holder).Seat = vocab.Seated
	}
	s.remove(func(one *vocab.Input) bool {
		bet, side := one.Wager.Side()
		return side && one.Box == in.Box && (holder < 0 || one.Bettor == in.Bettor &&
			s.rules.Offer(bet).Bettors != rules.Anybody)
	})
}
