// Package makes is the registry of the shoes that a table can have: each make is one row of
// All. Configuration, daemon, sabot devices, sabot sim and the bench read it; what simulates
// a make is with sim-hardware/shoesim, by the same name.
package makes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/angeleye"
	"github.com/sabot-table/sabot/shoe/beetek"
	"github.com/sabot-table/sabot/shoe/sabot"
)

// Make is what there is to know of a maker's shoe beside its driver.
type Make struct {
	// Name is that of its driver in configurations.
	Name string
	// Baud is the usual speed of its line. All have 8 data bits, no parity, one stop bit.
	Baud int
	// ReadTimeout is after how long without a byte a read of its line ends; 0 for the usual.
	ReadTimeout time.Duration
	// Keeps: it keeps each event until it is told that the event is stored.
	Keeps bool
	// Key: it can share a key with the table.
	Key bool
	// Commands: it can be allowed to obey commands.
	Commands bool
	// Text: what its line carries can be read as it is.
	Text bool
	// Frames finds the frames in the bytes of one direction, and tells each; nil for a
	// language in which nothing is to be found.
	Frames func(tell func(shoe.Frame)) (feed func([]byte))
	// New makes the driver of one shoe.
	New func(shoe.Options) shoe.Driver
}

// All are the makes, the usual one first.
var All = []Make{
	{Name: sabot.Name, Baud: sabot.Baud, ReadTimeout: sabot.ReadTimeout, Keeps: true, Key: true, Commands: true, Frames: sabot.Frames, New: driver(sabot.New)},
	{Name: beetek.Name, Baud: beetek.Baud, Text: true, New: driver(beetek.New)},
	{Name: angeleye.Name, Baud: angeleye.Baud, Commands: true, New: driver(angeleye.New)},
}

func driver[D shoe.Driver](of func(shoe.Options) D) func(shoe.Options) shoe.Driver {
	return func(o shoe.Options) shoe.Driver { return of(o) }
}

// Names lists the names of the makes, the usual one first.
func Names() []string {
	var names []string
	for _, m := range All {
		names = append(names, m.Name)
	}
	return names
}

// Named returns the make of a name. The error says which there are.
func Named(name string) (Make, error) {
	i := slices.IndexFunc(All, func(m Make) bool { return m.Name == name })
	if i < 0 {
		return Make{}, fmt.Errorf("no shoe is called %q: choose one of %s", name, strings.Join(Names(), ", "))
	}
	return All[i], nil
}
