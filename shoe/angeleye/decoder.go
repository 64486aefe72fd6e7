// Package angeleye understands the Angel Eye II-EX, a baccarat shoe that reports on RS-232 at 4800 baud, often through
// a serial-to-network converter. Here every card event counts, in the order drawn, whatever its part in baccarat.
//
// A report is ENQ, a number, data, ETX and a checksum, and is sent three times. There is no acknowledgement. All of
// this is reconstructed from public programs that read such shoes, mainly https://github.com/keepcodings/AngelEye: its
// AngelEyeFrameDecoder.cs reads reports, and its AngelEyeProtocol.cs writes commands by the example of section 10.1 of
// the maker's specification, which is not public. docs/shoes.md lists what was never checked on the hardware.
package angeleye

import (
	"errors"
	"fmt"
	"time"

	"github.com/sabot-table/sabot/shoe"
	"github.com/sabot-table/sabot/shoe/oneway"
)

// repeatWithin is the longest time between two of the three copies of a report. Nobody draws cards so fast that their
// numbers come round within it.
const repeatWithin = 3 * time.Second

// Decoder turns the shoe's reports into events. It keeps no more than the bytes of one, and finds an intact report
// after any garbage. It implements oneway.Decoder.
type Decoder struct {
	window  window
	astray  bool // bytes that belong to no report came since the last one
	refused bool // NAK has arrived, but not its code
	counter counter

	coming   report
	last     report // the last new one
	lastAt   time.Duration
	heard    bool // last is set
	differed bool // a copy of it differed
	fresh    bool // nothing new has come on this port yet
	spoken   bool // a report other than a start came on this port

	answered func(answer) // may be nil
	oneway.Heard
}

var _ oneway.Decoder = (*Decoder)(nil)

// What is noted in the log.
const (
	damagedReport = "damaged reports of the shoe"
	unknownReport = "unknown reports of the shoe"
	looseAnswer   = "unexpected answers of the shoe"
)

// Why there is a gap, or an alarm raised by the driver.
var (
	errHole     = errors.New("the numbers of the shoe's reports have a gap")
	errBack     = errors.New("the numbers of the shoe's reports went back")
	errStarted  = errors.New("the shoe has restarted, and what left it before is not known")
	errDiffered = errors.New("the copies of a report are not the same: compare the cards on the table with those on the display")
)

// Reset discards what was partly received, and the position in the numbers: the link already reports that something may
// be missing. The last report is remembered, since a converter may deliver its other copies late.
func (d *Decoder) Reset() {
	d.counter.begun = false
	*d = Decoder{
		counter: d.counter, last: d.last, lastAt: d.lastAt, heard: d.heard, fresh: true,
		answered: d.answered, Heard: d.Heard,
	}
}

// Feed takes the next bytes.
func (d *Decoder) Feed(at time.Duration, p []byte, emit func(shoe.Event)) {
	for _, b := range p {
		if d.answer(b) {
			continue
		}
		d.drop(d.window.add(b))
		if d.window.ends() {
			d.end(at, emit)
		}
	}
}

// Quiet discards an incomplete report. No gap follows: when all copies of a report are lost, the next report's number
// shows it.
func (d *Decoder) Quiet(func(shoe.Event)) {
	d.refused = false
	d.drop(d.window.n)
	d.window.n, d.astray = 0, false
}

// Lost does nothing: each report comes three times, with a check, and the next report's number shows if all three are
// lost.
func (d *Decoder) Lost() {}

// end removes what may be a report from the window.
func (d *Decoder) end(at time.Duration, emit func(shoe.Event)) {
	r := &d.coming
	before, ok := d.window.take(r)
	if !ok {
		d.damaged()
		d.astray = true
		return
	}
	d.drop(before)
	d.astray = false
	d.Count.Messages++
	d.take(at, r, emit)
}

// drop counts bytes that belong to no report, and each run of them as damage.
func (d *Decoder) drop(bytes int) {
	d.Count.Dropped += uint64(bytes)
	if bytes > 0 && !d.astray {
		d.astray = true
		d.damaged()
	}
}

func (d *Decoder) damaged() {
	d.Count.Damaged++
	d.Log.Note(damagedReport, nil)
}

// take processes an intact report.
func (d *Decoder) take(at time.Duration, r *report, emit func(shoe.Event)) {
	repeated := d.heard && r.number == d.last.number
	recent := at-d.lastAt < repeatWithin
	switch {
	case repeated && r.same(&d.last) && recent:
		d.Count.Repeated++
		d.lastAt = at
		return
	case repeated && recent && d.last.kind() != 'S' && !d.fresh:
		d.differ(emit)
		return
	}
	d.count(r, emit)
	d.last, d.lastAt, d.heard, d.differed, d.fresh = *r, at, true, false, false
	d.interpret(r, emit)
}

// differ reports once that the copies of a report differ: the checksum is so short that damage can pass it. Nobody
// knows which copy is right.
func (d *Decoder) differ(emit func(shoe.Event)) {
	d.damaged()
	if !d.differed {
		d.differed = true
		emit(shoe.Event{Kind: shoe.AlarmRaised, Code: "copies-differ", Err: errDiffered})
	}
}

// count follows the numbers, and reports gaps. A number that comes again after a long time has gone round once.
func (d *Decoder) count(r *report, emit func(shoe.Event)) {
	if r.kind() == 'S' {
		d.start(r, emit)
		return
	}
	d.spoken = true
	switch missing, counted := d.counter.next(r.number); {
	case !counted:
		emit(shoe.Event{Kind: shoe.Gap, Err: errBack})
	case missing > 0:
		emit(shoe.Event{Kind: shoe.Gap, Missing: uint32(missing), Err: errHole})
	}
}

// start handles a shoe that restarts, as after a power cut: nobody knows what left it before. If nothing was heard
// since the link came up, the link's gap already says so.
func (d *Decoder) start(r *report, emit func(shoe.Event)) {
	d.counter.start(r.number)
	if d.spoken {
		emit(shoe.Event{Kind: shoe.Gap, Unsure: true, Err: errStarted})
	}
	d.spoken = false
}

// unknown is an intact report without a meaning.
func (d *Decoder) unknown(r *report) {
	d.Count.Unknown++
	d.Log.Note(unknownReport, fmt.Errorf("number %q, data % x", r.number, r.data[:r.n]))
}
