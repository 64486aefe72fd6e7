package mishap

import (
	"math/rand/v2"
	"slices"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/vocab"
)

// Place is where a round stands when something goes wrong.
type Place uint8

// The places.
const (
	// Betting: bets are open.
	Betting Place = iota + 1
	// Dealing: a card is due.
	Dealing
	// Calling: a box calls.
	Calling
	// Paying: the bank has drawn, and payment is due.
	Paying
)

// House is where something may go wrong: its rules, and its shoe.
type House struct {
	*rules.Rules
	// Keeps says that the shoe keeps each card until it is stored, and numbers what it tells.
	Keeps bool
}

// Mishap is one thing that can go wrong at a table.
type Mishap struct {
	// Name is its name in results, and in the words that tell it.
	Name string
	// Code is what the table says of it, 0 where it says nothing.
	Code irregularity.Code
	// At is where a round stands.
	At Place
	// Happens is what is done wrong, in the language of scenarios: with cards, the cable, keys.
	Happens string
	// Right chooses, of the house's ways, those that put it right; nil for the way that the house proposes.
	Right func(offered []irregularity.Choice) []irregularity.Choice
	// Names says that the card that was drawn has to be named.
	Names bool
	// ToBank says that the supervisor corrects the round: the card is left with the bank.
	ToBank bool
	// Call is what the guest has said, 0 for nothing: that key is to be pressed in the end.
	Call vocab.Call
	// Mends is what ends the cause, in the language of scenarios, "" for nothing.
	Mends string

	// fits says in which houses it can happen; nil for in all.
	fits func(House) bool
	// taught says in which of them it is an exercise; nil for in none.
	taught func(House) bool
	// often is how often a dealer errs so, compared with the others: 0 for never. It is nobody's statistics: enough of
	// each to be seen in a night.
	often int
	// when says before which press of the dealer it can happen, of those of its place; nil for before each.
	when func(v display.View, in vocab.Input) bool
	// puts is put in by the dealer at the table's screen; nil for nothing.
	puts func(v display.View, dice *rand.Rand) vocab.Input
	// then is what comes of it later, beside the round; nil for nothing.
	then func(*Hand)
}

// all are all of them: those that are taught first, the commonest before others.
var all = []Mishap{
	{
		Name: "called-too-late", Code: irregularity.CardWithoutCall, At: Calling, Happens: "draw",
		Right: only(irregularity.Accept), fits: callsFirst, taught: keyFirst, often: 5, when: wantsCard,
	},
	{
		Name: "unread-card", Code: irregularity.UnreadCard, At: Dealing, Happens: "unread",
		Right: only(irregularity.Identify), Names: true, taught: everywhere, often: 5,
	},
	{Name: "overdraw", Code: irregularity.BankOverdraw, At: Paying, Happens: "draw", taught: everywhere, often: 3},
	{Name: "early-card", Code: irregularity.UnexpectedCard, At: Betting, Happens: "draw", taught: everywhere, often: 2},
	{
		Name: "two-keys", Code: irregularity.ContradictoryKeys, At: Calling, Happens: "press card\npress rest",
		Call: vocab.CallRest, fits: keysApart, taught: everywhere, often: 3, when: mayDraw, then: (*Hand).seenLater,
	},
	{
		Name: "cable", Code: irregularity.ShoeOffline, At: Calling, Happens: "pull", Mends: "plug",
		Right: passes(irregularity.Online), taught: keepsCards, often: 2, then: (*Hand).seenLater,
	},
	{
		Name: "lid", Code: irregularity.ShoeAlarm, At: Calling, Happens: "alarm cover", Mends: "clear cover",
		Right: passes(irregularity.Cleared), fits: keepsCards, taught: everywhere, often: 2, then: (*Hand).seenLater,
	},
	{
		Name: "not-called", Code: irregularity.CardWithoutCall, At: Calling, Happens: "draw", Right: butAccept,
		fits: callsFirst, taught: mayAccept,
	},
	{
		Name: "lost-card", Code: irregularity.LostCards, At: Dealing, Happens: "pull\ndraw\nreboot\nplug",
		Right: only(irregularity.Identify), Names: true, fits: keepsCards, taught: everywhere, often: 2,
	},
	{
		Name: "lost-card-unkept", Code: irregularity.LostCards, At: Dealing, Happens: "pull\ndraw\nplug",
		Right: only(irregularity.Identify), Names: true, fits: keepsNone, taught: everywhere, often: 2,
	},
	{
		Name: "foreign-joker", Code: irregularity.ForeignJoker, At: Dealing, Happens: "foreign JOKER",
		fits: noJokers, taught: everywhere, often: 1,
	},
	{
		Name: "bank-early", Code: irregularity.CardWithoutCall, At: Calling, Happens: "draw", Right: orToBank,
		ToBank: true,
		fits:   secondLast, taught: mayAccept, often: 2, when: noneLies,
	},
	{Name: "taken-back", At: Calling, Happens: "press rest\nwait 2s\npress undo", often: 4, when: rests},
	{Name: "wrong-payment", Code: irregularity.PayoutMismatch, At: Paying, puts: oneUnitMore, often: 3, when: paysBox},
	{Name: "dispute", Code: irregularity.HeldByHand, At: Calling, puts: stopsRound, often: 2},
	{Name: "floor-call", At: Paying, puts: callsFloor, often: 4, then: (*Hand).floorComes},
}

