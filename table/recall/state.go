package recall

import (
	"encoding/json"
	"fmt"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/notation"
	"github.com/sabot-table/sabot/table/profile"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// State returns the table's position after a record, or after the last for 0, in one line
// as package notation writes it. The error for a record that is missing is ErrNoRecord.
func (r *Recall) State(seq uint64) (string, error) {
	t, err := r.Table(seq)
	if err != nil {
		return "", err
	}
	return string(notation.AppendPosition(nil, t)), nil
}

// Table returns the table as it stood after a record, or after the last for 0. It deals the
// round again from the journal, by the rules whose text the journal has. The error for a
// record that is missing is ErrNoRecord.
func (r *Recall) Table(seq uint64) (*table.Table, error) {
	last, _, err := r.from.Head()
	switch {
	case err != nil:
		return nil, err
	case seq > last || last == 0:
		return nil, fmt.Errorf("%w as %d: the last record is %d", ErrNoRecord, seq, last)
	case seq == 0:
		seq = last
	}
	d := dealing{recall: r, parser: transcript.NewParser(nil), table: &table.Table{}}
	d.parser.AnyHouse = true // RulesOf finds the rules of a set-up
	if err := d.to(seq); err != nil {
		return nil, fmt.Errorf("dealing again up to record %d: %w", seq, err)
	}
	return d.table, nil
}

// dealing is a table that is dealt again up to a record.
type dealing struct {
	recall *Recall
	parser *transcript.Parser
	table  *table.Table
}

// to deals from the checkpoint before the record, so that the round that the record may
// end lies on the table.
func (d *dealing) to(seq uint64) error {
	checkpoint, err := d.recall.checkpointBefore(seq)
	if err != nil {
		return err
	}
	if checkpoint > 0 {
		if err := d.resume(checkpoint); err != nil {
			return err
		}
	}
	records, err := d.recall.between(checkpoint+1, seq)
	if err != nil {
		return err
	}
	for i := range records {
		in, err := d.input(&records[i])
		if err != nil {
			return err
		}
		d.table.Step(&in)
	}
	return nil
}

// checkpointBefore is the last checkpoint before a record, or 0 if there is none.
func (r *Recall) checkpointBefore(seq uint64) (uint64, error) {
	if seq == 1 {
		return 0, nil
	}
	before, err := r.one(seq - 1)
	return before.Checkpoint, err
}

func (d *dealing) resume(checkpoint uint64) error {
	rec, err := d.recall.one(checkpoint)
	if err != nil {
		return err
	}
	return d.resumeAt(&rec)
}

func (d *dealing) resumeAt(rec *journal.Record) (err error) {
	setup := journal.Record{Seq: rec.Setup}
	if setup.Input, err = d.recall.from.SetUp(rec.Setup); err != nil {
		return err
	}
	in, err := d.input(&setup)
	if err != nil {
		return err
	}
	var carry table.Carry
	if err := json.Unmarshal(rec.Carry, &carry); err != nil {
		return fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	d.table = table.Resume(in.Rules, carry)
	return nil
}

// input reads a record's input, and finds the rules of a set-up.
func (d *dealing) input(rec *journal.Record) (vocab.Input, error) {
	in, err := d.parser.Parse(rec.Input, rec.Seq)
	if err != nil {
		return in, fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	if in.Kind == vocab.InSetup {
		in.Rules, err = d.recall.RulesOf(*in.Setup)
	}
	return in, err
}

// RulesOf returns the rules that a set-up used: the house's, or those whose text the
// journal has if the house plays by other rules today.
func (r *Recall) RulesOf(s rules.Setup) (*rules.Rules, error) {
	book := r.houses
	if house := book[s.House]; s.Profile != "" && (house == nil || house.Fingerprint != s.Profile) {
		text, err := r.from.Rules(s.Profile)
		if err != nil {
			return nil, err
		}
		kept, err := profile.FromText(text)
		if err != nil {
			return nil, fmt.Errorf("the rules of %s with the fingerprint %s: %w", s.House, s.Profile, err)
		}
		book = book.With(kept)
	}
	return book.Set(s)
}
