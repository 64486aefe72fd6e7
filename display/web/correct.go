package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/internal/site"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Try finds out what would come of a correction. Nothing is put in.
type Try func(ctx context.Context, in vocab.Input) (display.Trial, error)

// correctModel is the dialogue in which a supervisor corrects the round: what is wrong,
// which card, key or stake, what is right, and what that will change.
type correctModel struct {
	// Line is what every correction has, as a transcript line.
	Line  string
	Whats []pair // the corrections, by their names
	Cards []lyingModel
	Keys  []pair // the key presses, by their numbers
	// Places are where a card may lie.
	Places []placeModel
	Stakes []stakeModel
	// Dead is what may be dead: boxes, hands, and what somebody has there.
	Dead  []deadModel
	Ranks []rankModel
	amountPad
	// Opens is what asks for a PIN before the correction is put in, "" where nobody has to be proven.
	Opens string
}

// lyingModel is a card of the round, and where it lies.
type lyingModel struct {
	Nth          int
	Label, Where string
	Picture      row
}

type placeModel struct {
	To, Label string
	Box, Hand int
	Picture   row
}

// stakeModel is a stake that lies on the table.
type stakeModel struct {
	Box                  int
	Bettor, Wager        string
	Where, Label, Amount string
}

// deadModel is what may be dead, and how a correction names it.
type deadModel struct{ Name, Line, Where, Label string }

// correct is nil while nothing holds the round.
func (r renderer) correct(v display.View) *correctModel {
	if v.Corrects == nil || !r.hands {
		return nil
	}
	line := touch.Correction(v)
	m := &correctModel{
		Line: r.made.put(line), amountPad: r.amountPad(v.Digits), Opens: touch.AsksPIN(v),
	}
	for _, what := range []vocab.Correction{
		vocab.Rename, vocab.Move, vocab.Came, vocab.Missed, vocab.TakeBack, vocab.SetStake, vocab.Dead, vocab.Refill,
		vocab.EndShoe,
	} {
		switch {
		case v.Phase == vocab.Idle && what != vocab.EndShoe:
			continue
		case what == vocab.Refill && v.Rules.Cards.Source != rules.Shoe:
			continue
		}
		m.Whats = append(m.Whats, pair{what.String(), r.say("correct." + what.String())})
	}
	for _, l := range slices.Backward(v.Corrects.Cards) { // the last is the likeliest
		m.Cards = append(m.Cards, lyingModel{
			Nth: l.Nth, Label: r.language.Say(display.CardName(l.Card)),
			Where: r.language.Place(v, l.To, l.Box, l.Hand), Picture: row{l.Card},
		})
	}
	for _, k := range slices.Backward(v.Corrects.Keys) {
		label := r.language.KeyPressed(k)
		if k.Box != 0 {
			label = r.language.About(r.language.Place(v, vocab.ToBox, k.Box, k.Hand), label)
		}
		m.Keys = append(m.Keys, pair{fmt.Sprint(k.Nth), label})
	}
	r.lying(m, v)
	r.mayDie(m, v)
	m.Ranks = r.ranks(v)
	return m
}

// lying adds the hands and stakes on the table.
func (r renderer) lying(m *correctModel, v display.View) {
	place := func(to vocab.To, box, hand int, picture row) {
		label := r.language.Place(v, to, box, hand)
		m.Places = append(m.Places, placeModel{To: to.String(), Label: label, Box: box, Hand: hand, Picture: picture})
	}
	place(vocab.ToBank, 0, 0, v.Bank.Cards)
	place(vocab.ToAside, 0, 1, v.Aside)
	for _, b := range v.Boxes {
		where := r.language.Place(v, vocab.ToBox, b.Number, 0)
		for h, hand := range b.Hands {
			place(vocab.ToBox, b.Number, h+1, hand.Cards)
		}
		add := func(bettor string, wager vocab.Wager, amount int64) {
			s := stakeModel{Box: b.Number, Bettor: bettor, Wager: wager.String(), Where: where, Label: bettor}
			if wager != vocab.WagerMain {
				s.Label += ", " + r.language.Named(display.LabelWager, wager)
			}
			if amount != display.Unstated {
				s.Amount = r.language.Money(amount, v.Digits)
			}
			m.Stakes = append(m.Stakes, s)
		}
		for _, one := range b.Bettors {
			add(one.Name, vocab.WagerMain, one.Stake)
			if one.Insurance != 0 {
				add(one.Name, vocab.WagerInsurance, one.Insurance)
			}
		}
		for _, one := range b.Sides {
			add(one.Bettor, one.Wager, one.Stake)
		}
	}
}

