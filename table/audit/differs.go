package audit

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// This file is what replay does where the record differs from what follows.

// differs reports an answer that does not follow from its input, and finds from where
// to go on.
func (r *replay) differs(a *auditor, rec *journal.Record, in *vocab.Input) {
	if in.Kind == vocab.InOpen && r.reopened(a, rec, in) {
		return
	}
	rule := r.book.enterRecorded(r.tables[0], in, rec.Outputs)
	if !r.gone {
		r.report(a, rec, rule)
	}
	r.trouble = true
	r.resume(rec, in)
}

// report tells of a wrong answer, or counts it with the one right before it.
func (r *replay) report(a *auditor, rec *journal.Record, rule string) {
	if r.last != nil && r.behind+1 == rec.Seq {
		r.last.Behind++
		r.behind = rec.Seq
		if r.last.Rule == "" {
			r.last.Rule = rule
		}
		return
	}
	recorded, should := apart(split(rec.Outputs), split(r.answers[0]))
	digits := r.digits()
	f := a.finding(Answer, rec, digits.headline(recorded, should))
	f.Input, f.Rule = digits.inputWords(rec.Input), rule
	f.Recorded, f.Should = digits.lineWords(recorded), digits.lineWords(should)
	r.note(a, rec, f)
}

// note keeps a fault with which those right behind it are counted.
func (r *replay) note(a *auditor, rec *journal.Record, f *Finding) {
	a.report.fault(f)
	r.last, r.behind, r.trouble = f, rec.Seq, true
}

// resume adds the table that begins anew at the record's checkpoint. One that has not
// come to an end there has gone another way, and is given up.
func (r *replay) resume(rec *journal.Record, in *vocab.Input) {
	if len(rec.Carry) == 0 || len(r.tables) == 0 {
		return
	}
	own := r.tables[0]
	by := own.Rules()
	if in != nil && in.Kind == vocab.InSetup {
		by = in.Rules
	}
	var carry table.Carry
	if by == nil || json.Unmarshal(rec.Carry, &carry) != nil {
		return
	}
	r.tables = r.tables[:0]
	if own.Settled() && own.Rules() != nil {
		r.tables = append(r.tables, own)
	}
	r.tables = append(r.tables, table.Resume(by, carry))
	r.trouble, r.gone = false, false
}

// reopened goes on with a round that is opened where none can be: the one before was
// cut off, or whole rounds are missing.
func (r *replay) reopened(a *auditor, rec *journal.Record, in *vocab.Input) bool {
	number, opened := openedRound(rec.Outputs)
	own := r.tables[0]
	if !opened || number == 0 || own.Rules() == nil {
		return false
	}
	carry := own.Carry()
	carry.Round = number - 1
	t := table.Resume(own.Rules(), carry)
	before, settled := own.Round(), own.Settled()
	if own.Rejected() == 0 {
		before-- // it has opened a round itself
		settled = true
	}
	outs := t.Step(in)
	if !bytes.Equal(r.answer(0, outs), rec.Outputs) {
		return false
	}
	if !r.gone {
		f := a.finding(Round, rec, roundsWords(before, settled, number))
		if !settled {
			f.Round = before
		}
		r.note(a, rec, f)
	}
	r.tables = append(r.tables[:0], t)
	r.gone, r.trouble = false, true
	r.book.lose()
	r.agreed(a, rec, in, t, outs)
	return true
}

func roundsWords(before uint64, settled bool, opened uint64) string {
	switch {
	case !settled && opened == before+1:
		return fmt.Sprintf("round %d was never finished: the record goes on with round %d; the end of it was cut "+
			"off, or changed", before, opened)
	case opened == before+2:
		return fmt.Sprintf("round %d is missing: round %d follows %d", before+1, opened, before)
	case opened > before+2:
		return fmt.Sprintf("rounds %d to %d are missing: round %d follows %d", before+1, opened-1, opened, before)
	default:
		return fmt.Sprintf("round %d is opened after round %d", opened, before)
	}
}

// carryDiffers reports a checkpoint that is not what the table carries; behind a fault
// of the same round it is that one's consequence.
func (r *replay) carryDiffers(a *auditor, rec *journal.Record, want []byte) {
	if !r.trouble {
		f := a.finding(Checkpoint, rec, "")
		switch {
		case len(want) == 0:
			f.What = "a checkpoint stands where none belongs"
		case len(rec.Carry) == 0:
			f.What = "the checkpoint at the end of the round is missing"
		default:
			f.Recorded, f.Should = r.digits().carryWords(rec.Carry, want)
			f.What = "what the table carries into the next round was changed"
		}
		a.report.fault(f)
	}
	r.trouble = false
	r.book.lose()
	r.resume(rec, nil)
}

// otherHouse reads a set-up by the houses' own rules that were given, or that the journal
// holds.
func (r *replay) otherHouse(a *auditor, rec *journal.Record, err error) (vocab.Input, error) {
	if !isSetup(rec.Input) {
		return vocab.Input{}, err
	}
	defer func() { r.parser.Book = a.o.Book }()
	for _, own := range a.o.Houses {
		r.parser.Book = a.o.Book.With(own)
		if in, err := r.parser.Parse(rec.Input, rec.Seq); err == nil {
			return in, nil
		}
	}
	for _, own := range r.learned {
		r.parser.Book = a.o.Book.With(own)
		if in, err := r.parser.Parse(rec.Input, rec.Seq); err == nil {
			a.remark(OwnRules, rec,
				fmt.Sprintf("the rules of house %s with the fingerprint %s, in force from here on, were taken from "+
					"the journal itself: "+
					"compare the fingerprint with that of the rules that the house has approved", own.House,
					own.Fingerprint))
			return in, nil
		}
	}
	return vocab.Input{}, err
}

