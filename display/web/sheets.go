package web

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
)

// sheetModel is what a key opens to ask for more: a question and the keys that answer
// it. All of them are in the page, hidden, so that they open at once.
type sheetModel struct {
	Name, Title string
	// Note says what comes of it, "" where the keys do.
	Note string
	Keys []keyModel
}

// whichModel says which shoe deals, and where it is plugged in; "" is what is not known.
type whichModel struct{ Shoe, Port string }

func (r renderer) which(s display.Shoe) whichModel {
	m := whichModel{Shoe: r.language.WhichShoe(s)}
	if s.Port != "" {
		m.Port = r.say("which.port", "port", s.Port)
	}
	return m
}

// sheets are those that some key of now may open: which of several bettors a call is for,
// which packs are in the shoe, whether it was loaded.
func (r renderer) sheets(v display.View, offered []touch.Key) []sheetModel {
	var all []sheetModel
	for _, k := range offered {
		switch k.Opens {
		case touch.OpensPacks:
			all = append(all, sheetModel{
				Name: k.Opens, Title: r.language.Say(touch.AskPacks()), Note: r.fullShoe(v),
				Keys: r.keysOf(touch.Packs(v)),
			})
		case touch.OpensLoaded:
			all = append(all, sheetModel{
				Name: k.Opens, Title: r.language.Say(touch.AskLoaded()), Note: r.fullShoe(v),
				Keys: r.keysOf(touch.Loaded(v)),
			})
		}
		if call, ok := strings.CutPrefix(k.Opens, touch.OpensWho+"-"); ok {
			all = append(all, sheetModel{
				Name: k.Opens, Title: r.language.Say(touch.AskWho(call)),
				Keys: r.who(v, call),
			})
		}
	}
	return all
}

// fullShoe says what comes of loading the shoe, and whose word it takes.
func (r renderer) fullShoe(v display.View) string {
	note := r.language.Say(touch.FullShoe(v))
	if early, asks := touch.LoadedEarly(v); asks {
		note += " " + r.language.Say(early)
	}
	return note
}

// who are the answers to who is meant.
func (r renderer) who(v display.View, call string) []keyModel {
	offered := touch.Who(v, call)
	keys := r.keysOf(offered)
	said := map[touch.Joins]forModel{}
	for i, k := range offered {
		keys[i].For = r.made.joins.take(len(k.For))
		for n, one := range k.For {
			if _, before := said[one]; !before {
				said[one] = forModel{r.bettor(v.Due.Box, one.Name), r.amount(v, one.Amount), one.Holder}
			}
			keys[i].For[n] = said[one]
		}
	}
	return keys
}

// bettor is what a bettor is called where the name alone would be the box's number.
func (r renderer) bettor(box int, name string) string {
	if number := strconv.Itoa(box); name == number {
		return r.say("past.box", "box", number)
	}
	return name
}
