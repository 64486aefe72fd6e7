package transcript

import (
	"time"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// AppendInput writes an input as its line, without a newline.
func AppendInput(dst []byte, in *vocab.Input) []byte {
	b := writtenIn.append(dst, in.Kind)
	if in.Time != 0 {
		b = append(b, `,"t":"`...)
		b = time.Unix(0, in.Time).UTC().AppendFormat(b, time.RFC3339Nano)
		b = append(b, '"')
	}
	switch in.Kind {
	case vocab.InSetup:
		b = appendSetup(b, in)
	case vocab.InShoe:
		b = appendShoe(b, in)
	case vocab.InStake:
		b = appendStake(b, in)
	case vocab.InCard:
		b = writtenCard.append(b, in.Card)
	case vocab.InCall:
		b = appendCall(b, in)
	case vocab.InResolve:
		b = appendResolve(b, in)
	case vocab.InAcknowledge:
		b = appendName(b, `,"code":"`, in.Irregularity.String())
		b = appendText(b, `,"by":`, in.By)
	case vocab.InDealer:
		b = appendText(b, `,"name":`, in.By)
		b = appendOptional(b, `,"shift":`, in.Shift)
	case vocab.InNote:
		b = appendText(b, `,"code":`, in.Code)
		b = appendOptional(b, `,"by":`, in.By)
	case vocab.InStorage:
		b = appendName(b, `,"event":"`, in.Storage.String())
		b = appendOptional(b, `,"code":`, in.Code)
	case vocab.InPaid:
		b = appendCount(b, `,"box":`, int64(in.Box))
		b = appendStated(b, in)
	}
	return append(b, '}')
}

func appendSetup(b []byte, in *vocab.Input) []byte {
	s := in.Setup
	b = appendText(b, `,"house":`, s.House)
	b = appendOptional(b, `,"currency":`, s.Currency)
	b = appendCount(b, `,"min":`, s.Min)
	b = appendCount(b, `,"box_max":`, s.BoxMax)
	b = appendCount(b, `,"unit":`, s.Unit)
	b = appendCount(b, `,"decks":`, int64(s.Decks))
	b = appendCount(b, `,"boxes":`, int64(s.Boxes))
	b = appendOptional(b, `,"call":`, s.Calls)
	b = appendCount(b, `,"jackpot":`, s.Jackpot)
	b = appendCount(b, `,"keys_apart":`, int64(s.KeysApart))
	return appendOptional(b, `,"profile":`, s.Profile)
}

func appendShoe(b []byte, in *vocab.Input) []byte {
	b = appendName(b, `,"event":"`, in.Shoe.String())
	if in.Shoe == vocab.ShoeGap {
		b = appendNumber(b, `,"missing":`, int64(in.Missing))
	}
	return appendOptional(b, `,"code":`, in.Code)
}

func appendStake(b []byte, in *vocab.Input) []byte {
	b = appendNumber(b, `,"box":`, int64(in.Box))
	b = appendText(b, `,"bettor":`, in.Bettor)
	b = writtenWager.append(b, in.Wager)
	b = appendStated(b, in)
	if in.Seat != vocab.SeatDefault {
		b = appendTruth(b, `,"seated":`, in.Seat == vocab.Seated)
	}
	return appendOptional(b, `,"player":`, in.Player)
}

// appendStated writes an input's amount, if it was given.
func appendStated(b []byte, in *vocab.Input) []byte {
	if !in.Stated {
		return b
	}
	return appendNumber(b, `,"amount":`, in.Amount)
}

func appendCall(b []byte, in *vocab.Input) []byte {
	b = writtenCall.append(b, in.Call)
	needs := callShapes[in.Call]
	if needs.required.has(fBox) {
		b = appendNumber(b, `,"box":`, int64(in.Box))
	}
	if needs.required.has(fBettor) {
		b = appendText(b, `,"bettor":`, in.Bettor)
	}
	if needs.optional.has(fAmount) {
		b = appendStated(b, in)
	}
	if in.Bettors == nil {
		return b
	}
	b = append(b, `,"bettors":[`...)
	for i, name := range in.Bettors {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendQuoted(b, name)
	}
	return append(b, ']')
}

func appendResolve(b []byte, in *vocab.Input) []byte {
	b = appendName(b, `,"with":"`, in.With.String())
	b = appendOptional(b, `,"by":`, in.By)
	if in.Card != card.None {
		b = writtenCard.append(b, in.Card)
	}
	if in.Role == vocab.Dealer {
		b = appendName(b, `,"role":"`, in.Role.String())
	}
	return appendOptional(b, `,"reason":`, in.Because)
}
