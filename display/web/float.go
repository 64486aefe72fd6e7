package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/table/money"
)

// floatModel is the sheet of the tray, nil while the table is held, and on a screen that is not for touching. What is
// entered is the screen's own.
type floatModel struct {
	// Since names the last count: what was entered for it is done.
	Since string
	amountPad
	// Last says what the last count came to, and by how much it differs to whom the house shows that.
	Last  string
	Acts  []actModel
	Chips []chipModel
}

// actModel is a key of the sheet. Then is what is asked last, once it is complete; Chips are
// those of its slip, in words, and Came as the page ticks them off.
type actModel struct {
	Key         keyModel
	Asks, Then  string
	Chips, Came string
}

func (r renderer) float(v display.View) *floatModel {
	if !r.hands || v.Tray == nil || v.Held != nil {
		return nil
	}
	m := &floatModel{Since: strconv.FormatUint(v.Tray.Since, 10), amountPad: r.amountPad(v.Digits)}
	if v.Tray.Last != nil {
		m.Last = r.lastCount(v, display.SeesDifference(v))
	}
	for _, a := range touch.AtTray(v) {
		m.Acts = append(m.Acts, r.act(v, &a))
	}
	for i, one := range v.Tray.Chips {
		chip := r.chip(v, i, int64(one.Value))
		chip.Label = r.say("tray.chips-of", "amount", chip.Text)
		m.Chips = append(m.Chips, chip)
	}
	return m
}

// lastCount says what the last count came to, and to who may see it by how much that differs.
func (r renderer) lastCount(v display.View, seen bool) string {
	c := v.Tray.Last
	sum := r.money(v, c.Sum)
	switch {
	case seen && c.Lost:
		return r.say("tray.unknown", "amount", sum)
	case !seen || !c.Known:
		return r.say("tray.counted", "amount", sum)
	}
	return r.say("tray.differs", "amount", sum, "difference", r.difference(v, c.Difference))
}

// told says to the supervisor who has just counted by how much that differs, or that nobody can say; "" where nothing
// had to be there, or another count has come since.
func (s *Server) told(r *http.Request, count uint64) string {
	f, _ := s.now()
	y := f.view.Tray
	if y == nil || y.Last == nil || !y.Last.Known && !y.Last.Lost || y.Since != count {
		return ""
	}
	return s.speaking(r).lastCount(f.view, true)
}

// difference is how much more was counted than had to be there, with its sign.
func (r renderer) difference(v display.View, more int64) string {
	switch {
	case more < 0:
		return display.Take.Sign() + r.language.Money(-more, v.Digits)
	case more > 0:
		return display.Pay.Sign() + r.language.Money(more, v.Digits)
	}
	return r.language.Money(0, v.Digits)
}

func (r renderer) act(v display.View, a *touch.Act) actModel {
	m := actModel{Key: r.key(a.Key), Asks: string(a.Asks)}
	if m.Asks != "" {
		m.Then, m.Key.Opens, m.Key.Asks = m.Key.Opens, "", m.Key.Label
	}
	var said, came []string
	digits := v.Digits
	if a.Currency != "" {
		digits = money.Digits(a.Currency)
	}
	for _, c := range a.Chips {
		said = append(said, strconv.FormatInt(c.Pieces, 10)+"\u00a0×\u00a0"+r.language.Short(c.Value, digits))
		came = append(came, c.String())
	}
	m.Chips, m.Came = strings.Join(said, r.say("list.comma")), strings.Join(came, " ")
	return m
}
