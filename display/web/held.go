package web

import (
	"strings"
	"unicode/utf8"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/table/irregularity"
)

// heldModel are the keys that put right what holds the round, by who decides.
type heldModel struct {
	Headline string
	Groups   []decidesModel
	// Waits says what comes after, "" for nothing.
	Waits string
	// Slip is where the big win is ready to be printed, "" where it is none or nobody can print it.
	Slip string
}

// decidesModel are the choices of one who decides.
type decidesModel struct {
	Class, Title string
	Supervisor   bool
	Keys         []keyModel
}

// held is nil while nothing holds the round.
func (r renderer) held(v display.View, offered []touch.Key) *heldModel {
	if v.Held == nil || !r.hands {
		return nil
	}
	m := &heldModel{Headline: r.language.Say(display.Prompt(v).Headline), Waits: r.sentences(display.Waits(v))}
	if v.Held.Code == irregularity.BigWin && r.recalls {
		m.Slip = r.linkTo(v.Round, 0).Where + "/slip"
	}
	mine := decidesModel{Class: "dealer", Title: r.say("decides.dealer")}
	theirs := r.supervises(v)
	for _, k := range offered {
		group := &mine
		if k.Kind == touch.Theirs {
			group = &theirs
		}
		group.Keys = append(group.Keys, r.key(k))
	}
	for _, g := range []decidesModel{mine, theirs} {
		if len(g.Keys) > 0 {
			m.Groups = append(m.Groups, g)
		}
	}
	return m
}

// supervises says who decides beside the dealer: whoever has turned the key, if anybody.
func (r renderer) supervises(v display.View) decidesModel {
	m := decidesModel{Class: "supervisor", Supervisor: true, Title: r.say("decides.supervisor")}
	s := v.Supervisor
	if s == nil || s.Present == "" {
		return m
	}
	m.Class += " present"
	m.Title = r.say("decides.key", "name", s.Present)
	return m
}

// story says what holds the round, and also what comes after where there are no keys
// beside which it could stand.
func (r renderer) story(v display.View) string {
	story := display.Story(v)
	if len(v.Held.Choices) == 0 {
		story = append(story, display.Waits(v)...)
	}
	return r.sentences(story)
}

// wordy is the class of a story that must be written smaller to keep its place.
func wordy(story string) string {
	if utf8.RuneCountInString(story) > 96 {
		return " wordy"
	}
	return ""
}

func (r renderer) sentences(all []display.Message) string {
	var said []string
	for _, m := range all {
		said = append(said, r.language.Say(m))
	}
	return strings.Join(said, " ")
}

// rankModel asks which card it was, by its rank and then by the card itself.
type rankModel struct {
	Name, Label, Shortcut string
	Cards                 []cardModel
}

type cardModel struct {
	keyModel
	Picture row
}

// cards are nil where no card is to be named.
func (r renderer) cards(v display.View) []rankModel {
	var all []rankModel
	for _, rank := range touch.Cards(v) {
		one := rankModel{Name: rank.Name, Label: r.language.Say(rank.Label), Shortcut: rank.Shortcut}
		for _, c := range rank.Cards {
			one.Cards = append(one.Cards, cardModel{r.key(c.Key), row{c.Card}})
		}
		all = append(all, one)
	}
	return all
}
