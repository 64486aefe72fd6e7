package keysim_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/vocab"
)

// TestLoads: a supervisor comes where the house asks for one, and leaves again; without one nothing is put in.
func TestLoads(t *testing.T) {
	away := errors.New("nobody is free")
	for _, c := range []struct {
		name       string
		supervised bool
		comes      error
		want       []string
	}{
		{"after the cut card", false, nil, []string{"loaded by "}},
		{"early", true, nil, []string{"anna comes", "loaded by anna"}},
		{"nobody comes", true, away, []string{"anna comes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var did []string
			d := keysim.Dealer{
				Prove: func(context.Context) (string, error) {
					did = append(did, "anna comes")
					return "anna", c.comes
				},
			}
			view := display.View{Shoe: display.Shoe{LoadSupervised: c.supervised}}
			err := d.Loads(t.Context(), view, func(in vocab.Input) error {
				did = append(did, in.Shoe.Event.String()+" by "+in.By)
				return nil
			})
			if !errors.Is(err, c.comes) || !slices.Equal(did, c.want) {
				t.Errorf("%q, %v; want %q", did, err, c.want)
			}
		})
	}
}
