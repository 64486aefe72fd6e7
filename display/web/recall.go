package web

import (
	"errors"
	"net/http"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/history"
)

// Recall reads rounds of the past from the record. It may be asked by several
// requests at once.
type Recall interface {
	// Last returns the last n rounds, the latest first.
	Last(n int) ([]history.Round, error)
	// Round returns one round; one that is not there is a history.ErrNoRound.
	Round(number uint64) (history.Round, error)
	// State returns where the table stood after a record, 0 for the last, in one line as
	// package notation writes it.
	State(seq uint64) (string, error)
	// Table returns the table as it stood after a record, dealt again from the record.
	Table(seq uint64) (*table.Table, error)
	// Proof returns the round's place in the journal, and the seal over it.
	Proof(round history.Round) (history.Proof, error)
}

// reach is how many past rounds the screen lists.
const reach = 100

// recallList lists the last rounds.
func (s *Server) recallList(w http.ResponseWriter, r *http.Request) {
	rounds, err := s.options.Recall.Last(reach)
	if err != nil {
		s.recallFailed(w, r, err)
		return
	}
	render := s.speaking(r)
	s.recallPage(w, http.StatusOK, render, render.pastList(rounds))
}

// recallRound shows one round, or what concerns one box of it with ?box=3.
func (s *Server) recallRound(w http.ResponseWriter, r *http.Request) {
	round, ok := s.askedFor(w, r)
	if !ok {
		return
	}
	box := 0
	if asked := r.URL.Query().Get("box"); asked != "" {
		var err error
		if box, err = strconv.Atoi(asked); err != nil || box < 1 {
			http.Error(w, "A box is a number from 1.", http.StatusBadRequest)
			return
		}
	}
	now, _ := s.now()
	render := s.speaking(r)
	m := render.pastRound(round, box, max(now.view.Round, round.Number), s.stateAfter(round))
	if s.options.Press != nil && round.Finished() {
		m.Round.Adjust = render.linkTo(round.Number, 0).Where + "/adjust"
	}
	s.recallPage(w, http.StatusOK, render, m)
}

// askedFor is the round that a request names; where there is none, it has been answered.
func (s *Server) askedFor(w http.ResponseWriter, r *http.Request) (round history.Round, ok bool) {
	number, err := strconv.ParseUint(r.PathValue("round"), 10, 64)
	if err != nil || number == 0 {
		http.NotFound(w, r)
		return round, false
	}
	if round, err = s.options.Recall.Round(number); err != nil {
		s.recallFailed(w, r, err)
	}
	return round, err == nil
}

// stateAfter is where the table stood at the end of a round, in one line; "" if that cannot
// be found out, which the log says.
func (s *Server) stateAfter(round history.Round) string {
	last := slices.IndexFunc(round.Steps, func(step history.Step) bool { return step.After })
	if last < 0 {
		last = len(round.Steps)
	}
	if last == 0 {
		return ""
	}
	line, err := s.options.Recall.State(round.Steps[last-1].Seq)
	if err != nil {
		s.options.Logger.Warn("display: where the table stood after a round cannot be found out: run sabot "+
			"journal verify",
			"round", round.Number, "err", err)
	}
	return line
}

// state answers in one line of text where the table stands, or stood after ?record=17: what
// a bug report needs.
func (s *Server) state(w http.ResponseWriter, r *http.Request) {
	var record uint64
	if asked := r.URL.Query().Get("record"); asked != "" {
		var err error
		if record, err = strconv.ParseUint(asked, 10, 64); err != nil || record == 0 {
			http.Error(w, "A record is a number from 1.", http.StatusBadRequest)
			return
		}
	}
	line, err := s.options.Recall.State(record)
	if err != nil {
		s.options.Logger.Error("display: the state cannot be read from the journal: run sabot journal verify",
			"record", record, "err", err)
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	site.Send(w, http.StatusOK, "text/plain; charset=utf-8", []byte(line+"\n"))
}

// recallFailed says that there is nothing to show, and leaves the way back.
func (s *Server) recallFailed(w http.ResponseWriter, r *http.Request, err error) {
	render := s.speaking(r)
	m, status := recallModel{Title: render.say("past.list"), Error: err.Error()}, http.StatusNotFound
	if !errors.Is(err, history.ErrNoRound) {
		s.options.Logger.Error("display: past rounds cannot be read from the journal: run sabot journal verify",
			"err", err)
		m.Title, status = render.say("past.unread"), http.StatusInternalServerError
	}
	s.recallPage(w, status, render, m)
}

// recallPage answers with a page of past rounds.
func (s *Server) recallPage(w http.ResponseWriter, status int, render renderer, m recallModel) {
	m.meanwhile, render = s.meanwhile(render)
	if status != http.StatusOK {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
	}
	site.Send(w, http.StatusOK, site.HTML, drawRecall(nil, render.language, &m))
}

// meanwhile is what every page of the past has of the present: what the table shows now.
type meanwhile struct {
	Build, Table, Lang string
	// Root begins the addresses of the table's pages.
	Root string
	Deck []faceModel
	Now  string
	Stop bool
}

// meanwhile also returns the renderer in the words of the house that plays now.
func (s *Server) meanwhile(render renderer) (meanwhile, renderer) {
	now, _ := s.now()
	render = render.in(now.view.House)
	step := render.prompt(now.view)
	return meanwhile{
		Root: s.options.Root, Build: build, Table: now.view.Table, Lang: render.language.Tag(), Deck: deck,
		Now: step.Headline, Stop: step.Stop,
	}, render
}
