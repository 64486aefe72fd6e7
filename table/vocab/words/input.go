package words

import (
	"fmt"
	"strings"

	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// Input says an input in a line.
func Input(in vocab.Input) string {
	switch in.Kind {
	case vocab.InSetup:
		return "setup: " + in.Setup.House
	case vocab.InShoe:
		is := in.Names()
		return told("shoe: "+in.Shoe.String(), in.Code, is.Maker, is.Serial, is.Firmware, is.Packs, by(in))
	case vocab.InOpen:
		return "bets are opened"
	case vocab.InStake:
		return fmt.Sprintf("a %s stake of %s by %s on box %d", in.Wager, stated(in), in.Bettor, in.Box)
	case vocab.InClose:
		return "no more bets"
	case vocab.InCard:
		return "the card " + in.Card.String() + " leaves the shoe"
	case vocab.InCall:
		return told("call: "+in.Call.String(), in.Bettor, strings.Join(in.Bettors, ", "))
	case vocab.InUndo:
		return "the last key press is taken back"
	case vocab.InResolve:
		return told("an irregularity is put right: "+in.With.String(), in.Card.String(), by(in), in.Because)
	case vocab.InPaid:
		if in.Wager != 0 {
			return told("the dealer pays or takes at once: "+in.Wager.String(), in.Why.String(), in.Bettor)
		}
		return "the dealer confirms payment"
	case vocab.InAcknowledge:
		return told("an alert is acknowledged: "+in.Irregularity.String(), by(in))
	case vocab.InDealer:
		return told("the dealer is "+in.By, in.Shift)
	case vocab.InNote:
		return told("note: "+in.Code, by(in))
	case vocab.InStorage:
		return told("storage: "+in.Storage.String(), in.Code)
	default:
		return "input without a description: " + in.Kind.String()
	}
}

func stated(in vocab.Input) string {
	if !in.Stated {
		return "an amount that nobody entered"
	}
	return money.Format(in.Amount, 2)
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
