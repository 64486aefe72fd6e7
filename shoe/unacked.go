package shoe

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/sabot-table/sabot/device"
	"github.com/sabot-table/sabot/shoe/card"
)

// Unacked is the driver of a shoe that reports each event once, as it happens, and keeps none: what was drawn while
// nothing was listening never arrives. A Decoder understands what the shoe says. The type link, which is pure, derives
// from it what the table must know: after each interruption of the line, a gap that may or may not hold a card. The
// driver around them has the port, the clock and the goroutines; it is complete for a shoe that takes no commands.
type Unacked struct {
	open device.Opener
	log  *slog.Logger

	mu      sync.Mutex // held briefly, never during transfers, logging or handle
	link    link
	decoder Decoder
	awake   awake
	emit    func(Event)
	port    device.Port // nil while there is none
	meter   device.LossMeter
	sample  Sample // what came since the last message

	arrived chan struct{} // events wait in the queue
}

var _ Driver = (*Unacked)(nil)

// NewUnacked returns the driver of a shoe that the decoder understands. The language is the decoder's name in the log.
func NewUnacked(language string, decoder Decoder, o Options) *Unacked {
	d := &Unacked{
		open: o.Open, log: o.Logger(), decoder: decoder, link: link{language: language},
		awake: awake{last: time.Now()}, arrived: make(chan struct{}, 1),
	}
	d.link.looksLike = func() string { return o.LooksLike(&d.sample) }
	d.emit = func(e Event) { d.link.event(d.awake.last, e) }
	return d
}

// Run listens to the shoe until ctx ends and returns ctx's error. While handle is busy the line is still read, since
// this shoe does not wait.
func (d *Unacked) Run(ctx context.Context, handle func(Event)) error {
	ended := make(chan error, 1)
	go func() { ended <- device.Keep(ctx, d.open, d.portChanged, d.listen) }()
	Deliver(ctx, d.arrived, d.next, func(e Event) {
		d.report(e)
		handle(e)
	})
	return <-ended
}

// Stored does nothing: this shoe keeps no events.
func (d *Unacked) Stored(Position) {}

// Stats returns the counts since NewUnacked. It may be called at any time.
func (d *Unacked) Stats() UnackedStats {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.link.stats
	s.DecoderCounts = d.decoder.Counts()
	return s
}

// Condition is empty: this shoe keeps no events, and says nothing of its sensor.
func (d *Unacked) Condition() Condition { return Condition{} }

// Exit is nil: this shoe takes no commands.
func (d *Unacked) Exit() Exit { return nil }

// ErrNoPort: there is no open port to write to.
var ErrNoPort = errors.New("the shoe is not connected: check its port first")

// Write sends bytes to the shoe now, or says why it cannot.
func (d *Unacked) Write(p []byte) (int, error) {
	d.mu.Lock()
	port := d.port
	d.mu.Unlock()
	if port == nil {
		return 0, ErrNoPort
	}
	return port.Write(p)
}

func (d *Unacked) next() (Event, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.link.queue.events.Pop()
}

// portChanged is called by device.Keep.
func (d *Unacked) portChanged(err error) {
	if err == nil {
		d.log.Debug("shoe: port open")
		return
	}
	d.change(func() { d.link.closed(time.Now(), err) })
}

// listen reads an open port until it fails.
func (d *Unacked) listen(_ context.Context, port device.Port) error {
	d.change(func() {
		d.port = port
		d.meter.Open(port)
		d.decoder.Reset()
		d.link.opened(d.awake.wake(time.Now()))
	})
	defer d.change(func() { d.port = nil })
	buf := make([]byte, 4096)
	quiet := 0
	for {
		n, err := port.Read(buf)
		switch {
		case n > 0:
			quiet = 0
			d.received(buf[:n])
		case errors.Is(err, device.ErrTimeout):
			quiet++
			if d.silent(quiet == quietReads) {
				quiet = 0
			}
		}
		if err != nil && !errors.Is(err, device.ErrTimeout) {
			return err
		}
	}
}

// What is noted in the log.
const (
	lostBytes    = "the port lost bytes from the shoe, or received them damaged"
	damagedBytes = "bytes came that make no message"
)

// quietReads is a DecoderPause, counted in reads that returned nothing. A clock would mistake time in which this side
// stood still, while bytes waited, for silence.
const quietReads = int(DecoderPause / device.DefaultReadTimeout)

