// Package touch is what a dealer may touch on a screen: which keys a table offers at
// this moment, what each says, and what it puts in. It reads the view that all displays
// read and decides nothing about a round: a key becomes the input that the dealer means
// by it, and the engine judges that.
//
// It is no part of web, which draws its keys: what each puts in is tested without a page.
package touch

import (
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/table/vocab"
)

// Key is one key on a screen.
type Key struct {
	// Name is a call's, a choice's, a wager's, or open, close, same, loaded, packs, now, paid, undo, due-fill,
	// due-credit.
	Name  string
	Label display.Message
	// On are the boxes on which the key acts, where there may be others.
	On []int
	// For are those of a hand's bettors whom it is about, where it answers who is meant.
	For []Joins
	// Note says what comes of it, where the label does not.
	Note display.Message
	Kind Kind
	// Put is what a touch puts in; nil for a key that only opens something.
	Put []vocab.Input
	// Does is what a touch of a box takes at once, with the Amount of it: display.Unstated where
	// nobody knows, 0 where it has none.
	Does   display.Message
	Amount int64
	// Lays says that the stake which Put marks may be put in with an amount at once.
	Lays bool
	// Opens names what must be asked first, "" where nothing must. What a PIN pad was
	// opened for, Put, is put in together with the PIN.
	Opens string
	// Shortcut is the key on a keyboard that does the same.
	Shortcut string
}

// Kind is how a key looks.
type Kind string

// The kinds of keys.
const (
	// Call is a guest's decision.
	Call Kind = "call"
	// Step is the dealer's own: open, close, paid.
	Step Kind = "step"
	// Back takes something back.
	Back Kind = "back"
	// Choice puts an irregularity right, Theirs is one that only a supervisor may take.
	Choice Kind = "choice"
	Theirs Kind = "theirs"
)

// What some keys open: who of several bettors is meant, which card it was, who decides,
// who deals, which packs are in the shoe, whether it was
// loaded, what the floor is called for.
const (
	OpensWho    = "who"
	OpensCards  = "cards"
	OpensPIN    = "pin"
	OpensDealer = "dealer"
	OpensPacks  = "packs"
	OpensFloor  = "floor"
	OpensLoaded = "loaded"
	OpensRelief = "relief"
)

// Keys returns the keys that a table has for the dealer now, in the order in which
// they stand. While the round is held there are none but those that put it right.
func Keys(v display.View) []Key {
	if v.Held != nil {
		return append(loadsDue(v), choices(v)...)
	}
	return slices.Concat(dealer(v), back(v), atSlip(v), payNow(v), forward(v))
}

// back is the key that takes the last press back, as long as that can be.
func back(v display.View) []Key {
	what := display.Arg{Name: "what", Keys: []string{"key." + v.Undo.String()}}
	switch v.Undo.Kind {
	case 0:
		return nil
	case vocab.InCall:
		what.Keys[0] = "call." + v.Undo.String()
	case vocab.InPaid:
		if word, one := moved[v.Unmoves]; one {
			what.Keys[0] = "key." + word
		}
	case vocab.InShoe:
		what.Keys[0] = "key.loaded"
	}
	return []Key{{
		Name: "undo", Label: display.Message{Key: "key.undo", Args: []display.Arg{what}}, Kind: Back,
		Put: meant(v, "undo"), Shortcut: "Backspace",
	}}
}

// payNow is the key by which the dealer says that the chips are moved that are asked for.
func payNow(v display.View) []Key {
	now, asked := display.Asked(v)
	if !asked {
		return nil
	}
	k := step(moved[now.Move], now.Input())
	k.Name, k.On = "now", now.Boxes
	return []Key{k}
}

// moved are the keys' labels by what is done with the chips.
var moved = map[display.Move]string{display.Pay: "paid", display.Take: "taken", display.Return: "given"}

