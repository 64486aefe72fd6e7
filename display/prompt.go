package display

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Message is something to say to the dealer, in any language: the key of a text
// and what goes into the text's {names}. The zero Message says nothing.
type Message struct {
	Key  string
	Args []Arg
}

// Arg fills one {name} of a text: with Text as it stands, or, where Keys are
// given, with what the language calls each of them, joined by its "or"; or with a
// Price as the language writes it.
type Arg struct {
	Name  string
	Text  string
	Keys  []string
	Price *Price
}

// Price is an amount in minor units, with its decimals and the code of its currency, "" to
// leave it out.
type Price struct {
	Minor    int64
	Digits   int
	Currency string
}

// Step is the one next thing to do, in the order in which it is read.
type Step struct {
	// Headline is what to do now.
	Headline Message
	// Detail is how, or who; it may be empty.
	Detail Message
	// Open says that a card lies open, which is dealt before any is drawn; empty for none.
	Open Message
	// Note says why the last input was refused or, if it was taken, what the dealer is told though it holds nothing;
	// mostly empty.
	Note Message
	// Stop says that the round stands still until Headline is put right.
	Stop bool
}

// Prompt returns what the dealer has to do next. It reads Due and, while the
// round is held, Held; it never guesses beyond them.
func Prompt(v View) Step {
	s := Step{Headline: headline(v), Detail: detail(v), Open: openSays(v)}
	if now, asked := Asked(v); asked {
		s.Headline, s.Detail = now.Says(v), s.Headline
	}
	if v.Held != nil {
		s.Headline = say("held.stop", keys("what", LabelHeld, v.Held.Code))
		s.Detail = wayOut(*v.Held)
		s.Stop = true
	}
	if s.Detail.Key == "" {
		s.Detail = SlipDue(v)
	}
	switch {
	case v.TwoKeys:
		s.Note = say("held.wait." + irregularity.ContradictoryKeys.String())
	case v.Rejected != 0:
		s.Note = say("prompt.rejected", keys("why", LabelRejected, v.Rejected))
	case v.Held == nil: // what stops the round is put right first
		s.Note = tells(v)
	}
	return s
}

// tells says what holds nothing, and of which the dealer is told all the same until somebody of the pit has seen it.
func tells(v View) Message {
	for i := range v.Alerts {
		if a := &v.Alerts[i]; a.Code.Tells() && a.AcknowledgedBy == "" {
			return say("held.wait." + a.Code.String())
		}
	}
	return Message{}
}

func headline(v View) Message {
	switch v.Due.To {
	case 0:
		return say("prompt.wait")
	case vocab.ToBox:
		return atHand(v, "prompt.box")
	case vocab.ToCall:
		return atHand(v, "prompt.call", keys("calls", LabelCall, asAsked(v.Due.Allowed)...))
	case vocab.ToBank:
		if v.Phase == vocab.BankDraws {
			return say("prompt.bank-draws")
		}
		return say("prompt.bank")
	case vocab.ToHole:
		return say("prompt.hole")
	case vocab.ToLook:
		return say("prompt.look")
	case vocab.ToTurn:
		if v.HoleSeen == vocab.HoleBlackJack {
			return say("prompt.turn-black-jack")
		}
		return say("prompt.turn")
	case vocab.ToAside:
		return burns(v)
	case vocab.ToInsurance:
		return say("prompt.offer", keys("calls", LabelCall, offered(v)...))
	case vocab.ToPayment:
		if nothingToPay(v) {
			return say("prompt.payment-none")
		}
		return say("prompt.payment")
	}
	switch v.Phase {
	case vocab.Idle:
		if v.Opening.Closed {
			return say("prompt.closed")
		}
		if v.LacksDealer() {
			return say("prompt.dealer")
		}
		if v.Shoe.CutCard {
			return say("prompt.shuffle")
		}
		return say("prompt.idle")
	case vocab.Bets:
		return say("prompt.bets")
	}
	return say("prompt.wait")
}

// burns says how many cards are to be burnt.
func burns(v View) Message {
	switch {
	case v.Due.ByValue:
		return say("prompt.burn-by-value")
	case v.Due.Cards == 1:
		return say("prompt.burn-one")
	}
	return say("prompt.burn", text("cards", strconv.Itoa(v.Due.Cards)))
}

// asAsked puts the calls in the order in which a dealer asks for them: forecasts
// before the rest.
func asAsked(calls []vocab.Call) []vocab.Call {
	if !slices.Contains(calls, vocab.CallHigher) {
		return calls
	}
	asked := slices.Clone(calls)
	slices.SortStableFunc(asked, func(a, b vocab.Call) int { return last(a) - last(b) })
	return asked
}

func last(call vocab.Call) int {
	if call == vocab.CallRest {
		return 1
	}
	return 0
}

