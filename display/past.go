package display

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/history"
	"github.com/sabot-table/sabot/table/plaintext"
	"github.com/sabot-table/sabot/table/vocab"
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
	// Card is the card that it is about.
	Card card.Card
	Text string
	// Back says that it was taken back later, After that the round was closed by then.
	Back, After bool
	// backIn is the record that took it back.
	backIn uint64
	// stands is the text with which it was told before, where a correction says that it stands.
	stands string
}

// pastTime is how moments within a round are told: keys are milliseconds apart.
const pastTime = "15:04:05.000"

// Tell tells a past round in the order in which it went. What was due is left out:
// it follows from the rest, and the record has it.
func (l Language) Tell(r history.Round) []Told {
	var list []Told
	split := map[int]bool{}
	l.currency = r.Table.Currency
	for i := range r.Steps {
		s := &r.Steps[i]
		t := teller{language: l, step: s, round: &r, void: r.Void, split: split}
		t.back = s.TakenBack
		t.input()
		for j := range s.Outputs {
			t.back = s.Back(s.Outputs[j].Out.Kind)
			t.output(&s.Outputs[j])
		}
		if len(t.list) > 0 {
			t.list[0].Text += l.origin(s)
		}
		list = append(list, t.list...)
	}
	list = append(list, l.later(r)...)
	for i := range list { // what was recorded before names had a rule shows nothing but itself
		list[i].Text = plaintext.Visible(list[i].Text)
	}
	return list
}

