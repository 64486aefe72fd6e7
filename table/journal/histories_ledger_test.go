package journal_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sabot-table/sabot/internal/testkit/disktest"
	"github.com/sabot-table/sabot/table/journal"
)

// ledger is what a journal must hold, as its user knows it.
type ledger struct {
	// sure was acknowledged. One of maybe, none of which was, may be there after it.
	sure  []journal.Entry
	maybe [][]journal.Entry
	// cursors are the last cursor that is certainly durable, and those set since.
	cursors []uint64
	// boot is the last that was opened, 0 for none.
	boot uint64
}

// copy is a ledger for another end of the same history.
func (l *ledger) copy() *ledger {
	return &ledger{
		sure: slices.Clip(l.sure), maybe: slices.Clip(l.maybe), cursors: slices.Clip(l.cursors), boot: l.boot,
	}
}

// events counts the events that were acknowledged.
func (l *ledger) events() int {
	count := 0
	for i := range l.sure {
		count += bytes.Count(l.sure[i].Outputs, []byte("\n"))
	}
	return count
}

// under says that entries are being appended.
func (l *ledger) under(entries []journal.Entry) { l.maybe = append(l.maybe, entries) }

// acknowledged says that entries were.
func (l *ledger) acknowledged(entries []journal.Entry) {
	l.sure, l.maybe = append(l.sure, entries...), nil
	l.flushed()
}

// flushed says that the cursor was made durable. What was refused may still be there: if the
// cursor had not changed, nothing was written.
func (l *ledger) flushed() {
	if n := len(l.cursors); n > 0 {
		l.cursors = l.cursors[n-1:]
	}
}

// started compares what a start found, and continues with it.
func (l *ledger) started(j *journal.Journal) error {
	o := j.Opening()
	switch {
	case o.New && l.boot > 0:
		return errors.New("a new journal was begun, and there was one")
	case o.Former != nil || o.Behind != "":
		return fmt.Errorf("the start tells of %+v", o)
	case j.Boot() <= l.boot:
		return fmt.Errorf("boot %d, and there was a boot %d", j.Boot(), l.boot)
	}
	cursor, err := j.Cursor("pit")
	if err != nil || !slices.Contains(append(l.cursors, 0)[:max(1, len(l.cursors))], cursor) {
		return fmt.Errorf("the cursor is %d (%v), it can be one of %v", cursor, err, l.cursors)
	}
	if err := l.holds(j); err != nil {
		return err
	}
	l.boot, l.cursors = j.Boot(), []uint64{cursor}
	return nil
}

// stays compares the journal after a refused append: none of it is there.
func (l *ledger) stays(j *journal.Journal) error {
	only := ledger{sure: l.sure}
	return only.holds(j)
}

// holds reads the whole journal and compares it. What was not acknowledged and is there
// is acknowledged from now on.
func (l *ledger) holds(j *journal.Journal) error {
	c := comparing{ledger: l, id: j.ID(), left: l.maybe, event: 1}
	if err := j.Walk(context.Background(), c.step); err != nil {
		return err
	}
	if err := c.end(); err != nil {
		return err
	}
	if seq, event := j.Next(); seq != c.seq+1 || event != c.event {
		return fmt.Errorf("next are record %d and event %d, and %d and %d are there", seq, event, c.seq, c.event-1)
	}
	if got := j.Positions(); !slices.Equal(got, c.shoes) {
		return fmt.Errorf("the shoes' last positions are %v, and %v are there", got, c.shoes)
	}
	seq, carry, _, err := j.Checkpoint()
	if err != nil || seq != c.checkpoint || !bytes.Equal(carry, c.carry) {
		return fmt.Errorf("the checkpoint is record %d with %s (%w), it should be record %d with %s", seq, carry, err,
			c.checkpoint, c.carry)
	}
	return nil
}

// reader compares what a reader that does not write sees.
func (l *ledger) reader(d *disktest.Disk) error {
	r, err := journal.NewReader("sim", d)
	if err != nil {
		return err
	}
	seq := 0
	for rec, err := range r.Records(1) {
		if err != nil || seq >= len(l.sure) || !bytes.Equal(rec.Input, l.sure[seq].Input) {
			return fmt.Errorf("a reader finds record %d after %d: %s, %w", rec.Seq, seq, rec.Input, err)
		}
		seq++
	}
	if seq != len(l.sure) {
		return fmt.Errorf("a reader finds %d records of %d", seq, len(l.sure))
	}
	return r.Verify(context.Background(), nil)
}

// comparing compares a journal with a ledger, step by step.
type comparing struct {
	*ledger
	id string
	// left are those of maybe that fit so far.
	left       [][]journal.Entry
	seq, event uint64
	rules      []byte
	shoes      []journal.Position
	checkpoint uint64
	carry      []byte
}

func (c *comparing) step(s *journal.Step) error {
	switch {
	case s.Fault != nil:
		return s.Fault
	case s.Seal != nil && !s.Seal.Valid(c.id):
		return fmt.Errorf("the seal after record %d is not valid", s.Seal.Seq)
	case s.Record != nil:
		return c.record(s.Record)
	}
	return nil
}

