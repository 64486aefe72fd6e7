package web

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
)

// keysModel are the keys beside the bank, and the moment that they are meant for.
type keysModel struct {
	Moment, Phase string
	Keys          []keyModel
	// Held are the keys that put right what holds the round, nil while nothing does.
	Held *heldModel
}

// keyModel is one key. Put is what it puts in, as the page sends it; Opens is the sheet
// that asks for more first.
type keyModel struct {
	Name, Label, Note, Class, Shortcut, Opens, Put string
	// On names the boxes on which it acts, "" where it names none.
	On string
	// For are the bettors whom an answer is about, each with the stake.
	For []forModel
	// Lays is the stake that a touch of a box marks, for the page to put in with an amount;
	// Again is what lies there then as in the last round.
	Lays, Again string
	// Sign is the name of its sign, "" for none.
	Sign string
	// Asks is what the pad for a PIN says that it was opened for, "" where it is not.
	Asks string
}

// forModel is one bettor of an answer: by name, or by the box whose holder has none.
type forModel struct {
	Name, Amount string
	Holder       bool
}

func (r renderer) keys(v display.View, offered []touch.Key) keysModel {
	m := keysModel{Moment: v.Moment, Phase: v.Phase.String()}
	if m.Held = r.held(v, offered); m.Held == nil {
		m.Keys = r.keysOf(offered)
	}
	return m
}

func (r renderer) keysOf(offered []touch.Key) []keyModel {
	keys := r.made.keys.take(len(offered))
	for i, k := range offered {
		keys[i] = r.key(k)
	}
	return keys
}

func (r renderer) key(k touch.Key) keyModel {
	m := keyModel{
		Name: k.Name, Note: r.language.Say(k.Note), Class: string(k.Kind),
		Shortcut: k.Shortcut, Opens: k.Opens, Put: r.made.put(k.Put...), Sign: sign(k.Name),
	}
	if len(k.For) == 0 { // else their names stand on it
		m.Label = r.language.Say(k.Label)
	}
	if len(k.On) > 0 {
		m.On = r.say("past.box", "box", numbered(k.On))
	}
	if k.Opens == touch.OpensPIN {
		m.Asks = m.Label
	}
	return m
}

func numbered(boxes []int) string {
	var names []string
	for _, n := range boxes {
		names = append(names, strconv.Itoa(n))
	}
	return strings.Join(names, ", ")
}
