package table_test

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// slip is one kind of mistake that a dealer, or the shoe, makes.
type slip struct {
	name string
	// puts are the inputs of the mistake, nil where it cannot be made now.
	puts func(e *errant) []vocab.Input
	// seen are the irregularities and rejections of which one must follow, or none if
	// the mistake must leave everything as it was.
	seen []string
}

// slips are the mistakes of an erring shift. What a guest said and the dealer heard
// otherwise is none of them: nobody but the guest can know.
var slips = []slip{
	{"a card while bets are open", cardIn(vocab.Bets), []string{"unexpected-card", "foreign-card"}},
	{"a card while insurance is open", cardIn(vocab.InsuranceOffer), []string{"unexpected-card", "foreign-card"}},
	{"a card without its call", cardIn(vocab.Play), []string{"card-without-call", "unexpected-card", "foreign-card"}},
	{earlyBank, earlyForBank, []string{"card-without-call", "unexpected-card", "foreign-card"}},
	{
		"a card too many for the bank", cardIn(vocab.Payment),
		[]string{"bank-overdraw", "unexpected-card", "foreign-card"},
	},
	{"a card that was not read", unreadCard, []string{"unread-card"}},
	{"a card of another pack", foreignCard, []string{"foreign-card"}},
	{"a Joker that there is not", foreignJoker, []string{"foreign-joker"}},
	{"a card that never arrived", lostCard, []string{"lost-cards"}},
	{"the shoe's alarm is overlooked", overlookedAlarm, []string{"shoe-alarm"}},
	// The first may decide a big win, which holds the round: then the second is refused.
	{"two keys at once", twoKeys, []string{"contradictory-keys", "round-held"}},
	{"a key that is taken back", takenBack, nil},
	{"a call that the rules forbid", forbiddenCall, []string{"call-not-allowed"}},
	{"a stake after no more bets", lateStake, []string{"bets-closed"}},
	{"a stake under the minimum", stakeOf(1), []string{"below-minimum"}},
	{"a stake over the maximum", stakeOf(10_000_000), []string{"above-maximum"}},
	{"a stake of odd cents", oddStake, []string{"not-a-multiple"}},
	{"bets opened before the cards are burnt", openUnburnt, []string{"burn-first"}},
	{"one bettor too many on a box", crowd, []string{"box-full"}},
	{"a side bet over the main stake", sideOverStake, []string{"above-stake"}},
	{"a double without the holder", doubleAlone, []string{"holder-must-join", "unknown-bettor"}},
	{"insurance that is not offered", lateInsurance, []string{"not-offered"}},
	{"payment before the bank has drawn", paidIn(vocab.BankDraws), []string{"bank-must-draw"}},
	{"payment in mid-round", paidIn(vocab.Play), []string{"round-running"}},
	{"a wrong payment", wrongPayment, []string{"payout-mismatch"}},
	{"a new round before the old one is paid", openAgain, []string{"round-running"}},
	{"the payment of all too early", paidTooEarly, nil},
	{"a dead box though nobody has stopped the round", deadBox(vocab.Supervisor), []string{"not-held"}},
	{"a payment where nobody has staked", paidForNothing, []string{"not-decided"}},
	{"a card named by the dealer", cardByHand, []string{"call-not-allowed"}},
	{
		"a burnt card though nobody has stopped the round",
		elsewhere(vocab.Input{Correct: vocab.Correct{What: vocab.Move, Nth: 1, To: vocab.ToAside}}),
		[]string{"not-held"},
	},
	{
		"a place passed over though nobody has stopped the round", elsewhere(vocab.Input{
			Correct: vocab.Correct{What: vocab.Missed, Nth: 1},
		}),
		[]string{"not-held"},
	},
	{
		"a shoe filled in a round by the dealer", elsewhere(vocab.Input{
			Correct: vocab.Correct{What: vocab.Refill}, Role: vocab.Dealer,
		}),
		[]string{"call-not-allowed"},
	},
	{"a dead box by the dealer", deadBox(vocab.Dealer), []string{"call-not-allowed"}},
	{"an adjustment of the round under way", adjusting(true, func(*vocab.Input) {}), []string{"round-running"}},
	{
		"an adjustment by the dealer", adjusting(false, func(in *vocab.Input) { in.Role = vocab.Dealer }),
		[]string{"needs-supervisor"},
	},
	{
		"an adjustment of a round that was not", adjusting(false, func(in *vocab.Input) { in.PastRound += 2 }),
		[]string{"no-such-round"},
	},
	{
		"an adjustment of a guest who was not there", adjusting(false, func(in *vocab.Input) { in.Bettor = "who" }),
		[]string{"unknown-bettor"},
	},
	{
		"an adjustment of a wager that was not", adjusting(false, func(in *vocab.Input) { in.Hand = 9 }),
		[]string{"not-decided"},
	},
	{"a count of the tray in mid-round", counting(vocab.Play, func(*vocab.Input) {}), []string{"round-running"}},
	{
		"a count by the dealer alone", counting(vocab.Idle, func(in *vocab.Input) { in.By = in.Tray.Dealer }),
		[]string{"needs-supervisor"},
	},
	{"a count with a value twice", counting(vocab.Idle,
		func(in *vocab.Input) { in.Tray.Chips = append(in.Tray.Chips, in.Tray.Chips[0]) }), []string{"unknown-chip"}},
	{
		"chips of a slip that there is not", atTray(vocab.InFill, vocab.Tray{Step: vocab.SlipReceived, Slip: 1 << 20}),
		[]string{"no-such-slip"},
	},
	{
		"change that is worth less", atTray(vocab.InChange, vocab.Tray{Chips: pieces(500, 4), For: pieces(500, 5)}),
		[]string{"not-the-amount"},
	},
	{"the drop by the dealer", atTray(vocab.InDrop, vocab.Tray{}), []string{"needs-supervisor"}},
}

