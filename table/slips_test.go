package table_test

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
)

// slip is one kind of mistake that a dealer, or the shoe, makes.
type slip struct {
	name string
	// puts are the inputs of the mistake, nil where it cannot be made now.
	puts func(e *errant) []table.Input
	// seen are the irregularities and rejections of which one must follow, or none if
	// the mistake must leave everything as it was.
	seen []string
}

// slips are the mistakes of an erring shift. What a guest said and the dealer heard
// otherwise is none of them: nobody but the guest can know.
var slips = []slip{
	{"a card while bets are open", cardIn(table.Bets), []string{"unexpected-card", "foreign-card"}},
	{"a card while insurance is open", cardIn(table.InsuranceOffer), []string{"unexpected-card", "foreign-card"}},
	{"a card without its call", cardIn(table.Play), []string{"card-without-call", "unexpected-card", "foreign-card"}},
	{"a card too many for the bank", cardIn(table.Payment), []string{"bank-overdraw", "unexpected-card", "foreign-card"}},
	{"a card that was not read", unreadCard, []string{"unread-card"}},
	{"a card of another pack", foreignCard, []string{"foreign-card"}},
	{"a Joker that there is not", foreignJoker, []string{"foreign-joker"}},
	{"a card that never arrived", lostCard, []string{"lost-cards"}},
	{"the shoe's alarm is overlooked", overlookedAlarm, []string{"shoe-alarm"}},
	{"two keys at once", twoKeys, []string{"contradictory-keys"}},
	{"a key that is taken back", takenBack, nil},
	{"a call that the rules forbid", forbiddenCall, []string{"call-not-allowed"}},
	{"a stake after no more bets", lateStake, []string{"bets-closed"}},
	{"a stake under the minimum", stakeOf(1), []string{"below-minimum"}},
	{"a stake over the maximum", stakeOf(10_000_000), []string{"above-maximum"}},
	{"a stake of odd cents", oddStake, []string{"not-a-multiple"}},
	{"a double without the holder", doubleAlone, []string{"holder-must-join", "unknown-bettor"}},
	{"insurance that is not offered", lateInsurance, []string{"not-offered"}},
	{"payment before the bank has drawn", paidIn(table.BankDraws), []string{"bank-must-draw"}},
	{"payment in mid-round", paidIn(table.Play), []string{"round-running"}},
	{"a wrong payment", wrongPayment, []string{"payout-mismatch"}},
	{"a new round before the old one is paid", openAgain, []string{"round-running"}},
}

// alone is a mistake of a single input.
func alone(in table.Input) []table.Input { return []table.Input{in} }

// cardIn draws a card in a phase in which none is due.
func cardIn(phase table.Phase) func(*errant) []table.Input {
	return func(e *errant) []table.Input {
		due := e.tab.Due().To
		if e.tab.Phase() != phase || due == table.ToBox || due == table.ToBank || !e.mayDraw() {
			return nil
		}
		return alone(table.Input{Kind: table.InCard, Card: e.anyCard()})
	}
}

func unreadCard(e *errant) []table.Input {
	if !e.cardDue() {
		return nil
	}
	return alone(table.Input{Kind: table.InCard, Card: card.Unread})
}

// foreignCard is one of which all have left the shoe.
func foreignCard(e *errant) []table.Input {
	for c, n := range e.out {
		if n >= e.tab.Rules().Cards.Decks && c.Ranked() && e.cardDue() {
			return alone(table.Input{Kind: table.InCard, Card: c})
		}
	}
	return nil
}

func foreignJoker(e *errant) []table.Input {
	if e.tab.Rules().Cards.Jokers > 0 || !e.mayDraw() {
		return nil
	}
	return alone(table.Input{Kind: table.InCard, Card: card.Joker})
}

func lostCard(e *errant) []table.Input {
	if !e.cardDue() {
		return nil
	}
	return alone(table.Input{Kind: table.InShoe, Shoe: table.ShoeGap, Missing: 1})
}

