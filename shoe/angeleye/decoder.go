// Package angeleye understands the Angel Eye II-EX, a baccarat shoe that reports on RS-232 at 4800 baud, often through
// a serial-to-network converter. Here every card event counts, in the order drawn, whatever its part in baccarat.
//
// A report is ENQ, a number, data, ETX and a checksum, and is sent three times. There is no acknowledgement. All of
// this is reconstructed from public programs that read such shoes, mainly https://github.com/keepcodings/AngelEye: its
// AngelEyeFrameDecoder.cs reads reports, and its AngelEyeProtocol.cs writes commands by the example of section 10.1 of
// the maker's specification, which is not public. docs/shoes.md lists what was never checked on the hardware.
//
// Only the list of makes imports a driver: all others know a shoe by its cards.
package angeleye

import (
	"errors"
	"time"

	"github.com/sabot-table/sabot/shoe"
)

// Decoder turns the shoe's reports into events. It keeps no more than the bytes of one and the last few reports, and
// finds an intact report after any garbage. It implements shoe.Decoder.
type Decoder struct {
	window  window
	astray  bool // bytes that belong to no report came since the last one
	refused bool // NAK has arrived, but not its code
	counter counter

	coming report
	memory memory
	any    bool          // a new report came, or is on record: counter.last is its number
	newAt  time.Duration // when it came
	once   heard         // of an unexpected length, and not taken unless it comes again
	fresh  bool          // nothing new has come on this port yet: what is remembered came before
	spoken bool          // a report other than a start came on this port

	answered func(answer) // may be nil
	shoe.Heard
}

var _ shoe.Decoder = (*Decoder)(nil)

// What is noted in the log.
const (
	damagedReport = "damaged reports of the shoe"
	unknownReport = "unknown reports of the shoe"
	looseAnswer   = "unexpected answers of the shoe"
	passedOver    = "reports that came before the port was opened came again, and were passed over"
	againAtStart  = "reports that came before the shoe's start came again, and were passed over"
	outOfPlace    = "reports came after others that the shoe had sent later, and were not dealt"
)

// Why there is a gap, or an alarm raised by the driver.
var (
	errHole     = errors.New("the numbers of the shoe's reports have a gap")
	errBack     = errors.New("the numbers of the shoe's reports went back")
	errStarted  = errors.New("the shoe has restarted, and what left it before is not known")
	errDiffered = errors.New("the copies of a report are not the same: compare the cards on the table with those on " +
		"the display")
	errLate  = errors.New("the report of a card came long after an equal one: it is a copy, or another card")
	errAgain = errors.New("the report of a card came again after the shoe's start: it is a copy, or another card")
	errPlace = errors.New("the report of a card came after others that the shoe had sent later, too late to be dealt")
	errOdd   = errors.New("the report of a card has an unexpected length")
)

// Reset discards what was partly received, and the position in the numbers: the link already reports that something may
// be missing. The last reports are remembered, since a converter may deliver their other copies late.
func (d *Decoder) Reset() {
	d.counter.begun = false
	d.memory.age()
	*d = Decoder{
		counter: d.counter, memory: d.memory, any: d.any, newAt: d.newAt, fresh: true, answered: d.answered,
		Heard: d.Heard,
	}
}

// Recall remembers a report that is on record, as Event.Report had it, and came so long before this side began to
// listen; a negative time is one that nobody knows. Reports are recalled in the order in which they came.
func (d *Decoder) Recall(recorded string, ago time.Duration) {
	r, ok := readFrame(recorded)
	if !ok {
		return
	}
	if ago < 0 {
		ago = repeatWithin
	}
	d.memory.add(heard{report: r, at: -ago, earlier: true})
	d.counter.last, d.any, d.newAt, d.fresh = r.number, true, -ago, true
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
	known := d.memory.find(r.number)
	switch {
	case known != nil && !known.doubtful && known.recent(at):
		d.again(at, r, known, emit)
	case known != nil && known.maybe(at) && known.same(r) && r.card():
		d.late(at, known, emit)
	case r.odd() && !d.believable(at, r):
		d.damaged()
	case d.behind(at, r):
		d.misplaced(at, r, emit)
	default:
		d.new(at, r, emit)
	}
}

// behind says whether the shoe has sent a report before the last new one: the numbers do not come round so fast.
func (d *Decoder) behind(at time.Duration, r *report) bool {
	places := d.counter.behind(r.number)
	comparable := d.any && at-d.newAt < repeatWithin && !d.counter.restart && r.kind() != 'S'
	return comparable && places > 0 && places < remembered
}

