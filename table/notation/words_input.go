package notation

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/table/vocab"
)

// Input says an input in a line, with where it came from as far as that does not go without
// saying.
func (digits Digits) Input(in vocab.Input) string {
	return told(digits.input(in), origin(in.Came()))
}

var holeSaid = [...]string{
	vocab.HoleLook:        "the dealer looks at the hole card",
	vocab.HoleBlackJack:   "the dealer has looked at the hole card: Black Jack",
	vocab.HoleNoBlackJack: "the dealer has looked at the hole card: no Black Jack",
	vocab.HoleTurned:      "the hole card is turned:",
	vocab.HoleExposed:     "the hole card was seen before its time:",
}

func (digits Digits) input(in vocab.Input) string {
	switch in.Kind {
	case vocab.InSetup:
		return "setup: " + in.Setup.House
	case vocab.InOpen:
		return "bets are opened"
	case vocab.InStake:
		return fmt.Sprintf("a %s stake of %s by %s on box %d", in.Wager, digits.stated(in), in.Bettor, in.Box)
	case vocab.InClose:
		return "no more bets"
	case vocab.InCard:
		return "the card " + in.Card.String() + " leaves the shoe"
	case vocab.InCall:
		return told("call: "+in.Call.String()+digits.forLess(in), in.Bettor, strings.Join(in.Bettors, ", "))
	case vocab.InUndo:
		if in.Of == vocab.InShoe {
			return "that the shoe was loaded is taken back"
		}
		return "the last key press is taken back"
	case vocab.InResolve:
		return told("an irregularity is put right: "+in.With.String(), in.Card.String(), by(in), in.Because)
	case vocab.InPaid:
		if in.Wager != "" {
			return told("the dealer pays or takes at once: "+in.Wager.String(), in.Why.String(), in.Bettor)
		}
		return "the dealer confirms payment"
	case vocab.InHole:
		return told(holeSaid[in.Hole], in.Card.String(), by(in), in.Because)
	case vocab.InHold:
		return told("the round is held by hand", by(in), in.Because)
	case vocab.InCorrect:
		return told("correction: "+digits.corrects(in), by(in), in.Because)
	case vocab.InAdjust:
		return told(fmt.Sprintf("adjustment of round %d: %s of %s on box %d, %s", in.PastRound, in.Wager, in.Bettor,
			in.Box, digits.Amount(in.Amount)), by(in), in.Because)
	default:
		return digits.besideRounds(in)
	}
}

// besideRounds says an input that belongs to no step of a round: who and what is at the table, what the pit sends, and
// the tray.
func (digits Digits) besideRounds(in vocab.Input) string {
	switch in.Kind {
	case vocab.InShoe:
		is := in.Names()
		return told("shoe: "+in.Shoe.Event.String(), in.Code, is.Maker, is.Serial, is.Firmware, is.Packs, by(in),
			asDealer(in.Role))
	case vocab.InAcknowledge:
		return told("an alert is acknowledged: "+in.Irregularity.String(), by(in))
	case vocab.InDealer:
		return told("the dealer is "+in.By, in.Dealer.Shift, proven(in.Dealer.Proof), relieves(in.Dealer.Relieves))
	case vocab.InTable:
		return told("the table is "+in.Table.Event.String(), dealtBy(in.Table.Dealer), by(in))
	case vocab.InLimits:
		return told("limits are announced:", digits.limit("minimum", in.Limits.Min),
			digits.limit("box maximum", in.Limits.BoxMax), by(in))
	case vocab.InNote:
		return told("note: "+in.Code, by(in))
	case vocab.InStorage:
		return told("storage: "+in.Storage.String(), in.Code)
	case vocab.InFloor:
		return told("the floor: "+in.Floor.Event.String(), in.Floor.Wants.String(), by(in))
	case vocab.InMessage:
		return told("message: "+in.Message.Event.String(), in.Message.Text, by(in))
	case vocab.InCommand:
		return told(fmt.Sprintf("%d commands are refused: %s", in.Refused.Times, in.Refused.Why), by(in))
	case vocab.InSettings:
		return told("settings: "+set(in.Sets()), by(in), also(in.Sets()))
	case vocab.InCount:
		return told("the tray is counted, "+in.InTray().Count.String()+":", digits.chips(in.InTray().Chips),
			"with "+in.InTray().Dealer, by(in))
	case vocab.InFill, vocab.InCredit:
		s := in.InTray()
		return told(in.Kind.String()+slip(s.Slip)+" "+s.Step.String(), digits.chips(s.Chips), by(in), in.Because)
	case vocab.InBuyIn, vocab.InTips:
		return told(in.Kind.String()+": "+digits.Amount(in.Amount), by(in), in.Because)
	case vocab.InDrop:
		return told("the drop box is taken off", by(in))
	case vocab.InMeter:
		if !in.Stated {
			return "the pit that has the jackpot's meter is not heard"
		}
		return fmt.Sprintf("the jackpot shows %s, by entry %d", digits.Amount(in.Amount), in.Entry)
	case vocab.InJackpot:
		return fmt.Sprintf("the pit gives %s of the jackpot, by entry %d", digits.Amount(in.Amount), in.Entry)
	case vocab.InChange:
		return told("change:", digits.chips(in.InTray().Chips), "for", digits.chips(in.InTray().For), by(in))
	default:
		return "input without a description: " + in.Kind.String()
	}
}

