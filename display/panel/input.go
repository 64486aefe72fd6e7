package panel

import (
	"errors"
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table"
)

// Why a key has no meaning that could be put to the engine. Who is meant is said on
// the touch screen.
var (
	ErrSeveral = errors.New("the key does not say who of several bettors is meant: say it on the screen")
	ErrNobody  = errors.New("nobody is there whom the key could mean")
)

var plainCalls = map[Key]table.Call{
	Card: table.CallCard, Rest: table.CallRest, Double: table.CallDouble, Split: table.CallSplit,
	Surrender: table.CallSurrender, Insurance: table.CallInsurance, EvenMoney: table.CallEvenMoney,
	Higher: table.CallHigher, Lower: table.CallLower,
}

// Input returns what the dealer means by pressing a key at a table that looks so.
// A double or a split is for all bettors on the hand. Whether it may be now is the
// engine's to say: a key that makes no sense becomes an input that it refuses, but for
// insurance and even money, which are no input without somebody who takes them.
func Input(v display.View, k Key) (table.Input, error) {
	call := table.Input{Kind: table.InCall, Call: plainCalls[k]}
	switch {
	case k == Bets:
		return bets(v), nil
	case k == Paid:
		return table.Input{Kind: table.InPaid}, nil
	case k == Undo:
		return table.Input{Kind: table.InUndo}, nil
	case k == Card && late(v):
		return table.Input{Kind: table.InResolve, With: table.Accept, Role: table.Dealer, By: "dealer"}, nil
	case k == Surrender && slices.Contains(v.Due.Allowed, call.Call.String()):
		return surrender(v, call)
	case k == Insurance || k == EvenMoney:
		return offered(v, call)
	}
	return call, nil
}

func bets(v display.View) table.Input {
	switch v.Phase {
	case display.PhaseIdle:
		return table.Input{Kind: table.InOpen}
	case display.PhaseInsurance:
		return table.Input{Kind: table.InCall, Call: table.CallInsuranceClosed}
	}
	return table.Input{Kind: table.InClose}
}

// late says whether the key Card comes after its card: the call was made, and the
// hand that draws was quicker than the one that presses. That is the dealer's to say.
func late(v display.View) bool {
	return v.Held != nil && v.Held.Code == table.CardWithoutCall.String() &&
		slices.Contains(v.Held.Dealer, table.Accept.String())
}

// surrender is that of the one bettor on the hand: of several, each leaves alone.
func surrender(v display.View, call table.Input) (table.Input, error) {
	call.Bettors = display.OnDueHand(v)
	switch len(call.Bettors) {
	case 0:
		return table.Input{}, ErrNobody
	case 1:
		return call, nil
	}
	return table.Input{}, ErrSeveral
}

// offered is the insurance or the even money of the one bettor who may still take it.
func offered(v display.View, call table.Input) (table.Input, error) {
	found := 0
	for _, box := range v.Boxes {
		if !slices.Contains(box.Offers, call.Call.String()) {
			continue
		}
		for _, bettor := range box.Bettors {
			amount, stated := insured(v, call.Call, bettor)
			if bettor.EvenMoney || bettor.Insurance != 0 || stated && amount == 0 {
				continue
			}
			found++
			call.Box, call.Bettor, call.Amount, call.Stated = box.Number, bettor.Name, amount, stated
		}
	}
	switch found {
	case 0:
		return table.Input{}, ErrNobody
	case 1:
		return call, nil
	}
	return table.Input{}, ErrSeveral
}

// insured is what an insurance costs: half the stake, which every house takes. Of a
// stake without an amount it has none either.
func insured(v display.View, call table.Call, b display.Bettor) (amount int64, stated bool) {
	if call != table.CallInsurance || b.Stake == display.Unstated {
		return 0, false
	}
	return display.MostInsured(v, b), true
}
