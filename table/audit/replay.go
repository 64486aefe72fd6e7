package audit

import (
	"bytes"
	"encoding/hex"
	"fmt"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/runner"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// replay plays every input again and compares what follows with what was recorded.
//
// Behind a fault nobody can tell from one record which of the two is the truth. So
// replay keeps the tables that may be the true one: the one that went on by the inputs,
// and one that begins anew at a checkpoint as it was recorded, or where the next round
// opens. As soon as only some of them answer what was recorded, the others are given up.
type replay struct {
	parser *transcript.Parser
	// tables are what the table may be, the likeliest first; none while the rules in
	// force are not known.
	tables []*table.Table
	book   opinion
	// asked are the currencies of the slips under way that a version took for such as are in the table's, by their
	// numbers.
	asked map[uint32]string
	// answers are those of each table, and checkpoints writes what one carries.
	answers     [][]byte
	checkpoints runner.Checkpoints
	// known are the rules whose fingerprint is sum.
	known *rules.Rules
	sum   []byte
	// learned are rules that the journal holds, and nobody else.
	learned []*profile.House
	// named are the rules that the journal says are in force.
	named []byte
	// setup set the table up, where its record is missing; nil otherwise. onRecord says that
	// the parts before were moved away.
	setup    *journal.SetUp
	onRecord bool
	// gone says that records are missing: that what comes does not follow is their
	// fault, until something follows again.
	gone bool
	// trouble says that something went wrong since the last checkpoint, so that the
	// next one may well be another than it should.
	trouble bool
	// last is the fault found last, and behind the last record that is counted with
	// it: what does not follow right behind is mostly its consequence.
	last   *Finding
	behind uint64
}

func (r *replay) begin(a *auditor) {
	r.parser = transcript.NewParser(a.o.Book)
	r.parser.Remember()
	r.tables = []*table.Table{{}}
}

// lose notes that records are missing.
func (r *replay) lose() {
	r.gone, r.trouble = true, true
	r.book.lose()
	if len(r.tables) > 0 && r.tables[0].Rules() == nil {
		r.tables = nil // the set-up may be among what is missing
	}
}

// learn takes the text of rules that the journal holds. It is needed where a set-up names
// rules that neither this program nor the auditor has.
func (r *replay) learn(a *auditor, text []byte) {
	own, err := profile.FromText(text)
	if err != nil {
		a.remark(OwnRules, nil,
			fmt.Sprintf("the text of rules in the journal is none that this program can play by, so it is not used: %v",
				err))
		return
	}
	if a.o.find(own.Fingerprint) == nil && r.find(own.Fingerprint) == nil {
		r.learned = append(r.learned, own)
	}
}

// partGone notes that a whole part is missing: nobody knows what the table is after it.
// Where it is on record that the part was moved away, its rounds are not counted as
// unchecked, and neither is the rest of the round that it ends with.
func (r *replay) partGone(onRecord bool) {
	r.tables, r.onRecord = nil, onRecord
}

// header takes the beginning of a part, which says what set the table up where the records
// that did are missing.
func (r *replay) header(h *journal.Header) {
	if len(r.tables) > 0 {
		return
	}
	r.setup = h.Setup
	if sum, err := hex.DecodeString(h.Rules); err == nil {
		r.named = sum
	}
}

// see plays a record again.
func (r *replay) see(a *auditor, rec *journal.Record) {
	in, err := r.read(a, rec)
	if err != nil {
		r.unreadable(a, rec, err)
		return
	}
	if in.Time != 0 && in.Time != rec.At {
		a.fault(Column, rec, fmt.Sprintf("the input says that it came at %s, and the record at %s",
			stamp(moment(in.Time)), stamp(moment(rec.At))))
	}
	a.clock.noted(a, rec, &in)
	r.play(a, rec, &in)
}

// read reads a record's input.
func (r *replay) read(a *auditor, rec *journal.Record) (vocab.Input, error) {
	in, err := r.parser.Parse(rec.Input, rec.Seq)
	if err != nil {
		return r.otherHouse(a, rec, err)
	}
	return in, nil
}

// play puts an input in.
func (r *replay) play(a *auditor, rec *journal.Record, in *vocab.Input) {
	if in.Kind == vocab.InOpen && len(r.tables) > 0 {
		a.cards.lying(r.tables[0].Waiting())
	}
	a.cards.see(a, rec, in)
	if s, is := r.facing(in); is {
		a.cards.opened(a, rec, in, s)
	}
	switch {
	case len(r.tables) == 0 && in.Kind != vocab.InSetup:
		r.unchecked(a, in)
		r.checkpoint(a, rec)
		return
	case len(r.tables) == 0:
		r.beginAnew(a, rec, in)
		return
	}
	if len(r.tables) == 1 {
		r.one(a, rec, in)
	} else {
		r.several(a, rec, in)
	}
}

// one plays a record on the only table there may be: nearly always.
func (r *replay) one(a *auditor, rec *journal.Record, in *vocab.Input) {
	t := r.tables[0]
	outs := t.Step(in)
	answer := r.answer(0, outs)
	if !bytes.Equal(answer, rec.Outputs) && !r.earlier(a, rec, outs) {
		r.differs(a, rec, in)
		return
	}
	r.gone = false
	r.agreed(a, rec, in, t, outs)
}

// answer writes outputs as they are recorded.
func (r *replay) answer(i int, outs []vocab.Output) []byte {
	for len(r.answers) <= i {
		r.answers = append(r.answers, nil)
	}
	b := r.answers[i][:0]
	for k := range outs {
		b = append(transcript.AppendOutput(b, &outs[k]), '\n')
	}
	r.answers[i] = b
	return b
}

// several plays a record on all tables, and gives those up that answer otherwise than
// was recorded, if one does not.
func (r *replay) several(a *auditor, rec *journal.Record, in *vocab.Input) {
	var right []*table.Table
	var outs []vocab.Output
	for i, t := range r.tables {
		got := t.Step(in)
		if bytes.Equal(r.answer(i, got), rec.Outputs) {
			if right = append(right, t); len(right) == 1 {
				outs = got
			}
		}
	}
	if len(right) == 0 {
		r.differs(a, rec, in)
		return
	}
	r.tables, r.gone = right, false
	r.agreed(a, rec, in, right[0], outs)
}

// agreed goes on behind an answer that was recorded as it follows.
func (r *replay) agreed(a *auditor, rec *journal.Record, in *vocab.Input, t *table.Table, outs []vocab.Output) {
	if err := r.book.enter(t, in, outs); err != nil {
		f := a.fault(Opinion, rec, "engine and record agree, but by the second book of the rules it is wrong: "+
			err.Error())
		if f != nil {
			f.Input = r.digits().inputWords(rec.Input)
			f.Recorded = r.digits().lineWords(split(rec.Outputs))
		}
	}
	paidOtherwise(a, rec, outs)
	counted(a, rec, outs)
	if in.Kind == vocab.InOpen && t.Rejected() == 0 && t.Phase() != vocab.Idle {
		a.report.Rounds++
	}
	if in.Kind == vocab.InCard {
		a.report.dealt(t)
	}
	if in.Kind == vocab.InSetup && t.Rejected() == 0 {
		a.report.house(rec.Seq, t.Rules())
	}
	r.columns(a, rec, t)
	if len(rec.Carry) > 0 || len(outs) > 0 {
		r.carries(a, rec, in, outs)
	}
}

// carries compares the checkpoint. Of several tables it is for the one that carries
// what was recorded.
func (r *replay) carries(a *auditor, rec *journal.Record, in *vocab.Input, outs []vocab.Output) {
	var first []byte
	earlier := !a.wroteOurs(rec)
	for i, t := range r.tables {
		carry := r.checkpoints.Of(t, in.Kind, outs)
		bare, one := earlier && bareCarry(rec.Carry, carry), earlier && oneMoney(t, rec.Carry)
		if bytes.Equal(carry, rec.Carry) || bare || one {
			switch {
			case bare:
				t.ClearAway()
			case one:
				r.takeForOne(a, rec, t)
			}
			if len(carry) > 0 {
				r.book.behind = r.book.behind || len(r.tables) > 1
				r.settle(a, rec, t)
			}
			return
		}
		if i == 0 {
			first = bytes.Clone(carry)
		}
	}
	r.carryDiffers(a, rec, first)
}

// bareCarry says whether a checkpoint is one of an earlier version, which did not carry the round that lies on the
// table: its payment stands.
func bareCarry(recorded, carry []byte) bool {
	if len(recorded) == 0 || bytes.Contains(recorded, lastOf) {
		return false
	}
	at := bytes.LastIndex(carry, lastOf)
	return at > 0 && len(recorded) == at+1 && bytes.Equal(recorded[:at], carry[:at])
}

// lastOf begins the last field of a checkpoint.
var lastOf = []byte(`,"last":{"before":`)

// settle goes on with the table that carries what was recorded: what went wrong before
// is past.
func (r *replay) settle(a *auditor, rec *journal.Record, t *table.Table) {
	r.tables = append(r.tables[:0], t)
	r.trouble = false
	if want, differs := r.book.compareJackpot(t); differs {
		a.fault(Opinion, rec,
			fmt.Sprintf("engine and record agree on a jackpot of %s, and by the second book of the rules it is %s",
				r.digits().Amount(t.Jackpot()), r.digits().Amount(want)))
	}
}

// columns compares what a record says of itself.
func (r *replay) columns(a *auditor, rec *journal.Record, t *table.Table) {
	if rec.Round != t.Round() {
		f := a.finding(Column, rec, fmt.Sprintf("the record says that it belongs to round %d; it belongs to round %d",
			rec.Round, t.Round()))
		f.Round = t.Round()
		a.report.fault(f)
	}
	by := t.Rules()
	if by == r.known && len(rec.Rules) == 0 {
		return
	}
	r.known, r.sum = by, sumOf(by)
	if len(rec.Rules) > 0 {
		r.named = append(r.named[:0], rec.Rules...)
	}
	if !bytes.Equal(r.named, r.sum) {
		a.fault(Column, rec, fmt.Sprintf("the record names the rules %s; in force were %s", shortOf(r.named),
			shortOf(r.sum)))
	}
}