// earlyBank is a mistake that is put right in a way of its own: see putRight.
const earlyBank = "the bank's second card dealt early"

// putRight are the mistakes that a supervisor puts right otherwise than by the choices of their irregularities.
var putRight = map[string]func(*errant) []vocab.Input{earlyBank: leftWithBank}

// earlyForBank draws a card for the bank while boxes are asked, where it has none yet that lies face down.
func earlyForBank(e *errant) []vocab.Input {
	r := e.tab.Rules()
	if r.Game != rules.BlackJack || r.Play.Calls != rules.CallsRequired || r.Bank.HasHole() ||
		e.tab.Phase() != vocab.Play ||
		e.tab.Due().To != vocab.ToCall || len(e.tab.Lying()) > 0 {
		return nil
	}
	return alone(vocab.Input{Kind: vocab.InCard, Card: e.anyCard()})
}

// leftWithBank says that the card that was drawn early is the bank's. One that the shoe cannot hold has to be accepted
// first.
func leftWithBank(e *errant) []vocab.Input {
	lying := e.tab.Lying()
	if i, _ := e.tab.Held(); i.Code == irregularity.ForeignCard || len(lying) != 1 {
		return nil
	}
	return alone(vocab.Input{
		Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.Move, Nth: lying[0].Nth, To: vocab.ToBank}, By: "s1",
		Because: "drawn too early",
	})
}

// alone is a mistake of a single input.
func alone(in vocab.Input) []vocab.Input { return []vocab.Input{in} }

// cardIn draws a card in a phase in which none is due.
func cardIn(phase vocab.Phase) func(*errant) []vocab.Input {
	return func(e *errant) []vocab.Input {
		due := e.tab.Due().To
		if e.tab.Phase() != phase || due == vocab.ToBox || due == vocab.ToBank || !e.mayDraw() {
			return nil
		}
		return alone(vocab.Input{Kind: vocab.InCard, Card: e.anyCard()})
	}
}

func unreadCard(e *errant) []vocab.Input {
	if !e.cardDue() {
		return nil
	}
	return alone(vocab.Input{Kind: vocab.InCard, Card: card.Unread})
}

// foreignCard is one of which all have left the shoe.
func foreignCard(e *errant) []vocab.Input {
	for c := range card.All {
		if e.out[c] >= e.tab.Rules().Cards.Decks && e.cardDue() {
			return alone(vocab.Input{Kind: vocab.InCard, Card: c})
		}
	}
	return nil
}

func foreignJoker(e *errant) []vocab.Input {
	if e.tab.Rules().Cards.Jokers > 0 || !e.mayDraw() {
		return nil
	}
	return alone(vocab.Input{Kind: vocab.InCard, Card: card.Joker})
}

func lostCard(e *errant) []vocab.Input {
	if !e.cardDue() {
		return nil
	}
	return alone(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeGap, Missing: 1}})
}

func overlookedAlarm(*errant) []vocab.Input {
	return alone(vocab.Input{Kind: vocab.InShoe, Shoe: vocab.ShoeSaid{Event: vocab.ShoeAlarmRaised}, Code: "cover"})
}

// twoKeys are two different calls within a tenth of a second.
func twoKeys(e *errant) []vocab.Input {
	allowed := slices.Collect(e.tab.Due().Allowed.All)
	other := slices.IndexFunc(allowed, func(c vocab.Call) bool { return c != vocab.CallRest })
	if other < 0 || !e.tab.Due().Allowed.Has(vocab.CallRest) {
		return nil
	}
	first := vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest, Time: e.later(1000)}
	return []vocab.Input{first, {Kind: vocab.InCall, Call: allowed[other], Time: e.later(100)}}
}

