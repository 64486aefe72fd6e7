package web

import (
	"html/template"
	"strconv"
	"unicode/utf8"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/shoe/card"
)

type promptModel struct {
	Class, Headline, Detail, Note string
	Stop                          bool
	Card                          template.HTML
}

func (r renderer) prompt(v display.View) promptModel {
	step := display.Prompt(v)
	m := promptModel{
		Headline: r.language.Say(step.Headline),
		Detail:   r.language.Say(step.Detail),
		Note:     r.language.Say(step.Note),
		Stop:     step.Stop,
	}
	m.Class = sizeOf(m.Headline)
	if v.Held != nil && v.Held.Card != card.None {
		m.Card = row([]card.Card{v.Held.Card})
	}
	return m
}

// sizeOf classes a headline by its length, so that it stays in its place.
func sizeOf(headline string) string {
	switch n := utf8.RuneCountInString(headline); {
	case n <= 24:
		return "short"
	case n <= 36:
		return "middle"
	}
	return "long"
}

type statusModel struct {
	Table, House, Round, Limits string
	Shoe, ShoeClass, ShoeMark   string
}

func (r renderer) status(v display.View) statusModel {
	m := statusModel{
		Table: v.Table, House: v.House,
		Round: r.word("round") + " " + strconv.FormatUint(v.Round, 10),
		Shoe:  r.word("shoe"), ShoeClass: "fine", ShoeMark: "●",
	}
	if v.Currency != "" {
		m.Limits = display.Money(v.Min, v.Digits) + " – " + display.Money(v.BoxMax, v.Digits) + " " + v.Currency
	}
	switch {
	case !v.Shoe.Online:
		m.Shoe, m.ShoeClass, m.ShoeMark = r.word("shoe-offline"), "bad", "✕"
	case v.Shoe.Alarm != "":
		m.Shoe, m.ShoeClass, m.ShoeMark = r.word("shoe-alarm"), "bad", "▲"
	}
	return m
}

type bankModel struct {
	Label, Done, Soft string
	Total             int
	Active            bool
	Cards             template.HTML
	AsideLabel        string
	Aside             template.HTML
	Sums              []pair
}

type pair struct{ Name, Value string }

func (r renderer) bank(v display.View) bankModel {
	m := bankModel{
		Label: r.word("bank"), Total: v.Bank.Total, Cards: row(v.Bank.Cards),
		Done: r.language.Label(display.LabelDone, v.Bank.Done), Soft: r.soft(v.Bank),
		Active: v.Bank.Active || v.Due.To == "bank",
		Aside:  row(v.Aside), AsideLabel: r.word("aside"),
	}
	if v.Sums != nil {
		m.Sums = []pair{
			{r.word("staked"), display.Money(v.Sums.Staked, v.Digits)},
			{r.word("returned"), display.Money(v.Sums.Returned, v.Digits)},
			{r.word("won"), display.Money(v.Sums.Won, v.Digits)},
		}
	}
	return m
}

// soft says that an ace counts eleven; for a Black Jack that goes without saying.
func (r renderer) soft(h display.Hand) string {
	if h.Soft && h.Done != "blackjack" {
		return r.word("soft")
	}
	return ""
}
