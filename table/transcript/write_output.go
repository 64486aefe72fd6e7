package transcript

import (
	"strconv"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table/vocab"
)

// AppendOutput writes an output as its line, without a newline.
func AppendOutput(dst []byte, out *vocab.Output) []byte {
	b := writtenOut.append(dst, out.Kind)
	switch out.Kind {
	case vocab.Opened, vocab.Finished:
		b = appendNumber(b, `,"round":`, int64(out.Round))
	case vocab.Rejected:
		b = appendName(b, `,"reason":"`, out.Reason.String())
		b = appendNumber(b, `,"line":`, int64(out.Line))
	case vocab.Dealt:
		b = appendDealt(b, out)
	case vocab.DueChanged:
		b = appendDue(b, out)
	case vocab.HandDone:
		b = appendHand(b, out)
		b = writtenDone.append(b, out.Done)
	case vocab.Irregular:
		b = appendIrregular(b, out)
	case vocab.Resolved:
		b = appendName(b, `,"code":"`, out.Code.String())
		b = appendName(b, `,"with":"`, out.With.String())
		b = appendText(b, `,"by":`, out.By)
		b = appendOptional(b, `,"reason":`, out.Because)
	case vocab.Acknowledged:
		b = appendName(b, `,"code":"`, out.Code.String())
		b = appendText(b, `,"by":`, out.By)
	case vocab.DealerChanged:
		b = appendText(b, `,"name":`, out.By)
		b = appendOptional(b, `,"shift":`, out.Shift)
	case vocab.Undone:
		b = appendUndone(b, out)
	case vocab.Settled, vocab.Bonus:
		b = appendSettled(b, out)
	case vocab.RoundDecided:
		b = appendRound(b, out)
	}
	return append(b, '}')
}

func appendHand(b []byte, out *vocab.Output) []byte {
	b = appendNumber(b, `,"box":`, int64(out.Box))
	return appendNumber(b, `,"hand":`, int64(out.Hand))
}

func appendDealt(b []byte, out *vocab.Output) []byte {
	b = writtenCard.append(b, out.Card)
	b = writtenTo.append(b, out.To)
	b = appendCount(b, `,"box":`, int64(out.Box))
	b = appendCount(b, `,"hand":`, int64(out.Hand))
	switch {
	case out.To == vocab.ToAside:
		return b
	case out.Points:
		return appendNumber(b, `,"points":`, int64(out.Total))
	default:
		b = appendNumber(b, `,"total":`, int64(out.Total))
		return appendTruth(b, `,"soft":`, out.Soft)
	}
}

func appendDue(b []byte, out *vocab.Output) []byte {
	b = writtenTo.append(b, out.To)
	if out.Box != 0 {
		b = appendHand(b, out)
	}
	if out.To != vocab.ToCall {
		return b
	}
	return appendCalls(b, `,"allowed":[`, out.Allowed)
}

func appendCalls(b []byte, key string, calls vocab.Calls) []byte {
	b = append(b, key...)
	for c := range calls.All {
		b = appendItem(b, c.String())
	}
	return append(b, ']')
}

func appendIrregular(b []byte, out *vocab.Output) []byte {
	b = appendName(b, `,"code":"`, out.Code.String())
	if out.Card != card.None {
		b = writtenCard.append(b, out.Card)
	}
	b = appendCount(b, `,"box":`, int64(out.Box))
	b = appendCount(b, `,"missing":`, int64(out.Missing))
	b = appendOptional(b, `,"alarm":`, out.Alarm)
	b = appendOptional(b, `,"found":`, out.Found)
	if out.Allowed != 0 {
		b = appendCalls(b, `,"calls":[`, out.Allowed)
	}
	b = append(b, `,"choices":[`...)
	for c := range out.Choices.All {
		b = appendItem(b, c.String())
	}
	return append(b, ']')
}

func appendUndone(b []byte, out *vocab.Output) []byte {
	b = appendName(b, `,"in":"`, out.Input.String())
	if out.Call != 0 {
		b = writtenCall.append(b, out.Call)
	}
	b = appendCount(b, `,"box":`, int64(out.Box))
	b = appendCount(b, `,"hand":`, int64(out.Hand))
	b = appendOptional(b, `,"bettor":`, out.Bettor)
	b = appendState(b, `,"was":`, out.Was)
	return appendState(b, `,"now":`, out.Now)
}

// appendState writes what is due as an object of its own.
func appendState(b []byte, key string, due vocab.Due) []byte {
	b = append(b, key...)
	b = appendName(b, `{"to":"`, due.To.String())
	if due.Box != 0 {
		b = appendNumber(b, `,"box":`, int64(due.Box))
		b = appendNumber(b, `,"hand":`, int64(due.Hand))
	}
	return append(b, '}')
}

func appendSettled(b []byte, out *vocab.Output) []byte {
	b = appendNumber(b, `,"box":`, int64(out.Box))
	b = appendText(b, `,"bettor":`, out.Bettor)
	b = writtenWager.append(b, out.Wager)
	b = appendCount(b, `,"hand":`, int64(out.Hand))
	if out.Kind == vocab.Settled {
		b = writtenOutcome.append(b, out.Outcome)
	}
	b = writtenWhy.append(b, out.Why)
	b = appendAmount(b, `,"stake":`, out.Stake, out.Unstated)
	if out.Kind == vocab.Settled {
		b = appendAmount(b, `,"returned":`, out.Returned, out.Unstated)
	}
	b = appendAmount(b, `,"won":`, out.Won, out.Unstated)
	if out.Rounded {
		b = append(b, `,"rounded":true`...)
	}
	if out.Unstated {
		b = appendOdds(b, out)
	}
	return b
}

// appendOdds writes what is paid on a stake whose amount nobody knows.
func appendOdds(b []byte, out *vocab.Output) []byte {
	if out.Odds.Den != 0 {
		b = append(b, `,"ratio":"`...)
		b = strconv.AppendInt(b, out.Odds.Num, 10)
		b = append(b, ':')
		b = strconv.AppendInt(b, out.Odds.Den, 10)
		b = append(b, '"')
	}
	if out.Times > 1 {
		b = appendNumber(b, `,"times":`, int64(out.Times))
	}
	return b
}

func appendRound(b []byte, out *vocab.Output) []byte {
	b = appendNumber(b, `,"round":`, int64(out.Round))
	b = appendCards(b, `,"bank":`, out.Bank)
	b = appendNumber(b, `,"bank_total":`, int64(out.Total))
	b = appendAmount(b, `,"staked":`, out.Sums.Staked, out.Sums.Unstated)
	b = appendAmount(b, `,"returned":`, out.Sums.Returned, out.Sums.Unstated)
	return appendAmount(b, `,"won":`, out.Sums.Won, out.Sums.Unstated)
}