func detail(v View) Message {
	switch {
	case v.Shoe.Alarm != "":
		return say("detail.shoe-alarm", alarm(v.Shoe.Alarm))
	case !v.Shoe.Online:
		return say("detail.shoe-offline")
	case v.Due.To == vocab.ToAside:
		return say("detail.burn")
	case v.Due.To == vocab.ToInsurance:
		return insuranceDetail(v)
	case v.Due.To == vocab.ToLook:
		return say("detail.look")
	case justLooked(v):
		return say("detail.no-black-jack")
	case v.Due.To == vocab.ToPayment && nothingToPay(v):
		return Message{}
	case v.Due.To == vocab.ToPayment && v.Sums != nil:
		return say("detail.payment", Arg{Name: "price", Price: &Price{leftToPay(v), v.Digits, v.Currency}})
	case v.Due.To == vocab.ToPayment && anyByOdds(v):
		return say("detail.payment-odds")
	case v.Due.To == vocab.ToCall && slices.Contains(v.Due.Allowed, vocab.CallSurrender):
		return say("detail.surrender")
	case v.Phase == vocab.Bets:
		return say("detail.bets")
	case v.Phase == vocab.Idle && v.Opening.Closed && v.Opening.By != "":
		return say("detail.closed-by", text("by", v.Opening.By))
	case v.Phase == vocab.Idle && v.Opening.Closed:
		return say("detail.closed")
	case v.Phase == vocab.Idle && v.LacksDealer():
		return say("detail.dealer-" + v.Dealers.Proof.String())
	case v.Phase == vocab.Idle && v.Shoe.CutCard:
		return say("detail.shuffle")
	}
	return Message{}
}

// justLooked says that the dealer has looked at the hole card, and no box has played yet.
func justLooked(v View) bool {
	if v.HoleSeen != vocab.HoleNoBlackJack || v.Due.To != vocab.ToCall {
		return false
	}
	for _, b := range v.Boxes {
		if len(b.Hands) == 0 {
			continue
		}
		first := b.Number == v.Due.Box && len(b.Hands) == 1 && len(b.Hands[0].Cards) == 2
		if first || b.Hands[0].Done == 0 {
			return first
		}
	}
	return false
}

// nothingToPay says that no box gets anything, nor is any corrected.
func nothingToPay(v View) bool {
	again := slices.ContainsFunc(v.Boxes, func(b Box) bool { return b.Before != nil })
	return !again && leftToPay(v) == 0 && !anyByOdds(v)
}

// leftToPay is what the boxes have won and nobody was paid at once; where a correction has taken payments back, what is
// still to be paid alone.
func leftToPay(v View) (left int64) {
	again := slices.ContainsFunc(v.Boxes, func(b Box) bool { return b.Before != nil })
	for _, b := range v.Boxes {
		if sum, _ := ToPay(b); !again || !b.Paid {
			left += sum
		}
	}
	return left
}

// alarm is what the shoe reports: in the dealer's language where it is known, else in
// the shoe's own words.
func alarm(code string) Arg {
	if known(key(LabelAlarm, code)) {
		return keyed("alarm", LabelAlarm, code)
	}
	return text("alarm", code)
}

// OffersSurrender says whether some box may surrender before the dealer looks at the hole card, or could have.
func OffersSurrender(v View) bool {
	return v.Due.To == vocab.ToInsurance && (anyOffers(v, vocab.CallSurrender) ||
		slices.ContainsFunc(v.Boxes, func(b Box) bool {
			return slices.ContainsFunc(b.Payouts, func(p Payout) bool { return p.Outcome == vocab.Surrendered })
		}))
}

// HasSurrendered says whether a bettor has given up the hand of a box, in which nobody has split yet.
func HasSurrendered(b Box, bettor string) bool {
	return slices.ContainsFunc(b.Payouts, func(p Payout) bool {
		return p.Bettor == bettor && p.Outcome == vocab.Surrendered
	})
}

func anyOffers(v View, call vocab.Call) bool {
	return slices.ContainsFunc(v.Boxes, func(b Box) bool { return slices.Contains(b.Offers, call) })
}

// offered are the calls that some box may make against the bank's first card: insurance
// where the view does not say.
func offered(v View) []vocab.Call {
	var calls []vocab.Call
	for _, call := range []vocab.Call{vocab.CallInsurance, vocab.CallEvenMoney, vocab.CallSurrender} {
		if anyOffers(v, call) {
			calls = append(calls, call)
		}
	}
	switch {
	case len(calls) > 0:
		return calls
	case OffersSurrender(v): // all have taken it
		return []vocab.Call{vocab.CallSurrender}
	}
	return []vocab.Call{vocab.CallInsurance}
}

func insuranceDetail(v View) Message {
	switch {
	case OffersSurrender(v):
		return say("detail.offer")
	case !slices.Contains(offered(v), vocab.CallInsurance):
		return say("detail.insurance-none")
	case v.Due.Half:
		return say("detail.insurance-half")
	}
	return say("detail.insurance")
}

func anyByOdds(v View) bool {
	return slices.ContainsFunc(v.Boxes, func(b Box) bool {
		_, byOdds := ToPay(b)
		return byOdds
	})
}

// atHand names the box that is due, and the hand where the box has several.
func atHand(v View, key string, args ...Arg) Message {
	args = append(args, text("box", strconv.Itoa(v.Due.Box)))
	if handsOn(v, v.Due.Box) > 1 {
		key += "-hand"
		args = append(args, text("hand", strconv.Itoa(v.Due.Hand)))
	}
	return say(key, args...)
}

func handsOn(v View, box int) int {
	for _, b := range v.Boxes {
		if b.Number == box {
			return len(b.Hands)
		}
	}
	return 0
}

func say(key string, args ...Arg) Message { return Message{Key: key, Args: args} }

func text(name, value string) Arg { return Arg{Name: name, Text: value} }

// keyed is filled with what a language calls a name.
func keyed(name string, kind Kind, what string) Arg {
	return Arg{Name: name, Keys: []string{key(kind, what)}}
}

// keys is filled with what a language calls values of the engine's.
func keys[T fmt.Stringer](name string, kind Kind, values ...T) Arg {
	a := Arg{Name: name, Keys: make([]string, len(values))}
	for i, v := range values {
		a.Keys[i] = key(kind, v.String())
	}
	return a
}
