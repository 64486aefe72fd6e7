package simtest

import (
	"context"
	"log/slog"
	"net"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/display"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/sim-hardware/keysim"
	"github.com/sabot-table/sabot/table/journal/disk"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// Table is one life of the table under test, from its start to its end.
type Table interface {
	// Run runs the table until ctx ends.
	Run(ctx context.Context) error
	// Close releases everything.
	Close() error
	// Await returns the first view that is wanted, which may be the current one.
	Await(ctx context.Context, wanted func(display.View) bool) (display.View, error)
	// Submit puts an input in, and returns when it is durable.
	Submit(ctx context.Context, in vocab.Input) (runner.Answer, error)
}

// Surroundings are all that a table reaches.
type Surroundings struct {
	// Folder is a real folder for small files next to the journal, which is on Disk.
	Folder string
	Disk   disk.Disk
	Shoe   device.Opener
	Broker func(ctx context.Context, address string) (net.Conn, error)
	Now    func() time.Time
	// Make is the shoe's make, and Key what the table shares with it; nil for none.
	Make string
	Key  *wire.Secret
	// Keys are the contacts and outputs of the panel, in the order of the variable Keys; nil for a table without.
	Keys *keysim.Bank
	// House is whose rules are played, and BoxMax the limit for a box in minor units; 0 leaves the house's.
	House  string
	BoxMax int64
	// Apart says that two calls may be too close to each other, as the house has it.
	Apart bool
	Log   *slog.Logger
}

// Start starts a life of the table under test.
type Start func(Surroundings) (Table, error)
