// Package sabot talks to a shoe whose firmware keeps every card event until the table has stored it, by the protocol of
// firmware-protocol/SPEC.md.
//
// The protocol itself is the type link, which is pure; the Driver around it has
// the port, the clock and the goroutines.
//
// Only the list of makes imports a driver: all others know a shoe by its cards.
package sabot

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/firmware-protocol/wire"
	"github.com/sabot-table/sabot/shoe"
)

// Name is the name in configurations of a shoe with our own protocol, and Baud the usual speed of its line.
const (
	Name = "sabot"
	Baud = 115200
)

// Keys is how many keys can be wired to a shoe.
const Keys = wire.MaxKey

// Driver is one shoe on its line.
type Driver struct {
	open     device.Opener
	log      *slog.Logger
	commands bool

	mu      sync.Mutex // held briefly, never during transfers, logging or handle
	link    *link
	decoder wire.Decoder
	meter   device.LossMeter
	now     time.Time // of the bytes that the decoder is fed with
	onFrame func(wire.Message, error)
	hangUp  func() // set when nothing is to be sent after the farewell

	arrived chan struct{} // events wait in the queue
	wake    chan struct{} // frames may be due
}

var _ shoe.Driver = (*Driver)(nil)

// New returns the driver of a shoe.
func New(o shoe.Options) *Driver {
	d := &Driver{
		open: o.Open, log: o.Logger(), commands: o.Commands, link: newLink(o.Stored...),
		arrived: make(chan struct{}, 1), wake: make(chan struct{}, 1),
	}
	d.link.watches = o.Watches
	if o.Key != nil {
		d.link.secure(*o.Key, randomNonce)
		d.decoder.Guard = d.link.security.guard
	}
	d.link.stranger.looksLike = o.LooksLike
	d.onFrame = func(m wire.Message, err error) {
		if wire.Damaged(err) {
			err = &damagedError{err, bytes.Clone(d.decoder.Frame())}
		}
		d.link.receive(d.now, m, err)
	}
	return d
}

// randomNonce returns a number that, in all probability, was never used before.
func randomNonce() wire.Nonce {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return wire.Nonce(binary.LittleEndian.Uint64(b[:]))
}

// farewellWithin is how long the last frames may take on a port that accepts nothing.
const farewellWithin = 500 * time.Millisecond

// ReadTimeout is what the port is to be opened with: the driver needs no read to end without bytes, and a shoe sends
// its heartbeat twice a second.
const ReadTimeout = 5 * time.Second

// Run talks to the shoe until ctx ends and returns ctx's error. While handle is busy the line is still read, so that a
// slow disk does not look like a dead shoe; events for which there is no room in memory stay with the shoe. At the end
// it unlocks a card exit that SetLock has locked, and turns the lamp off, if there is a shoe.
func (d *Driver) Run(ctx context.Context, handle func(shoe.Event)) error {
	line, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	defer context.AfterFunc(ctx, func() { d.farewell(hangUp) })()
	ended := make(chan error, 1)
	go func() { ended <- device.Keep(line, d.open, d.portChanged, d.speak) }()
	shoe.Deliver(ctx, d.arrived, d.next, func(e shoe.Event) {
		d.report(e)
		handle(e)
	})
	<-ended
	return ctx.Err()
}

// farewell leaves the shoe as it should be without a table, and then hangs up.
func (d *Driver) farewell(hangUp func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.link.farewell() {
		hangUp()
		return
	}
	d.hangUp = hangUp
	signal(d.wake)
	time.AfterFunc(farewellWithin, hangUp)
}

// Stored says that every numbered event up to p is durable; the shoe is told and forgets them.
func (d *Driver) Stored(p shoe.Position) {
	d.update(func(l *link) { l.durable(p) })
}

// Stats returns the counts since New. It may be called at any time.
func (d *Driver) Stats() Stats {
	d.mu.Lock()
	defer d.mu.Unlock()
	s, codec := d.link.counts, d.decoder.Stats()
	s.Frames, s.BadFrames, s.Refused = codec.Messages, codec.BadFrames, codec.Refused
	s.Skipped += codec.Skipped
	s.Invalid, s.Dropped = codec.Invalid, codec.DroppedBytes
	return s
}

func (d *Driver) next() (shoe.Event, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.link.queue.events.Pop()
}

// update changes the link and wakes the goroutines for what follows.
func (d *Driver) update(change func(*link)) {
	d.mu.Lock()
	change(d.link)
	d.signalArrived()
	d.mu.Unlock()
	signal(d.wake)
}

// signalArrived wakes Run if an event is queued. The lock is held.
func (d *Driver) signalArrived() {
	if len(d.link.queue.events) > 0 {
		signal(d.arrived)
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// portChanged is called by device.Keep.
func (d *Driver) portChanged(err error) {
	if err == nil {
		d.log.Debug("shoe: port open")
		return
	}
	d.update(func(l *link) { l.closed(time.Now(), err) })
}

// speak uses an open port until it fails.
func (d *Driver) speak(ctx context.Context, port device.Port) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.update(func(l *link) {
		d.decoder.Reset()
		d.meter.Open(port)
		l.opened(time.Now())
	})
	sent := make(chan error, 1)
	go func() {
		sent <- d.send(ctx, port)
		d.mu.Lock()
		if d.hangUp != nil {
			d.hangUp() // the port is not to be opened again
		}
		d.mu.Unlock()
		port.Close() // ends the listening
	}()
	err := d.listen(port)
	cancel()
	port.Close() // ends the sending
	// When the sender gave up and closed the port, the sender knows why.
	if why := <-sent; why != nil && errors.Is(err, device.ErrClosed) {
		return why
	}
	return err
}

// listen reads until the port fails.
func (d *Driver) listen(port device.Port) error {
	buf := make([]byte, 4096)
	for {
		n, err := port.Read(buf)
		if n > 0 {
			d.received(buf[:n])
		}
		if err != nil && !errors.Is(err, device.ErrTimeout) {
			return err
		}
	}
}

// received processes bytes from the line.
func (d *Driver) received(p []byte) {
	d.mu.Lock()
	d.now = time.Now()
	d.link.arrived(d.now, p, d.meter.Lost())
	d.decoder.Feed(p, d.onFrame)
	d.link.unframed()
	d.signalArrived()
	d.mu.Unlock()
	signal(d.wake)
}

// send lets time pass and writes what is due, until ctx ends, the port fails or the link gives up the port.
func (d *Driver) send(ctx context.Context, port device.Port) error {
	next := time.NewTimer(0)
	defer next.Stop()
	var out []byte
	for ctx.Err() == nil {
		var wait time.Duration
		var last bool
		var err error
		if out, wait, last, err = d.step(out[:0]); err != nil {
			return err
		}
		if len(out) > 0 {
			if _, err := port.Write(out); err != nil {
				return err
			}
		}
		if last {
			return nil
		}
		next.Reset(wait)
		select {
		case <-ctx.Done():
		case <-next.C:
		case <-d.wake:
		}
	}
	return nil
}

// step tells the link the time, logs what is to be logged, and appends to out what is to be sent. It returns how long
// to wait until the next step, and whether this is the last.
func (d *Driver) step(out []byte) (_ []byte, wait time.Duration, last bool, err error) {
	d.mu.Lock()
	now := time.Now()
	err = d.link.tick(now)
	out = d.link.appendOutput(out)
	sums, lines := d.link.remarks.due(now)
	wait, last = d.link.patience(now), d.hangUp != nil
	d.signalArrived()
	d.mu.Unlock()
	d.reportRemarks(sums, lines)
	return out, wait, last, err
}
