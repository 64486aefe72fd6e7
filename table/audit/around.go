package audit

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file checks what stands around a record: its boot, its time, the number that
// the shoe gave it.

// boots follows the program's starts, each of which begins a part.
type boots struct {
	last     uint64
	programs map[uint64]string
	named    []string // the programs, in the order in which they came
	// lost says that parts are missing, so that starts may be.
	lost bool
}

// header takes the beginning of a part. A start counts one further than the one before.
func (b *boots) header(a *auditor, h *journal.Header) {
	if b.programs == nil {
		b.programs = map[uint64]string{}
		b.lost = b.lost || h.Before != 0
	}
	lost := b.lost
	b.lost = false
	program, known := b.programs[h.Boot]
	switch same := known && h.Boot == b.last; {
	case same && program != h.Program:
		b.fault(a, h, fmt.Sprintf("names the program %s for start %d, and the part before it %s", h.Program,
			h.Boot, program))
		return
	case same && h.Starts():
		b.fault(a, h, fmt.Sprintf("was begun by a start, and has the number of the start before, which is %d", h.Boot))
		return
	case same:
		return
	case lost && h.Boot > b.last:
	case h.Boot != b.last+1:
		b.fault(a, h, fmt.Sprintf("is of start %d, and start %d would be next", h.Boot, b.last+1))
	case !h.Starts():
		b.fault(a, h, fmt.Sprintf("is of start %d, and was not begun by a start", h.Boot))
	}
	a.report.Boots++
	b.last = h.Boot
	b.programs[h.Boot] = h.Program
	if !slices.Contains(b.named, h.Program) {
		b.named = append(b.named, h.Program)
		b.otherVersion(a, h)
	}
}

func (b *boots) fault(a *auditor, h *journal.Header, what string) {
	f := a.finding(Boots, nil, fmt.Sprintf("part %d, from record %d on, %s", h.Part, h.Record+1, what))
	f.Record = h.Record + 1
	a.report.fault(f)
}

// otherVersion remarks that another program wrote some of the journal.
func (b *boots) otherVersion(a *auditor, h *journal.Header) {
	if a.o.Version != "" && h.Program != a.o.Version {
		a.remark(OtherVersion, nil,
			fmt.Sprintf("start %d, from record %d on, was of %s; this is %s: where an answer differs, check with "+
				"that version, too",
				h.Boot, h.Record+1, h.Program, a.o.Version))
	}
}

// wroteOurs says whether a record is of the program that checks: what an earlier one left out, this one has to write.
func (a *auditor) wroteOurs(rec *journal.Record) bool {
	return a.o.Version != "" && a.boots.program(rec.Boot) == a.o.Version
}

// program is what wrote a boot's records, "" for what is not known.
func (b *boots) program(number uint64) string {
	return b.programs[number]
}

// clock looks for times that run backwards. That is no fault: clocks are set.
type clock struct {
	last  int64
	back  int // how often
	worst time.Duration

	// free is the remark of the stretch that is under way in which the clock followed no other; nil for none. wrong
	// counts them.
	free  *Finding
	wrong int
}

// mostJumps is how many jumps are told one by one.
const mostJumps = 3

func (c *clock) see(a *auditor, rec *journal.Record) {
	if a.report.Records == 1 {
		a.report.First = moment(rec.At)
	} else if rec.At < c.last {
		c.back++
		by := time.Duration(c.last - rec.At)
		c.worst = max(c.worst, by)
		if c.back <= mostJumps {
			a.remark(Clock, rec, fmt.Sprintf("the table's clock went back by %s before this record", by))
		}
	}
	c.last = rec.At
}

// noted takes the table's own word for whether its clock is right. Each start says it anew.
func (c *clock) noted(a *auditor, rec *journal.Record, in *vocab.Input) {
	note := ""
	if in.Kind == vocab.InNote {
		note = in.Code
	}
	if c.free != nil && (note == vocab.ClockFollows || rec.Boot != c.free.Boot) {
		c.right(a, rec.Seq)
	}
	if note == vocab.ClockFree && c.free == nil {
		c.free = a.finding(Clock, rec, "")
	}
}

// right ends a stretch of times that may be wrong before a record; 0 for one that goes on to the end.
func (c *clock) right(a *auditor, before uint64) {
	if c.wrong++; c.wrong <= mostJumps {
		until := "to the end"
		if before > 0 {
			until = fmt.Sprintf("to record %d", before-1)
		}
		c.free.What = "from this record " + until + " the table's clock followed no other: times may be wrong"
		a.report.remark(c.free)
	}
	c.free = nil
}

