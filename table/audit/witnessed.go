package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sabot-table/sabot/table/audit/witness"
	"github.com/sabot-table/sabot/table/journal"
)

// publisher is the cursor of whoever sends events to the pit.
const publisher = "mqtt"

// witnessed compares the journal with what the pit has heard of it while it was written. That is the only
// witness against somebody who has the table's keys: of an end that was cut off, of an older copy, and of a
// line that says that something happened.
type witnessed struct {
	export *witness.Export
	// journal is what the pit knows of this one, nil for nothing.
	journal *witness.Journal
	// heads are those that were not compared yet.
	heads map[uint64]*witness.Head
	// differ counts the heads with another hash.
	differ int
	// boot is the start that wrote the part that is read.
	boot uint64
	// unheard are starts of which the pit heard nothing.
	unheard []uint64
	claims  []claim
}

// claim is a line that says that something happened, which the start that wrote it did not tell the pit.
type claim struct {
	*change
	start *witness.Start
	boot  uint64
	// was is what the pit had heard, and is what the line says.
	was, is uint64
	// record is the last one before the line.
	record uint64
}

// change is what a line may say that has happened.
type change struct {
	// heard is what the pit has heard of it from a start, and began what the journal said when a start began.
	heard func(*witness.Start) uint64
	began func(*witness.Began) uint64
	// says words a claim: from the first to the last number.
	says string
}

var (
	sent = &change{
		(*witness.Start).Sent, func(b *witness.Began) uint64 { return b.Acknowledged },
		"that the broker has the events %d to %d",
	}
	away = &change{
		movedAway, func(b *witness.Began) uint64 { return b.Away },
		"that the records %d to %d were moved away",
	}
)

// movedAway is the last record that a start told to be away. Programs that tell nothing when they begin tell
// nothing of that either: nothing is new to the pit then.
func movedAway(s *witness.Start) uint64 {
	if s.Began == nil {
		return math.MaxUint64
	}
	return s.Away
}

func (w *witnessed) begin(a *auditor) {
	if w.export = a.o.Witness; w.export == nil {
		return
	}
	w.heads = map[uint64]*witness.Head{}
	w.journal = w.export.Of(a.report.ID)
	a.report.Witness = &Witness{Site: w.export.Site, Table: w.export.Table, At: w.export.At}
	if w.journal == nil {
		return
	}
	for i := range w.journal.Heads {
		h := &w.journal.Heads[i]
		w.heads[h.Record] = h
	}
	if k := w.journal.Kept; k != nil && k.Hash != "" {
		w.heads[k.Record] = k
	}
	a.report.Witness.Heads = len(w.heads)
}

// step takes a step of the walk.
func (w *witnessed) step(a *auditor, s *journal.Step) {
	if w.journal == nil {
		return
	}
	switch {
	case s.Header != nil:
		w.header(a, s.Header)
	case s.Record != nil:
		w.see(a, s.Record)
	case s.Cursor == publisher:
		w.says(a, sent, s.Event)
	case s.Away != nil && s.Fault == nil:
		w.says(a, away, s.Away.Last)
	}
}

// header takes the beginning of a part. What it repeats of the part before, the start before has said.
func (w *witnessed) header(a *auditor, h *journal.Header) {
	if w.boot > 0 {
		w.says(a, sent, h.Cursors[publisher])
	}
	if h.Boot != w.boot && w.start(h.Boot) == nil {
		w.unheard = append(w.unheard, h.Boot)
	}
	w.boot = h.Boot
}

// see compares a record with what the pit heard while it was the last one.
func (w *witnessed) see(a *auditor, rec *journal.Record) {
	h := w.heads[rec.Seq]
	if h == nil {
		return
	}
	delete(w.heads, rec.Seq)
	if sum, err := h.Sum(); err == nil && sum == rec.Hash {
		a.report.Witness.Record = max(a.report.Witness.Record, rec.Seq)
		return
	}
	if w.differ++; w.differ == 1 { // all behind it differ, too
		a.fault(Head, rec, fmt.Sprintf("the record has the hash %x, and %s when the pit heard of it, %s: "+
			"it, or something before it, was changed after that, and the chain was computed anew", rec.Hash, h.Hash,
			stamp(h.At)))
	}
}