// later tells what was paid or taken of a round in later ones.
func (l Language) later(r history.Round) (list []Told) {
	for i := range r.Adjusted {
		a := &r.Adjusted[i]
		if a.In == r.Number {
			continue // it is among its steps
		}
		t := teller{language: l, step: &history.Step{Seq: a.Seq, At: a.At, After: true}}
		t.adjusted(&a.Line.Out)
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
	step     *history.Step
	round    *history.Round
	void     bool
	back     uint64       // the record that took back what is being told, 0 for none
	split    map[int]bool // the boxes that have several hands by then
	list     []Told
}

func (t *teller) add(kind string, box, hand int, text string) *Told {
	hand = t.among(box, hand)
	t.list = append(t.list, Told{
		Seq: t.step.Seq, Time: t.step.At.Format(pastTime), Kind: kind, Box: box, Where: t.language.where(box, hand),
		Text: text, Back: t.back != 0, After: t.step.After, backIn: t.back,
	})
	return &t.list[len(t.list)-1]
}

// among is a hand's number where its box has several by then, else 0.
func (t *teller) among(box, hand int) int {
	if t.split[box] = t.split[box] || hand > 1; t.split[box] {
		return hand
	}
	return 0
}

// where names a box, and its hand where that is one of several; 0 is the only one.
func (l Language) where(box, hand int) string {
	switch {
	case box == 0:
		return ""
	case hand > 0:
		return l.Say(say("past.box-hand", text("box", strconv.Itoa(box)), text("hand", strconv.Itoa(hand))))
	}
	return l.Say(say("past.box", text("box", strconv.Itoa(box))))
}

// input tells what was put in, where no answer says the same.
func (t *teller) input() {
	in, l := &t.step.Input.In, t.language
	refused := t.step.Rejected()
	switch in.Kind {
	case vocab.InStake:
		t.add(ToldStake, in.Box, 0, l.stake(in))
	case vocab.InCall:
		box, hand := t.turn()
		t.add(ToldCall, box, hand, l.called(in))
		if in.Call == vocab.CallSplit && !refused && t.back == 0 {
			t.split[box] = true
		}
	case vocab.InPaid:
		if in.Wager == "" || refused {
			t.add(ToldRound, in.Box, int(in.Hand), l.paid(in))
		}
	case vocab.InShoe:
		t.add(ToldOther, 0, 0, l.fill("past.shoe",
			text("what", join(l.Named(LabelShoe, in.Shoe.Event), l.Told(LabelAlarm, in.Code)))))
	case vocab.InNote:
		t.add(ToldOther, 0, 0, l.fill("past.note", text("what", join(l.noted(in.Code), in.By))))
	case vocab.InSetup:
		t.add(ToldOther, 0, 0, l.fill("past.setup", text("house", HouseName(in.Setup.House))))
	case vocab.InStorage:
		t.add(ToldOther, 0, 0, l.fill("past.storage", text("what", join(l.Named(LabelStorage, in.Storage), in.Code))))
	case vocab.InCard:
		if len(t.step.Outputs) == 0 {
			t.add(ToldCard, 0, 0, l.fill("past.card")).Card = in.Card
		}
	case vocab.InOpen, vocab.InClose, vocab.InUndo, vocab.InResolve, vocab.InAcknowledge, vocab.InDealer, vocab.InFloor,
		vocab.InTable, vocab.InLimits, vocab.InHold, vocab.InCorrect, vocab.InMessage, vocab.InCommand,
		vocab.InSettings, vocab.InAdjust, vocab.InCount, vocab.InFill, vocab.InCredit, vocab.InBuyIn, vocab.InDrop,
		vocab.InChange, vocab.InTips, vocab.InHole:
		if refused {
			t.add(ToldOther, 0, 0, l.fill("past.put-in", text("what", l.putIn(in))))
		}
	default:
		t.add(ToldOther, 0, 0, t.step.Input.Text())
	}
}

// turn is the box and the hand that an input is about: those that it names, or those
// whose turn it was.
func (t *teller) turn() (box, hand int) {
	in := &t.step.Input.In
	if in.Box == 0 && in.Kind == vocab.InCall && in.Call != vocab.CallInsuranceClosed {
		return t.step.Box, t.step.Hand
	}
	return in.Box, 0
}

// output tells an answer.
func (t *teller) output(line *history.Line) {
	l, out := t.language, &line.Out
	switch out.Kind {
	case vocab.DueChanged:
	case vocab.Opened:
		t.add(ToldRound, 0, 0, l.fill("past.opened", text("round", strconv.FormatUint(out.Round, 10))))
	case vocab.ClosedBets:
		t.add(ToldRound, 0, 0, l.fill("past.closed-bets"))
	case vocab.Rejected:
		box, hand := t.turn()
		t.add(ToldRefused, box, hand, l.fill("prompt.rejected", text("why", l.Named(LabelRejected, out.Reason))))
	case vocab.Dealt:
		t.dealt(out)
	case vocab.HoleTold:
		t.add(ToldCard, 0, 0, l.fill("past.hole-"+out.Hole.String())).Card = out.Card
	case vocab.HandDone:
		if out.Done.String() != t.step.Input.In.Call.String() {
			t.add(ToldOther, int(out.Box), int(out.Hand), l.Named(LabelDone, out.Done))
		}
	case vocab.Irregular, vocab.Resolved, vocab.Acknowledged, vocab.Undone:
		t.trouble(out)
	case vocab.Settled, vocab.Bonus:
		t.add(ToldSettled, int(out.Box), int(out.Hand), l.Settled(line))
	case vocab.PaidAtOnce:
		t.add(ToldSettled, int(out.Box), int(out.Hand), l.moved(out))
	case vocab.Payout:
		one := t.add(ToldSettled, int(out.Box), int(out.Hand), l.payout(out)+l.person(out.By, false))
		if out.Because != "" {
			one.Text += l.fill("past.because", text("reason", out.Because))
		}
	case vocab.Adjusted:
		t.adjusted(out)
	case vocab.Counted:
		t.add(ToldOther, 0, 0, l.trayCounted(out))
	case vocab.TrayMoved:
		t.add(ToldOther, 0, 0, l.trayMoved(out))
	case vocab.RoundDecided:
		t.add(ToldRound, 0, 0, l.sums(out, t.void)).Where = l.Label(LabelWord, "bank")
	case vocab.Finished:
		t.add(ToldRound, 0, 0, l.fill("past.finished"))
	case vocab.Corrected, vocab.Stands, vocab.Difference:
		t.corrected(out)
	default:
		t.aroundRounds(line)
	}
}

// aroundRounds tells an output that is no step of a round: who and what is at the table.
func (t *teller) aroundRounds(line *history.Line) {
	l, out := t.language, &line.Out
	switch out.Kind {
	case vocab.DealerChanged:
		t.add(ToldOther, 0, 0, l.dealer(out))
	case vocab.FloorTold:
		t.add(ToldOther, 0, 0, l.floorTold(out))
	case vocab.MessageTold:
		t.add(ToldOther, 0, 0, l.messageTold(out))
	case vocab.TableChanged:
		t.add(ToldOther, 0, 0, l.tableTold(out))
	case vocab.LimitsChanged:
		t.add(ToldOther, 0, 0, l.limitsTold(out))
	case vocab.ShoeLoadedAnew:
		t.add(ToldOther, 0, 0, l.loadedAnew(out))
	case vocab.SettingsChanged:
		t.add(ToldOther, 0, 0, l.settingTold(out))
	case vocab.ShoeChanged:
		t.add(ToldOther, 0, 0, l.fill("past.shoe",
			text("what", l.PastShoe(history.ShoeOf(out))+l.person(out.By, false))))
	default:
		t.add(ToldOther, 0, 0, line.Text())
	}
}

func (t *teller) dealt(out *vocab.Output) {
	l := t.language
	one := t.add(ToldCard, int(out.Box), int(out.Hand), l.handTotal(out))
	one.Card = out.Card
	switch out.To {
	case vocab.ToBank:
		one.Where = l.Label(LabelWord, "bank")
	case vocab.ToAside:
		one.Text = strings.TrimSpace(l.Label(LabelWord, "aside") + " " + one.Text)
	}
}

// trouble tells what went wrong, and who saw to it.
func (t *teller) trouble(out *vocab.Output) {
	l, in := t.language, &t.step.Input.In
	code := l.Named(LabelHeld, out.Code)
	switch out.Kind {
	case vocab.Irregular:
		one := t.add(ToldStop, int(out.Box), 0, l.fill("held.stop", text("what", l.wrong(out)))+l.person(out.By, false))
		if one.Card = out.Card; out.Because != "" {
			one.Text += l.fill("past.because", text("reason", l.holdReason(out.Because)))
		}
	case vocab.Resolved:
		with := l.fill("past.resolved", text("what", code), text("with", l.Named(LabelChoice, out.With)))
		asDealer := in.Kind == vocab.InResolve && in.Role == vocab.Dealer
		one := t.add(ToldRight, 0, 0, with+l.person(out.By, asDealer))
		if in.Kind == vocab.InResolve {
			one.Card = in.Card
		}
		if out.Because != "" {
			one.Text += l.fill("past.because", text("reason", out.Because))
		}
	case vocab.Acknowledged:
		t.add(ToldOther, 0, 0, l.fill("past.acknowledged", text("what", code))+l.person(out.By, false))
	case vocab.Undone:
		t.add(ToldUndone, int(out.Box), int(out.Hand), l.undone(out, t.unmoved()))
	}
}

// unmoved is how the chips were moved in the payment that the step has taken back: paid, if any of them were or nobody
// knows.
func (t *teller) unmoved() Move {
	move := Open
	for i := range t.round.Steps {
		s := &t.round.Steps[i]
		if s.TakenBack != t.step.Seq || s.Input.In.Kind != vocab.InPaid {
			continue
		}
		moved := movedIn(s)
		if len(moved) == 0 && s.Input.In.Box != 0 {
			moved = t.movedWith(s.Input.In.Box)
		}
		for k := range moved {
			if is := moveOf(payout(moved[k])); move == Open || is == Pay {
				move = is
			}
		}
	}
	if move == Open {
		return Pay
	}
	return move
}

// movedIn are the wagers that a step says were paid or taken, each by itself.
func movedIn(s *history.Step) (list []vocab.Output) {
	for i := range s.Outputs {
		if out := s.Outputs[i].Out; out.Kind == vocab.PaidAtOnce {
			list = append(list, out)
		}
	}
	return list
}

// movedWith are the wagers that were paid or taken with their box.
func (t *teller) movedWith(box int) (list []vocab.Output) {
	for i := range t.round.Boxes {
		if b := &t.round.Boxes[i]; b.Number == box {
			for k := range b.Settled {
				list = append(list, b.Settled[k].Out)
			}
		}
	}
	for i := range t.round.Steps {
		s := &t.round.Steps[i]
		for _, alone := range movedIn(s) {
			list = slices.DeleteFunc(list, func(one vocab.Output) bool {
				return s.TakenBack == 0 && one.Box == alone.Box && one.Bettor == alone.Bettor &&
					one.Wager == alone.Wager &&
					one.Hand == alone.Hand && one.Why == alone.Why
			})
		}
	}
	return list
}

// corrected tells what was corrected, which inputs stand, and what it changes of what was
// paid.
func (t *teller) corrected(out *vocab.Output) {
	l := t.language
	switch out.Kind {
	case vocab.Corrected:
		what := l.text("correct." + out.Corrected.What.String())
		one := t.add(ToldRight, int(out.Box), int(out.Hand),
			l.fill("past.corrected", text("what", what))+l.person(out.By, false))
		if one.Card = out.Card; out.Because != "" {
			one.Text += l.fill("past.because", text("reason", l.holdReason(out.Because)))
		}
	case vocab.Difference:
		d := differenceOf(out)
		d.Hand = t.among(d.Box, d.Hand)
		t.add(ToldSettled, int(out.Box), int(out.Hand), l.difference(d, func(amount int64) string {
			return l.PastMoney(&amount)
		}))
	case vocab.Stands:
		in := out.Stand
		stands := func(kind string, hand int, what string) *Told {
			one := t.add(kind, in.Box, hand, l.fill("past.stands", text("what", what)))
			one.stands = what
			return one
		}
		switch in.Kind {
		case vocab.InStake:
			stands(ToldStake, 0, l.stake(in))
		case vocab.InCall:
			stands(ToldCall, int(in.Hand), l.called(in))
		case vocab.InCorrect:
			stands(ToldRight, int(in.Hand), l.text("correct."+in.Correct.What.String())).Card = in.Card
		}
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

// adjusted tells what was paid or taken of a wager of a past round.
func (t *teller) adjusted(out *vocab.Output) {
	l, key, amount := t.language, "past.adjusted-paid", out.Adjusted
	if amount < 0 {
		key, amount = "past.adjusted-taken", -amount
	}
	told := l.fill(key, text("round", strconv.FormatUint(out.Round, 10)), text("bettor", out.Bettor),
		text("wager", l.Named(LabelWager, out.Wager)),
		text("amount", l.pastMoney(amount)))
	one := t.add(ToldSettled, int(out.Box), int(out.Hand), told+l.person(out.By, false))
	if out.Because != "" {
		one.Text += l.fill("past.because", text("reason", l.adjustReason(out.Because)))
	}
}

// adjustReasons are what the page's keys say of why a past round is adjusted.
var adjustReasons = []string{"too-little", "too-much", "wrong-bettor", "dispute", "goodwill"}

// AdjustReasons yields the reasons for which the page has keys.
func AdjustReasons(yield func(string) bool) { slices.Values(adjustReasons)(yield) }

// adjustReason says why: by the page's word for it, or as it was written.
func (l Language) adjustReason(because string) string {
	if slices.Contains(adjustReasons, because) {
		return l.text("adjust." + because)
	}
	return because
}
