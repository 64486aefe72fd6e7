package mishap

import (
	"testing"

	"github.com/sabot-table/sabot/sim-hardware/scenario"
)

// TestRows: each row has a name of its own and is met somewhere, and what happens in it is a scenario.
func TestRows(t *testing.T) {
	named := map[string]bool{}
	for _, m := range all {
		switch {
		case m.Name == "" || named[m.Name]:
			t.Errorf("%q is the name of two, or of none", m.Name)
		case m.taught == nil && m.often == 0:
			t.Errorf("%s is never met", m.Name)
		case (m.Happens == "") == (m.puts == nil):
			t.Errorf("%s does not happen, or in two ways", m.Name)
		case m.At == Dealing && m.puts != nil:
			t.Errorf("%s is put in while a card is drawn", m.Name)
		}
		named[m.Name] = true
		for _, steps := range []string{m.Happens, m.Mends} {
			if _, err := scenario.Parse(m.Name, steps); err != nil {
				t.Error(err)
			}
		}
	}
}