func (w *witnessed) start(boot uint64) *witness.Start {
	i, found := slices.BinarySearchFunc(w.journal.Starts, boot, func(s witness.Start, boot uint64) int {
		return cmp.Compare(s.Boot, boot)
	})
	if !found {
		return nil
	}
	return &w.journal.Starts[i]
}

// says takes what a line says. A start that writes one tells the pit of it within seconds.
func (w *witnessed) says(a *auditor, what *change, is uint64) {
	start := w.start(w.boot)
	if start == nil || is <= what.heard(start) {
		return
	}
	for i := range w.claims {
		if c := &w.claims[i]; c.change == what && c.boot == w.boot {
			c.is = max(c.is, is)
			return
		}
	}
	w.claims = append(w.claims, claim{what, start, w.boot, what.heard(start), is, a.report.Head})
}

func (w *witnessed) end(a *auditor) {
	switch {
	case w.export == nil:
		return
	case w.journal == nil:
		a.fault(Head, nil, fmt.Sprintf("the pit knows no journal %s of the table %s; it knows %s: "+
			"another one was put in its place, or this is what the pit knows of another table",
			a.report.ID, w.export.Table, known(w.export)))
		return
	}
	w.missing(a)
	for i := range w.claims {
		w.claim(a, &w.claims[i])
	}
	for i := 1; i < len(w.journal.Starts); i++ {
		before, next := &w.journal.Starts[i-1], &w.journal.Starts[i]
		w.between(a, sent, before, next)
		w.between(a, away, before, next)
	}
	w.others(a)
	w.beyond(a)
}

// missing tells of heads whose records did not come.
func (w *witnessed) missing(a *auditor) {
	left := slices.Sorted(maps.Keys(w.heads))
	kept := func(seq uint64) bool { return seq <= a.report.Head && len(a.report.Away) > 0 }
	if i := slices.IndexFunc(left, func(seq uint64) bool { return !kept(seq) }); i >= 0 {
		last := w.heads[left[len(left)-1]]
		a.fault(Behind, nil, fmt.Sprintf("the pit heard of record %d, %s, and it is not there; "+
			"of those of which the pit heard, %d is the first that is missing: the journal's end was cut off, "+
			"or an older copy was put in its place", last.Record, stamp(last.At), left[i]))
		left = left[:i]
	}
	if len(left) > 0 {
		a.remark(Away, nil,
			fmt.Sprintf("%s of which the pit heard, up to %d, are in parts that were moved away, and were not compared",
				count(uint64(len(left)), "record"), left[len(left)-1]))
	}
}

// claim tells of what a start has written and not told.
func (w *witnessed) claim(a *auditor, c *claim) {
	what := fmt.Sprintf("a line of start %d says "+c.says+", and the pit heard nothing of that: ", c.boot,
		c.was+1, c.is)
	last := &w.journal.Starts[len(w.journal.Starts)-1]
	switch {
	case c.record < c.start.Record:
		w.unseen(a, c.record, fmt.Sprintf("%snot even when this start had gone on to record %d", what, c.start.Record))
	case c.start != last && c.start.Watched, c.start == last && a.report.Head <= c.start.Record:
		w.unseen(a, c.record, fmt.Sprintf("%sthe last that this start told was record %d, %s", what, c.start.Record,
			stamp(c.start.At)))
	case c.start != last:
		a.remark(NotWitnessed, nil, what+"it was not connected when this start ended")
	}
}

// unseen is a fault behind a record.
func (w *witnessed) unseen(a *auditor, record uint64, what string) {
	f := a.finding(Unseen, nil, what)
	f.Record = record
	a.report.fault(f)
}

// between compares what a start said last with what the next one found.
func (w *witnessed) between(a *auditor, what *change, before, next *witness.Start) {
	if next.Began == nil {
		return
	}
	was, is := what.heard(before), what.began(next.Began)
	told := func(c claim) bool { return c.change == what && c.boot == before.Boot }
	if is <= was || slices.ContainsFunc(w.claims, told) {
		return
	}
	says := fmt.Sprintf("the journal said at start %d "+what.says+"; what start %d told last, %s, was %d",
		next.Boot, was+1, is, before.Boot, stamp(before.At), was)
	if before.Watched {
		w.unseen(a, before.Record, says+", and the pit heard nothing of it in between")
		return
	}
	a.remark(NotWitnessed, nil, says+"; the pit was not connected all the time in between")
}

