package history

import (
	"slices"
	"time"

	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// BigWin is a win for which the table was held until a supervisor confirmed it.
type BigWin struct {
	// Line tells that the table was held for it, in the record Seq.
	Line Line   `json:"line"`
	Seq  uint64 `json:"seq"`
	// By has confirmed it at Confirmed, and Because says why; nobody has while Confirmed is zero.
	By        string    `json:"by,omitempty"`
	Because   string    `json:"reason,omitempty"`
	Confirmed time.Time `json:"confirmed,omitzero"`
}

// BigWins are those of the round that stand, in the order in which the table was held for them.
func (r *Round) BigWins() (list []BigWin) {
	for i := range r.Steps {
		s := &r.Steps[i]
		for k := range s.Outputs {
			out := &s.Outputs[k].Out
			if out.Code != irregularity.BigWin {
				continue
			}
			at := slices.IndexFunc(list, func(w BigWin) bool { return sameWin(&w.Line.Out, out) })
			switch {
			case out.Kind == vocab.Irregular && at >= 0 && !list[at].Confirmed.IsZero():
				list[at] = BigWin{Line: s.Outputs[k], Seq: s.Seq} // it is to be confirmed once more
			case out.Kind == vocab.Irregular:
				list = append(list, BigWin{Line: s.Outputs[k], Seq: s.Seq})
			case out.Kind != vocab.Resolved || at < 0:
			case out.With == irregularity.Cleared:
				list = slices.Delete(list, at, at+1)
			default:
				list[at].By, list[at].Because, list[at].Confirmed = out.By, out.Because, s.At
			}
		}
	}
	return slices.DeleteFunc(list, func(w BigWin) bool { return !r.stands(&w.Line.Out) })
}

func sameWin(a, b *vocab.Output) bool {
	return a.Box == b.Box && a.Hand == b.Hand && a.Bettor == b.Bettor && a.Wager == b.Wager && a.Why == b.Why &&
		a.Won == b.Won
}

// stands says whether a win is among what the round came to.
func (r *Round) stands(win *vocab.Output) bool {
	for i := range r.Boxes {
		for k := range r.Boxes[i].Settled {
			if sameWin(&r.Boxes[i].Settled[k].Out, win) {
				return true
			}
		}
	}
	return false
}
