package simtest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/testkit/brokertest"
	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/pit/topic"
	"github.com/sabot-table/sabot/table/audit/witness"
	"github.com/sabot-table/sabot/table/journal"
)

// visit is a fault: the table is killed, and before its next start somebody without its keys is at its files.
const visit = "insider"

// journalName is what the files of the table's journal are called on the simulated disk.
const journalName = "journal"

// WithInsider adds visits of an insider to a script.
func WithInsider(s Script) Script {
	dice := rand.New(rand.NewPCG(s.Seed, 0x696e73))
	for range 1 + dice.IntN(3) {
		clock := pick(dice, Card, Card, Write)
		s.Faults = append(s.Faults, Fault{
			clock, 1 + dice.IntN(s.Rounds*perRound[clock]), visit,
			Args{fmt.Sprint("dice=", 1+dice.IntN(1e6))},
		})
	}
	slices.SortStableFunc(s.Faults, func(a, b Fault) int { return a.At - b.At })
	return s
}

// house is what the house has of the table: its audit keys; and whoever is at its files.
type house struct {
	keys []journal.AuditKey
	// comes is the seed of the visit before the next start, 0 for none.
	comes  uint64
	did    []string
	copies map[string][]byte
}

// insider kills the table for somebody's visit.
func (w *World) insider(a Args) {
	w.mu.Lock()
	w.house.comes = uint64(a.number("dice"))
	l := w.life
	w.mu.Unlock()
	l.kill(disktest.Nothing, 0, false)
}

// visited lets somebody in, if he has come: the disk is what the life before has left. The house has taken the audit
// key.
func (w *World) visited() {
	w.takeKeys()
	h := &w.house
	if h.comes == 0 {
		if h.copies == nil {
			h.copies = disktest.Files(w.disk.Hands())
		}
		return
	}
	who := disktest.NewInsider(h.comes, journalName, "ed25519:"+strings.Repeat("0", 64))
	if h.copies != nil {
		who.Yesterday(h.copies)
	} else {
		h.copies = disktest.Files(w.disk.Hands())
	}
	h.comes = 0
	if err := who.Act(w.disk.Hands()); err != nil {
		w.findLocked("storm", "%v", err)
	}
	w.log.Info("the insider", "did", who.Did)
	h.did = append(h.did, who.Did...)
	w.round, w.tampered = 0, true // a journal that was begun anew counts its rounds from 1
}

// takeKeys takes the audit keys to the house.
func (w *World) takeKeys() {
	name := journalName + journal.AuditKeyEnd
	text, err := w.disk.Hands().Read(name)
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		if key, err := journal.ParseAuditLine(line); err == nil {
			w.house.keys = append(w.house.keys, key)
		}
	}
	if err := w.disk.Hands().Delete(name); err != nil {
		w.findLocked("storm", "%v", err)
	}
}

func (w *World) isTampered() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tampered
}

// afterVisits is what counts of the findings where somebody was at the table's files, and the audit says so: that the
// table goes on. Whatever he did to the record is told then. Where the audit finds nothing all of them count, but for
// what he cut off behind the last that the pit had heard: nobody can know of that.
func (w *World) afterVisits(well, whole bool) {
	if !w.tampered {
		return
	}
	if well && !whole {
		w.find("insider", "all is well, and the journal lacks what the pit has heard of; he %s",
			strings.Join(w.house.did, ", and "))
	}
	all := well && !slices.ContainsFunc(w.house.did, disktest.TakesTheEnd)
	w.result.Findings = slices.DeleteFunc(w.result.Findings, func(f Finding) bool {
		return !all && !slices.Contains([]string{"insider", "storm", "no-start", "stuck", "endless", "end"}, f.Kind)
	})
	for i := range w.result.Findings {
		w.result.Findings[i].What += "; he " + strings.Join(w.house.did, ", and ")
	}
	w.result.Tampered, w.result.Unnoticed = 1, 0
	if well {
		w.result.Unnoticed = 1
	}
}

// witness is what the pit tells an auditor.
func (p *pit) witness(table topic.Table) *witness.Export {
	return brokertest.Witness(table, p.healths, false)
}

// hasAll reports whether the journal has all records of which the pit has heard.
func (p *pit) hasAll(j *journal.Reader) bool {
	last := map[uint64]string{}
	for i := range p.healths {
		if head := p.healths[i].Journal.Head; head != nil && head.ID == j.ID() {
			last[head.Record] = head.Hash
		}
	}
	for rec, err := range j.Records(1) {
		if err != nil {
			return false
		}
		if want, is := last[rec.Seq]; is && want == fmt.Sprintf("%x", rec.Hash) {
			delete(last, rec.Seq)
		}
	}
	return len(last) == 0
}
