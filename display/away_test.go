package display_test

import (
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/display/words"
)

// TestLacks: the gravest is said first, and nothing is left out.
func TestLacks(t *testing.T) {
	network, characters := display.Away{Lack: display.NoNetwork, Of: "192.0.2.7:8443"},
		display.Away{Lack: display.NoDisplay, Of: "/dev/i2c-1"}
	english, _ := display.BuiltIn().Speak(words.English)
	for _, c := range []struct {
		keys       []string
		away       []display.Away
		brief, all string
	}{
		{nil, nil, "", ""},
		{[]string{"card", "red"}, nil, "Keys offline", "card, red"},
		{nil, []display.Away{network}, "Network offline", "192.0.2.7:8443"},
		{nil, []display.Away{characters}, "Display offline", "/dev/i2c-1"},
		{
			nil,
			[]display.Away{network, characters},
			"Network offline",
			"Network offline: 192.0.2.7:8443; Display offline: /dev/i2c-1",
		},
		{
			[]string{"card", "red"},
			[]display.Away{network, characters},
			"Keys offline", "Keys offline: card, red; Network offline: 192.0.2.7:8443; Display offline: /dev/i2c-1",
		},
	} {
		brief, all := english.Lacks(display.View{Own: display.Own{Missing: c.keys, Away: c.away}})
		if brief != c.brief || all != c.all {
			t.Errorf("without %v and %v a table says %q: %q, not %q: %q", c.keys, c.away, brief, all, c.brief, c.all)
		}
	}
}
