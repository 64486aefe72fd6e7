package panel_test

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display/panel"
	"github.com/sabot-table/sabot/table/profile"
)

// TestUsed: a house's keys are those of its game.
func TestUsed(t *testing.T) {
	for house, want := range map[string][]panel.Key{
		"wiesbaden":    {panel.Surrender, panel.Higher, panel.Lower},
		"schaffhausen": {panel.EvenMoney, panel.Higher, panel.Lower},
		"baden":        {panel.Double, panel.Split, panel.Surrender, panel.Insurance, panel.EvenMoney},
	} {
		var unused []panel.Key
		for key := range panel.EveryKey {
			if !key.Used(profile.Built()[house].Rules) {
				unused = append(unused, key)
			}
		}
		if !slices.Equal(unused, want) {
			t.Errorf("%s has no use for %v, not %v", house, unused, want)
		}
	}
}
