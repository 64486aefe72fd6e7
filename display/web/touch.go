package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/vocab"
)

// movedOn is what a touch is answered with that was meant for a moment that has passed.
const movedOn = "moved-on"

// mostPut and maxTouch bound what one touch may put in, in inputs and in bytes: the same
// stakes as in the last round on all boxes.
const (
	mostPut  = 256
	maxTouch = 1 << 15
)

// touch takes what the dealer has touched: {"moment":"…","put":[…]} with the inputs of
// the key as they stand on it, which are transcript lines. They are put in one after
// the other, up to the first that is not taken; the answer is that one's. What only a supervisor may put in has the
// name and the PIN with it, {"name":"anna","pin":"…"}: they are for this touch alone.
func (s *Server) touch(w http.ResponseWriter, r *http.Request) {
	var given struct {
		Moment string            `json:"moment"`
		Put    []json.RawMessage `json:"put"`
		authority.Given
	}
	if !s.takeUpTo(maxTouch, w, r, &given, `write it as {"moment":"…","put":[{"in":"…"}]}`) {
		return
	}
	if len(given.Put) == 0 || len(given.Put) > mostPut {
		site.Answer(w, http.StatusBadRequest,
			Answer{Error: fmt.Sprintf("a touch puts in 1 to %d inputs, not %d", mostPut, len(given.Put))})
		return
	}
	inputs := make([]vocab.Input, len(given.Put))
	for i, line := range given.Put {
		var err error
		if inputs[i], err = parseInput(line); err != nil {
			site.Answer(w, http.StatusBadRequest, Answer{Error: err.Error()})
			return
		}
	}
	ctx, proven := s.provenTouch(w, r, given.Given)
	if !proven {
		return
	}
	var status int
	var answer Answer
	for _, in := range inputs {
		if status, answer = s.press(ctx, in, given.Moment); status != http.StatusOK {
			break
		}
		if in.Kind == vocab.InCount {
			answer.Told = s.told(r, answer.Seq)
		}
	}
	s.pressed(w, status, answer)
}

// provenTouch is the context of a touch, in a supervisor's name where a PIN came with it. Where that is not right, it
// has been answered.
func (s *Server) provenTouch(w http.ResponseWriter, r *http.Request, g authority.Given) (ctx context.Context, ok bool) {
	ctx = r.Context()
	if g.PIN == "" {
		return ctx, true
	}
	var err error
	switch {
	case s.options.People == nil:
		site.Answer(w, http.StatusBadRequest, Answer{Error: "nobody is proven at this display: leave the PIN out"})
		return ctx, false
	case roleOf(r) < Supervisor:
		site.Answer(w, http.StatusForbidden, Answer{Error: "no PIN is taken at a screen of role " + roleOf(r).String() +
			": it takes one of role " + Supervisor.String()})
		return ctx, false
	case s.pace(w, r, s.paced.people):
		return ctx, false
	}
	if ctx, err = s.options.People.Once(ctx, stands(r), g); err != nil {
		s.refuse(w, err)
		return ctx, false
	}
	return ctx, true
}
