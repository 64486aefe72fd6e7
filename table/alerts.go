package table

import (
	"github.com/sabot-table/sabot/table/irregularity"
	"github.com/sabot-table/sabot/table/vocab"
)

// Alert tells the pit of an irregularity. It stays until it is put right and a
// named person has acknowledged it. All times are in nanoseconds since 1970 UTC, 0
// where the inputs carried none.
type Alert struct {
	Code irregularity.Code `json:"code"`
	// Round is the round in which it was raised first, and Raised when.
	Round  uint64 `json:"round"`
	Raised int64  `json:"raised"`
	// Times counts how often it was raised since, and Standing how many of these
	// are not put right.
	Times    int `json:"times"`
	Standing int `json:"standing"`
	// Cleared is when, With how and By by whom it was put right last.
	Cleared int64               `json:"cleared,omitempty"`
	With    irregularity.Choice `json:"with,omitempty"`
	By      string              `json:"by,omitempty"`
	// Acknowledged is when a person has seen it, and AcknowledgedBy who; "" if
	// nobody has since it was raised last.
	Acknowledged   int64  `json:"acknowledged,omitempty"`
	AcknowledgedBy string `json:"acknowledged_by,omitempty"`
	// Wants is what the floor is called for, 0 if nobody said, and Caller who called it, sent
	// the message, signed the last of the refused commands or changed the setting.
	Wants  vocab.FloorReason `json:"reason,omitempty"`
	Caller string            `json:"caller,omitempty"`
	// Text is what the pit says to the dealer, or why its last command was refused, or which setting was changed last.
	Text string `json:"text,omitempty"`
}

// alerts are the alerts that stand or wait for somebody, by their code.
type alerts struct {
	list [irregularity.Count]Alert
	// counts are how often each irregularity came since the dealer took over.
	counts [irregularity.Count]uint32
}

// CodeCount is how often an irregularity came.
type CodeCount struct {
	Code  irregularity.Code `json:"code"`
	Count uint32            `json:"count"`
}

func (a *alerts) raised(code irregularity.Code, now int64, round uint64) {
	one := &a.list[code]
	if one.Code == 0 {
		*one = Alert{Code: code, Round: round, Raised: now}
	}
	one.Times++
	one.Standing++
	one.Acknowledged, one.AcknowledgedBy = 0, ""
	a.counts[code]++
}

// passed is an irregularity with which there is nothing to put right: what stands is that nobody has seen it.
func (a *alerts) passed(code irregularity.Code, now int64, round uint64) {
	a.raised(code, now, round)
	a.cleared(code, irregularity.Cleared, "", now)
}

// again is an irregularity that is told once more while it stands: somebody has to look
// again.
func (a *alerts) again(code irregularity.Code) {
	one := &a.list[code]
	one.Times++
	one.Acknowledged, one.AcknowledgedBy = 0, ""
}

func (a *alerts) cleared(code irregularity.Code, with irregularity.Choice, by string, now int64) {
	one := &a.list[code]
	if one.Standing == 0 {
		return
	}
	one.Standing--
	one.Cleared, one.With, one.By = now, with, by
	if one.Standing == 0 && one.AcknowledgedBy != "" {
		*one = Alert{}
	}
}

func (a *alerts) restore(list []Alert, counts []CodeCount) {
	for _, one := range list {
		a.list[one.Code] = one
	}
	for _, one := range counts {
		a.counts[one.Code] = one.Count
	}
}

func (a *alerts) countList() []CodeCount {
	var list []CodeCount
	for code, n := range a.counts {
		if n > 0 {
			list = append(list, CodeCount{irregularity.Code(code), n})
		}
	}
	return list
}

// Alerts yields the alerts that are not put right, or that nobody has
// acknowledged.
func (t *Table) Alerts(yield func(Alert) bool) {
	for _, one := range t.alerts.list {
		if one.Code != 0 && !yield(one) {
			return
		}
	}
}

// Count returns how often an irregularity came since the dealer took over.
func (t *Table) Count(code irregularity.Code) uint32 { return t.alerts.counts[code] }

// Dealer returns who deals, and in which shift; "" if nobody said so.
func (t *Table) Dealer() (name, shift string) { return t.people.Dealer, t.people.Shift }

// acknowledge takes a person's word that an alert was seen.
func (t *Table) acknowledge(in *vocab.Input) vocab.Reason {
	if in.Irregularity >= irregularity.Count {
		return vocab.NotHeld
	}
	one := &t.alerts.list[in.Irregularity]
	if one.Code == 0 || one.AcknowledgedBy != "" {
		return vocab.NotHeld
	}
	out := t.emit(vocab.Acknowledged)
	out.Code, out.Trouble = one.Code, &vocab.Trouble{By: in.By}
	one.Acknowledged, one.AcknowledgedBy = t.now, in.By
	if one.Standing == 0 {
		*one = Alert{}
	}
	return 0
}

// changeDealer notes who deals from now on; the counts begin anew. Nobody relieves a dealer
// who is not there.
func (t *Table) changeDealer(in *vocab.Input) vocab.Reason {
	if in.Dealer.Relieves != "" && in.Dealer.Relieves != t.people.Dealer {
		return vocab.AnotherDealer
	}
	t.burnRelief(t.people.Dealer, in.By)
	t.people = People{in.By, in.Dealer.Shift}
	t.tray.deals(in.By)
	t.alerts.counts = [irregularity.Count]uint32{}
	t.emit(vocab.DealerChanged).Trouble = &vocab.Trouble{
		By: in.By, Dealer: in.Dealer,
	}
	return 0
}