// takenBack is a key that is pressed and taken back. Where it decides a big win, a supervisor comes first.
func takenBack(e *errant) []vocab.Input {
	if !e.tab.Due().Allowed.Has(vocab.CallRest) {
		return nil
	}
	rest := vocab.Input{Kind: vocab.InCall, Call: vocab.CallRest, Time: e.later(1000)}
	after, _, err := e.tab.Try(rest)
	if err != nil {
		return nil
	}
	if _, held := after.Held(); held {
		return nil
	}
	return []vocab.Input{rest, {Kind: vocab.InUndo, Time: e.later(1000)}}
}

func forbiddenCall(e *errant) []vocab.Input {
	due := e.tab.Due()
	for call := vocab.CallCard; call <= vocab.CallLower; call++ {
		if due.To == vocab.ToCall && !due.Allowed.Has(call) {
			return alone(vocab.Input{Kind: vocab.InCall, Call: call, Bettors: e.bettorsFor(call)})
		}
	}
	return nil
}

func lateStake(e *errant) []vocab.Input {
	if e.tab.Phase() <= vocab.Bets {
		return nil
	}
	return alone(vocab.Input{
		Kind: vocab.InStake, Box: 1, Bettor: "late", Wager: vocab.WagerMain, Amount: 1000,
		Stated: true,
	})
}

func stakeOf(amount int64) func(*errant) []vocab.Input {
	return func(e *errant) []vocab.Input {
		if e.tab.Phase() != vocab.Bets {
			return nil
		}
		return alone(vocab.Input{
			Kind: vocab.InStake, Box: 1, Bettor: "odd", Wager: vocab.WagerMain, Amount: amount,
			Stated: true,
		})
	}
}

// oddStake is no multiple of the payable unit, on a box that nobody plays.
func oddStake(e *errant) []vocab.Input {
	limits := e.tab.Rules().Table
	if e.tab.Phase() != vocab.Bets || e.tab.Rules().Step() == 1 || len(e.tab.Bettors(e.tab.Boxes())) > 0 {
		return nil
	}
	return alone(vocab.Input{
		Kind: vocab.InStake, Box: e.tab.Boxes(), Bettor: "odd", Wager: vocab.WagerMain,
		Amount: limits.Min + 1, Stated: true,
	})
}

// openUnburnt opens bets while cards are to be burnt.
func openUnburnt(e *errant) []vocab.Input {
	if e.tab.Due().To != vocab.ToAside {
		return nil
	}
	return alone(vocab.Input{Kind: vocab.InOpen})
}

// crowd is one bettor more than may play box 1.
func crowd(e *errant) []vocab.Input {
	r := e.tab.Rules()
	if e.tab.Phase() != vocab.Bets || r.MostBettors() == 0 || len(e.tab.Bettors(1)) < r.MostBettors() {
		return nil
	}
	return alone(vocab.Input{Kind: vocab.InStake, Box: 1, Bettor: "late", Wager: vocab.WagerMain, Stated: false})
}

// sideOverStake is a side bet of a step more than the main stake on box 1.
func sideOverStake(e *errant) []vocab.Input {
	if e.tab.Phase() != vocab.Bets || len(e.tab.Bettors(1)) == 0 || e.tab.Bettors(1)[0].Stake <= 0 {
		return nil
	}
	who := e.tab.Bettors(1)[0]
	for i := range e.tab.Rules().SideBets {
		o := e.tab.Rules().Offer(e.tab.Rules().SideBets[i].Bet)
		if amount := (who.Stake/o.Step + 1) * o.Step; o.UpToStake && amount <= o.Most {
			return alone(vocab.Input{
				Kind: vocab.InStake, Box: 1, Bettor: who.Name, Wager: vocab.SideWager(o.Bet),
				Amount: amount, Stated: true,
			})
		}
	}
	return nil
}

// doubleAlone is a double that the holder does not join.
func doubleAlone(e *errant) []vocab.Input {
	if !e.tab.Due().Allowed.Has(vocab.CallDouble) {
		return nil
	}
	bettors := e.tab.Bettors(int(e.tab.Due().Box))
	who := "nobody"
	if len(bettors) > 1 && !e.tab.Rules().Surrender { // else the holder may have left
		who = bettors[1].Name
	}
	return alone(vocab.Input{Kind: vocab.InCall, Call: vocab.CallDouble, Bettors: []string{who}})
}

func lateInsurance(e *errant) []vocab.Input {
	if e.tab.Phase() != vocab.Play {
		return nil
	}
	return alone(vocab.Input{
		Kind: vocab.InCall, Call: vocab.CallInsurance, Box: 1, Bettor: "a", Amount: 500,
		Stated: true,
	})
}

