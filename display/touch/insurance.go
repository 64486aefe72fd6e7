package touch

import (
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/vocab"
)

// insurances is what a box's bettors may take against the bank's first card: false where they
// may nothing.
func insurances(v display.View, b display.Box) (Tray, bool) {
	t := Tray{Box: b.Number}
	for _, who := range b.Bettors {
		g := Guest{Name: who.Name, Holder: who.Holder, Stake: who.Stake}
		for _, offer := range b.Offers {
			if w, ok := insurance(v, b, who, offer); ok {
				g.Wagers = append(g.Wagers, w)
			}
		}
		if len(g.Wagers) > 0 {
			t.Guests = append(t.Guests, g)
		}
	}
	if undo := back(v); undo != nil {
		t.Back = &undo[0]
	}
	return t, len(t.Guests) > 0
}

// insurance is one offer to one bettor. A touch takes half the stake, or takes it back;
// where less than half may be insured, chips say how much.
func insurance(v display.View, b display.Box, who display.Bettor, call vocab.Call) (Wager, bool) {
	in := vocab.Input{Kind: vocab.InCall, Call: call, Box: b.Number, Bettor: who.Name}
	w := Wager{Key: Key{Name: call.String(), Label: display.Message{Key: "call." + call.String()}, Kind: Call}}
	left := display.HasSurrendered(b, who.Name)
	switch call {
	case vocab.CallEvenMoney:
		return evenMoney(w, who, in), true
	case vocab.CallSurrender:
		if w.Taken = left; !left {
			w.Key.Put = []vocab.Input{in}
		}
		return w, true
	}
	w.On = vocab.WagerInsurance
	most := display.MostInsured(v, who)
	w.Least, w.Most, w.Room, w.Step, w.Amount = v.Unit, most, most, v.Unit, who.Insurance
	w.Taken = who.Insurance != 0
	switch {
	case who.EvenMoney:
		w.Why = display.Message{Key: "stakes.even-money"}
	case left:
		w.Why = display.Message{Key: "stakes.surrendered"}
	case who.Insurance != 0:
		w.Key.Put = []vocab.Input{amounting(in, 0)}
	case most == display.Unstated:
		w.Key.Put = []vocab.Input{in}
	default:
		w.Key.Put = []vocab.Input{amounting(in, most)}
	}
	if !v.Due.Half && most != display.Unstated && w.Why.Key == "" {
		w.Chips = &in
	}
	return w, most != 0
}

// evenMoney is paid at once: only an undo takes it back.
func evenMoney(w Wager, who display.Bettor, in vocab.Input) Wager {
	switch {
	case who.EvenMoney:
		w.Taken = true
	case who.Insurance != 0:
		w.Why = display.Message{Key: "stakes.insured"}
	default:
		w.Key.Put = []vocab.Input{in}
	}
	return w
}

// insures is what a touch of a box does while insurance is offered: the one thing that
// its one bettor may take, or its tray.
func insures(v display.View, b display.Box) (Key, bool) {
	t, ok := insurances(v, b)
	if !ok {
		return Key{}, false
	}
	number := strconv.Itoa(b.Number)
	k := Key{
		Name: "box-" + number, Label: onBox("key.insure", b), Kind: Call, Shortcut: number,
		Opens: OpensTray + "-" + number,
	}
	if slices.Contains(b.Offers, vocab.CallSurrender) {
		k.Label = onBox("key.offer", b)
	}
	if len(b.Bettors) > 1 || len(t.Guests[0].Wagers) > 1 {
		k.Does = mayTake(t)
		return k, true
	}
	only := t.Guests[0].Wagers[0]
	if only.Chips == nil {
		k.Opens = ""
	}
	if only.Chips == nil || only.Amount == 0 {
		k.Put = only.Key.Put
	}
	if k.Put != nil && !only.Taken {
		k.Does = only.Key.Label
		k.Amount = only.Most
	}
	return k, k.Opens != "" || k.Put != nil
}

// mayTake names what a box's bettors may still choose, nothing once each has chosen.
func mayTake(t Tray) display.Message {
	offers := display.Arg{Name: "names"}
	for _, g := range t.Guests {
		for _, w := range g.Wagers {
			if name := "call." + w.Key.Name; !w.Taken && w.Why.Key == "" && !slices.Contains(offers.Keys, name) {
				offers.Keys = append(offers.Keys, name)
			}
		}
	}
	if len(offers.Keys) == 0 {
		return display.Message{}
	}
	return display.Message{Key: "ask.names", Args: []display.Arg{offers}}
}
