package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"

	"github.com/sabot-table/sabot/table"
	"github.com/sabot-table/sabot/table/journal"
	"github.com/sabot-table/sabot/table/rules"
	"github.com/sabot-table/sabot/table/transcript"
)

// Records is what a table is restored from.
type Records interface {
	// Checkpoint returns the last record that holds a carry, and the setup then in
	// force; seq is 0 if there is none.
	Checkpoint() (seq uint64, carry, setup []byte, err error)
	// Records yields the records from a number on.
	Records(from uint64) iter.Seq2[journal.Record, error]
}

// Restored is a table as the journal leaves it.
type Restored struct {
	Table *table.Table
	// Setup is the last setup that was put in, nil for a new journal.
	Setup *rules.Setup
	// Replayed counts the inputs of the open round that were played again.
	Replayed int
	// unknown is why the journal's own rules cannot be played any more.
	unknown error
}

// Restore brings a table to where the journal's last record left it: the last
// checkpoint, and every input since. An answer that is not the recorded one is an
// error, since money hangs on it.
//
// configured are the rules that the table is to play. They stand in for those of
// the journal when these are known no more and nothing was played by them since
// the checkpoint.
func Restore(from Records, book rules.Book, configured *rules.Rules) (Restored, error) {
	parser := transcript.NewParser(book)
	seq, carry, setup, err := from.Checkpoint()
	if err != nil {
		return Restored{}, err
	}
	restored := Restored{Table: &table.Table{}}
	if seq > 0 {
		if restored, err = resume(parser, seq, carry, setup, configured); err != nil {
			return Restored{}, err
		}
	}
	var buf []byte
	for rec, err := range from.Records(seq + 1) {
		if err != nil {
			return Restored{}, err
		}
		if restored.unknown != nil {
			return Restored{}, restored.unknown
		}
		in, err := parser.Parse(rec.Input, rec.Seq)
		if err != nil {
			return Restored{}, fmt.Errorf("record %d of the journal is no input that this version knows: %w", rec.Seq, err)
		}
		buf = answer(buf[:0], restored.Table, in)
		if !bytes.Equal(buf, rec.Outputs) {
			return Restored{}, &AnswerError{Seq: rec.Seq, Recorded: string(rec.Outputs), Now: string(buf)}
		}
		if in.Kind == table.InSetup && restored.Table.Rejected() == 0 {
			restored.Setup = in.Setup
		}
		restored.Replayed++
	}
	return restored, nil
}

// AnswerError is an input to which the engine answers otherwise than the journal
// says it did.
type AnswerError struct {
	Seq           uint64
	Recorded, Now string
}

// Error says which record it is and what to do.
func (e *AnswerError) Error() string {
	return fmt.Sprintf("record %d of the journal cannot be played again: recorded was\n%sbut the rules and the engine of this version answer\n%s"+
		"start the version that wrote the journal, finish the round with it, then start this one", e.Seq, e.Recorded, e.Now)
}

func resume(p *transcript.Parser, seq uint64, carry, setup []byte, configured *rules.Rules) (Restored, error) {
	var c table.Carry
	if err := json.Unmarshal(carry, &c); err != nil {
		return Restored{}, fmt.Errorf("the checkpoint in record %d of the journal cannot be read: %w; keep the file for the auditor", seq, err)
	}
	in, err := p.Parse(setup, seq)
	if err != nil {
		unknown := fmt.Errorf("the setup before record %d of the journal cannot be used, and a round was played by it: %w", seq, err)
		return Restored{Table: table.Resume(configured, c), unknown: unknown}, nil
	}
	return Restored{Table: table.Resume(in.Rules, c), Setup: in.Setup}, nil
}

func answer(dst []byte, t *table.Table, in table.Input) []byte {
	for _, out := range t.Step(&in) {
		dst = append(transcript.AppendOutput(dst, &out), '\n')
	}
	return dst
}

// Checkpoint is what the record of an input carries for the next start, nil for most:
// the table as it was left by a set-up that was taken, or by the end of a round. outs
// are what followed from the input.
func Checkpoint(t *table.Table, in table.InputKind, outs []table.Output) []byte {
	finished := func(out table.Output) bool { return out.Kind == table.Finished }
	if in != table.InSetup && !slices.ContainsFunc(outs, finished) || !t.Settled() || t.Rejected() != 0 {
		return nil
	}
	text, err := json.Marshal(t.Carry())
	if err != nil {
		panic(err) // a plain struct always encodes
	}
	return text
}