// Errs are the mishaps of a dealer who errs in a house.
func Errs(h House) []Mishap {
	return slices.DeleteFunc(in(h), func(m Mishap) bool { return m.often == 0 })
}

// Taught are those that are exercises in a house.
func Taught(h House) []Mishap {
	return slices.DeleteFunc(in(h), func(m Mishap) bool { return m.taught == nil || !m.taught(h) })
}

func in(h House) []Mishap {
	return slices.DeleteFunc(slices.Clone(all), func(m Mishap) bool { return m.fits != nil && !m.fits(h) })
}

// Ways are those that put it right in a house.
func (m *Mishap) Ways(r *rules.Rules) []irregularity.Choice {
	offered := slices.Collect(r.Ways(m.Code).All)
	if m.Right != nil {
		return m.Right(offered)
	}
	return offered[:min(1, len(offered))]
}

// only is the one way that fits what has happened.
func only(c irregularity.Choice) func([]irregularity.Choice) []irregularity.Choice {
	return func(offered []irregularity.Choice) []irregularity.Choice {
		if slices.Contains(offered, c) {
			return []irregularity.Choice{c}
		}
		return nil
	}
}

// passes is how it ends by itself, once its cause does.
func passes(c irregularity.Choice) func([]irregularity.Choice) []irregularity.Choice {
	return func([]irregularity.Choice) []irregularity.Choice { return []irregularity.Choice{c} }
}

// butAccept are the ways that do not say that all was right.
func butAccept(offered []irregularity.Choice) []irregularity.Choice {
	return slices.DeleteFunc(offered, func(c irregularity.Choice) bool { return c == irregularity.Accept })
}

// orToBank: the books differ, and a card that is left with the bank is no irregularity any more.
func orToBank(offered []irregularity.Choice) []irregularity.Choice {
	return append([]irregularity.Choice{irregularity.Cleared}, butAccept(offered)...)
}

func everywhere(House) bool   { return true }
func keepsCards(h House) bool { return h.Keeps }
func keepsNone(h House) bool  { return !h.Keeps }
func callsFirst(h House) bool { return h.Play.Calls == rules.CallsRequired }
func mayAccept(h House) bool  { return h.Ways(irregularity.CardWithoutCall).Has(irregularity.Accept) }
func keysApart(h House) bool  { return h.Game == rules.BlackJack && h.Play.KeysApart > 0 }

// keyFirst: in Black James a card without a forecast can only be burnt.
func keyFirst(h House) bool { return h.Game == rules.BlackJack && mayAccept(h) }

// secondLast: the bank draws its second card after the boxes, and forecasts nothing from it.
func secondLast(h House) bool { return h.Game == rules.BlackJack && callsFirst(h) }

// noJokers: a shoe that keeps no card cannot read one that it does not expect, either.
func noJokers(h House) bool { return h.Cards.Jokers == 0 && h.Keeps }

// before says whether a press of the dealer is the next one at a place.
func (p Place) before(in vocab.Input) bool {
	return in.Kind == map[Place]vocab.InputKind{Betting: vocab.InClose, Calling: vocab.InCall, Paying: vocab.InPaid}[p]
}

func calling(in vocab.Input, c ...vocab.Call) bool { return slices.Contains(c, in.Call) }

func wantsCard(_ display.View, in vocab.Input) bool {
	return calling(in, vocab.CallCard, vocab.CallHigher, vocab.CallLower)
}

func rests(_ display.View, in vocab.Input) bool { return calling(in, vocab.CallRest) }

// mayDraw: the second key must be one that is not the guest's.
func mayDraw(v display.View, in vocab.Input) bool {
	return rests(v, in) && slices.Contains(v.Due.Allowed, vocab.CallCard)
}

func noneLies(v display.View, _ vocab.Input) bool {
	return v.Due.To == vocab.ToCall && v.Waiting == nil
}

// paysBox: only a payment that is known can be wrong.
func paysBox(v display.View, in vocab.Input) bool {
	return in.Box == 0 && v.Sums != nil && unpaid(v) != nil
}

// unpaid is the first box on which something is won that was not paid at once.
func unpaid(v display.View) *display.Box {
	for i := range v.Boxes {
		if b := &v.Boxes[i]; !b.Paid && wonOn(b) > 0 {
			return b
		}
	}
	return nil
}

// wonOn is what a box has won and was not paid before.
func wonOn(b *display.Box) int64 {
	won, _ := display.ToPay(*b)
	return won
}

// oneUnitMore pays a box one unit too much, as the cameras see.
func oneUnitMore(v display.View, _ *rand.Rand) vocab.Input {
	box := unpaid(v)
	return vocab.Input{Kind: vocab.InPaid, Box: box.Number, Amount: wonOn(box) + v.Unit, Stated: true}
}

// stopsRound: a guest says otherwise. The dealer stops the round, a supervisor looks and lets it go on.
func stopsRound(v display.View, dice *rand.Rand) vocab.Input {
	reasons := slices.Collect(display.HoldReasons)
	because := reasons[dice.IntN(len(reasons))]
	return vocab.Input{Kind: vocab.InHold, Role: vocab.Dealer, By: v.Shift.Dealer, Because: because}
}

func callsFloor(v display.View, dice *rand.Rand) vocab.Input {
	reasons := slices.Collect(vocab.EveryFloorReason)
	wants := reasons[dice.IntN(len(reasons))]
	return vocab.Input{
		Kind: vocab.InFloor, Floor: vocab.FloorCall{Event: vocab.FloorCalled, Wants: wants}, By: v.Shift.Dealer,
	}
}
