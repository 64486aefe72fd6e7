package web

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// slipModel are the big wins of a round on paper: one page for each, to be signed where it is paid by hand.
type slipModel struct {
	paperModel
	Wins []paperModel
}

// slip is the page of a round's big wins that is made to be printed.
func (s *Server) slip(w http.ResponseWriter, r *http.Request) {
	round, ok := s.askedFor(w, r)
	if !ok {
		return
	}
	wins := round.BigWins()
	if len(wins) == 0 {
		http.NotFound(w, r)
		return
	}
	paper, render, ok := s.onPaper(w, r, round)
	if !ok {
		return
	}
	m := slipModel{paperModel: paper}
	m.Heading = render.say("slip.title", "round", strconv.FormatUint(round.Number, 10))
	for i := range wins {
		one := m.paperModel
		one.Facts = slices.Concat(m.Facts, render.slipWin(round, &wins[i]))
		m.Wins = append(m.Wins, one)
	}
	site.Send(w, http.StatusOK, site.HTML, drawSlip(nil, render.language, &m))
}

// slipWin says who has won how much, on what, by which cards, and who has confirmed it.
func (r renderer) slipWin(round history.Round, win *history.BigWin) []pair {
	l, out := r.language, &win.Line.Out
	place := r.say("past.box", "box", strconv.Itoa(int(out.Box)))
	confirmed := r.say("slip.open-yet")
	if !win.Confirmed.IsZero() {
		confirmed = win.By + ", " + win.Confirmed.Format(r.say("time.date")+" 15:04:05")
		if win.Because != "" {
			confirmed += " – " + win.Because
		}
	}
	return []pair{
		{r.say("slip.won"), place + ", " + out.Bettor},
		{r.say("slip.wager"), l.Label(display.LabelWager, out.Wager.String())},
		{r.say("slip.why"), l.Label(display.LabelWhy, out.Why.String())},
		{r.say("slip.amount"), l.Price(out.Won, money.Digits(round.Table.Currency), round.Table.Currency)},
		{r.say("slip.cards"), strings.Join(cardNames(dealtTo(round, int(out.Box))), "  ")},
		{r.say("slip.bank"), strings.Join(cardNames(dealtTo(round, 0)), "  ")},
		{r.say("slip.confirmed"), confirmed},
	}
}

// dealtTo are the cards that were dealt to a box, 0 for the bank, as far as they lie there still, in their order.
func dealtTo(round history.Round, box int) (cards []card.Card) {
	to := vocab.ToBox
	if box == 0 {
		to = vocab.ToBank
	}
	for i := range round.Steps {
		s := &round.Steps[i]
		for k := range s.Outputs {
			if out := &s.Outputs[k].Out; out.Kind == vocab.Dealt && out.To == to && int(out.Box) == box &&
				s.Back(vocab.Dealt) == 0 {
				cards = append(cards, out.Card)
			}
		}
	}
	return cards
}
