package displaytest

import (
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/table/authority"
	"github.com/sabot-table/sabot/table/irregularity"
)

// Situation is what may be the matter around a table in whatever state it is.
type Situation struct {
	Name string
	// On puts a view into it.
	On func(*display.View)
}

// Situations are those in which every state must be readable: each takes some of the
// room beside the prompt or the bank.
func Situations() []Situation {
	return []Situation{
		{"quiet", quiet},
		{"alert", alerted},
		{"jackpot", withJackpot},
		{"pit-away", withoutPit},
	}
}

func quiet(v *display.View) { v.Pit = display.PitUp }

// alerted has an alert that stands, one that is put right, one that was seen, and one that is told below the prompt.
func alerted(v *display.View) {
	quiet(v)
	v.Alerts = []display.Alert{
		{Code: irregularity.ShoeAlarm, Round: 17, Raised: "2026-11-22T20:15:30Z", Times: 1, Standing: 1},
		{
			Code: irregularity.CardWithoutCall, Round: 9, Raised: "2026-11-22T19:58:01Z", Times: 12,
			Cleared: "2026-11-22T19:59:00Z", With: irregularity.NextCard, By: "Maximiliane Hohenberg-Unterwalden",
		},
		{
			Code: irregularity.BankOverdraw, Round: 16, Raised: "2026-11-22T20:11:02Z", Times: 2,
			Cleared: "2026-11-22T20:12:00Z",
			With:    irregularity.NextRound, By: "anna", Acknowledged: "2026-11-22T20:13:00Z", AcknowledgedBy: "bruno",
		},
		{Code: irregularity.FactoryOrder, Round: 17, Raised: "2026-11-22T20:14:00Z", Times: 1},
	}
	v.Shift = display.Shift{Dealer: "d7", Irregularities: map[irregularity.Code]int{}}
	for code := range irregularity.EveryCode {
		v.Shift.Irregularities[code] = 3
	}
	if v.Supervisor == nil {
		v.Supervisor = &authority.Status{Proof: authority.PIN, Needs: authority.PIN, Names: []string{"anna", "bruno"}}
	}
}

// withJackpot has one as high as the widest that a floor shows.
func withJackpot(v *display.View) {
	quiet(v)
	v.Jackpot = 125_973_250
}

// withoutPit lacks the pit, keys of the panel, and all else that a table works without.
func withoutPit(v *display.View) {
	v.Pit, v.Missing = display.PitDown, []string{"card", "supervisor"}
	v.Away = []display.Away{
		{Lack: display.NoNetwork, Of: "192.0.2.7:8443"},
		{Lack: display.NoDisplay, Of: "/dev/i2c-1"},
	}
}
