package beetek

import (
	"github.com/sabot-table/sabot/shoe"
)

// Name is this make's name in configurations, and Baud the speed of its line.
const (
	Name = "bee-tek"
	Baud = 9600
)

// New returns the driver of a shoe. It never writes to the shoe.
func New(o shoe.Options) *shoe.Unacked { return shoe.NewUnacked(Name, new(Decoder), o) }
