package audit

import (
	"fmt"
	"time"

	"github.com/sabot-table/sabot/table/journal"
)

// This file checks what stands around a record: its boot, its time, the number that
// the shoe gave it.

// boots compares the boots that records name with the list of them.
type boots struct {
	list []journal.Boot
	at   int // index of the boot that may be written now, -1 before the first
	// said is the boot that records were found to name wrongly, told once.
	said uint64
}

func (b *boots) begin(a *auditor, list []journal.Boot) {
	b.list, b.at = list, -1
	a.report.Boots = len(list)
	for i, boot := range list {
		switch {
		case boot.Number != uint64(i+1):
			a.fault(Boots, nil, fmt.Sprintf("the list of the program's starts has number %d where %d is next", boot.Number, i+1))
		case i > 0 && boot.FirstRecord < list[i-1].FirstRecord:
			a.fault(Boots, nil, fmt.Sprintf("start %d is listed with record %d, before that of the start before it", boot.Number, boot.FirstRecord))
		}
	}
	b.otherVersions(a)
}

// otherVersions remarks that another program wrote some of the journal.
func (b *boots) otherVersions(a *auditor) {
	if a.o.Version == "" {
		return
	}
	told := map[string]bool{a.o.Version: true}
	for _, boot := range b.list {
		if told[boot.Program] {
			continue
		}
		told[boot.Program] = true
		a.remark(OtherVersion, nil, fmt.Sprintf("start %d, from record %d on, was of %s; this is %s: where an answer differs, check with that version, too",
			boot.Number, boot.FirstRecord, boot.Program, a.o.Version))
	}
}

// program is what wrote a boot's records, "" for what is not listed.
func (b *boots) program(number uint64) string {
	if number == 0 || number > uint64(len(b.list)) {
		return ""
	}
	return b.list[number-1].Program
}

func (b *boots) see(a *auditor, rec *journal.Record) {
	for b.at+1 < len(b.list) && b.list[b.at+1].FirstRecord <= rec.Seq {
		b.at++
	}
	var want uint64
	if b.at >= 0 {
		want = b.list[b.at].Number
	}
	if rec.Boot == want {
		b.said = 0
	} else if rec.Boot != b.said {
		b.said = rec.Boot
		a.fault(Boots, rec, fmt.Sprintf("the record, and maybe those behind it, says that it was written after start %d of the program; by the list of starts that was start %d", rec.Boot, want))
	}
}

// clock looks for times that run backwards. That is no fault: clocks are set.
type clock struct {
	last  int64
	back  int // how often
	worst time.Duration
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

func (c *clock) end(a *auditor) {
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
}

func (s *shoe) lost() { s.gone = true }

// see wants the shoe's next number. A hole, and another boot of the shoe, is told by an
// event of its own, which says from where the numbers go on.
func (s *shoe) see(a *auditor, rec *journal.Record) {
	if rec.ShoeBoot == 0 && rec.ShoeSeq == 0 {
		return
	}
	switch follows := rec.ShoeBoot == s.boot && rec.ShoeSeq == s.seq+1; {
	case follows, s.gone, isGap(rec.Input), !s.known && rec.ShoeSeq == 1:
	case !s.known:
		a.fault(ShoeNumber, rec, fmt.Sprintf("the first event of the shoe has the number %d: %s, and no gap was recorded", rec.ShoeSeq, missing(rec.ShoeSeq-1, "before it")))
	case rec.ShoeBoot != s.boot:
		a.fault(ShoeNumber, rec, "the shoe was started anew or exchanged, and that was not recorded: events may be missing, and each may be a card")
	case rec.ShoeSeq <= s.seq:
		a.fault(ShoeNumber, rec, fmt.Sprintf("the shoe's number %d comes after %d: an event is recorded twice, or not in its place", rec.ShoeSeq, s.seq))
	default:
		a.fault(ShoeNumber, rec, fmt.Sprintf("the shoe's number %d follows %d: %s, and no gap was recorded",
			rec.ShoeSeq, s.seq, missing(rec.ShoeSeq-s.seq-1, "between them")))
	}
	s.boot, s.seq, s.known, s.gone = rec.ShoeBoot, rec.ShoeSeq, true, false
}

func missing(n uint32, where string) string {
	if n == 1 {
		return "the event " + where + ", which may be a card, is missing"
	}
	return fmt.Sprintf("%d events %s, each of which may be a card, are missing", n, where)
}