func (d *Unacked) received(p []byte) {
	d.change(func() {
		now := time.Now()
		before := d.decoder.Counts()
		d.sample.Add(p, d.lose())
		d.decoder.Feed(d.awake.until(now), p, d.emit)
		counts := d.decoder.Counts()
		if counts.Damaged != before.Damaged {
			d.decoder.Remarks().Note(damagedBytes, d.sample.Last())
		}
		if counts.Messages != before.Messages {
			d.sample.Reset()
		}
		d.link.judge(now, counts, d.sample.Unprintable)
	})
	d.remark()
}

// silent lets time pass without bytes. It returns whether bytes came nevertheless, and were lost.
func (d *Unacked) silent(pause bool) (lost bool) {
	d.mu.Lock()
	d.awake.until(time.Now())
	lost = d.lose() != device.Losses{}
	d.mu.Unlock()
	if pause {
		d.change(func() { d.decoder.Quiet(d.emit) })
	}
	d.remark()
	return lost
}

// lose notes what the port's receiver has lost since it was last asked. The lock is held.
func (d *Unacked) lose() device.Losses {
	lost := d.meter.Lost()
	if lost != (device.Losses{}) {
		d.decoder.Remarks().Note(lostBytes, errors.New(lost.String()))
		d.decoder.Lost()
	}
	return lost
}

// change changes the driver's state, and wakes Run for what follows.
func (d *Unacked) change(what func()) {
	d.mu.Lock()
	what()
	d.mu.Unlock()
	select {
	case d.arrived <- struct{}{}:
	default:
	}
}

func (d *Unacked) remark() {
	d.mu.Lock()
	sums := d.decoder.Remarks().Due(d.awake.last)
	d.mu.Unlock()
	for _, s := range sums {
		s.Log(d.log)
	}
}

// report logs an event that the operator should know about, as it goes to the table.
func (d *Unacked) report(e Event) {
	switch {
	case e.Kind == Up:
		d.log.Info("shoe: link is up", "language", e.Shoe.Maker)
	case e.Kind == Down:
		d.log.Warn("shoe: link is down: deal no card until it is up; look at the cable and at the shoe", "why", e.Err)
	case e.Kind == Gap && errors.Is(e.Err, errAway):
		d.log.Info("shoe: a card may have left unseen: the table says what to do", "why", e.Err)
	case e.Kind == Gap && e.Unsure:
		d.log.Warn("shoe: a card may have left unseen: the table says what to do", "why", e.Err)
	case e.Kind == Gap:
		d.log.Error("shoe: events are lost; any of them may have been a card", "missing", e.Missing, "why", e.Err)
	case e.Err != nil:
		d.log.Warn("shoe: event was wrong; if it comes again, look at the line and at the shoe",
			"event", e.Kind, "why", e.Err)
	}
}

// UnackedStats counts what a driver has seen since it started.
type UnackedStats struct {
	DecoderCounts
	Ports    uint64 // ports opened; one more than the reconnections
	Events   uint64 // events passed on, except gaps
	Unread   uint64 // of these, cards without identity
	Gaps     uint64 // losses reported, certain or not
	Overflow uint64 // events lost because the table was busy
}

func (s *UnackedStats) count(e *Event) {
	if e.Kind == Gap {
		s.Gaps++
		return
	}
	s.Events++
	if e.Kind == Drawn && e.Card == card.Unread {
		s.Unread++
	}
}

// Counters returns the counts, by the same names as other shoes' where they mean the same.
func (d *Unacked) Counters() map[string]uint64 {
	s := d.Stats()
	counters := map[string]uint64{
		"ports": s.Ports, "frames": s.Messages, "bad_frames": s.Damaged, "skipped": s.Unknown,
		"dropped_bytes": s.Dropped, "events": s.Events, "unread": s.Unread, "duplicates": s.Repeated,
		"overflow": s.Overflow, "gaps": s.Gaps, "passed_over": s.PassedOver,
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.meter.AddTo(counters)
	return counters
}

// steady is the longest time between two reads of the line during which this side is not taken to have stood still.
const steady = 500 * time.Millisecond

// awake measures time without the time in which this side stood still while it listened: bytes that arrived meanwhile
// had to wait, and are as old as the last read.
type awake struct {
	last  time.Time
	total time.Duration
}

// wake begins to listen, after a time in which there was no port.
func (a *awake) wake(now time.Time) time.Time {
	a.total += max(now.Sub(a.last), 0)
	a.last = now
	return now
}

// until returns how much time has passed.
func (a *awake) until(now time.Time) time.Duration {
	a.total += min(max(now.Sub(a.last), 0), steady)
	a.last = now
	return a.total
}