// again processes a report whose number came shortly before.
func (d *Decoder) again(at time.Duration, r *report, known *heard, emit func(shoe.Event)) {
	switch {
	case known.same(r):
		d.repeated(at, known)
	case r.odd():
		d.damaged()
	case known.odd:
		known.report, known.at, known.odd = *r, at, false
		d.damaged() // the copy before
		d.interpret(r, emit)
	case known.kind() == 'S', r.kind() == 'S' && d.twice(at, r):
		d.new(at, r, emit)
	default:
		d.differ(known, emit)
	}
}

// twice says whether the same report has just come, too: damage does not pass the checksum in the same way again. So a
// shoe that restarts soon after a report with the number that it begins with is heard.
func (d *Decoder) twice(at time.Duration, r *report) bool {
	if d.once.set && d.once.recent(at) && d.once.number == r.number && d.once.same(r) {
		return true
	}
	d.once = heard{report: *r, at: at, set: true}
	return false
}

// new takes a report that did not come before.
func (d *Decoder) new(at time.Duration, r *report, emit func(shoe.Event)) {
	d.count(at, r, emit)
	d.memory.add(heard{report: *r, at: at, odd: r.odd()})
	d.any, d.newAt, d.fresh, d.once = true, at, false, heard{}
	d.interpret(r, emit)
}

// repeated passes over a copy. The first on a port shows where the numbers are.
func (d *Decoder) repeated(at time.Duration, known *heard) {
	d.Count.Repeated++
	known.at = at
	if !d.fresh {
		return
	}
	d.passOver(known, passedOver)
	if known.number == d.counter.last {
		d.counter.begun = true
	}
}

func (d *Decoder) passOver(known *heard, why string) {
	d.Count.PassedOver++
	d.Log.Note(why, bytesOf(&known.report))
}

// late passes over the report of a card that is equal to one before the port was opened, or before the shoe's start,
// but may be another card: its number has come round, or has begun anew. Somebody must look.
func (d *Decoder) late(at time.Duration, known *heard, emit func(shoe.Event)) {
	why, log := errLate, passedOver
	if known.doubtful {
		why, log = errAgain, againAtStart
	}
	d.repeated(at, known)
	if !d.fresh {
		d.passOver(known, log)
		d.follow(known.number)
	}
	known.doubtful = false
	emit(note("passed-over", &known.report))
	emit(shoe.Event{Kind: shoe.Gap, Err: why})
}

// follow counts on from a report that was passed over, so that the next one shows no gap.
func (d *Decoder) follow(number byte) {
	if d.counter.expects(number) {
		d.counter.next(number)
	}
}

// misplaced takes a report that comes for the first time, but after one that the shoe had sent later. Its card is not
// dealt: the table has asked for it as lost, or it may be on record.
func (d *Decoder) misplaced(at time.Duration, r *report, emit func(shoe.Event)) {
	d.memory.add(heard{report: *r, at: at, odd: r.odd()})
	if !r.card() {
		d.interpret(r, emit)
		return
	}
	d.Count.PassedOver++
	d.Log.Note(outOfPlace, bytesOf(r))
	emit(note("out-of-place", r))
	emit(shoe.Event{Kind: shoe.Gap, Unsure: true, Err: errPlace})
}

// believable says whether a report of an unexpected length is what the shoe sent: it comes twice, or it is longer than
// it should be, no card, and its number is the next one. The loss of a run of bytes can pass the checksum, and an
// intact copy may follow.
func (d *Decoder) believable(at time.Duration, r *report) bool {
	return d.twice(at, r) || r.longer() && !r.card() && d.counter.expects(r.number)
}

// differ reports once that the copies of a report differ: the checksum is so short that damage can pass it. Nobody
// knows which copy is right.
func (d *Decoder) differ(known *heard, emit func(shoe.Event)) {
	d.damaged()
	if !known.differed {
		known.differed = true
		emit(shoe.Event{Kind: shoe.AlarmRaised, Code: "copies-differ", Err: errDiffered})
	}
}

// count follows the numbers, and reports gaps. A number that comes again after a long time has gone round once.
func (d *Decoder) count(at time.Duration, r *report, emit func(shoe.Event)) {
	if r.kind() == 'S' {
		d.start(at, r, emit)
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

// start handles a shoe that restarts, as after a power cut: nobody knows what left it before, and its numbers begin
// anew. If nothing was heard since the link came up, the link's gap already says so. This may be a later copy of the
// start, whose first one was lost, or was read before a kill: then what came last has come after the start.
func (d *Decoder) start(at time.Duration, r *report, emit func(shoe.Event)) {
	d.counter.start(r.number)
	d.memory.doubt(at)
	if d.spoken {
		emit(shoe.Event{Kind: shoe.Gap, Unsure: true, Err: errStarted})
	}
	d.spoken = false
}
