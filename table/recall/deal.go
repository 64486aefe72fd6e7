package recall

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/transcript"
	"github.com/sabot-table/sabot/table/vocab"
)

// Dealing is a table that goes on with its journal, record by record.
type Dealing struct {
	deals dealing
	now   []byte
	// differs is why the table is not what its own program has, nil while it is.
	differs error
}

// Deal returns the table after a record, 0 for none, as its own program has it that starts then: from the last
// checkpoint up to there.
func (r *Recall) Deal(seq uint64) (*Dealing, error) {
	d := r.dealing()
	if seq == 0 {
		return d, nil
	}
	last, err := r.one(seq)
	if err == nil && (last.Seq == 0 || last.Checkpoint > seq) {
		err = fmt.Errorf("%w as %d", ErrNoRecord, seq)
	}
	if err == nil && last.Checkpoint > 0 {
		err = d.deals.resume(last.Checkpoint)
	}
	if err != nil || last.Checkpoint == seq {
		return d, err
	}
	records, err := r.between(last.Checkpoint+1, seq)
	for i := range records {
		if records[i].Seq <= seq { // it may be missing
			d.Next(&records[i])
		}
	}
	return d, err
}

func (r *Recall) dealing() *Dealing {
	d := &Dealing{deals: dealing{recall: r, parser: transcript.NewParser(nil), table: &table.Table{}}}
	d.deals.parser.AnyHouse = true // RulesOf finds the rules of a set-up
	return d
}

// DealFrom returns the table after a record that holds a checkpoint.
func (r *Recall) DealFrom(rec *journal.Record) (*Dealing, error) {
	d := r.dealing()
	return d, d.deals.resumeAt(rec)
}

// Next deals on with the next record, and returns what it tells.
func (d *Dealing) Next(rec *journal.Record) []vocab.Output {
	in, err := d.deals.input(rec)
	if err != nil {
		d.differs = err
	}
	if err != nil && in.Kind == vocab.InSetup {
		d.deals.table = &table.Table{} // by what rules it goes on, nobody knows
	}
	var outs []vocab.Output
	if err == nil {
		outs = d.deals.table.Step(&in)
		d.now = d.now[:0]
		for i := range outs {
			d.now = append(transcript.AppendOutput(d.now, &outs[i]), '\n')
		}
		if !bytes.Equal(d.now, rec.Outputs) && !bytes.Equal(transcript.AppendEarlier(nil, outs), rec.Outputs) {
			d.differs = fmt.Errorf("record %d is answered differently than it was", rec.Seq)
		}
	}
	if d.differs != nil && len(rec.Carry) > 0 {
		d.again(rec)
	}
	return outs
}

// again goes on from a checkpoint, where what came before it was not understood.
func (d *Dealing) again(rec *journal.Record) {
	var carry table.Carry
	if rules := d.deals.table.Rules(); rules != nil && json.Unmarshal(rec.Carry, &carry) == nil {
		d.deals.table, d.differs = table.Resume(rules, carry), nil
	}
}

// Table is the table as it stands.
func (d *Dealing) Table() *table.Table { return d.deals.table }

// Differs is why the table is not what its own program has, nil while it is: that is another version.
func (d *Dealing) Differs() error { return d.differs }
