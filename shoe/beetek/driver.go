package beetek

import (
	"log/slog"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/shoe/oneway"
)

// Name is how configurations call this kind of shoe, and Baud the speed of its line.
const (
	Name = "bee-tek"
	Baud = 9600
)

// New returns the driver of a shoe on a port. It never writes to the shoe. log gets
// what people should know; nil is slog.Default().
func New(open device.Opener, log *slog.Logger) *oneway.Driver {
	return oneway.New(oneway.Options{Open: open, Decoder: new(Decoder), Name: Name, Log: log})
}