// chips names chips by their value.
func (digits Digits) chips(list []vocab.Chips) string {
	texts := make([]string, len(list))
	for i, c := range list {
		texts[i] = fmt.Sprintf("%d × %s", c.Pieces, digits.Amount(c.Value))
	}
	return strings.Join(texts, ", ")
}

// slip is a slip's number, "" for one that has none yet.
func slip(number uint32) string {
	if number == 0 {
		return ""
	}
	return fmt.Sprintf(" %d", number)
}

// corrects says what a correction changes.
func (digits Digits) corrects(in vocab.Input) string {
	switch in.Correct.What {
	case vocab.TakeBack:
		return fmt.Sprintf("key press %d is taken back", in.Correct.Nth)
	case vocab.Rename:
		return fmt.Sprintf("card %d is %s", in.Correct.Nth, in.Card)
	case vocab.Move:
		if in.Correct.To == vocab.ToBox {
			return fmt.Sprintf("card %d lies on box %d hand %d", in.Correct.Nth, in.Box, max(1, in.Hand))
		}
		if in.Correct.To == vocab.ToAside {
			return fmt.Sprintf("card %d lies aside", in.Correct.Nth)
		}
		return fmt.Sprintf("card %d lies at the %s", in.Correct.Nth, in.Correct.To)
	case vocab.Missed:
		return fmt.Sprintf("the place of card %d was passed over", in.Correct.Nth)
	case vocab.Refill:
		return "the shoe is filled"
	case vocab.SetStake:
		return fmt.Sprintf("%s of %s on box %d is %s", in.Wager, in.Bettor, in.Box, digits.stated(in))
	case vocab.Dead:
		return dies(in)
	case vocab.Came:
		if in.Correct.Nth > 0 {
			return fmt.Sprintf("%s came before card %d", in.Card, in.Correct.Nth)
		}
		return in.Card.String() + " came"
	default:
		return in.Correct.What.String()
	}
}

// dies says what is dead.
func dies(in vocab.Input) string {
	what := fmt.Sprintf("box %d", in.Box)
	if in.Hand != 0 {
		what += fmt.Sprintf(" hand %d", in.Hand)
	}
	what = told(what, in.Bettor, in.Wager.String()) + " is dead"
	if in.Correct.Outcome != 0 {
		return what + ", and the stakes are taken"
	}
	return what
}

// set says what was done to a setting.
func set(s vocab.Setting) string {
	what := s.Key + " " + s.Did.String()
	if s.Of != "" {
		what += ": " + s.Of
	}
	if s.Did == vocab.SettingChanged {
		what += fmt.Sprintf(", from %q to %q", s.Was, s.Now)
	}
	return what
}

func also(s vocab.Setting) string {
	if s.Also == "" {
		return ""
	}
	return "and " + s.Also
}

// forLess says for how much a stake is doubled that is not doubled as a whole.
func (digits Digits) forLess(in vocab.Input) string {
	if in.Call != vocab.CallDouble || !in.Stated {
		return ""
	}
	return " for " + digits.Amount(in.Amount)
}

func (digits Digits) stated(in vocab.Input) string {
	if !in.Stated {
		return "an amount that nobody entered"
	}
	return digits.Amount(in.Amount)
}

func by(in vocab.Input) string { return byWhom(in.By) }

func byWhom(name string) string {
	if name == "" {
		return ""
	}
	return "by " + name
}

// told adds what else there is to say.
func told(what string, more ...string) string {
	for _, one := range more {
		if one != "" {
			what += " " + one
		}
	}
	return what
}

func proven(p vocab.Proof) string {
	if p == 0 {
		return ""
	}
	return "proven by " + p.String()
}

func relieves(name string) string {
	if name == "" {
		return ""
	}
	return "relieves " + name
}

func dealtBy(name string) string {
	if name == "" {
		return ""
	}
	return "with dealer " + name
}

func (digits Digits) limit(what string, amount int64) string {
	if amount == 0 {
		return ""
	}
	return what + " " + digits.Amount(amount)
}
