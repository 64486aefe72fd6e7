package web

import (
	"net/http"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// adjustModel is the page on which a supervisor pays, or takes, something of a wager of a past round.
type adjustModel struct {
	meanwhile
	Title, Note string
	// Home is the round's own page.
	Home string
	amountPad
	Wagers  []adjustWager
	Reasons []pair
	// Refusals are in words why it may not be taken.
	Refusals []pair
	PIN      *pinModel
}

// adjustWager is a wager that can be adjusted: Put is the input that amount, reason and name complete.
type adjustWager struct{ Where, What, Got, Put string }

// adjust is the page of a round's adjustment.
func (s *Server) adjust(w http.ResponseWriter, r *http.Request) {
	round, ok := s.askedFor(w, r)
	if !ok {
		return
	}
	now, _ := s.now()
	var m adjustModel
	render := s.speaking(r)
	m.meanwhile, _ = s.meanwhile(render)
	render = render.past(round.Table)
	render.adjust(&m, &round, now.view)
	site.Send(w, http.StatusOK, site.HTML, drawAdjust(nil, render.language, &m))
}

func (r renderer) adjust(m *adjustModel, round *history.Round, now display.View) {
	number := strconv.FormatUint(round.Number, 10)
	m.Title, m.Note = r.say("adjust.title", "round", number), r.say("adjust.note")
	m.Home = r.linkTo(round.Number, 0).Where
	m.amountPad = r.amountPad(money.Digits(round.Table.Currency))
	m.Wagers = r.adjustWagers(round)
	for reason := range display.AdjustReasons {
		m.Reasons = append(m.Reasons, pair{reason, r.say("adjust." + reason)})
	}
	for _, why := range refusals {
		m.Refusals = append(m.Refusals, pair{why.String(), r.language.Label(display.LabelRejected, why.String())})
	}
	m.PIN = r.supervisors(now)
}

// refusals are why an adjustment is not taken.
var refusals = [...]vocab.Reason{
	vocab.NoSuchRound, vocab.RoundRunning, vocab.UnknownBettor, vocab.NotDecided, vocab.UnknownBox, vocab.NotAMultiple,
	vocab.NeedsSupervisor, vocab.RoundHeld,
}

// adjustWagers are the decided wagers of a round: nothing of another can be adjusted, nor of one that still runs.
func (r renderer) adjustWagers(round *history.Round) (list []adjustWager) {
	if !round.Finished() {
		return nil
	}
	for i := range round.Boxes {
		b := &round.Boxes[i]
		for k := range b.Settled {
			out := &b.Settled[k].Out
			if out.Kind != vocab.Settled {
				continue // a bonus is of its wager
			}
			row := r.pastSettled(b, &b.Settled[k])
			in := vocab.Input{
				Kind: vocab.InAdjust, PastRound: int(round.Number), Box: b.Number, Bettor: out.Bettor,
				Wager: out.Wager, Hand: out.Hand,
			}
			list = append(list, adjustWager{
				Where: r.say("past.box", "box", strconv.Itoa(b.Number)), What: row.What,
				Got: row.Got + r.language.Instead(b, &b.Settled[k]),
				Put: string(transcript.AppendInput(nil, &in)),
			})
		}
	}
	return list
}

// supervisors asks for one by name and PIN.
func (r renderer) supervisors(v display.View) *pinModel {
	m := &pinModel{Takes: true, Digits: digits}
	if v.Supervisor == nil {
		return m
	}
	m.Names = named(v.Supervisor.Names, v.Supervisor.Locked)
	return m
}
