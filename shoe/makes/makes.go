// Package makes is the registry of the shoes that a table can have: each make is one row of All, which configuration,
// daemon, sabot devices, sabot shoe sim and the bench read. What simulates a make is in sim-hardware/shoesim, by the
// same name.
package makes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/angeleye"
	"github.com/sabot-table/sabot/shoe/beetek"
	"github.com/sabot-table/sabot/shoe/sabot"
)

// Make is what there is to know about a maker's shoe besides its driver.
type Make struct {
	// Name is its name in configurations.
	Name string
	// Baud is the usual speed of its line. All have 8 data bits, no parity, one stop bit.
	Baud int
	// ReadTimeout ends a read of its line that gets no byte for so long; 0 for the usual one.
	ReadTimeout time.Duration
	// Keeps: it keeps each event until the table acknowledges that the event is stored.
	Keeps bool
	// Key: it can share a key with the table.
	Key bool
	// Commands: it can be allowed to obey commands.
	Commands bool
	// Keys is how many keys can be wired to it.
	Keys int
	// Text: its line carries readable text.
	Text bool
	// Frames finds the frames in the bytes of one direction and passes each to emit; nil for a language without frames.
	Frames func(emit func(shoe.Frame)) (feed func([]byte))
	// Speaks says whether bytes contain a message of this make.
	Speaks func(p []byte) bool
	// New makes the driver of one shoe.
	New func(shoe.Options) shoe.Driver
}

// All are the makes, the usual one first.
var All = []Make{
	{
		Name: sabot.Name, Baud: sabot.Baud, ReadTimeout: sabot.ReadTimeout, Keeps: true, Key: true, Commands: true,
		Keys: sabot.Keys, Frames: sabot.Frames, Speaks: sabot.Speaks, New: driver(sabot.New),
	},
	{Name: beetek.Name, Baud: beetek.Baud, Text: true, Speaks: beetek.Speaks, New: driver(beetek.New)},
	{Name: angeleye.Name, Baud: angeleye.Baud, Commands: true, Speaks: angeleye.Speaks, New: driver(angeleye.New)},
}

func driver[D shoe.Driver](of func(shoe.Options) D) func(shoe.Options) shoe.Driver {
	return func(o shoe.Options) shoe.Driver { return of(o) }
}

// Driver makes the driver of one shoe, which recognizes the other makes when it finds one of them on its line.
func (m Make) Driver(o shoe.Options) shoe.Driver {
	baud := cmp.Or(o.Baud, m.Baud)
	o.Guess = func(s *shoe.Sample) string { return m.guess(s, baud) }
	return m.New(o)
}

// Names lists the names of the makes, the usual one first.
func Names() []string {
	var names []string
	for _, m := range All {
		names = append(names, m.Name)
	}
	return names
}

// Named returns the make with a name. The error lists those that exist.
func Named(name string) (Make, error) {
	i := slices.IndexFunc(All, func(m Make) bool { return m.Name == name })
	if i < 0 {
		return Make{}, fmt.Errorf("no shoe is called %q: choose one of %s", name, strings.Join(Names(), ", "))
	}
	return All[i], nil
}
