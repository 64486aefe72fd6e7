package display

import (
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/table/past"
)

// The kinds of what is told of a past round.
const (
	ToldStake   = "stake"
	ToldCard    = "card"
	ToldCall    = "call"
	ToldStop    = "stop"    // it went wrong
	ToldRight   = "right"   // it was put right
	ToldUndone  = "undone"  // it was taken back
	ToldRefused = "refused" // it was not taken
	ToldSettled = "settled"
	ToldRound   = "round" // how far the round was
	ToldOther   = "other"
)

// Told is one thing that happened in a past round, in words.
type Told struct {
	// Seq is the record's number in the journal, and Time when it was taken, by this
	// machine's clock and zone.
	Seq  uint64
	Time string
	Kind string
	// Box is the box that it is about, 0 for the bank and the whole table.
	Box int
	// Where names the box and its hand, or the bank; "" is the table as a whole.
	Where string
	// Card is the card that it is about, in two characters, "" for none.
	Card string
	Text string
	// Back says that it was taken back later, After that the round was closed by then.
	Back, After bool
}

// pastTime is how moments within a round are told: keys are milliseconds apart.
const pastTime = "15:04:05.000"

// Tell tells a past round in the order in which it went. What was due is left out:
// it follows from the rest, and the record has it.
func (l Language) Tell(r past.Round) []Told {
	var list []Told
	for i := range r.Steps {
		s := &r.Steps[i]
		t := teller{language: l, step: s}
		t.input()
		for j := range s.Outputs {
			t.output(&s.Outputs[j])
		}
		list = append(list, t.list...)
	}
	return list
}

// OfBox keeps what concerns a box: what is told of it, of the bank, and of the whole
// table.
func OfBox(list []Told, box int) []Told {
	var kept []Told
	for _, one := range list {
		if one.Box == 0 || one.Box == box {
			kept = append(kept, one)
		}
	}
	return kept
}

// teller tells one step.
type teller struct {
	language Language
	step     *past.Step
	list     []Told
}

func (t *teller) add(kind string, box, hand int, text string) *Told {
	t.list = append(t.list, Told{
		Seq: t.step.Seq, Time: t.step.At.Format(pastTime), Kind: kind, Box: box, Where: t.language.where(box, hand),
		Text: text, Back: t.step.TakenBack != 0, After: t.step.After,
	})
	return &t.list[len(t.list)-1]
}

// where names a box, and its hand from the second on.
func (l Language) where(box, hand int) string {
	switch {
	case box == 0:
		return ""
	case hand > 1:
		return l.Say(say("past.box-hand", text("box", strconv.Itoa(box)), text("hand", strconv.Itoa(hand))))
	}
	return l.Say(say("past.box", text("box", strconv.Itoa(box))))
}

// input tells what was put in, where no answer says the same.
func (t *teller) input() {
	in, l := &t.step.Input, t.language
	refused := t.step.Rejected() != ""
	switch in.In {
	case "stake":
		t.add(ToldStake, in.Box, 0, l.stake(in))
	case "call":
		box, hand := t.turn()
		t.add(ToldCall, box, hand, l.called(in))
	case "paid":
		t.add(ToldRound, in.Box, 0, l.paid(in))
	case "shoe":
		t.add(ToldOther, 0, 0, l.fill("past.shoe", text("what", join(l.Label(LabelShoe, in.Event), l.Told(LabelAlarm, in.Code)))))
	case "note":
		t.add(ToldOther, 0, 0, l.fill("past.note", text("what", join(l.noted(in.Code), in.By))))
	case "setup":
		t.add(ToldOther, 0, 0, l.fill("past.setup", text("house", in.House)))
	case "storage":
		t.add(ToldOther, 0, 0, l.fill("past.storage", text("what", join(l.Label(LabelStorage, in.Event), in.Code))))
	case "card":
		if len(t.step.Outputs) == 0 {
			t.add(ToldCard, 0, 0, l.fill("past.card")).Card = in.Card
		}
	case "open", "close", "undo", "resolve", "acknowledge", "dealer":
		if refused {
			t.add(ToldOther, 0, 0, l.fill("past.put-in", text("what", l.putIn(in))))
		}
	default:
		t.add(ToldOther, 0, 0, in.Text())
	}
}

// turn is the box and the hand that an input is about: those that it names, or those
// whose turn it was.
func (t *teller) turn() (box, hand int) {
	in := &t.step.Input
	if in.Box == 0 && in.In == "call" && in.Call != "insurance-closed" {
		return t.step.Box, t.step.Hand
	}
	return in.Box, 0
}

// output tells an answer.
func (t *teller) output(out *past.Line) {
	l := t.language
	switch out.Out {
	case "due":
	case "opened":
		t.add(ToldRound, 0, 0, l.fill("past.opened", text("round", strconv.FormatUint(out.Round, 10))))
	case "closed-bets":
		t.add(ToldRound, 0, 0, l.fill("past.closed-bets"))
	case "rejected":
		box, hand := t.turn()
		t.add(ToldRefused, box, hand, l.fill("prompt.rejected", text("why", l.Label(LabelRejected, out.Reason))))
	case "dealt":
		t.dealt(out)
	case "done":
		if out.Why != t.step.Input.Call {
			t.add(ToldOther, out.Box, out.Hand, l.Label(LabelDone, out.Why))
		}
	case "irregular", "resolved", "acknowledged", "undone":
		t.trouble(out)
	case "settled", "bonus":
		t.add(ToldSettled, out.Box, out.Hand, l.Settled(out))
	case "round":
		t.add(ToldRound, 0, 0, l.sums(out)).Where = l.Label(LabelWord, "bank")
	case "finished":
		t.add(ToldRound, 0, 0, l.fill("past.finished"))
	case "dealer":
		t.add(ToldOther, 0, 0, l.dealer(out))
	default:
		t.add(ToldOther, out.Box, out.Hand, out.Text())
	}
}

func (t *teller) dealt(out *past.Line) {
	l := t.language
	one := t.add(ToldCard, out.Box, out.Hand, l.handTotal(out))
	one.Card = out.Card
	switch out.To {
	case "bank":
		one.Where = l.Label(LabelWord, "bank")
	case "aside":
		one.Text = strings.TrimSpace(l.Label(LabelWord, "aside") + " " + one.Text)
	}
}

// trouble tells what went wrong, and who saw to it.
func (t *teller) trouble(out *past.Line) {
	l := t.language
	code := l.Label(LabelHeld, out.Code)
	switch out.Out {
	case "irregular":
		t.add(ToldStop, out.Box, 0, l.fill("held.stop", text("what", l.wrong(out)))).Card = out.Card
	case "resolved":
		with := l.fill("past.resolved", text("what", code), text("with", l.Label(LabelChoice, out.With)))
		one := t.add(ToldRight, 0, 0, with+l.person(out.By, t.step.Input.Role))
		one.Card = t.step.Input.Card
		if t.step.Input.In != "resolve" {
			one.Card = ""
		}
		if out.Reason != "" {
			one.Text += l.fill("past.because", text("reason", out.Reason))
		}
	case "acknowledged":
		t.add(ToldOther, 0, 0, l.fill("past.acknowledged", text("what", code))+l.person(out.By, ""))
	case "undone":
		t.add(ToldUndone, out.Box, out.Hand, l.undone(out))
	}
}

// join sets words that are there side by side.
func join(words ...string) string {
	var given []string
	for _, w := range words {
		if w != "" {
			given = append(given, w)
		}
	}
	return strings.Join(given, " ")
}
