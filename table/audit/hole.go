package audit

import (
	"bytes"
	"fmt"

	"github.com/sabot-table/sabot/shoe/card"
	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// facing is the card that lies face down, and that an input opens.
func (r *replay) facing(in *vocab.Input) (s table.Sealed, is bool) {
	if in.Kind != vocab.InHole || in.Card == card.None || len(r.tables) == 0 {
		return s, false
	}
	t := r.tables[0]
	if s, is = t.ToOpen(); !is {
		s, is = t.Hole()
	}
	return s, is && s.Known == card.None
}

// opened checks that a card that is turned is the one that was sealed when it was dealt: nobody needs a key for that.
func (c *cards) opened(a *auditor, rec *journal.Record, in *vocab.Input, s table.Sealed) {
	if bytes.Contains(rec.Outputs, []byte(`"out":"rejected"`)) {
		return
	}
	if at := s.Nth - 1; at >= 0 && at < len(c.round) && c.round[at] == card.Down {
		c.round[at] = in.Card
	}
	c.count(a, rec, in.Card)
	err := runner.CheckSeal(runner.SealPlace{Journal: a.report.ID, Record: s.Line}, s.Seal, in.Card, in.Code)
	if err != nil {
		a.fault(HoleCard, rec, fmt.Sprintf("%s is turned, which was dealt face down by record %d: %v", in.Card, s.Line,
			err))
	}
}
