package displaytest

import (
	"testing"

	"github.com/sabot-table/sabot/table/irregularity"
)

// TestHoldsShowEveryIrregularity: no code that holds a round is left out.
func TestHoldsShowEveryIrregularity(t *testing.T) {
	seen := map[irregularity.Code]bool{}
	for _, s := range Holds() {
		seen[s.View.Held.Code] = true
	}
	for code := range irregularity.EveryCode {
		if code.Holds() && !seen[code] {
			t.Errorf("no sample of %s", code)
		}
	}
}
