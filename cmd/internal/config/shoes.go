package config

import (
	"slices"

	"github.com/sabot-table/sabot/shoe/angeleye"
	"github.com/sabot-table/sabot/shoe/beetek"
)

// The kinds of shoe that a table can have, by the name of their driver.
const (
	Sabot    = "sabot"
	BeeTek   = beetek.Name
	AngelEye = angeleye.Name
)

// kind is what the configuration must know of a kind of shoe.
type kind struct {
	driver   string
	baud     int  // the usual speed of its line
	commands bool // commands can be allowed
}

var kinds = []kind{
	{driver: Sabot, baud: 115200, commands: true},
	{driver: BeeTek, baud: beetek.Baud},
	{driver: AngelEye, baud: angeleye.Baud, commands: true},
}

// Drivers are the names of the kinds of shoe.
func Drivers() []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.driver)
	}
	return names
}

// kind returns the shoe's kind; its zero value is none that is known.
func (s Shoe) kind() kind {
	i := slices.IndexFunc(kinds, func(k kind) bool { return k.driver == s.Driver })
	if i < 0 {
		return kind{}
	}
	return kinds[i]
}

// Speed is the speed of a serial port in bits per second: the one that is written, or
// else the usual one of the kind of shoe.
func (s Shoe) Speed() int {
	if s.Baud != 0 {
		return s.Baud
	}
	return s.kind().baud
}