func paidIn(phase vocab.Phase) func(*errant) []vocab.Input {
	return func(e *errant) []vocab.Input {
		if e.tab.Phase() != phase {
			return nil
		}
		return alone(vocab.Input{Kind: vocab.InPaid})
	}
}

// wrongPayment is a payment of one unit too much where every amount is known.
func wrongPayment(e *errant) []vocab.Input {
	if e.tab.Phase() != vocab.Payment || e.tab.Sums().Unstated || len(e.tab.Decided()) == 0 {
		return nil
	}
	return alone(vocab.Input{Kind: vocab.InPaid, Amount: e.tab.Sums().Won + e.tab.Rules().Table.Unit, Stated: true})
}

// paidForNothing is a payment in a round that is void without a stake.
func paidForNothing(e *errant) []vocab.Input {
	if e.tab.Phase() != vocab.Payment || len(e.tab.Decided()) > 0 {
		return nil
	}
	return alone(vocab.Input{Kind: vocab.InPaid, Amount: e.tab.Rules().Table.Unit, Stated: true})
}

func openAgain(e *errant) []vocab.Input {
	if e.tab.Phase() == vocab.Idle {
		return nil
	}
	return alone(vocab.Input{Kind: vocab.InOpen})
}

// paidTooEarly is the payment of all that is taken back.
func paidTooEarly(e *errant) []vocab.Input {
	if e.tab.Phase() != vocab.Payment {
		return nil
	}
	return []vocab.Input{{Kind: vocab.InPaid}, {Kind: vocab.InUndo}}
}

// adjusting is an adjustment in a round or, by a wager of the round that lies on the table, between two.
func adjusting(running bool, wrong func(*vocab.Input)) func(*errant) []vocab.Input {
	return func(e *errant) []vocab.Input {
		in := vocab.Input{
			Kind: vocab.InAdjust, PastRound: int(e.tab.Round()), Box: 1, Bettor: "a", Wager: vocab.WagerMain,
			Amount: 500, By: "s1", Because: "dispute",
		}
		press, lies := e.tab.Undoable()
		lies = lies && press.Kind == vocab.InPaid && len(e.tab.Decided()) > 0
		if (e.tab.Phase() != vocab.Idle) != running || !running && !lies {
			return nil
		}
		if !running {
			one := e.tab.Decided()[0]
			in.Box, in.Bettor, in.Wager = int(one.Box), one.Bettor, one.Wager
		}
		wrong(&in)
		return alone(in)
	}
}

// deadBox declares the wagers of a box dead.
func deadBox(as vocab.Role) func(*errant) []vocab.Input {
	return func(e *errant) []vocab.Input {
		if e.tab.Phase() != vocab.Play {
			return nil
		}
		return alone(vocab.Input{
			Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.Dead}, Box: int(e.tab.Due().Box),
			By: "s1", Role: as,
		})
	}
}

// elsewhere is a correction of where cards lie, or come from, in a round that nobody has stopped.
func elsewhere(in vocab.Input) func(*errant) []vocab.Input {
	in.Kind, in.By = vocab.InCorrect, "s1"
	return func(e *errant) []vocab.Input {
		if e.tab.Phase() != vocab.Play {
			return nil
		}
		return alone(in)
	}
}

// cardByHand adds a card that the shoe did not tell, as only a supervisor may.
func cardByHand(e *errant) []vocab.Input {
	if e.tab.Phase() != vocab.Play {
		return nil
	}
	return alone(vocab.Input{
		Kind: vocab.InCorrect, Correct: vocab.Correct{What: vocab.Came}, Card: e.anyCard(), By: "d1",
		Role: vocab.Dealer,
	})
}

func pieces(value, n int64) []vocab.Chips { return []vocab.Chips{{Value: value, Pieces: n}} }

// counting counts the tray in a phase. Between two rounds something is wrong about it.
func counting(phase vocab.Phase, wrong func(*vocab.Input)) func(*errant) []vocab.Input {
	return func(e *errant) []vocab.Input {
		if e.tab.Phase() != phase {
			return nil
		}
		in := vocab.Input{
			Kind: vocab.InCount, By: "s1",
			Tray: &vocab.Tray{Count: vocab.CountInterim, Dealer: "d1", Chips: pieces(500, 20)},
		}
		wrong(&in)
		return alone(in)
	}
}

// atTray is something of the tray between two rounds by the dealer, who may not, or of which something is wrong.
func atTray(kind vocab.InputKind, y vocab.Tray) func(*errant) []vocab.Input {
	return func(e *errant) []vocab.Input {
		if e.tab.Phase() != vocab.Idle {
			return nil
		}
		return alone(vocab.Input{Kind: kind, By: "d1", Role: vocab.Dealer, Tray: &y})
	}
}