// others tells of journals of the table that the pit knows, and that this one does not name.
func (w *witnessed) others(a *auditor) {
	named := w.named(a)
	for i := range w.export.Journals {
		other := &w.export.Journals[i]
		switch id, _, branch := strings.Cut(other.ID, "~"); {
		case named[id] && !branch, len(other.Heads) == 0 && other.Kept == nil:
		case branch:
			a.remark(NotWitnessed, nil, fmt.Sprintf("the pit has another branch of the journal %s, up to record %d: "+
				"somebody accepted there that it was rewritten or rolled back", id, last(other)))
		case w.follows(other):
			a.remark(NotWitnessed, nil, fmt.Sprintf("the table has gone on in the journal %s since, "+
				"in the place of this one: audit that, too", other.ID))
		default:
			a.fault(SetAside, nil, fmt.Sprintf("the pit knows the journal %s of this table, up to record %d, "+
				"and this one does not name it: it was put aside or removed, and nothing here says so", other.ID,
				last(other)))
		}
	}
}

// follows says that a journal was begun in the place of this one, or of one that was.
func (w *witnessed) follows(other *witness.Journal) bool {
	for range w.export.Journals {
		if other == nil || other.Former == w.journal.ID {
			return other != nil
		}
		other = w.export.Of(other.Former)
	}
	return false
}

// named are the journals that this one names: those in whose place it was begun, and those that are set aside in
// its folder.
func (w *witnessed) named(a *auditor) map[string]bool {
	all := map[string]bool{a.report.ID: true}
	if a.former != nil {
		all[a.former.Journal] = true
	}
	for _, one := range a.aside.list {
		all[one.Journal] = true
	}
	folders, _ := filepath.Glob(filepath.Join(a.reader.Path(), "set-aside-*"))
	for _, folder := range folders {
		for _, id := range idsIn(folder) {
			all[id] = true
		}
	}
	for range w.export.Journals { // those that were named before are on record at the pit alone
		for i := range w.export.Journals {
			if j := &w.export.Journals[i]; j.ID != a.report.ID && all[j.ID] {
				all[j.Former] = true
			}
		}
	}
	return all
}

// errSeen ends a walk.
var errSeen = errors.New("that was all")

// idsIn are the journal in a folder, and the one that it names; none where it cannot be read.
func idsIn(folder string) (ids []string) {
	r, err := journal.OpenReadOnly(folder)
	if err != nil {
		return nil
	}
	ids = []string{r.ID()}
	err = r.Walk(context.Background(), func(s *journal.Step) error {
		if s.Header != nil && s.Header.Former != nil {
			ids = append(ids, s.Header.Former.Journal)
		}
		return errSeen
	})
	if closing := r.Close(); closing != nil || err != nil && !errors.Is(err, errSeen) {
		return ids[:1]
	}
	return ids
}

// beyond tells how far the pit is no witness.
func (w *witnessed) beyond(a *auditor) {
	if n := len(w.unheard); n > 0 {
		a.remark(NotWitnessed, nil, fmt.Sprintf("the pit heard nothing of %s, the first of them start %d",
			count(uint64(n), "start"), w.unheard[0]))
	}
	if heard := last(w.journal); a.report.Head > heard {
		a.remark(NotWitnessed, nil, fmt.Sprintf("the pit had not heard of the records behind %d when it wrote this, %s",
			heard, stamp(w.export.At)))
	}
}

// last is the last record of which the pit has heard.
func last(j *witness.Journal) (record uint64) {
	if j.Kept != nil {
		record = j.Kept.Record
	}
	for _, h := range j.Heads {
		record = max(record, h.Record)
	}
	return record
}

// known names the journals that the pit knows.
func known(e *witness.Export) string {
	var ids []string
	for i := range e.Journals {
		ids = append(ids, e.Journals[i].ID)
	}
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}

// Witness says what a journal was compared with.
type Witness struct {
	Site  string `json:"site"`
	Table string `json:"table"`
	// At is when the pit wrote what it knows.
	At time.Time `json:"at"`
	// Heads counts the records of which it heard while they were the last, and Record is the last of them that is
	// the same here.
	Heads  int    `json:"heads"`
	Record uint64 `json:"same_to_record"`
}

// words says how far the pit is a witness, "" without one.
func (w *Witness) words() string {
	if w == nil {
		return ""
	}
	return fmt.Sprintf("; the pit heard the same, up to record %d", w.Record)
}
