package web

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/table/vocab"
)

// betsModel are the chips below the trays, and the words that bets.js has to say.
type betsModel struct {
	// Of names the part of the round that amounts are entered for.
	Of    string
	Chips []chipModel
	// Digits are for amounts in figures, in place of the chips, but for the Point, 0 and ⌫.
	Digits []string
	Point  string
	Money  string
	// Reasons are what is said of an amount that was not taken, by the engine's names.
	Reasons []pair
}

// chipModel is one chip to add.
type chipModel struct {
	Value                        int64
	Text, Class, Label, Shortcut string
}

// trayModel is what may be put on one box. Of an insurance all keys lie side by side;
// stakes are those of the guest who is chosen.
type trayModel struct {
	Box            int
	Name           string
	Insures, Chips bool
	Guests         []guestModel
	Back           *keyModel
}

type guestModel struct {
	Name, Text, Amount, Label string
	Holder, Joins             bool
	Wagers                    []wagerModel
	Seat, Back                *keyModel
}

// wagerModel is the key of one wager. Chips is the input that chips complete.
type wagerModel struct {
	keyModel
	Guest, Whose  string
	Holder, Taken bool
	// Carried says that chips replace what lies there.
	Carried bool
	Chips   string
	Amount  int64
	// Range are the limits in short, for the key itself.
	Text, Limits, Range string
	Least, Room, Step   int64
	Below, Uneven, Why  string
}

// chipKeys are the keys of a keyboard that add the chips, and wagerKeys those that
// choose a wager.
const chipKeys, wagerKeys = "asdfghjk", "qwert"

func (r renderer) bets(v display.View) betsModel {
	if !r.hands {
		return betsModel{}
	}
	m := betsModel{
		Of:    v.Phase.String() + "-" + strconv.FormatUint(v.Round, 10),
		Money: r.example(v.Digits),
	}
	open := v.Phase == vocab.Bets || v.Phase == vocab.InsuranceOffer && !v.Due.Half
	if v.Bets == nil || !v.Bets.Amounts || !open {
		return m
	}
	for i, value := range v.Bets.Chips {
		m.Chips = append(m.Chips, r.chip(v, i, value))
	}
	m.Digits, m.Point = digits, r.say("number.point")
	for reason := range vocab.EveryReason {
		name := reason.String()
		m.Reasons = append(m.Reasons, pair{
			name,
			r.say("prompt.rejected", "why", r.say("rejected."+name)),
		})
	}
	return m
}

func (r renderer) chip(v display.View, i int, value int64) chipModel {
	text := r.chipText(v, value)
	m := chipModel{
		Value: value, Text: text, Class: chipClass(v, value, text),
		Label: r.say("stakes.add", "amount", text),
	}
	if i < len(chipKeys) {
		m.Shortcut = chipKeys[i : i+1]
	}
	return m
}

// tray returns a box's tray, nil where nothing may be put on it.
func (r renderer) tray(v display.View, b display.Box) *trayModel {
	if !r.hands {
		return nil
	}
	t, ok := touch.TrayOn(v, b)
	if !ok {
		return nil
	}
	m := &trayModel{
		Box: t.Box, Insures: v.Phase == vocab.InsuranceOffer, Back: r.keyOrNone(t.Back),
		Name: r.say("past.box", "box", strconv.Itoa(t.Box)),
	}
	for _, g := range t.Guests {
		one := r.guest(v, g)
		for _, w := range one.Wagers {
			m.Chips = m.Chips || w.Chips != ""
		}
		m.Guests = append(m.Guests, one)
	}
	return m
}

func (r renderer) keyOrNone(k *touch.Key) *keyModel {
	if k == nil {
		return nil
	}
	m := r.key(*k)
	return &m
}

func (r renderer) guest(v display.View, g touch.Guest) guestModel {
	m := guestModel{
		Name: g.Name, Text: g.Name, Holder: g.Holder, Joins: g.Joins, Amount: r.amount(v, g.Stake),
		Seat: r.keyOrNone(g.Seat), Back: r.keyOrNone(g.Back),
	}
	m.Label = g.Name
	if g.Joins {
		m.Label = r.word("co-player") + " " + g.Name
	}
	for i, w := range g.Wagers {
		m.Wagers = append(m.Wagers, r.wager(v, g, i, w))
	}
	return m
}

// amount writes what lies there: nothing for nothing.
func (r renderer) amount(v display.View, stake int64) string {
	if stake == 0 {
		return ""
	}
	return r.language.Chips(display.Line{Amount: stake}, v.Digits)
}

func (r renderer) wager(v display.View, g touch.Guest, i int, w touch.Wager) wagerModel {
	m := wagerModel{
		keyModel: r.key(w.Key), Guest: g.Name, Holder: g.Holder, Taken: w.Taken, Amount: w.Amount,
		Text: r.amount(v, w.Amount), Range: r.within(v, w.Wager), Limits: r.limits(v, w.Wager), Least: w.Least,
		Room: w.Room, Step: w.Step, Carried: w.Carried,
		Below:  r.say("stakes.below", "least", r.money(v, w.Least)),
		Uneven: r.say("stakes.uneven", "step", r.money(v, w.Step)), Why: r.language.Say(w.Why),
	}
	if v.Phase == vocab.InsuranceOffer {
		m.Whose = g.Name
	}
	if w.Chips != nil {
		m.Chips = strings.Trim(r.made.put(*w.Chips), "[]")
	}
	if i < len(wagerKeys) && v.Phase == vocab.Bets {
		m.Shortcut = wagerKeys[i : i+1]
	}
	return m
}

func (r renderer) money(v display.View, amount int64) string {
	return r.language.Money(amount, v.Digits)
}

// within is between which amounts a stake on a wager lies; "" where there is no choice.
func (r renderer) within(v display.View, w display.Wager) string {
	switch {
	case w.Most == 0 || w.Most == display.Unstated, !v.Bets.Amounts && !w.Fixed():
		return ""
	case w.Fixed():
		return r.language.Money(w.Most, v.Digits)
	}
	return r.say("stakes.limits", "least", r.money(v, w.Least), "most", r.money(v, w.Most))
}

// limits says all that bounds a stake on a wager.
func (r renderer) limits(v display.View, w display.Wager) string {
	text := r.within(v, w)
	if text == "" || w.Fixed() {
		return text
	}
	if w.BoxMost != 0 && w.BoxMost != w.Most {
		text += " · " + r.say("stakes.box", "most", r.money(v, w.BoxMost))
	}
	if w.Step != v.Unit {
		text += " · " + r.say("stakes.step", "step", r.money(v, w.Step))
	}
	return text
}

// again is what lies on a box that is played as in the last round, "" where a touch of it
// does not.
func (r renderer) again(v display.View, k touch.Key) string {
	if v.Phase != vocab.Bets || k.Lays || len(k.Put) == 0 || k.Opens == "" {
		return ""
	}
	var sum int64
	for _, in := range k.Put {
		if in.Wager == vocab.WagerMain {
			sum += in.Amount
		}
	}
	if sum == 0 {
		sum = display.Unstated
	}
	return r.amount(v, sum)
}

// sides are the keys of a box's side bets on a table without amounts.
func (r renderer) sides(v display.View, b display.Box) []wagerModel {
	if !r.hands {
		return nil
	}
	var all []wagerModel
	for _, w := range touch.Sides(v, b) {
		m := r.wager(v, touch.Guest{Name: b.Bettors[0].Name}, len(wagerKeys), w)
		if w.Amount == display.Unstated {
			m.Text = ""
		}
		all = append(all, m)
	}
	return all
}
