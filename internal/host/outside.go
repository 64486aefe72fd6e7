package host

import (
	"context"
	"net"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/internal/ops/health"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/journal/disk"
)

// Outside is the world around the process: what a simulation of a table puts in the place of
// the machine's own. A nil field is the machine's.
type Outside struct {
	// Disk is the folder of the journal. It has no other writer, so no lock is taken.
	Disk disk.Disk
	// Shoe opens the shoe's port.
	Shoe device.Opener
	// Broker connects to the MQTT broker at an address.
	Broker func(ctx context.Context, address string) (net.Conn, error)
	// Page is where the page is served.
	Page net.Listener
	// Now is the clock of the record.
	Now func() time.Time
	// Computer puts a simulated computer in the place of what was found out about this one.
	Computer func(*health.Computer)
}

// WithOutside is an Option for a table in a simulated world.
func WithOutside(o Outside) Option { return func(d *Daemon) { d.given.outside = o } }

// openJournal opens the journal in its folder, or on a simulated disk.
func (o Outside) openJournal(path string, with journal.Options) (*journal.Journal, error) {
	with.Now = o.Now
	if o.Disk != nil {
		return journal.OpenOn(o.Disk, path, with)
	}
	return journal.Open(path, with)
}

// at is a moment of this process by the clock of the record.
func (o Outside) at(moment time.Time) time.Time {
	if o.Now != nil {
		return o.Now().Add(-time.Since(moment))
	}
	return moment
}

// now is the clock of the record.
func (o Outside) now() func() time.Time {
	if o.Now != nil {
		return o.Now
	}
	return time.Now
}
