package notation

import (
	"strconv"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// Digits are how many decimals the amounts of a table have: nothing else of it is needed to say what happens there.
type Digits int

// DigitsOf are those of a table, which may not be set up yet.
func DigitsOf(t *table.Table) Digits {
	if r := t.Rules(); r != nil {
		return Digits(r.Digits())
	}
	return Digits(money.Digits(""))
}

// Amount writes an amount with them.
func (digits Digits) Amount(minor int64) string { return money.Format(minor, int(digits)) }

// AppendInputs writes inputs so that Inputs can read them, amounts with so many decimals. It leaves out their numbers,
// and does not write a setup, which has no notation, nor the seal of a card that lies face down, which is of one
// record.
func AppendInputs(dst []byte, inputs []vocab.Input, digits int) []byte {
	for i := range inputs {
		in := &inputs[i]
		switch {
		case i == 0:
		case in.Kind == vocab.InCard && inputs[i-1].Kind == vocab.InCard && inputs[i-1].Time == 0 && in.Time == 0 &&
			inputs[i-1].Origin == nil && in.Origin == nil:
			dst = append(dst, ' ')
		default:
			dst = append(dst, "; "...)
		}
		dst = appendOrigin(Digits(digits).appendInput(dst, in), in.Came())
	}
	return dst
}

func (digits Digits) appendInput(dst []byte, in *vocab.Input) []byte {
	if in.Time != 0 {
		dst = append(append(append(dst, '@'), time.Duration(in.Time).String()...), ' ')
	}
	switch in.Kind {
	case vocab.InCard:
		return append(dst, in.Card.String()...)
	case vocab.InCall:
		return digits.appendCall(append(dst, in.Call.String()...), in)
	}
	dst = append(dst, in.Kind.String()...)
	switch in.Kind {
	case vocab.InStake:
		return digits.appendStake(dst, in)
	case vocab.InResolve:
		return appendResolve(dst, in)
	case vocab.InShoe:
		return appendShoe(appendWords(dst, in.Shoe.Event.String()), in)
	case vocab.InPaid:
		return digits.appendPaid(dst, in)
	case vocab.InAcknowledge:
		return appendCommand(appendWords(dst, in.Irregularity.String(), in.By), in)
	case vocab.InDealer:
		dst = appendOptional(appendWords(dst, in.By), in.Dealer.Shift)
		return appendNamed(appendNamed(dst, "proof", in.Dealer.Proof.String()), "relieves", in.Dealer.Relieves)
	case vocab.InUndo:
		return appendOptional(dst, undoneName(in.Of))
	case vocab.InHold:
		return appendWho(dst, in)
	case vocab.InHole:
		dst = appendOptional(appendWords(dst, in.Hole.String()), in.Card.String())
		return appendWho(dst, in)
	case vocab.InAdjust:
		return appendWho(digits.appendAdjustment(dst, in), in)
	case vocab.InCount, vocab.InFill, vocab.InCredit, vocab.InBuyIn, vocab.InTips, vocab.InDrop, vocab.InChange:
		return appendWho(digits.appendTray(dst, in), in)
	case vocab.InCorrect:
		return appendWho(digits.appendCorrection(appendWords(dst, in.Correct.What.String()), in), in)
	}
	return digits.appendBeside(dst, in)
}

// appendBeside writes what follows the name of an input that is no step of a round.
func (digits Digits) appendBeside(dst []byte, in *vocab.Input) []byte {
	switch in.Kind {
	case vocab.InTable:
		return appendCommand(appendNamed(appendNamed(appendWords(dst, in.Table.Event.String()), "dealer",
			in.Table.Dealer), "by", in.By), in)
	case vocab.InLimits:
		dst = appendNamed(dst, "min", digits.amountOrNone(in.Limits.Min))
		dst = appendNamed(dst, "box_max", digits.amountOrNone(in.Limits.BoxMax))
		return appendCommand(appendNamed(dst, "by", in.By), in)
	case vocab.InNote:
		return appendNamed(appendWords(dst, in.Code), "by", in.By)
	case vocab.InStorage:
		return appendOptional(appendWords(dst, in.Storage.String()), in.Code)
	case vocab.InFloor:
		dst = appendOptional(appendWords(dst, in.Floor.Event.String()), in.Floor.Wants.String())
		return appendNamed(dst, "by", in.By)
	case vocab.InMessage:
		return appendMessage(dst, in)
	case vocab.InCommand:
		return appendNamed(appendWords(dst, in.Refused.Why, strconv.Itoa(int(in.Refused.Times))), "by", in.By)
	case vocab.InSettings:
		return appendSetting(dst, in)
	case vocab.InMeter, vocab.InJackpot:
		return digits.appendJackpot(dst, in)
	}
	return dst
}

func (digits Digits) appendAdjustment(dst []byte, in *vocab.Input) []byte {
	dst = appendWords(appendBettor(appendWords(dst, strconv.Itoa(in.PastRound)), in), digits.Amount(in.Amount))
	if in.Wager != vocab.WagerMain {
		dst = appendWords(dst, in.Wager.String())
	}
	if in.Hand != 0 {
		dst = appendNamed(dst, "hand", strconv.Itoa(int(in.Hand)))
	}
	return dst
}

func appendMessage(dst []byte, in *vocab.Input) []byte {
	dst = appendWords(dst, in.Message.Event.String())
	if in.Message.Event == vocab.MessageSent {
		dst = appendWords(dst, in.Message.Text)
	}
	return appendCommand(appendNamed(dst, "by", in.By), in)
}

// appendCommand writes the id of the command that put the input in.
func appendCommand(dst []byte, in *vocab.Input) []byte {
	return appendNamed(dst, "command", in.Command)
}

// undoneName is what an undo names, "" for the last key press.
func undoneName(k vocab.InputKind) string {
	if k == 0 {
		return ""
	}
	return k.String()
}

// amountOrNone writes an amount, "" for 0.
func (digits Digits) amountOrNone(minor int64) string {
	if minor == 0 {
		return ""
	}
	return digits.Amount(minor)
}

func (digits Digits) appendCall(dst []byte, in *vocab.Input) []byte {
	if in.Bettor == "" {
		dst = appendWords(dst, in.Bettors...)
		if in.Stated {
			dst = appendNamed(dst, "for", digits.Amount(in.Amount))
		}
		return dst
	}
	if in.Call == vocab.CallSurrender {
		return appendNamed(appendWords(dst, in.Bettor), "box", strconv.Itoa(in.Box))
	}
	dst = appendBettor(dst, in)
	if in.Call == vocab.CallInsurance {
		dst = digits.appendAmount(dst, in)
	}
	return dst
}

func (digits Digits) appendStake(dst []byte, in *vocab.Input) []byte {
	dst = digits.appendAmount(appendBettor(dst, in), in)
	if in.Wager != vocab.WagerMain {
		dst = appendWords(dst, in.Wager.String())
	}
	switch in.Seat {
	case vocab.Standing:
		dst = append(dst, " standing"...)
	case vocab.Seated:
		dst = append(dst, " seated"...)
	}
	return appendNamed(dst, "player", in.Player)
}

func appendResolve(dst []byte, in *vocab.Input) []byte {
	dst = appendWords(dst, in.With.String())
	if in.Card != card.None {
		dst = appendWords(dst, in.Card.String())
	}
	return appendWho(dst, in)
}

// appendWho writes who it is, as what, and why.
func appendWho(dst []byte, in *vocab.Input) []byte {
	if in.Role == vocab.Dealer {
		dst = appendWords(dst, in.Role.String())
	}
	return appendNamed(appendNamed(dst, "by", in.By), "because", in.Because)
}

// appendCorrection writes what is changed: "take-back 3", "rename 5 7H", "move 5 2/1",
// "move 5 bank", "stake 1 a 20 twins".
func (digits Digits) appendCorrection(dst []byte, in *vocab.Input) []byte {
	switch in.Correct.What {
	case vocab.TakeBack, vocab.Missed:
		return appendWords(dst, strconv.Itoa(in.Correct.Nth))
	case vocab.Rename:
		return appendWords(dst, strconv.Itoa(in.Correct.Nth), in.Card.String())
	case vocab.Move:
		if in.Correct.To != vocab.ToBox {
			return appendWords(dst, strconv.Itoa(in.Correct.Nth), in.Correct.To.String())
		}
		return appendWords(dst, strconv.Itoa(in.Correct.Nth), strconv.Itoa(in.Box), strconv.Itoa(int(in.Hand)))
	case vocab.SetStake:
		return digits.appendStake(dst, in)
	case vocab.Dead:
		return appendDead(dst, in)
	case vocab.Came:
		dst = appendWords(dst, in.Card.String())
		if in.Correct.Nth != 0 {
			return appendNamed(dst, "before", strconv.Itoa(in.Correct.Nth))
		}
	}
	return dst
}

func appendDead(dst []byte, in *vocab.Input) []byte {
	dst = appendWords(dst, strconv.Itoa(in.Box))
	if in.Hand != 0 {
		dst = appendNamed(dst, "hand", strconv.Itoa(int(in.Hand)))
	}
	dst = appendNamed(appendNamed(dst, "wager", in.Wager.String()), "bettor", in.Bettor)
	return appendOptional(dst, in.Correct.Outcome.String())
}

func appendShoe(dst []byte, in *vocab.Input) []byte {
	if in.Shoe.Event == vocab.ShoeGap && in.Shoe.Missing != 0 {
		return appendWords(dst, strconv.Itoa(in.Shoe.Missing))
	}
	dst = appendOptional(dst, in.Code)
	if in.Role == vocab.Dealer {
		dst = appendWords(dst, in.Role.String())
	}
	is := in.Names()
	for _, one := range [...]struct{ name, text string }{
		{"maker", is.Maker}, {"serial", is.Serial}, {"firmware", is.Firmware}, {"packs", is.Packs}, {"by", in.By},
	} {
		dst = appendNamed(dst, one.name, one.text)
	}
	return dst
}

func (digits Digits) appendPaid(dst []byte, in *vocab.Input) []byte {
	if in.Box != 0 {
		dst = appendWords(dst, "box", strconv.Itoa(in.Box))
	}
	dst = appendNamed(appendNamed(dst, "wager", in.Wager.String()), "bettor", in.Bettor)
	if in.Hand != 0 {
		dst = appendNamed(dst, "hand", strconv.Itoa(int(in.Hand)))
	}
	dst = appendNamed(dst, "why", in.Why.String())
	if in.Stated {
		dst = digits.appendAmount(dst, in)
	}
	return dst
}

func appendBettor(dst []byte, in *vocab.Input) []byte {
	return appendWords(dst, strconv.Itoa(in.Box), in.Bettor)
}

func (digits Digits) appendAmount(dst []byte, in *vocab.Input) []byte {
	if !in.Stated {
		return appendWords(dst, unstated)
	}
	return appendWords(dst, digits.Amount(in.Amount))
}

func appendWords(dst []byte, words ...string) []byte {
	for _, w := range words {
		dst = appendWord(append(dst, ' '), w)
	}
	return dst
}

func appendOptional(dst []byte, word string) []byte {
	if word == "" {
		return dst
	}
	return appendWords(dst, word)
}

// alone is a meter of which nothing is heard.
const alone = "alone"

// appendJackpot writes what the pit says of a linked jackpot: "12345.60 entry=17", or "alone".
func (digits Digits) appendJackpot(dst []byte, in *vocab.Input) []byte {
	said := alone
	if in.Stated {
		said = digits.Amount(in.Amount)
	}
	if dst = appendWords(dst, said); in.Entry == 0 {
		return dst
	}
	return appendNamed(dst, "entry", strconv.Itoa(in.Entry))
}

// appendSetting writes "settings changed box_max by=anna was=100.00 now=500.00".
func appendSetting(dst []byte, in *vocab.Input) []byte {
	s := in.Sets()
	dst = appendNamed(appendWords(dst, s.Did.String(), s.Key), "name", s.Of)
	dst = appendNamed(appendNamed(dst, "was", s.Was), "now", s.Now)
	return appendNamed(appendNamed(dst, "by", in.By), "with", s.Also)
}

// unstated is an amount that the dealer has not entered.
const unstated = "-"

// appendWord writes a word, in quotation marks where it needs them.
func appendWord(dst []byte, text string) []byte {
	plain := text != ""
	for _, r := range text {
		plain = plain && r > ' ' && strconv.IsPrint(r) && !strings.ContainsRune(`;|"=@`, r) && r != '\uFFFD'
	}
	if plain {
		return append(dst, text...)
	}
	return strconv.AppendQuote(dst, text)
}

// appendNamed writes a word preceded by its name, unless it is empty.
func appendNamed(dst []byte, name, text string) []byte {
	if text == "" {
		return dst
	}
	dst = append(append(append(dst, ' '), name...), '=')
	return appendWord(dst, text)
}