func overlookedAlarm(*errant) []table.Input {
	return alone(table.Input{Kind: table.InShoe, Shoe: table.ShoeAlarmRaised, Code: "cover"})
}

// twoKeys are two different calls within a tenth of a second.
func twoKeys(e *errant) []table.Input {
	allowed := slices.Collect(e.tab.Due().Allowed.All)
	other := slices.IndexFunc(allowed, func(c table.Call) bool { return c != table.CallRest })
	if other < 0 {
		return nil
	}
	first := table.Input{Kind: table.InCall, Call: table.CallRest, Time: e.later(1000)}
	return []table.Input{first, {Kind: table.InCall, Call: allowed[other], Time: e.later(100)}}
}

func takenBack(e *errant) []table.Input {
	if e.tab.Due().To != table.ToCall {
		return nil
	}
	return []table.Input{{Kind: table.InCall, Call: table.CallRest, Time: e.later(1000)}, {Kind: table.InUndo, Time: e.later(1000)}}
}

func forbiddenCall(e *errant) []table.Input {
	due := e.tab.Due()
	for call := table.CallCard; call <= table.CallLower; call++ {
		if due.To == table.ToCall && !due.Allowed.Has(call) {
			return alone(table.Input{Kind: table.InCall, Call: call, Bettors: e.bettorsFor(call)})
		}
	}
	return nil
}

func lateStake(e *errant) []table.Input {
	if e.tab.Phase() <= table.Bets {
		return nil
	}
	return alone(table.Input{Kind: table.InStake, Box: 1, Bettor: "late", Wager: table.WagerMain, Amount: 1000, Stated: true})
}

func stakeOf(amount int64) func(*errant) []table.Input {
	return func(e *errant) []table.Input {
		if e.tab.Phase() != table.Bets {
			return nil
		}
		return alone(table.Input{Kind: table.InStake, Box: 1, Bettor: "odd", Wager: table.WagerMain, Amount: amount, Stated: true})
	}
}

// oddStake is no multiple of the payable unit, on a box that nobody plays.
func oddStake(e *errant) []table.Input {
	limits := e.tab.Rules().Table
	if e.tab.Phase() != table.Bets || limits.Unit == 1 || len(e.tab.Bettors(e.tab.Boxes())) > 0 {
		return nil
	}
	return alone(table.Input{Kind: table.InStake, Box: e.tab.Boxes(), Bettor: "odd", Wager: table.WagerMain, Amount: limits.Min + 1, Stated: true})
}

// doubleAlone is a double that the holder does not join.
func doubleAlone(e *errant) []table.Input {
	if !e.tab.Due().Allowed.Has(table.CallDouble) {
		return nil
	}
	bettors := e.tab.Bettors(int(e.tab.Due().Box))
	who := "nobody"
	if len(bettors) > 1 && !e.tab.Rules().Surrender { // else the holder may have left
		who = bettors[1].Name
	}
	return alone(table.Input{Kind: table.InCall, Call: table.CallDouble, Bettors: []string{who}})
}

func lateInsurance(e *errant) []table.Input {
	if e.tab.Phase() != table.Play {
		return nil
	}
	return alone(table.Input{Kind: table.InCall, Call: table.CallInsurance, Box: 1, Bettor: "a", Amount: 500, Stated: true})
}

func paidIn(phase table.Phase) func(*errant) []table.Input {
	return func(e *errant) []table.Input {
		if e.tab.Phase() != phase {
			return nil
		}
		return alone(table.Input{Kind: table.InPaid})
	}
}

// wrongPayment is a payment of one unit too much where every amount is known.
func wrongPayment(e *errant) []table.Input {
	if e.tab.Phase() != table.Payment || e.tab.Sums().Unstated {
		return nil
	}
	return alone(table.Input{Kind: table.InPaid, Amount: e.tab.Sums().Won + e.tab.Rules().Table.Unit, Stated: true})
}

func openAgain(e *errant) []table.Input {
	if e.tab.Phase() == table.Idle {
		return nil
	}
	return alone(table.Input{Kind: table.InOpen})
}