func (c *comparing) record(r *journal.Record) error {
	if r.Seq != c.seq+1 || r.FirstEvent != c.event {
		return fmt.Errorf("record %d with event %d comes after record %d and event %d", r.Seq, r.FirstEvent,
			c.seq, c.event-1)
	}
	if err := c.expected(r, int(c.seq)); err != nil {
		return err
	}
	c.seq++
	c.event += uint64(bytes.Count(r.Outputs, []byte("\n")))
	if r.ShoeBoot != 0 {
		c.shoes = slices.DeleteFunc(c.shoes, func(p journal.Position) bool { return p.Boot == r.ShoeBoot })
		c.shoes = slices.Insert(c.shoes, 0, journal.Position{Boot: r.ShoeBoot, Seq: r.ShoeSeq})
	}
	if len(r.Carry) > 0 {
		c.checkpoint, c.carry = r.Seq, bytes.Clone(r.Carry)
	}
	return nil
}

// expected reports whether the record is the entry that must, or can, be at a place.
func (c *comparing) expected(r *journal.Record, at int) error {
	if len(r.Rules) > 0 {
		c.rules = bytes.Clone(r.Rules)
	}
	if at < len(c.sure) {
		if !c.same(r, &c.sure[at]) {
			return fmt.Errorf("record %d is %s, and %s was acknowledged", r.Seq, r.Input, c.sure[at].Input)
		}
		return nil
	}
	var fit [][]journal.Entry
	for _, entries := range c.left {
		if i := at - len(c.sure); i < len(entries) && c.same(r, &entries[i]) {
			fit = append(fit, entries)
		}
	}
	if len(fit) == 0 {
		return fmt.Errorf("record %d is %s, which cannot be there", r.Seq, r.Input)
	}
	c.left = fit
	return nil
}

func (c *comparing) same(r *journal.Record, e *journal.Entry) bool {
	return r.At == e.At && r.Round == e.Round && r.ShoeBoot == e.ShoeBoot && r.ShoeSeq == e.ShoeSeq &&
		bytes.Equal(r.Input, e.Input) &&
		bytes.Equal(r.Outputs, e.Outputs) && bytes.Equal(r.Carry, e.Carry) && bytes.Equal(c.rules, e.Rules)
}

// end reports whether everything is there, and nothing only in part.
func (c *comparing) end() error {
	over := int(c.seq) - len(c.sure)
	if over < 0 {
		return fmt.Errorf("%d records are there, and %d were acknowledged", c.seq, len(c.sure))
	}
	if over == 0 {
		c.maybe = nil
		return nil
	}
	for _, entries := range c.left {
		if len(entries) == over {
			c.sure, c.maybe = append(c.sure, entries...), nil
			return nil
		}
	}
	return fmt.Errorf("of what was being appended, only the first %d entries are there", over)
}

// Two sets of rules, which come into force again and again.
var (
	rulesTexts = [2][]byte{[]byte(`{"house":"one"}`), []byte(`{"house":"two","soft":17}`)}
	rulesSums  = [2][32]byte{sha256.Sum256(rulesTexts[0]), sha256.Sum256(rulesTexts[1])}
)

// batch makes entries: at least as many as asked for, mostly few.
func (h *history) batch(least int) []journal.Entry {
	count := max(1, least)
	switch {
	case least > 0:
	case h.one(6):
		count = 1 + h.dice.IntN(20)
	default:
		count = 1 + h.dice.IntN(3)
	}
	entries := make([]journal.Entry, count)
	for i := range entries {
		entries[i] = h.entry()
	}
	return entries
}

// entry makes a card from the shoe, a key, the end of a round or a set-up. No two are
// the same.
func (h *history) entry() journal.Entry {
	h.made++
	e := journal.Entry{
		At:    h.now().AddDate(0, 0, h.day).UnixNano(),
		Round: uint64(h.made/5 + 1),
	}
	if h.made > 3 {
		e.Rules = rulesSums[h.made/16%2][:]
		e.RulesText = rulesTexts[h.made/16%2]
	}
	kind := "key"
	switch {
	case h.one(6):
		kind = []string{"round", "setup"}[h.dice.IntN(2)]
		e.Carry = fmt.Appendf(nil, `{"carried":%d,"%s":1}`, h.made, strings.Repeat("x", h.dice.IntN(200)))
	case !h.one(4):
		kind = "card"
		e.ShoeBoot, e.ShoeSeq = 7, uint32(h.made)
	}
	e.Input = fmt.Appendf(nil, `{"in":"%s","number":%d}`, kind, h.made)
	for i := range h.dice.IntN(4) {
		e.Outputs = fmt.Appendf(e.Outputs, `{"out":"%s","to":%d}`+"\n", strings.Repeat("o", h.dice.IntN(150)), i)
	}
	return e
}
