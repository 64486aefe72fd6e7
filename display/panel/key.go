// Package panel is the dealer's panel: what a key means at this moment, which lamps are
// lit, when the buzzer sounds. It reads the view that all displays read and decides
// nothing about a round: a key becomes the input that the dealer means by it, and the
// engine judges that.
package panel

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/enum"
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
	// Bets opens the bets, closes them, and closes the insurance, which is a bet, too.
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
}

var rows = [...]row{
	Card:      {"card", call(vocab.CallCard), cardOrOne},
	Rest:      {"rest", call(vocab.CallRest), nil},
	Double:    {"double", call(vocab.CallDouble), nil},
	Split:     {"split", call(vocab.CallSplit), nil},
	Surrender: {"surrender", call(vocab.CallSurrender), surrender},
	Insurance: {"insurance", call(vocab.CallInsurance), offered},
	EvenMoney: {"even-money", call(vocab.CallEvenMoney), offered},
	Higher:    {"higher", call(vocab.CallHigher), nil},
	Lower:     {"lower", call(vocab.CallLower), nil},
	Bets:      {"bets", vocab.Input{Kind: vocab.InOpen}, bets},
	Paid:      {"paid", vocab.Input{Kind: vocab.InPaid}, paid},
	Floor:     {"floor", vocab.Input{Kind: vocab.InFloor, Floor: vocab.FloorCalled}, floor},
	Undo:      {"undo", vocab.Input{Kind: vocab.InUndo}, undo},
	Hold:      {"hold", vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer, By: "dealer"}, nil},
}

func call(c vocab.Call) vocab.Input { return vocab.Input{Kind: vocab.InCall, Call: c} }

var names = func() (names enum.Names[Key]) {
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
func (k Key) Used(r *rules.Rules) bool {
	blackJack := r.Game == rules.BlackJack
	switch k {
	case Higher, Lower:
		return r.Game == rules.BlackJames
	case Double:
		return blackJack && r.Double.Allowed
	case Split:
		return blackJack && r.Split.Max != 0
	case Surrender:
		return blackJack && r.Surrender
	case Insurance:
		return blackJack && r.Insurance.Offered
	case EvenMoney:
		return blackJack && r.Insurance.EvenMoney
	}
	return true
}
