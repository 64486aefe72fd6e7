package panel

import (
	"errors"
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Why a key has no meaning that could be put to the engine. Who is meant is said on
// the touch screen.
var (
	ErrSeveral = errors.New("the key does not say who of several bettors is meant: say it on the screen")
	ErrNobody  = errors.New("nobody is there whom the key could mean")
)

var plainCalls = map[Key]vocab.Call{
	Card: vocab.CallCard, Rest: vocab.CallRest, Double: vocab.CallDouble, Split: vocab.CallSplit,
	Surrender: vocab.CallSurrender, Insurance: vocab.CallInsurance, EvenMoney: vocab.CallEvenMoney,
	Higher: vocab.CallHigher, Lower: vocab.CallLower,
}

// Input returns what the dealer means by pressing a key at a table that looks so.
// A double or a split is for all bettors on the hand. Whether it may be now is the
// engine's to say: a key that makes no sense becomes an input that it refuses, but for
// insurance and even money, which are no input without somebody who takes them.
func Input(v display.View, k Key) (vocab.Input, error) {
	call := vocab.Input{Kind: vocab.InCall, Call: plainCalls[k]}
	switch {
	case k == Bets:
		return bets(v), nil
	case k == Paid:
		return vocab.Input{Kind: vocab.InPaid}, nil
	case k == Undo:
		return vocab.Input{Kind: vocab.InUndo}, nil
	case k == Card && late(v):
		return vocab.Input{Kind: vocab.InResolve, With: irregularity.Accept, Role: vocab.Dealer, By: "dealer"}, nil
	case k == Surrender && slices.Contains(v.Due.Allowed, call.Call.String()):
		return surrender(v, call)
	case k == Insurance || k == EvenMoney:
		return offered(v, call)
	}
	return call, nil
}

func bets(v display.View) vocab.Input {
	switch v.Phase {
	case display.PhaseIdle:
		return vocab.Input{Kind: vocab.InOpen}
	case display.PhaseInsurance:
		return vocab.Input{Kind: vocab.InCall, Call: vocab.CallInsuranceClosed}
	}
	return vocab.Input{Kind: vocab.InClose}
}

// late says whether the key Card comes after its card: the call was made, and the
// hand that draws was quicker than the one that presses. That is the dealer's to say.
func late(v display.View) bool {
	return v.Held != nil && v.Held.Code == irregularity.CardWithoutCall.String() &&
		slices.Contains(v.Held.Dealer, irregularity.Accept.String())
}

// surrender is that of the one bettor on the hand: of several, each leaves alone.
func surrender(v display.View, call vocab.Input) (vocab.Input, error) {
	call.Bettors = display.OnDueHand(v)
	switch len(call.Bettors) {
	case 0:
		return vocab.Input{}, ErrNobody
	case 1:
		return call, nil
	}
	return vocab.Input{}, ErrSeveral
}

// offered is the insurance or the even money of the one bettor who may still take it.
func offered(v display.View, call vocab.Input) (vocab.Input, error) {
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
		return vocab.Input{}, ErrNobody
	case 1:
		return call, nil
	}
	return vocab.Input{}, ErrSeveral
}

// insured is what an insurance costs: half the stake, which every house takes. Of a
// stake without an amount it has none either.
func insured(v display.View, call vocab.Call, b display.Bettor) (amount int64, stated bool) {
	if call != vocab.CallInsurance || b.Stake == display.Unstated {
		return 0, false
	}
	return display.MostInsured(v, b), true
}
