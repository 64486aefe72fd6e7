package shoesim_test

import (
	"slices"
	"testing"

	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe/makes"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// TestEveryMakeIsSimulated: each make is simulated under the name of its row, with a key if the make has one, and
// nothing else is.
func TestEveryMakeIsSimulated(t *testing.T) {
	for _, m := range makes.All {
		kind := shoesim.Kind(m.Name)
		if !slices.Contains(shoesim.Kinds(), kind) {
			t.Errorf("%s is in shoe/makes, but nothing simulates it", kind)
			continue
		}
		if len(kind.Troubles()) == 0 {
			t.Errorf("the simulated %s has no trouble", kind)
		}
		for _, o := range []shoesim.Options{
			{Kind: kind, Memory: true},
			{Kind: kind, Memory: true, Key: &wire.Secret{1}},
		} {
			s, err := shoesim.New(o)
			if (err == nil) != (o.Key == nil || m.Key) {
				t.Errorf("%s, with a key %t: %v", kind, o.Key != nil, err)
			}
			if err == nil {
				s.Close()
			}
		}
	}
	for _, kind := range shoesim.Kinds() {
		if _, err := makes.Named(string(kind)); err != nil {
			t.Errorf("%s is simulated, but not in shoe/makes: %v", kind, err)
		}
	}
}
