package web

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/touch"
	"github.com/sabot-table/sabot/table/irregularity"
)

// alertsModel are the irregularities that are not put right or that nobody has
// acknowledged, and what went wrong since the dealer took over.
type alertsModel struct {
	// Others counts those that the screen does not tell anyway, as what holds the round.
	Others int
	List   []alertModel
	Shift  string
	Counts []pair
}

type alertModel struct {
	What, Round, Raised, Times string
	// Right says how it was put right, or that it is not yet; Standing which of the two.
	Right    string
	Standing bool
	// Seen says who has acknowledged it; Key is how, nil once somebody has.
	Seen string
	Key  *keyModel
}

// alerts is nil where there is neither an alert nor a count.
func (r renderer) alerts(v display.View) *alertsModel {
	if len(v.Alerts) == 0 && len(v.Shift.Irregularities) == 0 {
		return nil
	}
	m := &alertsModel{Shift: r.say("alerts.shift-all")}
	keys := map[string]keyModel{}
	if r.hands {
		for _, k := range touch.Alerts(v) {
			keys[k.Name] = r.key(k)
		}
	}
	for _, a := range v.Alerts {
		one := r.alert(a)
		if k, waits := keys[touch.Seen(a.Code)]; waits {
			one.Key = &k
		}
		m.List = append(m.List, one)
		if !a.Code.Word() && (v.Held == nil || a.Code != v.Held.Code) {
			m.Others++
		}
	}
	if v.Shift.Dealer != "" {
		m.Shift = r.say("alerts.shift", "name", v.Shift.Dealer)
	}
	m.Counts = r.counted(v.Shift)
	return m
}

func (r renderer) alert(a display.Alert) alertModel {
	m := alertModel{
		What: r.language.Named(display.LabelHeld, a.Code), Raised: a.Raised, Standing: a.Standing > 0,
		Round: r.say("alerts.round", "round", strconv.FormatUint(a.Round, 10)),
	}
	if a.Times > 1 {
		m.Times = r.say("alerts.times", "n", strconv.Itoa(a.Times))
	}
	switch {
	case m.Standing:
		m.Right = r.say("alerts.standing")
	case a.With != 0:
		m.Right = r.language.Say(righted(a))
	}
	if a.AcknowledgedBy != "" {
		m.Seen = r.say("alerts.seen", "by", a.AcknowledgedBy)
	}
	return m
}

// righted says how an irregularity was put right, and by whom where it was a person.
func righted(a display.Alert) display.Message {
	m := display.Message{Key: "alerts.cleared", Args: []display.Arg{
		{Name: "with", Keys: []string{"choice." + a.With.String()}}, {Name: "by", Text: a.By},
	}}
	if a.By == "" {
		m.Key = "alerts.by-itself"
	}
	return m
}

// counted are the shift's irregularities, the most frequent first.
func (r renderer) counted(s display.Shift) []pair {
	codes := slices.SortedFunc(maps.Keys(s.Irregularities), func(a, b irregularity.Code) int {
		return cmp.Or(s.Irregularities[b]-s.Irregularities[a], cmp.Compare(a.String(), b.String()))
	})
	var all []pair
	for _, code := range codes {
		all = append(all, pair{r.language.Named(display.LabelHeld, code), strconv.Itoa(s.Irregularities[code])})
	}
	return all
}
