package display

import (
	"slices"
	"time"

	"github.com/sabot-table/sabot/table/irregularity"
)

// Unrecorded has the view say that the table cannot record, whatever else holds it: since a moment at which a write has
// failed. A write that is only slow is never on record, so it raises no alert, which would need to be acknowledged.
func (v *View) Unrecorded(failing bool, since time.Time) {
	v.Held = &Held{Code: irregularity.StorageFailing, Choices: []irregularity.Choice{}}
	if failing {
		v.Alerts = withUnrecorded(v.Alerts, v.Round, since)
	}
}

// withUnrecorded raises the alert that the engine will raise as soon as it gets the input.
func withUnrecorded(list []Alert, round uint64, since time.Time) []Alert {
	list = slices.Clone(list)
	const code = irregularity.StorageFailing
	at := slices.IndexFunc(list, func(a Alert) bool { return a.Code == code })
	if at < 0 {
		at = len(list)
		list = append(list, Alert{Code: code, Round: round, Raised: since.UTC().Format(time.RFC3339Nano)})
	}
	a := &list[at]
	a.Times++
	a.Standing++
	a.Acknowledged, a.AcknowledgedBy = "", ""
	return list
}
