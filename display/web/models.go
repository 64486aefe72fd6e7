package web

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

type promptModel struct {
	Class, Headline, Detail, Note string
	// Open says which card lies open and is not drawn.
	Open string
	Stop bool
	Card row
}

func (r renderer) prompt(v display.View) promptModel {
	says := display.Prompt
	if r.hands {
		says = touch.Prompt
	}
	step := says(v)
	m := promptModel{
		Headline: r.language.Say(step.Headline),
		Detail:   r.language.Say(step.Detail),
		Note:     r.language.Say(step.Note),
		Open:     r.language.Say(step.Open),
		Stop:     step.Stop,
	}
	m.Class = sizeOf(m.Headline, step.Stop)
	if v.Opening.Closed {
		m.Class += " closed"
	}
	if m.Note == "" && v.Phase == vocab.Payment {
		m.Note = r.language.DifferencesSaid(v)
	}
	if v.Held != nil {
		m.Detail = r.story(v)
		m.Class += wordy(m.Detail)
	}
	if v.Held != nil && v.Held.Card != card.None {
		m.Card = row{v.Held.Card}
	}
	return m
}

// stopWide is what the sign before a headline takes that stops the round, in letters.
const stopWide = 4

// sizeOf classes a headline by its width, so that it stays in its place.
func sizeOf(headline string, stop bool) string {
	n := display.Columns(headline)
	if stop {
		n += stopWide
	}
	switch {
	case n <= 24:
		return "short"
	case n <= 36:
		return "middle"
	}
	return "long"
}

type statusModel struct {
	Table, House, Round, Limits string
	Left                        string
	Shoe                        display.Shoe
	// PitUp, PitDown and PitDenied are false at a table without a pit.
	PitUp, PitDown, PitDenied bool
	// Lacks is the gravest of what the table works without, "" for nothing, and Lacking all of it.
	Lacks, Lacking string
	// Recalls says that there is a way to past rounds.
	Recalls bool
	// Floor is the key by which somebody of the pit is called.
	Floor floorModel
}

func (r renderer) status(v display.View, floor floorModel) statusModel {
	m := statusModel{
		Table: v.Table, House: display.HouseName(v.House),
		Round: r.language.RoundName(v.Round),
		Left:  r.language.CardsLeft(v.Shoe),
		Shoe:  v.Shoe, PitUp: v.Pit == display.PitUp, PitDown: v.Pit == display.PitDown,
		PitDenied: v.Pit == display.PitDenied, Recalls: r.recalls,
		Floor: floor,
	}
	m.Lacks, m.Lacking = r.language.Lacks(v)
	if v.Currency != "" {
		m.Limits = r.language.Limits(v.Min, v.BoxMax, v.Digits, v.Currency)
	}
	return m
}

type bankModel struct {
	Done, Unit string
	Total      int
	Active     bool
	// Spoken says that what holds the round is about the bank.
	Spoken bool
	Cards  row
	// Aside are the cards laid aside; in Black James they lie across, Turned.
	Aside  row
	Turned turned
	// Open are cards that lie open for the bank, or for nobody yet.
	Open open
	// Jackpot is what it stands at, "" where there is none.
	Jackpot string
	// Settle is the box that is paid next, nil for none.
	Settle *settleModel
	Sums   []pair
}

type pair struct{ Name, Value string }

func (r renderer) bank(v display.View) bankModel {
	m := bankModel{
		Total: v.Bank.Total, Cards: v.Bank.Cards,
		Done: r.language.Named(display.LabelDone, v.Bank.Done), Unit: r.unit(v, v.Bank),
		Active: v.Bank.Active || v.Due.To == vocab.ToBank,
		Spoken: display.SpokenOf(v).Bank,
		Aside:  v.Aside, Open: v.Waiting.BesideBank(),
	}
	if v.Game == display.BlackJames {
		m.Aside, m.Turned = nil, v.Aside
	}
	if v.Jackpot > 0 {
		m.Jackpot = r.language.Price(v.Jackpot, v.Digits, v.Currency)
	}
	if v.Held == nil {
		m.Settle = r.settle(v)
	}
	if m.Settle == nil {
		m.Sums = r.sums(v)
	}
	return m
}

// sums are what the round came to, once that is known.
func (r renderer) sums(v display.View) []pair {
	if v.Sums == nil {
		return nil
	}
	sums := []pair{
		{r.word("staked"), r.language.Money(v.Sums.Staked, v.Digits)},
		{r.word("returned"), r.language.Money(v.Sums.Returned, v.Digits)},
		{r.word("won"), r.language.Money(v.Sums.Won, v.Digits)},
	}
	if v.Sums.Over != 0 {
		sums = append(sums, pair{r.word("paid"), r.language.Money(v.Sums.Won+v.Sums.Over, v.Digits)})
	}
	return sums
}

// unit says what a hand's total counts, where that is not plain: points, or that an
// ace counts eleven, which for a Black Jack goes without saying.
func (r renderer) unit(v display.View, h display.Hand) string {
	switch {
	case v.Game == display.BlackJames && h.Total == 1:
		return r.word("point")
	case v.Game == display.BlackJames:
		return r.word("points")
	case h.Soft && h.Done != vocab.DoneBlackJack:
		return r.word("soft")
	}
	return ""
}