// find looks for rules among those that the journal holds, nil where they are not there.
func (r *replay) find(fingerprint string) *profile.House {
	for _, own := range r.learned {
		if own.Fingerprint == fingerprint {
			return own
		}
	}
	return nil
}

// unreadable reports an input that cannot be put in. A set-up that was taken, by rules
// that are not here, leaves nothing to play by.
func (r *replay) unreadable(a *auditor, rec *journal.Record, err error) {
	if isSetup(rec.Input) && len(rec.Carry) > 0 {
		if r.byFingerprint(a, rec) {
			return
		}
		a.fault(Rules, rec,
			fmt.Sprintf("the rules in force from here on are not here, so the rounds cannot be played again (%s): "+
				"give the house's own file with --house, or check with the version of the program that has these rules",
				saidOf(err)))
		r.tables, r.trouble = nil, false
		r.book.lose()
		return
	}
	f := a.finding(Input, rec, "the input is none that can be put in: "+saidOf(err))
	f.Input = string(rec.Input)
	if !r.gone {
		r.note(a, rec, f)
	}
	r.book.lose()
	r.resume(rec, nil)
}

// byFingerprint plays a set-up that cannot be by the rules whose fingerprint its record
// names, if they are here: then it is the set-up that was changed.
func (r *replay) byFingerprint(a *auditor, rec *journal.Record) bool {
	sum := hex.EncodeToString(rec.Rules)
	by := a.o.find(sum)
	if by == nil {
		by = r.find(sum)
	}
	var fields map[string]any
	if by == nil || json.Unmarshal(rec.Input, &fields) != nil {
		return false
	}
	a.fault(Rules, rec,
		fmt.Sprintf("the set-up names the house %v and the rules %.12v, which do not belong together, or are "+
			"not here; "+
			"the records name the rules of house %s: the rounds are played by these", fields["house"],
			fields["profile"], by.House))
	fields["house"], fields["profile"] = by.House, by.Fingerprint
	line, err := json.Marshal(fields)
	if err != nil {
		return false
	}
	r.parser.Book = a.o.Book.With(by)
	defer func() { r.parser.Book = a.o.Book }()
	in, err := r.parser.Parse(line, rec.Seq)
	if err != nil {
		return false
	}
	r.play(a, rec, &in)
	return true
}

// find looks for rules by their fingerprint, nil where they are not here.
func (o *Options) find(fingerprint string) *profile.House {
	for _, known := range o.Book {
		if known.Fingerprint == fingerprint {
			return known
		}
	}
	for _, own := range o.Houses {
		if own.Fingerprint == fingerprint {
			return own
		}
	}
	return nil
}

// saidOf is what is wrong with a line; which line it is stands beside it.
func saidOf(err error) string {
	if placed, ok := errors.AsType[*transcript.Error](err); ok {
		return fmt.Sprintf("column %d: %s", placed.Column, placed.What)
	}
	return err.Error()
}

// beginAnew goes on with a set-up by rules that are here, behind some that are not: with
// what the table carries by its own word.
func (r *replay) beginAnew(a *auditor, rec *journal.Record, in *vocab.Input) {
	var carry table.Carry
	if json.Unmarshal(rec.Carry, &carry) != nil {
		return // it was not taken
	}
	r.tables = append(r.tables, table.Resume(in.Rules, carry))
	r.gone, r.trouble, r.setup, r.onRecord = false, false, nil, false
	a.report.house(rec.Seq, in.Rules)
	r.columns(a, rec, r.tables[0])
}

// checkpoint goes on at a record that carries what is needed, by the set-up that the
// header of its part tells.
func (r *replay) checkpoint(a *auditor, rec *journal.Record) {
	if r.setup == nil || len(rec.Carry) == 0 {
		return
	}
	setup := journal.Record{Seq: r.setup.Record}
	setup.Input = r.setup.Input
	in, err := r.parser.Parse(setup.Input, setup.Seq)
	if err != nil {
		in, err = r.otherHouse(a, &setup, err)
	}
	if err == nil && in.Rules != nil {
		r.beginAnew(a, rec, &in)
	}
}

// unchecked counts the rounds that cannot be played.
func (r *replay) unchecked(a *auditor, in *vocab.Input) {
	if in.Kind == vocab.InOpen && !r.onRecord {
		a.report.Unchecked++
	}
}

// end looks at what is under way behind the last record.
func (r *replay) end(a *auditor) {
	if len(r.tables) == 0 {
		return
	}
	if t := r.tables[0]; t.Phase() != vocab.Idle {
		a.remark(RoundOpen, nil,
			fmt.Sprintf("round %d is not finished at the end of the journal: the table was under way, or its end is "+
				"missing", t.Round()))
	}
	r.underWay(a)
}

// sumOf is a fingerprint as records have it, empty for no rules.
func sumOf(by *rules.Rules) []byte {
	if by == nil {
		return nil
	}
	sum, err := hex.DecodeString(by.Fingerprint)
	if err != nil {
		panic(err) // a fingerprint is hexadecimal by its making
	}
	return sum
}
