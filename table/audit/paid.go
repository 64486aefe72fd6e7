package audit

import (
	"bytes"
	"fmt"

	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// paidOtherwise notes what was paid where that was not what was due: that somebody has accepted it makes it no fault,
// and an auditor has to know of it.
func paidOtherwise(a *auditor, rec *journal.Record, outs []vocab.Output) {
	for i := range outs {
		out := &outs[i]
		if out.Kind == vocab.Adjusted {
			a.remark(AdjustedPast, rec, a.replay.digits().adjusted(out))
		}
		if out.Kind == vocab.Corrected && out.Corrected.What == vocab.Dead {
			a.remark(DeadWager, rec, dead(out))
		}
		if out.Kind != vocab.Payout || toldAgain(outs[:i]) {
			continue
		}
		what := fmt.Sprintf("box %d, %s, %s: %s were paid instead of %s; %s has accepted that", out.Box,
			out.Bettor, out.Wager,
			a.replay.digits().Amount(out.Payment.Given), a.replay.digits().Amount(out.Payment.Owed), whom(out.By))
		if out.Because != "" {
			what += ": " + out.Because
		}
		a.remark(PaidOther, rec, what)
	}
}

// adjusted says what was paid, or taken, of a past round, and by whom.
func (digits decimals) adjusted(out *vocab.Output) string {
	what, sum := "were paid", out.Adjusted
	if sum < 0 {
		what, sum = "were taken", -sum
	}
	return fmt.Sprintf("round %d, box %d, %s, %s: %s %s after its end, by %s: %s", out.Round, out.Box, out.Bettor,
		out.Wager, digits.Amount(sum), what, whom(out.By), out.Because)
}

// dead says what was declared dead, by whom, and what becomes of the stakes.
func dead(out *vocab.Output) string {
	what := fmt.Sprintf("box %d", out.Box)
	if out.Hand != 0 {
		what += fmt.Sprintf(", hand %d", out.Hand)
	}
	for _, of := range []string{out.Bettor, out.Wager.String()} {
		if of != "" {
			what += ", " + of
		}
	}
	stakes := "the stakes go back"
	if out.Outcome == vocab.Lose {
		stakes = "the stakes are taken"
	}
	what += fmt.Sprintf(": declared dead by %s, and %s", whom(out.By), stakes)
	if out.Because != "" {
		what += ": " + out.Because
	}
	return what
}

// toldAgain says whether a correction has told before what follows: that was noted then.
func toldAgain(outs []vocab.Output) bool { return len(outs) > 0 && outs[0].Kind == vocab.Corrected }

func whom(by string) string {
	if by == "" {
		return "somebody without a name"
	}
	return by
}

// earlier says whether an answer was recorded as programs did that told nothing of what was paid: by a start of another
// program, and not behind a record that tells of it.
func (r *replay) earlier(a *auditor, rec *journal.Record, outs []vocab.Output) bool {
	if a.o.Version == "" || a.wroteOurs(rec) || !tellsOfPaid(outs) {
		return false
	}
	return bytes.Equal(transcript.AppendEarlier(nil, outs), rec.Outputs)
}

func tellsOfPaid(outs []vocab.Output) bool {
	for i := range outs {
		if transcript.TellsOfPaid(&outs[i]) {
			return true
		}
	}
	return false
}
