package web

import (
	"slices"
	"sync"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/vocab"
)

// lastResults is how many rounds the guests' display remembers.
const lastResults = 20

// results are how the last rounds went for the bank, the latest first. Rounds of before this
// start come from the record.
type results struct {
	mu     sync.Mutex
	list   []display.GuestResult
	loaded bool
}

// look notes how a round went once it is decided, and forgets it where a key press that
// decided it is taken back.
func (s *results) look(v display.View) {
	if v.Round == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.list, func(r display.GuestResult) bool { return r.Round == v.Round })
	switch {
	case v.Phase == vocab.Idle:
	case v.Phase != vocab.Payment || void(v):
		if at >= 0 {
			s.list = slices.Delete(s.list, at, at+1)
		}
	default:
		s.putResult(display.ResultOf(v.Game, v.Round, v.Bank.Cards, v.Bank.Total))
	}
}

// putResult adds a round, or what is new of it.
func (s *results) putResult(r display.GuestResult) {
	at, found := slices.BinarySearchFunc(s.list, r, func(a, b display.GuestResult) int {
		switch {
		case a.Round > b.Round:
			return -1
		case a.Round < b.Round:
			return 1
		}
		return 0
	})
	if found {
		s.list[at] = r
		return
	}
	s.list = slices.Insert(s.list, at, r)
	s.list = s.list[:min(len(s.list), lastResults)]
}

// void says whether a round is decided by nothing but that it is void.
func void(v display.View) bool {
	for _, b := range v.Boxes {
		for _, p := range b.Payouts {
			if p.Why == vocab.WhyVoidRound {
				return true
			}
		}
	}
	return false
}

// recalled adds the rounds of before this start, once.
func (s *results) recalled(from Recall) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.loaded || from == nil {
		return nil
	}
	rounds, err := from.Last(lastResults + 1) // the one that runs has none yet
	if err != nil {
		return err
	}
	s.loaded = true
	for _, r := range rounds {
		known := slices.ContainsFunc(s.list, func(k display.GuestResult) bool { return k.Round == r.Number })
		if !known && r.Result != nil && !r.Void {
			s.putResult(display.ResultOf(gameOf(r), r.Number, r.Result.Out.Bank, int(r.Result.Out.Total)))
		}
	}
	return nil
}

// gameOf is which game a past round was of: in Black James cards count points.
func gameOf(r history.Round) display.Game {
	for i := range r.Steps {
		for _, line := range r.Steps[i].Outputs {
			if line.Out.Kind == vocab.Dealt && line.Out.Points {
				return display.BlackJames
			}
		}
	}
	return display.BlackJack
}

// latest returns a copy of the list.
func (s *results) latest() []display.GuestResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}
