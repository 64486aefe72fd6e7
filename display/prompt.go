package display

import "strconv"

// Message is something to say to the dealer, in any language: the key of a text
// and what goes into the text's {names}. The zero Message says nothing.
type Message struct {
	Key  string
	Args []Arg
}

// Arg fills one {name} of a text: with Text as it stands, or, where Keys are
// given, with what the language calls each of them, joined by its "or".
type Arg struct {
	Name string
	Text string
	Keys []string
}

// Step is the one next thing to do, in the order in which it is read.
type Step struct {
	// Headline is what to do now.
	Headline Message
	// Detail is how, or who; it may be empty.
	Detail Message
	// Note says why the last input was refused; empty if it was taken.
	Note Message
	// Stop says that the round stands still until Headline is put right.
	Stop bool
}

// Prompt returns what the dealer has to do next. It reads Due and, while the
// round is held, Held; it never guesses beyond them.
func Prompt(v View) Step {
	s := Step{Headline: headline(v), Detail: detail(v)}
	if v.Held != nil {
		s.Headline = say("held.stop", keys("what", LabelHeld, v.Held.Code))
		s.Detail = wayOut(*v.Held)
		s.Stop = true
	}
	if v.Rejected != "" {
		s.Note = say("prompt.rejected", keys("why", LabelRejected, v.Rejected))
	}
	return s
}

func headline(v View) Message {
	switch v.Due.To {
	case "box":
		return atHand(v, "prompt.box")
	case "call":
		return atHand(v, "prompt.call", keys("calls", LabelCall, v.Due.Allowed...))
	case "bank":
		if v.Phase == PhaseBank {
			return say("prompt.bank-draws")
		}
		return say("prompt.bank")
	case "insurance":
		return say("prompt.insurance")
	case "payment":
		return say("prompt.payment")
	}
	switch v.Phase {
	case PhaseIdle:
		return say("prompt.idle")
	case PhaseBets:
		return say("prompt.bets")
	}
	return say("prompt.wait")
}

func detail(v View) Message {
	switch {
	case v.Shoe.Alarm != "":
		return say("detail.shoe-alarm", text("alarm", v.Shoe.Alarm))
	case !v.Shoe.Online:
		return say("detail.shoe-offline")
	case v.Due.To == "insurance":
		return say("detail.insurance")
	case v.Due.To == "payment" && v.Sums != nil:
		return say("detail.payment", text("amount", Money(v.Sums.Won, v.Digits)), text("currency", v.Currency))
	case v.Phase == PhaseBets:
		return say("detail.bets")
	}
	return Message{}
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

func keys(name string, kind Kind, names ...string) Arg {
	a := Arg{Name: name, Keys: make([]string, len(names))}
	for i, n := range names {
		a.Keys[i] = key(kind, n)
	}
	return a
}
