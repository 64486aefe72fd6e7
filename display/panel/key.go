// Package panel is the dealer's panel: what a key means at this moment, which lamps are
// lit, when the buzzer sounds. It reads the view that all displays read and decides
// nothing about a round: a key becomes the input that the dealer means by it, and the
// engine judges that.
package panel

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Key is a function of a key on the panel.
type Key uint8

// The keys.
const (
	Card Key = iota + 1
	Rest
	Double
	Split
	Surrender
	Insurance
	EvenMoney
	Higher
	Lower
	// Bets opens the bets, closes them, and closes the insurance, which is a bet, too. It says that the dealer has
	// looked at the hole card, and turns it.
	Bets
	Paid
	Undo
	// Floor calls somebody of the pit to the table.
	Floor
	Hold
)

// row is everything about a key: configuration, desk, touch screen, bench and
// demonstration read it.
type row struct {
	name string
	// put is what the key puts in. A call announces a guest's decision.
	put vocab.Input
	// means says what is put in at a table with this view; nil means put itself.
	means func(v display.View, put vocab.Input) (vocab.Input, error)
	// used says whether a house's rules have a use for the key; nil means that every house's have.
	used func(*rules.Rules) bool
}

var rows = [...]row{
	Card: {"card", call(vocab.CallCard), cardOrOne, nil},
	Rest: {"rest", call(vocab.CallRest), nil, nil},
	Double: {"double", call(vocab.CallDouble), nil, inBlackJack(func(r *rules.Rules) bool {
		return r.Double.Allowed
	})},
	Split: {"split", call(vocab.CallSplit), nil, inBlackJack(func(r *rules.Rules) bool {
		return r.Split.Max != 0
	})},
	Surrender: {"surrender", call(vocab.CallSurrender), surrender, inBlackJack(func(r *rules.Rules) bool {
		return r.Surrender
	})},
	Insurance: {"insurance", call(vocab.CallInsurance), offered, inBlackJack(func(r *rules.Rules) bool {
		return r.Insurance.Offered
	})},
	EvenMoney: {"even-money", call(vocab.CallEvenMoney), offered, inBlackJack(func(r *rules.Rules) bool {
		return r.Insurance.EvenMoney
	})},
	Higher: {"higher", call(vocab.CallHigher), nil, inBlackJames},
	Lower:  {"lower", call(vocab.CallLower), nil, inBlackJames},
	Bets:   {"bets", vocab.Input{Kind: vocab.InOpen}, bets, nil},
	Paid:   {"paid", vocab.Input{Kind: vocab.InPaid}, paid, nil},
	Floor:  {"floor", vocab.Input{Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorCalled}}, floor, nil},
	Undo:   {"undo", vocab.Input{Kind: vocab.InUndo}, undo, nil},
	Hold:   {"hold", vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer, By: "dealer"}, nil, nil},
}

func call(c vocab.Call) vocab.Input { return vocab.Input{Kind: vocab.InCall, Call: c} }

var names = func() (names plaintext.Enum[Key]) {
	for _, r := range rows {
		names = append(names, r.name)
	}
	return names
}()

// String returns the key's name.
func (k Key) String() string { return names.Name(k) }

// ParseKey reads a key's name.
func ParseKey(s string) (Key, bool) { return names.Parse(s) }

// EveryKey yields every key.
func EveryKey(yield func(Key) bool) { names.Every(yield) }

// IsCall reports whether the key announces a guest's decision. Two of these pressed at
// once contradict each other.
func (k Key) IsCall() bool { return rows[k].put.Kind == vocab.InCall }

// Used says whether a key means anything by the rules of a house: an insurance at a table that offers none does not.
func (k Key) Used(r *rules.Rules) bool { return rows[k].used == nil || rows[k].used(r) }

func inBlackJack(offers func(*rules.Rules) bool) func(*rules.Rules) bool {
	return func(r *rules.Rules) bool { return r.Game == rules.BlackJack && offers(r) }
}

func inBlackJames(r *rules.Rules) bool { return r.Game == rules.BlackJames }
