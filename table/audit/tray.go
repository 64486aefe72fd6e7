package audit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/money"
	"github.com/sabot-table/sabot/table/vocab"
)

// counted notes where a count does not agree with what had to be in the tray, or nobody can say what that was.
func counted(a *auditor, rec *journal.Record, outs []vocab.Output) {
	digits := a.replay.digits()
	for i := range outs {
		out := &outs[i]
		if out.Kind != vocab.Counted {
			continue
		}
		y := out.Tray
		switch {
		case !out.InTray.Known && y.Unknown > 0:
			a.remark(TrayDiffers, rec, fmt.Sprintf("%s were counted, and nobody can say what had to be there: "+
				"%s without amounts; %s", digits.Amount(y.Amount), rounds(y.Unknown), interval(&y.Interval)))
		case out.InTray.Known && y.Difference < 0:
			a.remark(TrayDiffers, rec,
				fmt.Sprintf("%s are missing: %s were counted by %s and %s where %s had to be; %s",
					digits.Amount(-y.Difference), digits.Amount(y.Amount), y.Dealer, out.By,
					digits.Amount(out.InTray.Amount), interval(&y.Interval)))
		case out.InTray.Known && y.Difference > 0:
			a.remark(TrayDiffers, rec,
				fmt.Sprintf("%s are too many: %s were counted by %s and %s where %s had to be; %s",
					digits.Amount(y.Difference), digits.Amount(y.Amount), y.Dealer, out.By,
					digits.Amount(out.InTray.Amount), interval(&y.Interval)))
		}
	}
}

// interval says since when a difference can have arisen, and what is worth looking at.
func interval(s *vocab.Interval) string {
	text := fmt.Sprintf("since record %d %s", s.Since, rounds(s.Rounds))
	for _, one := range []struct {
		n    int
		what string
	}{
		{s.Corrected, "corrected round"},
		{s.Accepted, "accepted difference"},
		{s.Adjusted, "adjustment"},
		{s.Large, "large win"},
	} {
		if one.n > 0 {
			text += ", " + count(uint64(one.n), one.what)
		}
	}
	if len(s.Dealers) > 0 {
		text += ", dealt by " + strings.Join(s.Dealers, ", ")
	}
	return text
}

func rounds(n int) string { return count(uint64(n), "round") }

// oneMoney says whether a checkpoint is one of an earlier version, in which a slip had no currency of its own.
func oneMoney(t *table.Table, recorded []byte) bool {
	if len(recorded) == 0 || !slices.ContainsFunc(t.Tray().Slips, inAnother) {
		return false
	}
	c := t.Carry()
	for i := range c.Tray.Slips {
		c.Tray.Slips[i].Currency = ""
	}
	text, err := json.Marshal(c)
	return err == nil && bytes.Equal(text, recorded)
}

func inAnother(s vocab.Slip) bool { return s.Currency != "" }

// takeForOne goes on as the version did that wrote the record, and notes of each slip that was asked for in another
// currency that it was taken for one in the table's. That version forgot in which it was asked for.
func (r *replay) takeForOne(a *auditor, rec *journal.Record, t *table.Table) {
	asked, now := map[uint32]string{}, t.Rules().Table.Currency
	for _, s := range t.Tray().Slips {
		in := cmp.Or(r.asked[s.Number], s.Currency, now)
		if asked[s.Number] = in; in != now {
			a.remark(TrayDiffers, rec, fmt.Sprintf("%s %d was asked for in %s, and the version that wrote this takes "+
				"it for one in %s from here on: chips of it that move are counted wrongly", s.Kind(), s.Number, in,
				now))
		}
	}
	r.asked = asked
	t.InOneMoney()
	r.book.takeOverTray(t)
}

// underWay notes the slips that are under way at the end of the journal.
func (r *replay) underWay(a *auditor) {
	for _, s := range r.tables[0].Tray().Slips {
		sum := int64(0)
		for _, c := range s.Chips {
			sum += c.Value * c.Pieces
		}
		of := r.digits().Amount(sum)
		if inAnother(s) {
			of = money.Format(sum, money.Digits(s.Currency)) + " " + s.Currency
		}
		a.remark(SlipUnderWay, nil, fmt.Sprintf("%s %d of %s was %s, and is not received at the end of the journal",
			s.Kind(), s.Number, of, s.Step))
	}
}
