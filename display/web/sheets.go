package web

import (
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
)

// sheetModel is what a key opens to ask for more: a question and the keys that answer
// it. All of them are in the page, hidden, so that they open at once.
type sheetModel struct {
	Name, Title string
	Keys        []keyModel
}

// sheets are those that some key of now may open.
func (r renderer) sheets(v display.View) []sheetModel {
	if !r.hands {
		return nil
	}
	var all []sheetModel
	for _, k := range touch.Keys(v) {
		if call, ok := strings.CutPrefix(k.Opens, touch.OpensWho+"-"); ok {
			all = append(all, r.who(v, call))
		}
	}
	return all
}

// who asks which of several bettors a call is for.
func (r renderer) who(v display.View, call string) sheetModel {
	m := sheetModel{Name: touch.OpensWho + "-" + call, Title: r.language.Say(touch.AskWho(call))}
	for _, k := range touch.Who(v, call) {
		m.Keys = append(m.Keys, r.key(k))
	}
	return m
}