// mayDie adds what may be dead: each box, its hands where it has several, and each stake where several lie on it.
func (r renderer) mayDie(m *correctModel, v display.View) {
	add := func(in vocab.Input, where, label string) {
		in.Kind, in.Correct.What = vocab.InCorrect, vocab.Dead
		name := fmt.Sprintf("%d-%d-%s-%s", in.Box, in.Hand, in.Bettor, in.Wager)
		m.Dead = append(m.Dead, deadModel{Name: name, Line: r.made.put(in), Where: where, Label: label})
	}
	for _, b := range v.Boxes {
		if len(b.Hands) == 0 {
			continue
		}
		add(vocab.Input{Box: b.Number}, "", r.language.Place(v, vocab.ToBox, b.Number, 0))
		for h := range b.Hands {
			if len(b.Hands) > 1 {
				add(vocab.Input{Box: b.Number, Hand: uint8(h + 1)}, "", r.language.Place(v, vocab.ToBox, b.Number, h+1))
			}
		}
		on := slices.DeleteFunc(slices.Clone(m.Stakes), func(s stakeModel) bool { return s.Box != b.Number })
		for _, s := range on {
			if len(on) > 1 {
				add(vocab.Input{Box: s.Box, Bettor: s.Bettor, Wager: vocab.ParseWager(s.Wager)}, s.Where, s.Label)
			}
		}
	}
}

// ranks name a card by its rank and then by itself.
func (r renderer) ranks(v display.View) (all []rankModel) {
	for _, name := range strings.Split("A23456789TJQK", "") {
		one := rankModel{Name: name, Label: strings.Replace(name, "T", "10", 1)}
		for _, suit := range strings.Split("SHDC", "") {
			one.Cards = append(one.Cards, r.face(name+suit))
		}
		all = append(all, one)
	}
	if v.Held.Joker {
		name := card.Joker.String()
		all = append(all, rankModel{
			Name: name, Label: r.language.Say(display.CardName(card.Joker)),
			Cards: []cardModel{r.face(name)},
		})
	}
	return all
}

func (r renderer) face(name string) cardModel {
	c, err := card.Parse(name)
	if err != nil {
		panic("web: a card that is none: " + err.Error())
	}
	return cardModel{keyModel{Name: name, Label: r.language.Say(display.CardName(c))}, row{c}}
}

// Tried is what a correction would change, in words, or why it is not possible.
type Tried struct {
	Changes []string `json:"changes"`
	Refused bool     `json:"refused,omitempty"`
}

// correct says what a correction would change: it takes the line that would be put in.
func (s *Server) correct(w http.ResponseWriter, r *http.Request) {
	if s.foreign(w, r) {
		return
	}
	in, err := readInput(w, r)
	if err == nil && in.Kind != vocab.InCorrect {
		err = fmt.Errorf("%q is no correction", in.Kind)
	}
	if err != nil {
		site.Answer(w, http.StatusBadRequest, Answer{Error: err.Error()})
		return
	}
	trial, err := s.options.Try(r.Context(), in)
	if s.tooLate(w, err) {
		return
	}
	if err != nil {
		site.Answer(w, http.StatusServiceUnavailable, Answer{Error: err.Error()})
		return
	}
	language := s.speaking(r).language.In(trial.Now.House)
	site.Answer(w, http.StatusOK, Tried{Changes: language.Changes(trial), Refused: trial.Refused != nil})
}
