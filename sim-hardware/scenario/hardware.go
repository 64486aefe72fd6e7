package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/sim-hardware/shoesim"
)

// Hardware is what a scenario acts on. A part may be missing; a step that needs it then fails.
type Hardware struct {
	Shoe *shoesim.Shoe
	// Panel has the contacts named in Keys, in that order.
	Panel *keysim.Bank
	Keys  []string
}

// What is missing for a step.
var (
	errNoShoe = errors.New("there is no shoe to which this could happen")
	errNoKeys = errors.New("there are no keys to which this could happen")
)

// contact returns the place of a key on the panel.
func (h Hardware) contact(name string) (int, error) {
	i := slices.Index(h.Keys, name)
	switch {
	case h.Panel == nil:
		return 0, errNoKeys
	case i < 0:
		return 0, fmt.Errorf("there is no key %s; there are %s", name, strings.Join(h.Keys, ", "))
	}
	return i, nil
}
