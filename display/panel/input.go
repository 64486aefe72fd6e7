package panel

import (
	"errors"
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Why a key press cannot be turned into an input. The dealer can choose the bettor on the
// touch screen.
var (
	ErrSeveral = errors.New("the key does not say which of several bettors is meant: choose on the screen")
	ErrNobody  = errors.New("there is no bettor whom the key could mean")
)

// Input returns what the dealer means by pressing a key at a table with this view. A double
// or a split is for all bettors on the hand. The engine decides whether it is allowed: a key
// that makes no sense becomes an input that it refuses, except insurance and even money,
// which need a bettor to take them.
func Input(v display.View, k Key) (vocab.Input, error) {
	r := rows[k]
	if r.means == nil {
		return r.put, nil
	}
	return r.means(v, r.put)
}

func bets(v display.View, open vocab.Input) (vocab.Input, error) {
	switch v.Phase {
	case vocab.Idle:
		return open, nil
	case vocab.InsuranceOffer:
		return call(vocab.CallInsuranceClosed), nil
	}
	switch v.Due.To {
	case vocab.ToLook:
		return vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleLook}, nil
	case vocab.ToTurn:
		return vocab.Input{Kind: vocab.InHole, Hole: vocab.HoleTurned}, nil
	}
	return vocab.Input{Kind: vocab.InClose}, nil
}

// undo takes back what the view says can be: the last key press or, between two rounds, that
// the shoe was loaded.
func undo(v display.View, undo vocab.Input) (vocab.Input, error) {
	if v.Undo.Kind == vocab.InShoe {
		undo.Of = vocab.InShoe
	}
	return undo, nil
}

// paid is the payment or, before it, what the dealer is asked to pay or take at once.
func paid(v display.View, all vocab.Input) (vocab.Input, error) {
	if now, asked := display.Asked(v); asked {
		return now.Input(), nil
	}
	return all, nil
}

// cardOrOne is the call for a card, unless it comes late. In the payment, where no card comes, it pays the next bettor
// alone.
func cardOrOne(v display.View, call vocab.Input) (vocab.Input, error) {
	if late(v) {
		return vocab.Input{Kind: vocab.InResolve, With: irregularity.Accept, Role: vocab.Dealer, By: "dealer"}, nil
	}
	if b, share, paying := display.NextShare(v); paying {
		return vocab.Input{Kind: vocab.InPaid, Box: b.Number, Bettor: share.Bettor}, nil
	}
	return call, nil
}

// late reports whether the key Card is pressed after its card: the call was made, and the
// hand that draws was quicker than the one that presses. The dealer may say so.
func late(v display.View) bool {
	return v.Held != nil && v.Held.Code == irregularity.CardWithoutCall &&
		slices.Contains(v.Held.Dealer, irregularity.Accept)
}

// surrender is for the only bettor on the hand: several bettors leave one by one. Before the dealer looks at the hole
// card it is for the only one who may.
func surrender(v display.View, call vocab.Input) (vocab.Input, error) {
	if v.Phase == vocab.InsuranceOffer {
		return offered(v, call)
	}
	if !slices.Contains(v.Due.Allowed, call.Call) {
		return call, nil
	}
	call.Bettors = display.OnDueHand(v)
	switch len(call.Bettors) {
	case 0:
		return vocab.Input{}, ErrNobody
	case 1:
		return call, nil
	}
	return vocab.Input{}, ErrSeveral
}

// offered is the insurance, even money or surrender of the only bettor who may still take it.
func offered(v display.View, call vocab.Input) (vocab.Input, error) {
	found := 0
	for _, box := range v.Boxes {
		if !slices.Contains(box.Offers, call.Call) {
			continue
		}
		for _, bettor := range box.Bettors {
			amount, stated := insured(v, call.Call, bettor)
			has := bettor.Insurance != 0 && call.Call != vocab.CallSurrender
			if bettor.EvenMoney || has || stated && amount == 0 || display.HasSurrendered(box, bettor.Name) {
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

// insured is what an insurance costs: half the stake, which every house accepts. For a stake
// without an amount it has none either.
func insured(v display.View, call vocab.Call, b display.Bettor) (amount int64, stated bool) {
	if call != vocab.CallInsurance || b.Stake == display.Unstated {
		return 0, false
	}
	return display.MostInsured(v, b), true
}