// forward are the keys that take the round on.
func forward(v display.View) []Key {
	switch v.Due.To {
	case vocab.ToCall:
		return calls(v)
	case vocab.ToInsurance:
		closes := step("insurance-closed", vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed})
		if display.OffersSurrender(v) {
			closes.Label = display.Message{Key: "key.offer-closed"}
		}
		return meanwhile(v, "i", closes)
	case vocab.ToLook:
		return meanwhile(v, "h", step("look", vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleLook}))
	case vocab.ToTurn:
		return meanwhile(v, "h", step("turn", vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned}))
	case vocab.ToPayment:
		return append(each(v), step("paid", vocab.Input{Kind: vocab.InPaid}))
	}
	switch v.Phase {
	case vocab.Idle:
		return between(v)
	case vocab.Bets:
		return append(same(v), step("close", vocab.Input{Kind: vocab.InClose}))
	}
	return nil
}

// meanwhile is a step that may be taken while chips are asked for: one key is golden at a time, and theirs comes first.
func meanwhile(v display.View, shortcut string, k Key) []Key {
	if _, asked := display.Asked(v); asked {
		k.Kind, k.Shortcut = Call, shortcut
	}
	return []Key{k}
}

// between are the keys between two rounds. Where the cut card came, the shoe is
// shuffled before the bets are opened. A closed table is opened before anything else, and then
// a dealer is proven, where that is required.
func between(v display.View) []Key {
	open := step("open", vocab.Input{Kind: vocab.InOpen})
	loaded := step("loaded")
	loaded.Opens = OpensLoaded
	switch {
	case v.Opening.Closed:
		open = opens(v)
	case v.LacksDealer():
		open = signIn(v)
		open.Kind, open.Shortcut, open.Label = Step, "Enter", display.Message{Key: "key.sign-in"}
	case v.Shoe.CutCard && v.Due.To != vocab.ToAside:
		open.Kind, open.Shortcut = Back, "o"
		return append(otherPacks(v), open, loaded)
	}
	loaded.Kind, loaded.Shortcut = Back, "o"
	if v.Due.To == vocab.ToAside && !v.Opening.Closed {
		return append(otherPacks(v), loaded) // bets open once the cards are burnt
	}
	return append(otherPacks(v), loaded, open)
}

func step(name string, put ...vocab.Input) Key {
	return Key{
		Name: name, Label: display.Message{Key: "key." + name}, Kind: Step,
		Put: put, Shortcut: "Enter",
	}
}

var shortcuts = map[vocab.Call]string{
	vocab.CallCard: "c", vocab.CallRest: "r", vocab.CallDouble: "d", vocab.CallSplit: "s",
	vocab.CallSurrender: "u", vocab.CallHigher: "h", vocab.CallLower: "l",
}

// calls are the keys for what the hand that is due may do, in the order that keeps card
// and rest in the same place, at the end, whatever else is allowed. What needs to be told who of
// several bettors is meant asks first.
func calls(v display.View) []Key {
	keys := make([]Key, 0, len(v.Due.Allowed))
	several := len(display.OnDueHand(v)) > 1
	for _, call := range slices.Backward(v.Due.Allowed) {
		name := call.String()
		if call == vocab.CallDouble {
			keys = append(keys, less(v)...)
		}
		k := Key{
			Name: name, Label: display.Message{Key: "call." + name}, Kind: Call, Shortcut: shortcuts[call],
			On: []int{v.Due.Box},
		}
		if several && asksWho(call) {
			k.Opens = OpensWho + "-" + name
		} else {
			k.Put = meant(v, name)
		}
		keys = append(keys, k)
	}
	return keys
}

// asksWho says whether each of a hand's bettors decides for himself.
func asksWho(call vocab.Call) bool {
	return call == vocab.CallDouble || call == vocab.CallSplit || call == vocab.CallSurrender
}

// meant is what the same key of the dealer's panel would mean.
func meant(v display.View, name string) []vocab.Input {
	key, ok := panel.ParseKey(name)
	if !ok {
		return nil
	}
	in, err := panel.Input(v, key)
	if err != nil {
		return nil
	}
	return []vocab.Input{in}
}
