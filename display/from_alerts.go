package display

import (
	"time"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/irregularity"
)

func alerts(t *table.Table) []Alert {
	var list []Alert
	for a := range t.Alerts {
		one := Alert{
			Code: a.Code, Round: a.Round, Raised: moment(a.Raised), Times: a.Times, Standing: a.Standing,
			Acknowledged: moment(a.Acknowledged), AcknowledgedBy: a.AcknowledgedBy,
			Reason: a.Wants, Caller: a.Caller, Text: a.Text,
		}
		if a.With != 0 {
			one.Cleared, one.With, one.By = moment(a.Cleared), a.With, a.By
		}
		list = append(list, one)
	}
	return list
}

func shift(t *table.Table) Shift {
	var s Shift
	s.Dealer, s.Name = t.Dealer()
	for code := range irregularity.EveryCode {
		if n := t.Count(code); n > 0 {
			if s.Irregularities == nil {
				s.Irregularities = map[irregularity.Code]int{}
			}
			s.Irregularities[code] = int(n)
		}
	}
	return s
}

func opening(t *table.Table) Opening {
	o := t.Opening()
	return Opening{Closed: o.Closed, Dealer: o.Dealer, By: o.By, At: moment(o.At)}
}

// moment writes nanoseconds since 1970 as a time, "" for none.
func moment(ns int64) string {
	if ns == 0 {
		return ""
	}
	return time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
}