func (c *clock) end(a *auditor) {
	if c.free != nil {
		c.right(a, 0)
	}
	if c.wrong > mostJumps {
		a.remark(Clock, nil,
			fmt.Sprintf("the table's clock followed no other %d times: the notes %s and %s are where that begins "+
				"and ends", c.wrong, vocab.ClockFree, vocab.ClockFollows))
	}
	if a.report.Records > 0 {
		a.report.Last = moment(c.last)
	}
	if c.back > mostJumps {
		a.remark(Clock, nil, fmt.Sprintf("the table's clock went back %d times, at most by %s", c.back, c.worst))
	}
}

// shoe follows the numbers that the shoe gave its events.
type shoe struct {
	boot, seq uint32
	known     bool
	// gone says that records are missing, so that the next number may be any.
	gone bool
	seen highest
}

func (s *shoe) lost() { s.gone = true }

// see wants the shoe's next number, and none twice. A hole, and another boot of the shoe, is
// told by an event of its own, which says from where the numbers go on.
func (s *shoe) see(a *auditor, rec *journal.Record) {
	if rec.ShoeBoot == 0 && rec.ShoeSeq == 0 {
		s.reused(a, rec)
		return
	}
	last := s.seen.of(rec.ShoeBoot)
	again := rec.ShoeSeq <= last && rec.ShoeSeq > 0
	switch follows := rec.ShoeBoot == s.boot && rec.ShoeSeq == s.seq+1; {
	case again && (rec.ShoeBoot != s.boot || follows) && !isGap(rec.Input):
		a.fault(ShoeNumber, rec,
			fmt.Sprintf("the event %d of the shoe's boot %08x is recorded a second time, after that shoe was "+
				"exchanged or started anew: if it is a card, it was dealt twice", rec.ShoeSeq, rec.ShoeBoot))
	case follows, s.gone, isGap(rec.Input), !s.known && rec.ShoeSeq == 1:
	case !s.known:
		a.fault(ShoeNumber, rec,
			fmt.Sprintf("the first event of the shoe has the number %d: %s, and no gap was recorded", rec.ShoeSeq,
				missing(rec.ShoeSeq-1, "before it")))
	case rec.ShoeBoot != s.boot:
		a.fault(ShoeNumber, rec,
			"the shoe was started anew or exchanged, and that was not recorded: events may be missing, and each may "+
				"be a card")
	case rec.ShoeSeq <= s.seq:
		a.fault(ShoeNumber, rec,
			fmt.Sprintf("the shoe's number %d comes after %d: an event is recorded twice, or not in its place",
				rec.ShoeSeq, s.seq))
	default:
		a.fault(ShoeNumber, rec, fmt.Sprintf("the shoe's number %d follows %d: %s, and no gap was recorded",
			rec.ShoeSeq, s.seq, missing(rec.ShoeSeq-s.seq-1, "between them")))
	}
	s.boot, s.seq, s.known, s.gone = rec.ShoeBoot, rec.ShoeSeq, true, false
	s.seen.set(rec.ShoeBoot, max(last, rec.ShoeSeq))
}

// reused takes the table's word that a shoe has begun anew under a boot id that it had
// before: its numbers come again, for other events.
func (s *shoe) reused(a *auditor, rec *journal.Record) {
	if !bytes.Contains(rec.Input, []byte("boot-reused")) {
		return
	}
	in, err := parseInput(rec.Input)
	boot, is := runner.ReusedBoot(&in)
	if err != nil || !is {
		return
	}
	s.seen.set(boot, 0)
	a.remark(ShoeReused, rec,
		fmt.Sprintf("a shoe was started anew under the boot id %08x, which was used before: the numbers of its "+
			"events come a second time, and do not show whether one of them was dealt twice", boot))
}

// highest is the highest number of each boot of a shoe. Of a journal with more boots than a
// table sees in its life it forgets those that came first: latest and before hold at most so
// many each.
type highest struct{ latest, before map[uint32]uint32 }

const mostBoots = 1 << 16

func (h *highest) of(boot uint32) uint32 {
	if seq, known := h.latest[boot]; known {
		return seq
	}
	return h.before[boot]
}

func (h *highest) set(boot, seq uint32) {
	if h.latest == nil || len(h.latest) >= mostBoots {
		h.latest, h.before = map[uint32]uint32{}, h.latest
	}
	h.latest[boot] = seq
}

func missing(n uint32, where string) string {
	if n == 1 {
		return "the event " + where + ", which may be a card, is missing"
	}
	return fmt.Sprintf("%d events %s, each of which may be a card, are missing", n, where)
}
